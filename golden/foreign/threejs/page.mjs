// One frame of a scene that posed describes, drawn by three.js as its users would draw it: GLTFLoader, an
// AnimationMixer, its own lights, shadows and materials. Layers leave as arrays, row 0 on top.
import * as THREE from "three";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { DRACOLoader } from "three/addons/loaders/DRACOLoader.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

const SHADOW_MAP = 2048; // texels a side

// Returns a loader that reads compressed meshes too.
function loader() {
  const draco = new DRACOLoader().setDecoderPath("/three/examples/jsm/libs/draco/").setDecoderConfig({ type: "js" });
  return new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).setDRACOLoader(draco);
}

let kept;

// Returns the renderer of this page at a size: to make another one for each frame would compile every shader again.
export function rendererOf([width, height]) {
  if (!kept) {
    kept = new THREE.WebGLRenderer({ antialias: false, alpha: true });
    kept.shadowMap.enabled = true;
    kept.shadowMap.type = THREE.BasicShadowMap;
  }
  kept.setSize(width, height, false);
  return kept;
}

export async function draw(told) {
  const renderer = rendererOf(told.size);
  const world = new THREE.Scene();
  const shapes = [], boxes = [];
  for (const one of told.objects.filter(({ visible }) => visible)) {
    const { meshes } = await place(world, one, told, play);
    world.updateMatrixWorld(true);
    boxes.push(meshes.reduce((box, { mesh }) => box.expandByObject(mesh, true), new THREE.Box3()));
    shapes.push(...meshes);
  }
  light(world, told, casting(boxes));
  const camera = look(told.camera);
  const ids = layers(renderer, world, camera, shapes, told);
  return { ...ids, color: color(renderer, world, camera, told, ids.depth), version: THREE.REVISION, driver: driver(renderer) };
}

// Loads an object's file, plays its clips and puts it where the snapshot has it; returns it, its meshes with their ids.
export async function place(world, one, told, play) {
  const gltf = await loader().loadAsync(one.url);
  const root = new THREE.Group();
  root.matrixAutoUpdate = false;
  root.matrix.fromArray(one.matrix);
  root.add(gltf.scene);
  world.add(root);
  if (one.clips === null) throw new Error(`object ${one.name} plays more than shares of clips: three.js has no such mixer`);
  play(gltf, one.clips);
  const lights = [], meshes = [];
  root.traverse((node) => {
    if (node.isLight) lights.push(node); // the description has them, at their place
    if (node.isMesh) meshes.push(node);
  });
  for (const node of lights) node.removeFromParent();
  if (one.material) {
    const material = await override(one.material, one.sprite);
    for (const mesh of meshes) mesh.material = material;
  }
  const shapes = meshes.map((mesh) => {
    mesh.frustumCulled = false; // bounds of the bind pose do not hold for another
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.material.shadowSide = THREE.DoubleSide;
    const [node, primitive] = source(gltf, mesh);
    const same = ([name, of, index]) => name === one.name && of === node && index === primitive;
    return { mesh, node, primitive, object: one.id, part: 1 + told.ids.parts.findIndex(same) };
  });
  return { gltf, meshes: shapes };
}

// Returns the node and primitive of the file that a mesh was made from.
function source(gltf, mesh) {
  const { associations } = gltf.parser;
  const primitive = associations.get(mesh)?.primitives ?? 0;
  let owner = mesh;
  while (associations.get(owner)?.nodes === undefined) owner = owner.parent;
  return [associations.get(owner).nodes, primitive];
}

function play(gltf, clips) {
  const mixer = new THREE.AnimationMixer(gltf.scene);
  for (const { index, time, weight } of clips) {
    const action = mixer.clipAction(gltf.animations[index]);
    action.setLoop(THREE.LoopOnce).clampWhenFinished = true; // the time is given, wrapped already
    action.play().setEffectiveWeight(weight);
    action.time = time;
  }
  mixer.update(0);
}

async function override(told, sprite) {
  const kind = told.unlit ? THREE.MeshBasicMaterial : THREE.MeshStandardMaterial;
  const [red, green, blue, alpha] = told.base_color;
  const material = new kind({ color: new THREE.Color(red, green, blue), opacity: alpha });
  if (!told.unlit) {
    Object.assign(material, { metalness: told.metallic, roughness: told.roughness });
    material.emissive.setRGB(...told.emission);
  }
  material.side = told.double_sided ? THREE.DoubleSide : THREE.FrontSide;
  if (told.alpha === "mask") material.alphaTest = told.alpha_cutoff;
  if (told.alpha === "blend") material.transparent = true;
  if (told.color_texture) {
    const texture = await new THREE.TextureLoader().loadAsync(told.color_texture.url);
    texture.flipY = false;
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.generateMipmaps = false;
    texture.minFilter = texture.magFilter = told.color_texture.filter === "nearest" ? THREE.NearestFilter : THREE.LinearFilter;
    if (sprite) {
      const [u0, v0, u1, v1] = sprite.uv;
      texture.offset.set(u0, v0);
      texture.repeat.set(u1 - u0, v1 - v0);
    }
    material.map = texture;
  }
  return material;
}

export function look(told) {
  const camera = new THREE.Camera();
  camera.projectionMatrix.fromArray(told.projection.minus_one_to_one);
  camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
  camera.matrixAutoUpdate = false;
  camera.matrix.fromArray(told.view).invert();
  camera.updateMatrixWorld(true);
  return camera;
}

// Returns the box of all that is not far larger than the smallest thing: a shadow map over a whole plain would show nothing.
function casting(boxes) {
  const size = (box) => box.getSize(new THREE.Vector3()).length(), smallest = Math.min(...boxes.map(size).filter((one) => one > 0));
  return boxes.filter((box) => size(box) <= 10 * smallest).reduce((all, box) => all.union(box), new THREE.Box3());
}

// Sun, point and spot lights in lux and candela, and the environment as a texture, which metals need.
function light(world, told, bounds) {
  const sphere = bounds.getBoundingSphere(new THREE.Sphere());
  for (const one of told.lights) {
    const kinds = { sun: THREE.DirectionalLight, point: THREE.PointLight, spot: THREE.SpotLight };
    const shining = new kinds[one.kind](new THREE.Color(...one.color), one.intensity);
    const direction = new THREE.Vector3(...one.direction);
    if (one.kind === "sun") {
      shining.position.copy(sphere.center).addScaledVector(direction, -2 * sphere.radius);
      shining.target.position.copy(sphere.center);
      const camera = shining.shadow.camera;
      camera.left = camera.bottom = -sphere.radius;
      camera.right = camera.top = sphere.radius;
      camera.near = 0.5 * sphere.radius;
      camera.far = 12 * sphere.radius; // also what lies below, to be shadowed
    } else {
      shining.position.set(...one.position);
      shining.distance = one.range ?? 0;
      shining.decay = 2;
      shining.shadow.camera.far = 4 * sphere.radius;
    }
    if (one.kind === "spot") {
      shining.target.position.copy(shining.position).add(direction);
      shining.angle = one.outer;
      shining.penumbra = one.outer > 0 ? 1 - one.inner / one.outer : 0;
    }
    if (shining.target) world.add(shining.target);
    shining.castShadow = true;
    shining.shadow.mapSize.set(SHADOW_MAP, SHADOW_MAP);
    shining.shadow.normalBias = 0.002 * sphere.radius;
    shining.shadow.bias = -0.0005; // for meshes without normals, which the other bias does nothing for
    world.add(shining);
  }
  world.environment = sky(told.environment);
}

// Returns a gradient environment as an equirectangular texture, its first row straight below.
function sky({ bottom, top, intensity }) {
  const rows = 256, columns = 4, data = new Float32Array(4 * rows * columns);
  for (let row = 0; row < rows; row++) {
    const share = (Math.sin(Math.PI * ((row + 0.5) / rows - 0.5)) + 1) / 2;
    for (let column = 0; column < columns; column++) {
      const light = bottom.map((value, index) => intensity * (value + share * (top[index] - value)));
      data.set([...light, 1], 4 * (row * columns + column));
    }
  }
  const texture = new THREE.DataTexture(data, columns, rows, THREE.RGBAFormat, THREE.FloatType);
  texture.mapping = THREE.EquirectangularReflectionMapping;
  texture.needsUpdate = true;
  return texture;
}

// Colors in linear light over the environment; its radiance is drawn by hand, as three.js has no gradient.
function color(renderer, world, camera, told, depth) {
  const [width, height] = told.size;
  const target = new THREE.WebGLRenderTarget(width, height, { type: THREE.FloatType, samples: 4 });
  renderer.setClearColor(0, 0);
  renderer.setRenderTarget(target);
  renderer.render(world, camera);
  const pixels = read(renderer, target, width, height);
  const { bottom, top, intensity } = told.environment;
  const point = new THREE.Vector3(), from = new THREE.Vector3();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * width + x), alpha = pixels[at + 3];
      if (alpha < 1) {
        const u = 2 * (x + 0.5) / width - 1, v = 1 - 2 * (y + 0.5) / height;
        from.set(u, v, -1).unproject(camera);
        point.set(u, v, 0.5).unproject(camera).sub(from).normalize();
        const share = (point.y + 1) / 2;
        for (let c = 0; c < 3; c++) pixels[at + c] += (1 - alpha) * intensity * (bottom[c] + share * (top[c] - bottom[c]));
      }
      pixels[at + 3] = Number.isFinite(depth[y * width + x]) ? 1 : 0;
    }
  }
  return pixels;
}

// Ids, depth and normals, each mesh with a material of ours in place of its own: what an engine's id pass does. Without
// an index the number of a vertex tells its triangle.
export function layers(renderer, world, camera, shapes, told) {
  const [width, height] = told.size;
  const own = shapes.map(({ mesh }) => [mesh.material, mesh.geometry]);
  const flat = own.map(([, geometry]) => (geometry.index ? geometry.toNonIndexed() : geometry));
  const target = new THREE.WebGLRenderTarget(width, height, { type: THREE.FloatType });
  const pass = (normals) => {
    shapes.forEach(({ mesh, part }, index) => {
      Object.assign(mesh, { material: plain(own[index][0], part, normals), geometry: flat[index] });
    });
    renderer.setClearColor(0, 0);
    renderer.setRenderTarget(target);
    renderer.render(world, camera);
    shapes.forEach(({ mesh }, index) => Object.assign(mesh, { material: own[index][0], geometry: own[index][1] }));
    return read(renderer, target, width, height);
  };
  const ids = pass(false), facing = pass(true);
  target.dispose();
  flat.forEach((geometry) => geometry.dispose());
  const objects = new Map(shapes.map(({ part, object }) => [part, object]));
  const count = width * height;
  const object = new Uint32Array(count), part = new Uint32Array(count), triangle = new Uint32Array(count);
  const depth = new Float32Array(count).fill(Infinity), normal = new Float32Array(3 * count);
  for (let index = 0; index < count; index++) {
    if (ids[4 * index + 3] === 0) continue;
    part[index] = ids[4 * index];
    object[index] = objects.get(part[index]);
    triangle[index] = ids[4 * index + 1];
    depth[index] = ids[4 * index + 2];
    normal.set(facing.subarray(4 * index, 4 * index + 3), 3 * index);
  }
  return { object, part, triangle, depth, normal };
}

function plain(own, part, normals) {
  const map = own.map ?? null;
  return new THREE.ShaderMaterial({
    side: own.side,
    uniforms: {
      part: { value: part }, map: { value: map }, hasMap: { value: map !== null },
      mapTransform: { value: map === null ? new THREE.Matrix3() : (map.updateMatrix(), map.matrix) },
      alpha: { value: own.opacity }, cutoff: { value: own.transparent ? 0.5 : own.alphaTest },
    },
    defines: { MAP_UV: map?.channel ? `uv${map.channel}` : "uv", ...(normals ? { NORMALS: 1 } : {}), ...(normals && own.flatShading ? { FLAT: 1 } : {}) },
    vertexShader: `
      #include <common>
      #include <morphtarget_pars_vertex>
      #include <skinning_pars_vertex>
      uniform mat3 mapTransform;
      varying vec2 mapped;
      varying float viewDepth;
      varying vec3 facing, seen;
      flat varying float triangle;
      void main() {
        triangle = float(gl_VertexID / 3 + 1);
        mapped = (mapTransform * vec3(MAP_UV, 1.0)).xy;
        #include <beginnormal_vertex>
        #include <morphnormal_vertex>
        #include <skinbase_vertex>
        #include <skinnormal_vertex>
        #include <defaultnormal_vertex>
        facing = inverseTransformDirection(transformedNormal, viewMatrix);
        #include <begin_vertex>
        #include <morphtarget_vertex>
        #include <skinning_vertex>
        #include <project_vertex>
        viewDepth = -mvPosition.z;
        seen = mvPosition.xyz;
      }`,
    fragmentShader: `
      #include <common>
      uniform float part, alpha, cutoff;
      uniform sampler2D map;
      uniform bool hasMap;
      varying vec2 mapped;
      varying float viewDepth;
      #ifdef FLAT
        varying vec3 seen;
      #else
        varying vec3 facing;
      #endif
      flat varying float triangle;
      void main() {
        float shown = alpha * (hasMap ? texture2D(map, mapped).a : 1.0);
        if (cutoff > 0.0 && shown < cutoff) discard;
        #ifdef FLAT
          vec3 facing = inverseTransformDirection(cross(dFdx(seen), dFdy(seen)), viewMatrix);
          gl_FragColor = vec4(normalize(facing), 1.0);
        #elif defined(NORMALS)
          gl_FragColor = vec4(normalize(gl_FrontFacing ? facing : -facing), 1.0);
        #else
          gl_FragColor = vec4(part, triangle, viewDepth, 1.0);
        #endif
      }`,
  });
}

function read(renderer, target, width, height) {
  const upside = new Float32Array(4 * width * height), pixels = new Float32Array(4 * width * height);
  renderer.readRenderTargetPixels(target, 0, 0, width, height, upside);
  const row = 4 * width;
  for (let y = 0; y < height; y++) pixels.set(upside.subarray(row * (height - 1 - y), row * (height - y)), row * y);
  return pixels;
}

function driver(renderer) {
  const gl = renderer.getContext(), names = gl.getExtension("WEBGL_debug_renderer_info");
  return names ? gl.getParameter(names.UNMASKED_RENDERER_WEBGL) : gl.getParameter(gl.RENDERER);
}
