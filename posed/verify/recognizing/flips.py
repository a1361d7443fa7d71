"""Frames that are upside down or mirrored."""

from __future__ import annotations

from posed.frame import Frame
from posed.verify.recognizing.undoing import Case, Undone, likeliest, recognition
from posed.verify.results import Recognition

SHOWN = ("silhouette", "object", "part", "depth", "color")
"""Layers in which a picture that lies elsewhere is told."""

WAYS = (
    ("y", "turned over", "OpenGL's rows start at the bottom, those of files and of WebGPU at the top", (-1, 1)),
    ("x", "mirrored", "an axis of the camera or of the scene points the other way", (1, -1)),
    ("x and y", "turned by 180 degrees", "rows and columns are both read from the far end", (-1, -1)),
)


def flipped(case: Case) -> Recognition | None:
    """Return the recognition of a frame that is flipped in y, x or both; None where it is not."""
    return likeliest([recognition(case, one) for one in unflipped(case.live)])


def unflipped(live: Frame) -> list[Undone]:
    """Return a frame with each flip undone."""
    found = []
    for axes, undoing, cure, (down, right) in WAYS:
        layers = {name: layer[::down, ::right] for name, layer in live.layers.items()}
        code = f"flipped in {axes}"
        found.append(Undone(code, f"the live frame is {code}", undoing, cure, layers, SHOWN))
    return found
