// Everything by keyboard.

const KEYS = [
  ["1 \u2026 5", "the views: all four, wipe, swap, difference, mask"],
  ["l / L", "next, previous layer"],
  ["b / B", "next, previous blob"],
  ["[ / ]", "previous, next tick"],
  ["f", "next tick that failed"],
  ["space", "in the swap: the other side"],
  ["\u2190 \u2191 \u2192 \u2193", "the magnifier by a pixel, with shift by ten"],
  ["+ / - / 0", "nearer, farther, all of it"],
  ["m", "rings around blobs, or none"],
  ["?", "this list"],
];

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function moveCursor([dx, dy], far) {
  const [width, height] = size();
  const [x, y] = state.cursor || [width >> 1, height >> 1];
  const times = far ? 10 : 1;
  const cursor = [Math.min(Math.max(x + dx * times, 0), width - 1), Math.min(Math.max(y + dy * times, 0), height - 1)];
  const follows = state.zoom.scale > 1;
  const zoom = follows ? { ...state.zoom, x: (cursor[0] + 0.5) / width, y: (cursor[1] + 0.5) / height } : state.zoom;
  change({ cursor, pinned: true, zoom });
}

function zoomBy(factor) {
  const [width, height] = size();
  const [x, y] = state.cursor || [width >> 1, height >> 1];
  zoomTo(state.zoom.scale * factor, (x + 0.5) / width, (y + 0.5) / height);
}

function nextFailure() {
  const frames = run().frames;
  for (let ahead = 1; ahead <= frames.length; ahead += 1) {
    const index = (state.frame + ahead) % frames.length;
    if (!frames[index].passed) return showFrame(index);
  }
  return undefined;
}

function stepBlob(way) {
  const numbers = blobs().map((one) => one.number);
  if (numbers.length) chooseBlob(state.blob ? step(numbers, state.blob, way) : numbers[way > 0 ? 0 : numbers.length - 1]);
}

const PRESSED = {
  l: () => showLayer(step(frame().layers.map((one) => one.layer), state.layer, 1)),
  L: () => showLayer(step(frame().layers.map((one) => one.layer), state.layer, -1)),
  b: () => stepBlob(1),
  B: () => stepBlob(-1),
  "[": () => showFrame(state.frame - 1),
  "]": () => showFrame(state.frame + 1),
  f: nextFailure,
  m: () => change({ marks: !state.marks }),
  "+": () => zoomBy(1.5),
  "=": () => zoomBy(1.5),
  "-": () => zoomBy(1 / 1.5),
  0: () => zoomTo(1, 0.5, 0.5),
  "?": () => { element("help").open = !element("help").open; element("help").scrollIntoView({ block: "nearest" }); },
};

function listenToKeys() {
  addEventListener("keydown", (event) => {
    const at = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || at.matches("select")) return;
    const group = at.closest("[role=radiogroup]");
    if (ARROWS[event.key] && group) {
      const [dx, dy] = ARROWS[event.key];
      stepRadio(group, dx + dy);
      event.preventDefault();
    } else if (ARROWS[event.key] && at === element("stage")) {
      moveCursor(ARROWS[event.key], event.shiftKey);
      event.preventDefault();
    } else if (event.key === " " && state.view === "swap" && !at.matches("button, input, summary")) {
      change({ swapped: !state.swapped });
      event.preventDefault();
    } else if (VIEWS[Number(event.key) - 1]) change({ view: VIEWS[Number(event.key) - 1][0] });
    else if (PRESSED[event.key]) PRESSED[event.key]();
  });
}

function stepRadio(group, way) {
  if (group === element("layers")) PRESSED[way > 0 ? "l" : "L"]();
  else change({ view: step(VIEWS.map(([name]) => name), state.view, way) });
}
