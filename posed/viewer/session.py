"""A viewer's state and what each event does to it; the window only hands events in and pictures out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from posed.arrays import UInt8
from posed.scene.description import Scene
from posed.viewer.drawing import BAR, drawn
from posed.viewer.look import LAYERS, RENDERERS, Look
from posed.viewer.playing import STEP, ticks_a_beat

OVERLAYS = {"b": "bones", "w": "wireframe", "d": "dominant_joints", "n": "normals", "x": "boxes"}
"""The keys that switch overlays; `h` shows the weights of the joint that was picked."""

CLICK = 3.0
"""Pixels that a pointer may move while a press still counts as a click."""

HELP = (
    "drag: turn   shift drag: shift   wheel: nearer   click: pick",
    "space: play   left, right: a tick   home: tick 0   drag the bar: scrub",
    "c: clip   v: blend in   [ ]: its weight   tab: object",
    "l: layer   t: trace or live   r: camera   ?: these lines",
    "b: bones   h: weights of the picked joint   w: wires   d: joints   n: normals   x: boxes",
)


class Session(Look):
    """A look that events change: the parameters are those of `posed.viewer.look.Look`, and the size follows the window.

    Attributes
    ----------
    moves
        Whether it plays.
    picked
        What was clicked: object, part and joint by name, the triangle's number.
    closed
        Whether somebody has had enough.
    """

    def __init__(self, scene: Scene, **options: Any) -> None:
        super().__init__(scene, **options)
        self.moves = False
        self.picked: dict[str, str] = {}
        self.helps = False
        self.closed = False
        self._press: tuple[float, float, str] | None = None
        self._dragged = 0.0
        self._fraction = Fraction(0)

    def beat(self, beats: int) -> bool:
        """Let one of `beats` a second pass; return whether the picture changes."""
        if not self.moves:
            return False
        self._fraction += ticks_a_beat(self.scene.rate, beats)
        whole = self._fraction.numerator // self._fraction.denominator
        self._fraction -= whole
        if not whole:
            return False
        self.playing.seek((self.playing.tick + whole) % (self.playing.length() + 1))
        return True

    def handle(self, event: Mapping[str, Any]) -> bool:
        """Take one event, in rendercanvas's form; return whether the picture changes."""
        handlers = {
            "resize": self._resize,
            "pointer_down": self._down,
            "pointer_move": self._move,
            "pointer_up": self._up,
            "wheel": self._wheel,
            "key_down": self._key,
        }
        handler = handlers.get(event["event_type"])
        return handler is not None and handler(event)

    def _resize(self, event: Mapping[str, Any]) -> bool:
        ratio = float(event.get("pixel_ratio", 1.0))
        size = (max(1, round(event["width"] * ratio)), max(1, round(event["height"] * ratio)))
        changed = size != self.size
        self.size = size
        return changed

    def _down(self, event: Mapping[str, Any]) -> bool:
        x, y = float(event["x"]), float(event["y"])
        kind = "shift" if event.get("button") == 3 or "Shift" in event.get("modifiers", ()) else "turn"
        self._press = (x, y, "scrub" if y >= self.size[1] - BAR else kind)
        self._dragged = 0.0
        return self._scrub(x) if self._press[2] == "scrub" else False

    def _move(self, event: Mapping[str, Any]) -> bool:
        if self._press is None:
            return False
        x, y = float(event["x"]), float(event["y"])
        before_x, before_y, kind = self._press
        self._press = (x, y, kind)
        self._dragged += math.hypot(x - before_x, y - before_y)
        if kind == "scrub":
            return self._scrub(x)
        if self._dragged <= CLICK:
            return False
        right, up = (x - before_x) / self.size[1], (y - before_y) / self.size[1]
        orbit = self.orbit()
        self.move(orbit.turned(-right * math.pi, up * math.pi) if kind == "turn" else orbit.shifted(-right, up))
        return True

    def _up(self, event: Mapping[str, Any]) -> bool:
        press, self._press = self._press, None
        if press is None or press[2] == "scrub" or self._dragged > CLICK:
            return False
        return self.pick(int(event["x"]), int(event["y"]))

    def _wheel(self, event: Mapping[str, Any]) -> bool:
        self.move(self.orbit().nearer(math.exp(-float(event["dy"]) / 500.0)))
        return True

    def _scrub(self, x: float) -> bool:
        share = max(0.0, min(1.0, x / max(1, self.size[0] - 1)))
        return self._seek(round(share * self.playing.length()))

    def _seek(self, tick: int) -> bool:
        before = self.playing.tick
        self.playing.seek(tick)
        return self.playing.tick != before

    def _key(self, event: Mapping[str, Any]) -> bool:
        key = str(event["key"])
        many = 10 if "Shift" in event.get("modifiers", ()) else 1
        match key:
            case " ":
                self.moves = not self.moves
            case "ArrowRight" | "ArrowLeft":
                return self._seek(self.playing.tick + (many if key == "ArrowRight" else -many))
            case "Home":
                return self._seek(0)
            case "c":
                self.playing.next_clip()
            case "v":
                self.playing.next_blended()
            case "[" | "]":
                self.playing.weigh(STEP if key == "]" else -STEP)
            case "Tab":
                self.playing.next_object()
            case "l" | "L":
                step = 1 if key == "l" else -1
                self.layer = LAYERS[(LAYERS.index(self.layer) + step) % len(LAYERS)]
            case "t":
                self.renderer = RENDERERS[1 - RENDERERS.index(self.renderer)]
            case "r":
                self.move(None)
            case "?":
                self.helps = not self.helps
            case "h":
                self._switch(self._heat())
            case "q" | "Escape":
                self.closed = True
            case _ if key in OVERLAYS:
                self._switch(OVERLAYS[key])
            case _:
                return False
        return True

    def _heat(self) -> str | None:
        """Return the overlay of the picked joint's weights, or the one that is on."""
        shown = [name for name in self.overlays if name.startswith("weights:")]
        joint = self.picked.get("joint")
        return shown[0] if shown else f"weights:{joint}" if joint else None

    def _switch(self, name: str | None) -> None:
        if name in self.overlays:
            self.overlays.remove(name)
        elif name is not None:
            self.overlays.append(name)

    def pick(self, x: int, y: int) -> bool:
        """Remember what the picture shows at a pixel: object, part and joint by name; return whether that changed."""
        frame = self.geometry(("object", "part", "joint", "triangle"))
        before, self.picked = self.picked, {}
        width, height = self.size
        if 0 <= x < width and 0 <= y < height and frame["object"][y, x]:
            ids = self.scene.ids
            names = {layer: int(frame[layer][y, x]) for layer in ("object", "part", "joint")}
            self.picked = {layer: ids.name(layer, number) for layer, number in names.items() if number}
            self.picked["triangle"] = str(int(frame["triangle"][y, x]) - 1)
        return self.picked != before

    def picture(self) -> UInt8:
        """Return the window's content, (H, W, 4) uint8 sRGB: the frame, what plays, the time line."""
        frame = self.frame()
        shown = "traced, as overlays are" if self.renderer == "live" and self.overlays else self.renderer
        lines = [
            f"tick {self.playing.tick}   {self.playing.words()}",
            f"{self.layer}   {shown}   {' '.join(self.overlays)}",
            "   ".join(f"{name} {value}" for name, value in self.picked.items()) or "? for help",
        ]
        share = self.playing.tick / self.playing.length()
        return drawn(frame, self.layer, [*lines, *(HELP if self.helps else ())], share)
