"""Whether masks and shadows are those of the same scene at another scale.

A scale that is a power of two changes exponents only, and not a bit may differ. Any other rounds the vertices anew:
what differs must then lie beside an edge of the mask, or show another triangle: on an edge, either has the point.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import tracer
from tests.sweep.cases import SIZE, Case

SCALES = (1e-3, 2.0**-10, 1e4, 2.0**14, 1e6, 2.0**20)

LAMP = tracer.Light("sun", direction=(-0.48, -0.8, -0.36))
"""The only light of a scene whose shadows are looked at."""


class Scaled(NamedTuple):
    """What a scale has changed."""

    scale: float
    differing: int
    """pixels whose object, or whether the sun reaches it, differs"""
    unexplained: int
    """those of them that lie beside no edge and show the same triangle, or, at a power of two, all"""


def scaled(case: Case) -> list[Scaled]:
    """Compare a case at `SCALES` with itself."""
    plain = tuple(replace(one, unlit=False, emission=(0.0, 0.0, 0.0)) for one in case.scene.materials)
    lit = replace(case.scene, lights=(LAMP,), environment=tracer.Environment(), materials=plain)
    expected = _masks(lit, case.camera, 1.0)
    beside_edges = np.logical_or.reduce([_edges(mask) for mask in expected[:2]])
    found = []
    for scale in SCALES:
        other = _masks(lit, case.camera, scale)
        objects, shadows, triangles = (a != b for a, b in zip(expected, other, strict=True))
        differing = objects | shadows
        is_exact = np.frexp(scale)[0] == 0.5
        unexplained = differing if is_exact else differing & ~beside_edges & ~triangles
        found.append(Scaled(scale, int(differing.sum()), int(unexplained.sum())))
    return found


def _masks(made: tracer.Scene, camera: tracer.Camera, scale: float) -> tuple[NDArray[Any], ...]:
    """Return each pixel's object, whether the sun reaches what it shows, and the triangle."""
    matrix = camera.matrix.copy()
    matrix[:3, 3] *= scale
    ymag = None if camera.ymag is None else camera.ymag * scale
    seen = replace(camera, matrix=matrix, ymag=ymag, znear=camera.znear * scale, zfar=camera.zfar * scale)
    bigger = replace(made, positions=made.positions * np.float32(scale), previous=None)
    names = ("object", "triangle", "color")
    layers = tracer.trace(bigger, seen, size=SIZE, samples="center", layers=names, background=(0, 0, 0))
    return layers["object"], layers["color"][..., :3].max(axis=2) > 0.0, layers["triangle"]


def _edges(mask: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark pixels whose 3 x 3 neighbourhood holds more than one value."""
    marks = np.zeros(mask.shape, np.bool_)
    padded = np.pad(mask, 1, mode="edge")
    for down in range(3):
        for across in range(3):
            marks |= padded[down : down + mask.shape[0], across : across + mask.shape[1]] != mask
    return marks
