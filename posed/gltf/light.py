"""Punctual lights of a glTF file (KHR_lights_punctual)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from posed.gltf.document import Record

_KINDS: dict[str, Literal["sun", "point", "spot"]] = {"directional": "sun", "point": "point", "spot": "spot"}


@dataclass(frozen=True)
class FileLight:
    """A light in its node's space: `kind` is sun, point or spot; it shines along the node's -Z.

    `color` is linear, `intensity` in lux for a sun and candela otherwise, `range` in metres or infinite, `inner` and
    `outer` half angles in radians.
    """

    index: int
    name: str
    kind: Literal["sun", "point", "spot"]
    color: tuple[float, float, float]
    intensity: float
    range: float
    inner: float
    outer: float


def read_lights(document: Record) -> tuple[FileLight, ...]:
    """Return the file's lights; an `AssetError` names what one lacks."""
    extension = document.extension("KHR_lights_punctual")
    if extension is None:
        return ()
    return tuple(_read_light(index, record) for index, record in enumerate(extension.records("lights")))


def _read_light(index: int, record: Record) -> FileLight:
    kind = record.text("type")
    if kind not in _KINDS:
        record.refuse(f"one of {', '.join(_KINDS)}", "type")
    inner, outer = 0.0, math.pi / 4
    if kind == "spot" and (cone := record.record("spot")) is not None:
        outer = cone.number("outerConeAngle", outer, least=0.0, most=math.pi / 2)
        inner = cone.number("innerConeAngle", 0.0, least=0.0, most=outer)
    red, green, blue = record.numbers("color", 3, (1.0, 1.0, 1.0), least=0.0)
    reach = record.number("range", least=0.0) if "range" in record else math.inf
    if reach == 0.0:
        record.refuse("a range above 0", "range")
    intensity = record.number("intensity", 1.0, least=0.0)
    return FileLight(index, record.text("name", ""), _KINDS[kind], (red, green, blue), intensity, reach, inner, outer)
