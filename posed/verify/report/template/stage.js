// The stage: four linked panes, a wipe, a swap on hover, or one picture alone; zoom and pan hold for all of them.

const VIEWS = [
  ["four", "All four"],
  ["wipe", "Wipe"],
  ["swap", "Swap"],
  ["difference", "Difference"],
  ["mask", "Mask"],
];
const KINDS = ["reference", "live", "difference", "mask"];
const LARGEST_ZOOM = 64;

const title = (kind) => ({ reference: run().sides[0], live: run().sides[1] })[kind] || kind;
const size = () => frame().size || [16, 9];

function imageOf(kind, classes = "") {
  const image = make("img", { class: classes, alt: `${state.layer}, ${title(kind)}`, draggable: "false" });
  image.src = pictures()[kind];
  return image;
}

function canvas(...children) {
  const [width, height] = size();
  const made = make("div", { class: "canvas" }, ...children);
  made.style.width = `${width}px`;
  made.style.height = `${height}px`;
  if (state.marks && blobs().length) made.append(marks(width, height));
  return made;
}

function marks(width, height) {
  const rings = blobs().map((one) => {
    const [left, top, right, bottom] = one.box;
    const room = 3;
    return drawing("rect", {
      x: left - room, y: top - room, width: right - left + 2 * room, height: bottom - top + 2 * room, rx: 2,
      class: one.number === state.blob ? "ring chosen" : "ring",
    });
  });
  return drawing("svg", { class: "marks", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...rings);
}

function pane(kind) {
  const over = kind === "difference" || kind === "mask";
  const images = over ? [imageOf("live", "dim"), imageOf(kind)] : [imageOf(kind)];
  return make("figure", { class: "pane", "data-kind": kind }, canvas(...images), make("figcaption", {}, title(kind)));
}

function wipePane() {
  const handle = make("div", {
    class: "handle", role: "slider", tabindex: "0", "aria-label": "Wipe", "aria-valuemin": "0", "aria-valuemax": "100",
  });
  handle.addEventListener("pointerdown", (event) => {
    event.stopPropagation();
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = (move) => {
      const box = handle.parentElement.getBoundingClientRect();
      change({ wipe: Math.min(Math.max((move.clientX - box.left) / box.width, 0), 1) });
    };
    handle.onpointerup = () => { handle.onpointermove = null; };
  });
  handle.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    change({ wipe: Math.min(Math.max(state.wipe + way * (event.shiftKey ? 0.1 : 0.01), 0), 1) });
  });
  const upper = make("div", { class: "upper" }, canvas(imageOf("live")));
  return make(
    "figure", { class: "pane", "data-kind": "wipe" }, canvas(imageOf("reference")), upper, handle,
    make("figcaption", {}, title("reference")), make("figcaption", { class: "right" }, title("live")),
  );
}

function swapPane() {
  const made = make(
    "figure", { class: "pane swap", "data-kind": "swap" },
    canvas(imageOf("live", "below"), imageOf("reference", "above")),
    make("figcaption", { class: "below" }, title("live")), make("figcaption", { class: "above" }, title("reference")),
  );
  made.addEventListener("pointerenter", () => change({ swapped: true }));
  made.addEventListener("pointerleave", () => change({ swapped: false }));
  return made;
}

function drawStage() {
  const stage = element("stage");
  const [width, height] = size();
  stage.style.aspectRatio = `${width} / ${height}`;
  stage.className = `stage ${state.view}`;
  if (!pictures()) {
    const kept = Object.keys(frame().pictures).length;
    const text = layer() && layer().status === "not compared"
      ? `${state.layer} was not compared.`
      : kept || !frame().size
        ? `${state.layer} has no pictures: its findings are on the left.`
        : "The pictures of this tick were left out to keep the file small; its findings are on the left.";
    stage.replaceChildren(make("p", { class: "empty" }, text));
  } else if (state.view === "wipe") stage.replaceChildren(wipePane());
  else if (state.view === "swap") stage.replaceChildren(swapPane());
  else stage.replaceChildren(...(state.view === "four" ? KINDS : [state.view]).map(pane));
  place();
}

const panes = () => [...element("stage").querySelectorAll(".pane")];

// The scale in screen pixels a picture's pixel, and where the picture's corner lies in a pane.
function placement(box) {
  const [width, height] = size();
  const scale = Math.min(box.width / width, box.height / height) * state.zoom.scale;
  const at = (length, room, share) =>
    length * scale <= room ? (room - length * scale) / 2 : Math.min(0, Math.max(room - length * scale, room / 2 - share * length * scale));
  return { scale, left: at(width, box.width, state.zoom.x), top: at(height, box.height, state.zoom.y) };
}

function place() {
  for (const one of panes()) {
    const { scale, left, top } = placement(one.getBoundingClientRect());
    for (const inner of one.querySelectorAll(".canvas")) {
      inner.style.setProperty("--screen-pixel", `${1 / scale}px`); // so that rings stay thin
      inner.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
      inner.classList.toggle("near", scale >= 1);
    }
    const upper = one.querySelector(".upper");
    if (upper) {
      upper.style.clipPath = `inset(0 0 0 ${100 * state.wipe}%)`;
      const handle = one.querySelector(".handle");
      handle.style.left = `${100 * state.wipe}%`;
      handle.setAttribute("aria-valuenow", String(Math.round(100 * state.wipe)));
    }
    one.classList.toggle("swapped", state.swapped);
  }
}

function pixelAt(one, event) {
  const box = one.getBoundingClientRect();
  const { scale, left, top } = placement(box);
  const [width, height] = size();
  const x = Math.floor((event.clientX - box.left - left) / scale);
  const y = Math.floor((event.clientY - box.top - top) / scale);
  return x >= 0 && y >= 0 && x < width && y < height ? [x, y] : null;
}

function zoomTo(scale, x, y) {
  change({ zoom: { scale: Math.min(Math.max(scale, 1), LARGEST_ZOOM), x, y } });
}

// Zoom by a factor and leave the point under (clientX, clientY) of a pane where it is.
function zoomAbout(one, event, factor) {
  const box = one.getBoundingClientRect();
  const [width, height] = size();
  const before = placement(box);
  const scale = Math.min(Math.max(state.zoom.scale * factor, 1), LARGEST_ZOOM);
  const after = (before.scale / state.zoom.scale) * scale;
  const share = (client, start, corner, length, room) => {
    const point = (client - start - corner) / before.scale;
    return (point - (client - start - room / 2) / after) / length;
  };
  zoomTo(
    scale,
    share(event.clientX, box.left, before.left, width, box.width),
    share(event.clientY, box.top, before.top, height, box.height),
  );
}

function listenToStage() {
  const stage = element("stage");
  let drag = null;
  stage.addEventListener("wheel", (event) => {
    const one = event.target.closest(".pane");
    const asked = event.ctrlKey || event.metaKey || stage.contains(document.activeElement);
    if (!one || !asked) return; // else the wheel scrolls the page
    event.preventDefault();
    zoomAbout(one, event, 2 ** (-event.deltaY / 240));
  }, { passive: false });
  stage.addEventListener("pointerdown", (event) => {
    const one = event.target.closest(".pane");
    if (!one || event.button !== 0) return;
    drag = { one, x: event.clientX, y: event.clientY, zoom: state.zoom, moved: false };
  });
  addEventListener("pointermove", (event) => {
    const one = event.target instanceof Element ? event.target.closest(".pane") : null;
    if (drag) {
      const [width, height] = size();
      const { scale } = placement(drag.one.getBoundingClientRect());
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      drag.moved ||= Math.hypot(dx, dy) > 3;
      if (drag.moved && state.zoom.scale > 1) {
        const inside = (share) => Math.min(Math.max(share, 0), 1);
        zoomTo(state.zoom.scale, inside(drag.zoom.x - dx / scale / width), inside(drag.zoom.y - dy / scale / height));
      }
    } else if (one && !state.pinned) change({ cursor: pixelAt(one, event) || state.cursor });
  });
  addEventListener("pointerup", (event) => {
    if (drag && !drag.moved) {
      const pixel = pixelAt(drag.one, event);
      const again = pixel && state.pinned && String(pixel) === String(state.cursor);
      if (pixel) change({ cursor: pixel, pinned: !again });
    }
    drag = null;
  });
  stage.addEventListener("dblclick", (event) => {
    const one = event.target.closest(".pane");
    if (one && state.zoom.scale > 1) zoomTo(1, 0.5, 0.5);
    else if (one) zoomAbout(one, event, 6);
  });
  new ResizeObserver(place).observe(stage);
}

function entry(color, text) {
  const swatch = make("i", { class: "swatch" });
  swatch.style.background = color;
  return make("span", {}, swatch, text);
}

function drawLegend() {
  const entries = [];
  if (pictures() && isMeasured()) {
    const steps = report.scale.colors.map((color) => {
      const made = make("i", {});
      made.style.background = color;
      return made;
    });
    entries.push(make("span", { class: "ramp" }, `${report.scale.least}`, make("span", { class: "steps" }, ...steps), `${report.scale.most} limits`));
  }
  if (pictures()) {
    entries.push(...report.mask.map(([color, text]) => entry(color, text)));
  }
  if (pictures() && state.layer === "silhouette") {
    entries.push(entry(report.missing, `in the ${title("reference")} alone`), entry(report.extra, `in the ${title("live")} alone`));
  }
  if (frame().lossy.includes(state.layer)) entries.push(make("span", {}, "the two sides are stored with loss"));
  element("legend").replaceChildren(...entries);
}

watch(["run", "frame", "layer", "view", "marks", "blob"], drawStage);
watch(["run", "frame", "layer"], drawLegend);
watch(["zoom", "wipe", "swapped"], place);
