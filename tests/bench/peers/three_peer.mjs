// three.js's side of tests/bench/loading.py and character.py: node three_peer.mjs FOLDER, a JSON request a line, a JSON
// answer a line. FOLDER holds node_modules/three.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

globalThis.self = globalThis; // what the loader calls a browser's global; pictures are not needed
console.error = console.warn = () => {};
process.on("unhandledRejection", () => {}); // of a picture; what is asked for is awaited, and ends this when it fails
const three = `${process.argv[2]}/node_modules/three/`;
const { AnimationMixer, Vector3 } = await import(pathToFileURL(`${three}build/three.module.js`));
const { GLTFLoader } = await import(pathToFileURL(`${three}examples/jsm/loaders/GLTFLoader.js`));

const parse = (bytes) => new Promise((resolve, reject) => new GLTFLoader().parse(bytes, "", resolve, reject));

async function load(file) {
  const begun = performance.now();
  const data = readFileSync(file);
  const gltf = await parse(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
  return [gltf, performance.now() - begun];
}

function triangles(gltf) {
  let count = 0;
  gltf.scene.traverse((one) => one.isMesh && (count += one.geometry.index.count / 3));
  return count;
}

let playing = null;

async function open({ open: file, clip }) {
  const [gltf] = await load(file);
  const meshes = [];
  gltf.scene.traverse((one) => one.isSkinnedMesh && meshes.push(one));
  const mixer = new AnimationMixer(gltf.scene);
  mixer.clipAction(gltf.animations.find((one) => one.name === clip)).play();
  const counts = meshes.map((one) => one.geometry.attributes.position.count);
  playing = { scene: gltf.scene, mixer, meshes, skinned: counts.map((count) => new Float32Array(3 * count)) };
  return { vertices: counts };
}

// Poses each time: keys, blends, globals and the skeleton's matrices, as a renderer's frame has them done.
function pose({ pose: times }) {
  const { scene, mixer, meshes } = playing;
  const begun = performance.now();
  for (const time of times) {
    mixer.setTime(time);
    scene.updateMatrixWorld();
    for (const skeleton of new Set(meshes.map((one) => one.skeleton))) skeleton.update();
  }
  return { ms: (performance.now() - begun) / times.length };
}

// Skins every vertex on the CPU, as three.js does it for bounds and picks.
function skin() {
  const { meshes, skinned } = playing;
  const vertex = new Vector3();
  const begun = performance.now();
  meshes.forEach((mesh, index) => {
    const { position } = mesh.geometry.attributes;
    for (let number = 0; number < position.count; number++) {
      mesh.applyBoneTransform(number, vertex.fromBufferAttribute(position, number));
      vertex.toArray(skinned[index], 3 * number);
    }
  });
  return { ms: performance.now() - begun };
}

function told() {
  const vertex = new Vector3();
  const placed = playing.meshes.map((mesh, index) => {
    const values = playing.skinned[index];
    const out = [];
    for (let at = 0; at < values.length; at += 3) {
      out.push(vertex.fromArray(values, at).applyMatrix4(mesh.matrixWorld).toArray());
    }
    return out;
  });
  return { positions: placed };
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  let answer;
  if (asked.load) {
    const [gltf, ms] = await load(asked.load);
    answer = { ms, triangles: triangles(gltf) };
  } else if (asked.open) answer = await open(asked);
  else if (asked.pose) answer = pose(asked);
  else if (asked.skin) answer = skin();
  else answer = told();
  console.log(JSON.stringify(answer));
}
