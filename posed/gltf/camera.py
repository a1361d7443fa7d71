"""Cameras of a glTF file (glTF 2.0, section 3.10)."""

from __future__ import annotations

from dataclasses import dataclass


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
