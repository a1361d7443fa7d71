// Everything that three.js makes of one moment of posed's conformance pack: what it poses, where its vertices are, what
// it draws. Clips loop and hold as its mixer has it: the time is given as it runs.
import * as THREE from "three";
import { posedOf } from "/dump.mjs";
import { layers, look, place, rendererOf } from "/page.mjs";

export async function answer(told) {
  const [shown] = told.objects;
  const world = new THREE.Scene();
  const { gltf, meshes } = await place(world, shown, told, play);
  world.updateMatrixWorld(true);
  const drawn = layers(rendererOf(told.size), world, look(told.camera), meshes, told);
  const vertices = meshes.map(({ mesh, node, primitive }) => ({
    name: `${shown.name}/${node}/${primitive}/positions`,
    values: [...positions(mesh)],
  }));
  for (const { mesh } of meshes) mesh.geometry.dispose();
  return { posed: posedOf(gltf, shown.name, told.tick, 60), vertices, ...drawn, version: THREE.REVISION };
}

function play(gltf, clips) {
  const mixer = new THREE.AnimationMixer(gltf.scene);
  for (const { index, playback, unwrapped } of clips) {
    const action = mixer.clipAction(gltf.animations[index]);
    if (playback === "once") action.setLoop(THREE.LoopOnce).clampWhenFinished = true;
    action.play();
    mixer.setTime(unwrapped);
  }
}

// Positions as three.js computes them for its own picking, in the order of the file.
function positions(mesh) {
  const { count } = mesh.geometry.attributes.position;
  const found = new Float32Array(3 * count), vertex = new THREE.Vector3();
  for (let index = 0; index < count; index++) {
    mesh.getVertexPosition(index, vertex).applyMatrix4(mesh.matrixWorld).toArray(found, 3 * index);
  }
  return found;
}
