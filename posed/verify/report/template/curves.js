// Many ticks: a scrubber, and a curve a layer of the pixels that differ and of those that are wrong.

function buildScrubber() {
  const several = run().frames.length > 1;
  element("scrub").hidden = element("curves").hidden = !several;
  if (!several) return;
  const slider = make("input", {
    type: "range", min: "0", max: String(run().frames.length - 1), step: "1", id: "tick", "aria-label": "Tick",
    oninput: (event) => showFrame(Number(event.target.value)),
  });
  const button = (text, label, way) =>
    make("button", { type: "button", "aria-label": label, title: label, onclick: () => showFrame(state.frame + way) }, text);
  element("scrub").replaceChildren(
    button("\u2039", "Previous tick", -1),
    make("div", { class: "track" }, strip(), slider),
    button("\u203a", "Next tick", 1),
    make("output", { id: "ticked", for: "tick" }),
  );
  drawScrubber();
  buildCurves();
}

// Which ticks failed.
function strip() {
  const frames = run().frames;
  const bars = frames.flatMap((one, index) =>
    one.passed ? [] : [drawing("rect", { x: index, y: 0, width: 1, height: 1, class: "bad" })],
  );
  return drawing("svg", { class: "strip", viewBox: `0 0 ${frames.length} 1`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars);
}

function drawScrubber() {
  const slider = element("tick");
  if (!slider) return;
  slider.value = String(state.frame);
  slider.setAttribute("aria-valuetext", `tick ${frame().tick}, ${frame().passed ? "passed" : "failed"}`);
  element("ticked").textContent = `tick ${frame().tick}`;
  for (const needle of document.querySelectorAll(".needle")) needle.setAttribute("x", state.frame);
  for (const row of document.querySelectorAll(".curve")) row.classList.toggle("chosen", row.dataset.layer === state.layer);
}

// A layer's number at a frame: pixels where it is made of pixels, its first measure where it is not.
function numberOf(one, key) {
  if (!one || !one.measures.length) return 0;
  if (one.differing || one.blobs.length || one.measures[0].unit === "pixels") return one[key];
  const value = Number(one.measures[0].value);
  return key === "unexplained" && one.status !== "failed" ? 0 : Number.isFinite(value) ? value : 0;
}

function buildCurves() {
  const frames = run().frames;
  const names = [...new Set(frames.flatMap((one) => one.layers.map((found) => found.layer)))];
  const rows = names.map((name) => {
    const found = frames.map((one) => one.layers.find((other) => other.layer === name));
    const most = Math.max(...found.map((one) => numberOf(one, "differing")), 0);
    const height = (value) => (most ? Math.log1p((99 * value) / most) / Math.log(100) : 0);
    const bars = ["differing", "unexplained"].flatMap((key) =>
      found.flatMap((one, index) => {
        const tall = height(numberOf(one, key));
        return tall ? [drawing("rect", { x: index, y: 1 - tall, width: 1, height: tall, class: key })] : [];
      }),
    );
    const needle = drawing("rect", { class: "needle", x: 0, y: 0, width: 1, height: 1 });
    const chart = drawing("svg", { viewBox: `0 0 ${frames.length} 1`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars, needle);
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      change({ layer: name });
      showFrame(Math.floor(((event.clientX - box.left) / box.width) * frames.length));
    });
    const failed = found.filter((one) => one && one.status === "failed").length;
    return make(
      "div", { class: "curve", "data-layer": name },
      make("span", { class: "name" }, name), chart,
      make("span", { class: "quiet" }, failed ? `${counted(failed, "tick")} failed` : most ? `up to ${short(most)}` : "all the same"),
    );
  });
  element("curves").replaceChildren(make("h2", {}, "Over the ticks"), ...rows);
  drawScrubber();
}

watch(["run"], buildScrubber);
watch(["frame", "layer"], drawScrubber);
