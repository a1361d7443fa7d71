// The verdict: the sentence on top, a row a layer, and the measures of the one that is shown.

const WORDS = { passed: "pass", failed: "fail", "not compared": "not compared" };

const outcome = (one) => (one.tolerated && one.status === "failed" ? "tolerated" : one.status);

function drawHead() {
  const shown = frame();
  const badge = element("badge");
  badge.textContent = shown.passed ? "passed" : "failed";
  badge.className = `badge ${shown.passed ? "pass" : "fail"}`;
  element("sentence").textContent = shown.sentence;
  const remarks = [
    ...shown.recognitions.map((one) => one.sentence),
    ...(shown.diagnosis ? [shown.diagnosis] : []),
    ...shown.notes,
  ].filter((text) => !shown.sentence.includes(text));
  element("remarks").replaceChildren(...remarks.map((text) => make("li", {}, text)));
  const facts = [
    shown.tick === null ? null : `tick ${shown.tick}`,
    shown.size === null ? null : `${shown.size[0]} \u00d7 ${shown.size[1]}`,
    `policy ${shown.policy}`,
    run().name || null,
  ];
  element("facts").textContent = facts.filter((one) => one !== null).join("  \u00b7  ");
}

function drawLayers() {
  const rows = frame().layers.map((one) => {
    const chosen = one.layer === state.layer;
    const numbers = one.measures.length
      ? `${one.unexplained ? counted(one.unexplained, "pixel") + " wrong" : one.explained ? `${one.explained.toLocaleString("en")} explained` : ""}`
      : "";
    return make(
      "button",
      {
        type: "button", class: `layer ${outcome(one).replace(" ", "-")}`, role: "radio", "aria-checked": String(chosen),
        tabindex: chosen ? "0" : "-1", "data-layer": one.layer, onclick: () => showLayer(one.layer),
      },
      make("span", { class: "dot", "aria-hidden": "true" }),
      make("span", { class: "name" }, one.layer),
      make("span", { class: "count" }, numbers),
      make("span", { class: "word" }, outcome(one) === "tolerated" ? "tolerated" : WORDS[one.status]),
    );
  });
  const held = element("layers").contains(document.activeElement);
  element("layers").replaceChildren(...rows);
  if (held) element("layers").querySelector("[aria-checked=true]")?.focus();
}

function drawDetail() {
  const shown = layer();
  if (!shown) return element("detail").replaceChildren();
  const rows = shown.measures.map((one) =>
    make(
      "tr", { class: one.passed ? "" : "over" },
      make("th", { scope: "row" }, one.name, one.where ? make("small", {}, ` ${one.where}`) : null),
      make("td", {}, `${short(one.value)}${one.unit ? ` ${one.value === 1 ? one.unit.replace(/^pixels$/, "pixel") : one.unit}` : ""}`),
      make("td", {}, short(one.limit)),
      make("td", {}, short(one.margin)),
    ),
  );
  const heads = ["", "found", "limit", "margin"].map((name) => make("th", { scope: "col" }, name));
  const told = shown.differing
    ? `${counted(shown.differing, "pixel")} differ: ${shown.unexplained.toLocaleString("en")} unexplained, ` +
      `${shown.at_edges.toLocaleString("en")} explained at edges, ${shown.ties.toLocaleString("en")} by ties.`
    : "";
  element("detail").replaceChildren(
    make("h2", {}, shown.layer),
    shown.measures.length
      ? make("table", { class: "measures" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows))
      : make("p", { class: "quiet" }, `Not compared: ${shown.note}.`),
    ...[told, shown.measures.length ? shown.note : "", shown.tolerated ? `Tolerated: ${shown.tolerated}` : ""]
      .filter(Boolean)
      .map((text) => make("p", { class: "quiet" }, text)),
  );
  return undefined;
}

watch(["run", "frame"], drawHead);
watch(["run", "frame", "layer"], () => {
  if (!layer()) state.layer = firstLayer(frame());
  drawLayers();
  drawDetail();
});
