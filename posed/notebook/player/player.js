// The player's front end: a picture that follows a time line, whoever draws it.
//
// `player(element, about, source)` builds it. A source answers one request at a time: a kernel that draws, or frames
// that were drawn before. Whatever changes meanwhile is asked for together, once the answer is there, so that a drag
// never queues. While something moves pictures are quick; a picture at rest is drawn again, finer.

const REST = 180; // milliseconds without a change, after which a picture is refined
const LATE = 15000; // milliseconds without an answer, after which that is said
const PACE = 100; // milliseconds that a picture may take while something moves, before it is drawn coarser
const CLICK = 4; // pixels that a pointer may move in a click

const HELP =
  "drag: turn \u00b7 shift-drag: move \u00b7 click: pick \u00b7 wheel, once clicked: nearer \u00b7 space: play \u00b7 " +
  "\u2190 \u2192: a tick, with shift ten \u00b7 w a s d: turn \u00b7 + \u2212: nearer \u00b7 r: the scene's own camera";

function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in node && name !== "list") node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

function labeled(text, control, name = "") {
  control.setAttribute("aria-label", text);
  return make("label", { className: name }, make("span", {}, text), control);
}

function menu(values, chosen, change) {
  const options = values.map(([value, text]) => make("option", { value, selected: value === chosen }, text));
  return make("select", { onchange: (event) => change(event.target.value) }, ...options);
}

export function player(element, about, source) {
  const step = about.step;
  const state = {
    tick: about.tick,
    length: about.length,
    object: about.objects.length ? about.objects[0].name : null,
    plays: {},
    layer: about.layers[0],
    overlays: new Set(about.shown || []),
    joint: about.joints[0] || "",
    heat: false,
    renderer: about.renderers[0],
  };
  let moves = []; // of the camera, since the last request
  let pick = null; // a place in the picture to be told about
  let busy = false; // a request is on its way
  let shown = ""; // what the picture shows
  let quality = -1; // how fine it is
  let finest = true;
  let changed = 0; // when something last changed
  let held = 0; // pointers that drag
  let playing = null;
  let pace = 0; // milliseconds that a quick picture took of late
  let coarse = 1;
  let timer = 0;
  let frame = 0;
  let gone = false;

  // ---- what is seen

  const picture = make("img", { alt: "the scene", draggable: false });
  const label = make("figcaption", {}, "\u2026");
  const stage = make("div", { className: "stage", tabIndex: 0, role: "group" }, picture);
  stage.setAttribute("aria-label", about.saved ? "picture" : "picture: drag to turn, click to pick");
  stage.style.aspectRatio = `${about.size[0]} / ${about.size[1]}`;
  const trouble = make("p", { className: "trouble", hidden: true });
  trouble.setAttribute("role", "alert");
  const start = make("button", { type: "button", title: "play (space)", onclick: toggle });
  const bar = make("input", { type: "range", min: 0, max: state.length, step, value: state.tick });
  bar.setAttribute("aria-label", "tick");
  bar.oninput = () => {
    stop();
    seek(Number(bar.value));
  };
  const count = make("output", { className: "count" });
  const choices = make("div", { className: "choices" });
  const told = make("div", { className: "told" });
  const root = make(
    "div",
    { className: "posed-player" },
    make("figure", {}, stage, label),
    trouble,
    make("div", { className: "time" }, start, bar, count),
    choices,
    told,
    about.saved ? null : make("details", {}, make("summary", {}, "mouse and keys"), make("p", {}, HELP)),
  );
  root.setAttribute("data-lm-suppress-shortcuts", "true"); // keys are ours, not the notebook's
  root.style.maxWidth = `${about.size[0]}px`;
  element.append(root);

  function fail(text) {
    trouble.textContent = text;
    trouble.hidden = !text;
  }

  function draw() {
    const dark = (getComputedStyle(root).color.match(/[\d.]+/g) || [0, 0, 0]).slice(0, 3).every((one) => one > 128);
    root.style.colorScheme = dark ? "dark" : "light";
    start.textContent = playing ? "\u275a\u275a" : "\u25b6";
    start.setAttribute("aria-label", playing ? "pause" : "play");
    bar.max = state.length;
    bar.value = state.tick;
    const [now, last] = [about.first + state.tick, about.first + state.length];
    count.textContent = `${now} / ${last}`;
    bar.setAttribute("aria-valuetext", `tick ${now} of ${last}`);
  }

  function choose() {
    const one = about.objects.find((object) => object.name === state.object);
    const plays = one ? state.plays[one.name] || { clip: null, blended: null, weight: 0.5 } : null;
    const change = (part) => {
      state.plays = { ...state.plays, [one.name]: { ...plays, ...part } };
      choose();
      touch();
    };
    const clips = one ? one.clips.map((name, index) => [String(index), name]) : [];
    const index = (value) => (value === "" ? null : Number(value));
    const set = (name) => (value) => {
      state[name] = value;
      if (name === "object") choose();
      touch();
    };
    const parts = [];
    if (about.objects.length > 1) {
      const names = about.objects.map(({ name }) => [name, name]);
      parts.push(labeled("object", menu(names, state.object, set("object"))));
    }
    if (one) {
      const first = String(plays.clip ?? "");
      const own = [["", about.own], ...clips];
      parts.push(labeled("clip", menu(own, first, (value) => change({ clip: index(value), blended: null }))));
      if (plays.clip !== null && clips.length > 1) {
        const second = String(plays.blended ?? "");
        const others = [["", "nothing"], ...clips];
        parts.push(labeled("blend in", menu(others, second, (value) => change({ blended: index(value) }))));
      }
      if (plays.blended !== null) {
        const weight = make("input", { type: "range", min: 0, max: 1, step: 0.05, value: plays.weight });
        const number = make("output", {}, plays.weight.toFixed(2));
        weight.oninput = () => {
          plays.weight = Number(weight.value);
          state.plays = { ...state.plays, [one.name]: { ...plays } };
          number.textContent = plays.weight.toFixed(2);
          touch();
        };
        parts.push(labeled("weight", weight, "weight"), number);
      }
    }
    const named = (names) => names.map((name) => [name, name]);
    if (about.layers.length > 1) {
      parts.push(labeled(about.saved ? "picture" : "layer", menu(named(about.layers), state.layer, set("layer"))));
    }
    if (about.renderers.length > 1) {
      const words = about.renderers.map((name) => [name, name === "live" ? "drawn live" : "traced"]);
      parts.push(labeled("by", menu(words, state.renderer, set("renderer"))));
    }
    const chips = about.overlays.map((name) => {
      const box = make("input", { type: "checkbox", checked: state.overlays.has(name) });
      box.onchange = () => {
        if (box.checked) state.overlays.add(name);
        else state.overlays.delete(name);
        touch();
      };
      return make("label", { className: "chip" }, box, make("span", {}, name.replace("_", " ")));
    });
    if (about.joints.length) {
      const box = make("input", { type: "checkbox", checked: state.heat });
      box.onchange = () => {
        state.heat = box.checked;
        touch();
      };
      const joints = menu(named(about.joints), state.joint, (value) => {
        state.joint = value;
        heat(true);
      });
      joints.setAttribute("aria-label", "joint");
      const chip = make("label", { className: "chip" }, box, make("span", {}, "weights of"));
      chips.push(make("span", { className: "pair" }, chip, joints));
    }
    const rows = [parts, chips].filter((row) => row.length);
    choices.replaceChildren(...rows.map((row) => make("div", { className: "row" }, ...row)));
  }

  function heat(on) {
    state.heat = on;
    choose();
    touch();
  }

  function tell(picked) {
    if (!picked) {
      told.replaceChildren();
      return;
    }
    const share = (value) => {
      const meter = make("i", {});
      meter.style.width = `${Math.round(value * 60)}px`;
      return make("span", { className: "share" }, meter, `${(value * 100).toFixed(1)} %`);
    };
    const chain = picked.bones.map((bone) => {
      const name = bone.joint
        ? make("button", { type: "button", title: `weights of ${bone.joint}` }, bone.name)
        : make("span", {}, bone.name);
      if (bone.joint) {
        name.onclick = () => {
          state.joint = bone.joint;
          heat(true);
        };
      }
      const row = make("li", {}, name, bone.share === null ? null : share(bone.share));
      row.style.paddingLeft = `${bone.depth * 12}px`;
      return row;
    });
    const vertices = picked.vertices.map((vertex) => {
      const pulls = vertex.influences.map(([name, weight]) => `${name} ${weight.toFixed(3)}`).join(", ");
      const cells = [vertex.index, `${(vertex.share * 100).toFixed(0)} %`, pulls || "no joint"];
      return make("tr", {}, ...cells.map((cell) => make("td", {}, String(cell))));
    });
    const heads = ["vertex", "share", "weights"].map((text) => make("th", {}, text));
    told.replaceChildren(
      make("h4", {}, picked.where),
      make("ul", {}, ...chain),
      make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...vertices)),
      ...picked.notes.map((note) => make("p", {}, note)),
    );
  }

  // ---- what is asked for

  function touch() {
    changed = performance.now();
    draw();
    next();
  }

  function seek(tick) {
    state.tick = Math.max(0, Math.min(state.length, Math.round(tick / step) * step));
    touch();
  }

  function wanted() {
    const { tick, object, plays, layer, renderer } = state;
    const overlays = [...state.overlays];
    if (state.heat && state.joint) overlays.unshift(`weights:${state.joint}`);
    return { tick, object, plays, layer, renderer, overlays };
  }

  function next() {
    clearTimeout(timer);
    if (busy || gone) return;
    const request = wanted();
    const key = JSON.stringify(request);
    const moving = held > 0 || playing !== null;
    if (key !== shown || moves.length || pick) {
      ask(key, { ...request, quality: 0, coarse: moving ? coarse : 1 });
    } else if (!finest && !moving) {
      const rest = REST - (performance.now() - changed);
      if (rest > 0) timer = setTimeout(next, rest);
      else ask(key, { ...request, quality: quality + 1, coarse: 1 });
    }
  }

  async function ask(key, request) {
    const asked = { ...request, moves, pick };
    moves = [];
    pick = null;
    busy = true;
    const began = performance.now();
    const late = setTimeout(() => {
      fail("no answer yet: the kernel is busy, compiles for the first time, or is gone; what was asked for comes with it");
    }, LATE);
    try {
      const answer = await source.ask(asked);
      if (gone) return;
      picture.src = answer.picture;
      await picture.decode();
      if (answer.picture.startsWith("blob:")) URL.revokeObjectURL(answer.picture);
      if (request.quality === 0 && request.coarse === coarse) adapt(performance.now() - began);
      quality = request.quality;
      finest = !answer.refines;
      label.textContent = answer.label;
      picture.alt = answer.label;
      if (answer.length !== state.length) {
        state.length = answer.length;
        state.tick = Math.min(state.tick, state.length);
      }
      if (asked.pick) {
        tell(answer.picked);
        const joint = answer.picked && answer.picked.joint;
        if (joint) state.joint = joint;
        state.heat = Boolean(joint);
        choose();
      }
      fail("");
    } catch (error) {
      finest = true;
      fail(error instanceof DOMException ? "the picture could not be decoded" : error.message);
    } finally {
      clearTimeout(late);
      shown = key;
      busy = false;
      if (!gone) {
        draw();
        next();
      }
    }
  }

  function adapt(took) {
    pace = pace ? 0.6 * pace + 0.4 * took : took;
    if (coarse === 1 && pace > PACE) {
      coarse = 2;
      pace /= 3;
    } else if (coarse === 2 && pace < PACE / 4) {
      coarse = 1;
      pace *= 3;
    }
  }

  // ---- what people do

  function toggle() {
    if (playing) stop();
    else {
      playing = { from: state.tick >= state.length ? 0 : state.tick, since: performance.now() };
      frame = requestAnimationFrame(beat);
      touch();
    }
  }

  function stop() {
    if (!playing) return;
    playing = null;
    cancelAnimationFrame(frame);
    touch();
  }

  function beat(now) {
    if (!playing || gone) return;
    const passed = Math.max(0, Math.floor(((now - playing.since) / 1000) * about.rate));
    const tick = (playing.from + passed) % (state.length + step);
    if (Math.floor(tick / step) * step !== state.tick) seek(Math.floor(tick / step) * step);
    frame = requestAnimationFrame(beat);
  }

  function move(kind, x, y = 0) {
    const last = moves[moves.length - 1];
    if (kind === "reset") moves = [[kind, 0, 0]];
    else if (last && last[0] === kind) moves[moves.length - 1] = [kind, last[1] + x, last[2] + y];
    else moves.push([kind, x, y]);
    touch();
  }

  function hold(node, on) {
    node.addEventListener("pointerdown", () => {
      held += 1;
      const release = () => {
        held = Math.max(0, held - 1);
        removeEventListener("pointerup", release, true);
        removeEventListener("pointercancel", release, true);
        next();
      };
      addEventListener("pointerup", release, true);
      addEventListener("pointercancel", release, true);
    });
    if (on) on(node);
  }

  function orbiting(node) {
    let press = null;
    node.oncontextmenu = (event) => event.preventDefault();
    node.onpointerdown = (event) => {
      node.setPointerCapture(event.pointerId);
      node.focus({ preventScroll: true });
      press = { x: event.clientX, y: event.clientY, far: 0, kind: event.button || event.shiftKey ? "shift" : "turn" };
    };
    node.onpointermove = (event) => {
      if (!press) return;
      const [x, y] = [event.clientX - press.x, event.clientY - press.y];
      press = { ...press, x: event.clientX, y: event.clientY, far: press.far + Math.hypot(x, y) };
      const height = node.clientHeight || 1;
      if (press.far > CLICK && (x || y)) move(press.kind, x / height, y / height);
    };
    node.onpointerup = (event) => {
      const click = press && press.far <= CLICK && event.button === 0;
      press = null;
      if (!click) return;
      const box = node.getBoundingClientRect();
      pick = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
      touch();
    };
    node.onpointercancel = () => (press = null);
    node.addEventListener(
      "wheel",
      (event) => {
        if (node.getRootNode().activeElement !== node) return; // the page scrolls until the picture was clicked
        event.preventDefault();
        move("near", -event.deltaY / 500);
      },
      { passive: false },
    );
  }

  const TURN = 0.06;
  const KEYS = {
    " ": toggle,
    ArrowLeft: (many) => seek(state.tick - many * step),
    ArrowRight: (many) => seek(state.tick + many * step),
    Home: () => seek(0),
    End: () => seek(state.length),
  };
  const CAMERA = {
    a: () => move("turn", TURN),
    d: () => move("turn", -TURN),
    w: () => move("turn", 0, TURN),
    s: () => move("turn", 0, -TURN),
    "+": () => move("near", 0.1),
    "-": () => move("near", -0.1),
    r: () => move("reset", 0),
  };

  root.onkeydown = (event) => {
    const at = event.target;
    const plain = at === stage || at === bar;
    const key = (event.key.length === 1 ? event.key.toLowerCase() : event.key).replace("=", "+");
    const does = KEYS[key] || (about.saved ? undefined : CAMERA[key]);
    if (!plain || !does || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (key !== " ") stop();
    does(event.shiftKey ? 10 : 1);
  };
  hold(bar);
  if (about.saved) stage.onpointerdown = () => stage.focus({ preventScroll: true });
  else hold(stage, orbiting);
  choose();
  touch();

  return () => {
    gone = true;
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    root.remove();
  };
}

// ---- the two sources

function kernel(model) {
  const view = Math.random().toString(36).slice(2);
  const waiting = new Map();
  let number = 0;
  const take = (message, buffers) => {
    const one = message.view === view ? waiting.get(message.number) : undefined;
    if (!one) return;
    waiting.delete(message.number);
    if (message.kind === "failed") one.reject(new Error(message.text));
    else one.resolve({ ...message, picture: URL.createObjectURL(new Blob([buffers[0]], { type: message.media })) });
  };
  model.on("msg:custom", take);
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        number += 1;
        waiting.set(number, { resolve, reject });
        model.send({ ...request, view, number });
      }),
    close: () => model.off("msg:custom", take),
  };
}

export function saved(pictures, ticks, words) {
  return {
    ask: async ({ tick, layer }) => {
      const at = ticks.indexOf(ticks[0] + tick);
      const length = ticks[ticks.length - 1] - ticks[0];
      return { picture: pictures[layer][at], label: `tick ${ticks[at]} \u00b7 ${layer} \u00b7 ${words}`, length };
    },
  };
}

export default {
  render({ model, el }) {
    const source = kernel(model);
    const remove = player(el, model.get("about"), source);
    return () => {
      remove();
      source.close();
    };
  },
};
