"""Verdicts from literals: a frame of 32 x 18 pixels, and what a live side may have done to it."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posed.frame import Frame, Provenance
from posed.scene.ids import IdTable, JointId, PartId
from posed.verify import Verdict, compare

WIDTH, HEIGHT = 32, 18

IDS = IdTable(
    ("box", "ground"),
    (PartId(1, "box", 0, 0, "lid"), PartId(2, "ground", 0, 0, "plane")),
    ("paint", "soil"),
    (JointId(1, "box", 0, 0, "hinge"),),
)

Changes = Mapping[str, Callable[[NDArray[Any]], None]]


def frame(changes: Changes | None = None, *, tick: int = 3, ids: IdTable = IDS) -> Frame:
    """The box in columns 4 to 11 of rows 4 to 13, 5 m away; the ground below row 12, 9 m away; the rest nothing."""
    object_ = np.zeros((HEIGHT, WIDTH), np.uint32)
    object_[12:] = 2
    object_[4:14, 4:12] = 1
    seen = object_ > 0
    layers: dict[str, NDArray[Any]] = {
        "object": object_,
        "part": object_.copy(),
        "triangle": (seen * (1 + np.arange(WIDTH) // 8)).astype(np.uint32),
        "depth": np.where(seen, np.where(object_ == 1, 5.0, 9.0), np.inf).astype(np.float32),
        "normal": (seen[..., None] * np.array([0, 0, 1])).astype(np.float32),
        "motion": (seen[..., None] * np.array([0.5, -2])).astype(np.float32),
    }
    for name, change in (changes or {}).items():
        change(layers[name])
    return Frame(layers, (WIDTH, HEIGHT), None, ids, Provenance(tick=tick, renderer="literal"))


def put(where: Any, value: Any) -> Callable[[NDArray[Any]], None]:
    return lambda layer: layer.__setitem__(where, value)


def verdict(changes: Changes | None = None, *, tick: int = 3, ids: IdTable = IDS) -> Verdict:
    """What is found about a live frame with `changes`."""
    return compare(frame(tick=tick, ids=ids), frame(changes, tick=tick, ids=ids))


LIFTED: Changes = {
    "object": put((slice(2, 4), slice(4, 8)), 1),
    "part": put((slice(2, 4), slice(4, 8)), 1),
    "triangle": put((slice(2, 4), slice(4, 8)), 1),
}
"""Eight pixels above the box that the live side covers too."""

DEEPER: Changes = {"depth": put((6, slice(4, 7)), 5.01)}
"""Three pixels of the box 2e-3 too far: twenty times the limit."""
