"""What of two snapshots is the same or another, with nothing in between: sprites, visibility, properties, cameras."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posed.arrays import AnyArray
from posed.camera import Camera
from posed.snapshot import Posed
from posed.verify.results import Deviation

LENS_TOLERANCE = 1e-6
"""Relative difference of a camera's or a property's numbers that a float32 on the way explains."""


def differing_states(reference: Posed, live: Posed) -> Iterator[Deviation]:
    """Yield what is other in what has no length: sprites, visibility, properties and the camera."""
    for name, frame in reference.sprites.items():
        if live.sprites.get(name, frame) != frame:
            note = f"frame {live.sprites[name]}, expected {frame}"
            yield Deviation("sprite", name, 1.0, 0.0, note=note, object=name)
    for name in dict.fromkeys([*reference.visible, *live.visible]):
        shown, expected = live.visible.get(name, True), reference.visible.get(name, True)
        if shown != expected:
            note = f"{'drawn' if shown else 'not drawn'}, expected {'drawn' if expected else 'not drawn'}"
            yield Deviation("visible", name, 1.0, 0.0, note=note, object=name)
    for name, values in reference.properties.items():
        for pointer, numbers in values.items():
            found = live.properties.get(name, {}).get(pointer, numbers)
            scale = max(1.0, float(np.abs(numbers).max(initial=0.0)))
            if found.shape != numbers.shape or np.abs(found - numbers).max(initial=0.0) > LENS_TOLERANCE * scale:
                note = f"{_listed(found)}, expected {_listed(numbers)}"
                yield Deviation("property", f"{name}{pointer}", 1.0, 0.0, note=note, object=name)
    if reference.camera is not None and live.camera is not None and not same_camera(reference.camera, live.camera):
        yield Deviation("camera", "", 1.0, 0.0, note="another one than the reference's")


def same_camera(one: Camera, other: Camera) -> bool:
    """Return whether two cameras stand, look and project alike, but for what a float32 on the way explains."""
    numbers = [
        np.array([*camera.matrix.ravel(), camera.yfov or 0.0, camera.ymag or 0.0, camera.znear])
        for camera in (one, other)
    ]
    scale = max(1.0, float(np.abs(numbers[0]).max()))
    return bool(np.abs(numbers[0] - numbers[1]).max() <= LENS_TOLERANCE * scale)


def _listed(numbers: AnyArray) -> str:
    return f"[{', '.join(f'{number:.6g}' for number in numbers.tolist())}]"


def not_stated(reference: Posed, live: Posed) -> str:
    """Return in words what the reference has and the live snapshot leaves out, empty where that is nothing."""
    missing = []
    for field, noun in (("models", "the matrix"), ("palettes", "the palette"), ("nodes", "the nodes")):
        names = [name for name in getattr(reference, field) if name not in getattr(live, field)]
        if names:
            missing.append(f"{noun} of {', '.join(names)}")
    return ", ".join(missing)
