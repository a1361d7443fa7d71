// Pictures: decoded once each, and read pixel by pixel: a color is an id, or how large a difference is.

const decoded = new Map();

function picture(uri) {
  if (!decoded.has(uri)) {
    const image = new Image();
    image.src = uri;
    image.decode().then(() => change({ decoded: uri }), () => {});
    decoded.set(uri, image);
  }
  return decoded.get(uri);
}

const probe = Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
  .getContext("2d", { willReadFrequently: true });

// The color "#rrggbb" of a pixel; null where it is transparent or not decoded yet.
function colorAt(uri, x, y) {
  const image = picture(uri);
  if (!image.complete || !image.naturalWidth) return null;
  probe.clearRect(0, 0, 1, 1);
  probe.drawImage(image, x, y, 1, 1, 0, 0, 1, 1);
  const [red, green, blue, alpha] = probe.getImageData(0, 0, 1, 1).data;
  return alpha === 0 ? null : `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, "0")}`;
}

// What a side shows at a pixel, in words; null where its picture has no exact meaning.
function meaningAt(side, x, y) {
  const four = pictures();
  const color = colorAt(four[side], x, y);
  if (state.layer === "silhouette") return color === null ? "background" : "covered";
  if (state.layer === "triangle") {
    if (color === null) return "background";
    return `triangle ${Number((BigInt(parseInt(color.slice(1), 16)) * BigInt(report.unscramble)) & 0xffffffn)}`;
  }
  const table = frame().colors[state.layer];
  if (!table) return null;
  if (color === null) return "background";
  return nameOf(state.layer, table[color]);
}

function nameOf(kind, id) {
  const names = run().names[kind] || [];
  return names[id - 1] === undefined ? `${kind} ${id}` : names[id - 1];
}

const isMeasured = () => layer() && !["silhouette", "object", "part", "triangle", "material", "joint"].includes(state.layer);

// How large the difference is, in words.
function differenceAt(x, y) {
  const color = colorAt(pictures().difference, x, y);
  if (!isMeasured()) return color === null ? "the same" : "differs";
  if (color === null) return `below ${report.scale.least} of the limit`;
  const { colors, least, most } = report.scale;
  const ratio = least * (most / least) ** ((colors.indexOf(color) + 0.5) / colors.length);
  return colors.indexOf(color) === colors.length - 1 ? `${most} limits or more` : `about ${short(ratio)} of the limit`;
}

function explanationAt(x, y) {
  const color = colorAt(pictures().mask, x, y);
  return (report.mask.find(([shown]) => shown === color) || ["", ""])[1];
}
