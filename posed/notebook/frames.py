"""Frames shown: the color, the other layers small beside it, and where it came from."""

from __future__ import annotations

from dataclasses import asdict

from posed.arrays import UInt8
from posed.frame import Frame
from posed.notebook.page import Shown, figure, fold, png, row, table
from posed.verify.report.pictures import layer_picture

SMALL = 190
"""Pixels of a layer's width beside the color."""


def frame(value: Frame) -> Shown:
    """Show a frame."""
    others = [name for name in value if name != "color"]

    def blocks() -> list[str]:
        small = [
            figure(_reduced(picture), name, width=SMALL)
            for name in others
            if (picture := layer_picture(name, value[name])) is not None
        ]
        known = {name: str(fact) for name, fact in asdict(value.provenance).items() if fact not in ("", None, ())}
        return [
            figure(value.rgba()) if "color" in value else "",
            fold(f"{len(small)} layers", row(*small), unfolded="color" not in value) if small else "",
            fold("where it came from", table(("", ""), [*known.items()])) if known else "",
        ]

    width, height = value.size
    return Shown(
        repr(value),
        f"Frame, {width} x {height}" + ("" if value.provenance.tick is None else f", tick {value.provenance.tick}"),
        blocks,
        (lambda: png(value.rgba())) if "color" in value else None,
    )


def _reduced(picture: UInt8) -> UInt8:
    """Return every nth pixel, so that a layer beside the color weighs little; ids are not mixed."""
    step = max(1, picture.shape[1] // (2 * SMALL))
    return picture[::step, ::step]
