// Blobs: where unexplained pixels touch; a chosen one is zoomed to and explained.

function chooseBlob(number) {
  const one = blobs().find((blob) => blob.number === number);
  if (!one) return;
  const [width, height] = size();
  const [left, top, right, bottom] = one.box;
  const fill = 0.4;
  const scale = Math.min((fill * width) / (right - left), (fill * height) / (bottom - top), 24);
  change({
    blob: number,
    cursor: one.at,
    pinned: true,
    zoom: { scale: Math.max(scale, 1), x: (left + right) / 2 / width, y: (top + bottom) / 2 / height },
  });
}

function drawBlobs() {
  const shown = layer();
  if (!shown || !shown.blobs.length) return element("blobs").replaceChildren();
  const rows = shown.blobs.map((one) => {
    const facts = [counted(one.pixels, "pixel")];
    if (one.worst) facts.push(`up to ${short(one.worst)}`);
    if (one.distance) facts.push(`${short(one.distance)} px from its place`);
    return make(
      "li", {},
      make(
        "button",
        {
          type: "button", class: one.number === state.blob ? "blob chosen" : "blob",
          "aria-pressed": String(one.number === state.blob), "data-blob": one.number, onclick: () => chooseBlob(one.number),
        },
        make("span", { class: "where" }, one.joint ? `${one.part || one.object}, joint ${one.joint}` : one.part || one.object || one.place),
        make("span", { class: "quiet" }, facts.join(", ")),
      ),
    );
  });
  const more = shown.blob_count - shown.blobs.length;
  const chosen = shown.blobs.find((one) => one.number === state.blob);
  const held = element("blobs").contains(document.activeElement);
  element("blobs").replaceChildren(
    make("h2", {}, counted(shown.blob_count, "blob")),
    make("ol", { class: "blobs" }, ...rows),
    more > 0 ? make("p", { class: "quiet" }, `and ${counted(more, "smaller one")}`) : "",
    chosen ? make("p", { class: "quiet" }, chosen.place) : "",
  );
  if (held) element("blobs").querySelector("[aria-pressed=true]")?.focus();
  return undefined;
}

function drawStory() {
  const chosen = blobs().find((one) => one.number === state.blob);
  const told = chosen && chosen.story;
  element("story").replaceChildren(...(told ? [make("h2", {}, "Why the reference shows this"), make("pre", { tabindex: "0" }, told)] : []));
}

watch(["run", "frame", "layer", "blob"], () => {
  drawBlobs();
  drawStory();
});
