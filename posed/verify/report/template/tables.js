// Tables: ids, where the frames came from, and the command that accepts the live one.

function drawProvenance() {
  const [one, other] = frame().provenance;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const rows = names.map((name) =>
    make(
      "tr", { class: one[name] === other[name] ? "" : "differs" },
      make("th", { scope: "row" }, name), make("td", {}, one[name] || "\u2013"), make("td", {}, other[name] || "\u2013"),
    ),
  );
  const head = ["", ...run().sides].map((name) => make("th", { scope: "col" }, name));
  element("provenance").replaceChildren(
    make("table", { class: "provenance" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)),
  );
}

function drawIds() {
  const swatches = Object.fromEntries(
    Object.entries(frame().colors).map(([kind, colors]) => [kind, new Map(Object.entries(colors).map(([color, id]) => [id, color]))]),
  );
  const tables = Object.entries(frame().counts).map(([kind, rows]) => {
    const body = rows.map(([id, one, other]) => {
      const swatch = make("i", { class: "swatch" });
      swatch.style.background = swatches[kind].get(id) || "transparent";
      return make(
        "tr", {}, make("td", {}, swatch), make("td", {}, String(id)), make("td", { class: "wide" }, nameOf(kind, id)),
        make("td", {}, one.toLocaleString("en")), make("td", {}, other.toLocaleString("en")),
      );
    });
    const head = ["", "id", kind, ...run().sides].map((name) => make("th", { scope: "col" }, name));
    return make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
  });
  element("ids").replaceChildren(...(tables.length ? tables : [make("p", { class: "quiet" }, "The frames hold no ids.")]));
}

function drawAccept() {
  const { accept } = frame();
  element("accept").hidden = !accept;
  const code = make("code", { id: "command" }, accept);
  const button = make("button", { type: "button" }, "Copy");
  button.addEventListener("click", async () => {
    getSelection().selectAllChildren(code); // also what is left to do by hand where the clipboard is closed
    try {
      await navigator.clipboard.writeText(accept);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Selected";
    }
  });
  element("accept").replaceChildren(make("h2", {}, "If it is right, accept it as golden"), make("p", { class: "command" }, code, button));
}

watch(["run", "frame"], () => {
  drawProvenance();
  drawIds();
  drawAccept();
});
