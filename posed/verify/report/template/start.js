// The page as it opens: at the first failure.

function drawViews() {
  const held = element("views").contains(document.activeElement);
  element("views").replaceChildren(
    ...VIEWS.map(([name, text], index) =>
      make(
        "button",
        {
          type: "button", role: "radio", "aria-checked": String(state.view === name), "data-view": name, title: `${text} (${index + 1})`,
          tabindex: state.view === name ? "0" : "-1", onclick: () => change({ view: name }),
        },
        text,
      ),
    ),
  );
  if (held) element("views").querySelector("[aria-checked=true]").focus();
}

function drawTools() {
  const tool = (text, label, act, pressed) =>
    make("button", { type: "button", "aria-label": label, title: label, onclick: act, "aria-pressed": pressed }, text);
  element("tools").replaceChildren(
    make("span", { class: "quiet" }, `${short(state.zoom.scale)}\u00d7`),
    tool("\u2212", "Farther (-)", () => zoomBy(1 / 1.5)),
    tool("+", "Nearer (+)", () => zoomBy(1.5)),
    tool("Fit", "All of it (0)", () => zoomTo(1, 0.5, 0.5)),
    tool("Rings", "Rings around blobs (m)", () => change({ marks: !state.marks }), String(state.marks)),
  );
}

function buildRuns() {
  const picker = element("runs");
  picker.hidden = report.runs.length < 2;
  const choice = picker.querySelector("select");
  choice.append(
    ...report.runs.map((one, index) => {
      const failed = one.frames.filter((other) => !other.passed).length;
      return make("option", { value: String(index) }, `${one.name}${failed ? ` (${failed} failed)` : ""}`);
    }),
  );
  choice.addEventListener("change", () => openRun(Number(choice.value)));
}

function openRun(index) {
  const frames = report.runs[index].frames;
  const failing = Math.max(frames.findIndex((one) => !one.passed), 0);
  change({ run: index, frame: failing, layer: firstLayer(frames[failing]), blob: 0, pinned: false, cursor: null, zoom: { scale: 1, x: 0.5, y: 0.5 } });
  element("runs").querySelector("select").value = String(index);
}

watch(["view"], drawViews);
watch(["zoom", "marks"], drawTools);

if (report.runs.length) {
  buildRuns();
  drawViews();
  drawTools();
  element("keys").replaceChildren(...KEYS.flatMap(([key, text]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, text)]));
  listenToStage();
  listenToKeys();
  openRun(Math.max(report.runs.findIndex((one) => one.frames.some((other) => !other.passed)), 0));
} else {
  element("sentence").textContent = "There is no frame to show.";
  for (const one of document.querySelectorAll(".bench, .more, #badge")) one.hidden = true;
}
