// The magnifier: the same few pixels of all four pictures, and what the one in the middle shows.

const REACH = 8; // pixels on each side of the middle one
const ACROSS = 2 * REACH + 1;
const TIMES = 9;

const glasses = Object.fromEntries(
  KINDS.map((kind) => [kind, make("canvas", { width: ACROSS * TIMES, height: ACROSS * TIMES, role: "img" })]),
);

function buildMagnifier() {
  const figures = KINDS.map((kind) => make("figure", {}, glasses[kind], make("figcaption", {}, title(kind))));
  element("magnifier").replaceChildren(...figures, make("dl", { class: "reading", id: "reading" }));
}

function drawGlass(kind, four, x, y) {
  const context = glasses[kind].getContext("2d");
  const across = ACROSS * TIMES;
  context.clearRect(0, 0, across, across);
  context.imageSmoothingEnabled = false;
  const layers = kind === "difference" || kind === "mask" ? [["live", 0.25], [kind, 1]] : [[kind, 1]];
  for (const [one, strength] of layers) {
    const image = picture(four[one]);
    if (!image.complete || !image.naturalWidth) continue;
    context.globalAlpha = strength;
    context.drawImage(image, x - REACH, y - REACH, ACROSS, ACROSS, 0, 0, across, across);
  }
  context.globalAlpha = 1;
  const corner = REACH * TIMES;
  context.lineWidth = 1;
  context.strokeStyle = "#000";
  context.strokeRect(corner - 1.5, corner - 1.5, TIMES + 3, TIMES + 3);
  context.strokeStyle = "#fff";
  context.strokeRect(corner - 0.5, corner - 0.5, TIMES + 1, TIMES + 1);
}

function drawMagnifier() {
  const four = pictures();
  element("magnifier").hidden = !four;
  if (!four) return;
  const [width, height] = size();
  const [x, y] = state.cursor || [width >> 1, height >> 1];
  for (const kind of KINDS) drawGlass(kind, four, x, y);
  const facts = [
    ["pixel", `${x}, ${y}${state.pinned ? " (held)" : ""}`],
    [title("reference"), meaningAt("reference", x, y)],
    [title("live"), meaningAt("live", x, y)],
    ["difference", differenceAt(x, y)],
    ["", explanationAt(x, y)],
  ];
  element("reading").replaceChildren(
    ...facts.filter(([, text]) => text).flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]),
  );
}

watch(["run"], buildMagnifier);
watch(["cursor", "pinned", "run", "frame", "layer", "decoded"], drawMagnifier);
