"""Choosing overlays by name: ``"bones"`` for the defaults, ``"weights:hand_R"`` for a joint's."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from types import MappingProxyType

from posed.errors import PosedError
from posed.overlay.base import Overlay
from posed.overlay.skeletons import Bones
from posed.overlay.surfaces import DominantJoints, Weights, Wireframe
from posed.overlay.vectors import Boxes, Normals, Tangents

_PLAIN: Mapping[str, Callable[[], Overlay]] = MappingProxyType(
    {
        "bones": Bones,
        "boxes": Boxes,
        "dominant_joints": DominantJoints,
        "normals": Normals,
        "tangents": Tangents,
        "wireframe": Wireframe,
    }
)
_OF_A_JOINT: Mapping[str, Callable[[str], Overlay]] = MappingProxyType({"weights": Weights})

NAMES = tuple(sorted([*_PLAIN, *(f"{name}:JOINT" for name in _OF_A_JOINT)]))
"""What `overlay` takes; the other overlays need snapshots and are made by their functions."""


def overlay(chosen: Overlay | str) -> Overlay:
    """Return an overlay as it is, or the one that a text names.

    Raises
    ------
    PosedError
        The text names none.
    """
    if isinstance(chosen, Overlay):
        return chosen
    if isinstance(chosen, str):
        name, _, joint = chosen.partition(":")
        if chosen in _PLAIN:
            return _PLAIN[chosen]()
        if joint and name in _OF_A_JOINT:
            return _OF_A_JOINT[name](joint)
        if name in _OF_A_JOINT:
            raise PosedError(f'the overlay "{name}" is one of a joint: say which, as "{name}:hand_R"')
        near = difflib.get_close_matches(name, [*_PLAIN, *_OF_A_JOINT], 1)
        cure = f'did you mean "{near[0]}"?' if near else f"there are {', '.join(NAMES)}"
        raise PosedError(f'there is no overlay "{chosen}": {cure}')
    raise PosedError(f"an overlay is a name or made by posed.overlay, found {type(chosen).__name__}")
