// What is shown, and who draws it anew when that changes.

const report = JSON.parse(element("data").textContent);

const state = {
  run: 0,
  frame: 0,
  layer: "",
  view: "four",
  swapped: false,
  marks: true,
  wipe: 0.5,
  zoom: { scale: 1, x: 0.5, y: 0.5 }, // 1 fits; the point at the pane's middle, as a share of the picture
  cursor: null, // column and row under the magnifier
  pinned: false,
  blob: 0,
};

const watchers = [];

function watch(keys, draw) {
  watchers.push([keys, draw]);
}

function change(changes) {
  Object.assign(state, changes);
  for (const [keys, draw] of watchers) if (keys.some((key) => key in changes)) draw();
}

const run = () => report.runs[state.run];
const frame = () => run().frames[state.frame];
const layer = () => frame().layers.find((one) => one.layer === state.layer);
const pictures = () => frame().pictures[state.layer];
const blobs = () => (layer() ? layer().blobs : []);

function firstLayer(shown) {
  const failing = shown.layers.find((one) => one.status === "failed" && !one.tolerated);
  const drawn = shown.layers.find((one) => one.layer in shown.pictures);
  return (failing || drawn || shown.layers[0] || { layer: "" }).layer;
}

function showFrame(index) {
  const last = run().frames.length - 1;
  change({ frame: Math.min(Math.max(index, 0), last), blob: 0 });
}

function showLayer(name) {
  change({ layer: name, blob: 0 });
}

function step(list, current, way) {
  const place = list.indexOf(current);
  return list[(place + way + list.length) % list.length];
}
