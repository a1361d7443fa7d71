import { Matrix4 } from "three";

// What three.js shows of a loaded glTF now: `gltf` is what GLTFLoader gave, `object` our name of it.
export function posedOf(gltf, object, tick, rate) {
  const { scene, parser } = gltf;
  scene.updateMatrixWorld(true);
  const toScene = new Matrix4().copy(scene.matrixWorld).invert();
  const nodes = {}, palettes = {}, morphs = {};
  scene.traverse((one) => {
    if (!one.isMesh) return;
    let owner = one; // a mesh of several primitives is a group of meshes
    while (parser.associations.get(owner)?.nodes === undefined) owner = owner.parent;
    const node = parser.associations.get(owner).nodes;
    if (one.isSkinnedMesh) {
      palettes[node] = one.skeleton.bones.map((bone, joint) =>
        toScene.clone().multiply(bone.matrixWorld).multiply(one.skeleton.boneInverses[joint]).toArray());
    } else {
      nodes[node] = toScene.clone().multiply(one.matrixWorld).toArray();
    }
    if (one.morphTargetInfluences) morphs[node] = [...one.morphTargetInfluences];
  });
  const of = (values) => ({ [object]: values });
  return {
    format: "posed", version: 1, tick, rate: String(rate),
    nodes: of(nodes), palettes: of(palettes), morphs: of(morphs),
  };
}
