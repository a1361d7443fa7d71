"""Cameras of a glTF file (glTF 2.0, section 3.10)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from posed.gltf.document import Record


@dataclass(frozen=True)
class FileCamera:
    """A camera as the file has it: perspective by `yfov` in radians, or orthographic by half height `ymag` in metres.

    Exactly one of the two is set. `znear` and `zfar` in metres, `zfar` may be infinite.
    """

    index: int
    name: str
    yfov: float | None
    ymag: float | None
    znear: float
    zfar: float


def read_cameras(document: Record) -> tuple[FileCamera, ...]:
    """Return the file's cameras; an `AssetError` names what one lacks."""
    return tuple(_read_camera(index, record) for index, record in enumerate(document.records("cameras")))


def _read_camera(index: int, record: Record) -> FileCamera:
    name, kind = record.text("name", ""), record.text("type")
    if kind == "perspective":
        lens = record.required_record("perspective")
        yfov = lens.number("yfov", least=0.0, most=math.pi)
        near = lens.number("znear", least=0.0)
        far = lens.number("zfar") if "zfar" in lens else math.inf
        _check(lens, "yfov", 0.0 < yfov < math.pi, "an angle between 0 and pi")
        _check(lens, "znear", near > 0.0, "a positive distance")
        _check(lens, "zfar", far > near, "a distance past znear")
        return FileCamera(index, name, yfov, None, near, far)
    if kind == "orthographic":
        lens = record.required_record("orthographic")
        ymag = abs(lens.number("ymag"))
        near, far = lens.number("znear", least=0.0), lens.number("zfar")
        _check(lens, "ymag", ymag > 0.0, "a height that is not zero")
        _check(lens, "zfar", far > near, "a distance past znear")
        return FileCamera(index, name, None, ymag, near, far)
    return record.refuse("perspective or orthographic", "type")


def _check(lens: Record, key: str, good: bool, expected: str) -> None:
    if not good:
        lens.refuse(expected, key)
