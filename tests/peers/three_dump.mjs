// node three_dump.mjs SNIPPET FILE OBJECT CLIP TICK RATE: writes what three.js poses, by the snippet, as JSON.
import { readFileSync } from "node:fs";

globalThis.self = globalThis; // what the loader calls a browser's global; pictures are not needed
console.error = console.warn = () => {};
const [snippet, file, object, clip, tick, rate] = process.argv.slice(2);
const { AnimationMixer } = await import("three");
const { GLTFLoader } = await import("three/addons/loaders/GLTFLoader.js");
const { posedOf } = await import(snippet);
const data = readFileSync(file);
const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
const gltf = await new Promise((resolve, reject) => new GLTFLoader().parse(bytes, "", resolve, reject));
const mixer = new AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations.find((one) => one.name === clip)).play();
mixer.setTime(Number(tick) / Number(rate));
process.stdout.write(JSON.stringify(posedOf(gltf, object, Number(tick), Number(rate))));
