"""Normals along other axes than the world's: another handedness, another one up, the camera's, or packed for a file."""

from __future__ import annotations

import numpy as np

from posed.arrays import AnyArray
from posed.verify.recognizing.undoing import Case, Undone, in_single_pixels, likeliest, recognition
from posed.verify.results import Recognition

AXES = (
    ("Z up", "have Z up", ((1, 0, 0), (0, 0, 1), (0, -1, 0)), "the engine's up is Z: turn (x, y, z) to (x, z, -y)"),
    ("left-handed", "are left-handed, with z turned over", ((1, 0, 0), (0, 1, 0), (0, 0, -1)), "negate z"),
    (
        "left-handed, Z up",
        "are left-handed with Z up",
        ((1, 0, 0), (0, 0, 1), (0, 1, 0)),
        "exchange y and z",
    ),
    ("x turned over", "have x turned over", ((-1, 0, 0), (0, 1, 0), (0, 0, 1)), "negate x"),
    ("y turned over", "have y turned over", ((1, 0, 0), (0, -1, 0), (0, 0, 1)), "negate y"),
    ("inward", "point inward", ((-1, 0, 0), (0, -1, 0), (0, 0, -1)), "the winding or the normals' matrix mirrors them"),
)
"""Each with the matrix from its axes to the world's, by rows."""


def turned(case: Case) -> Recognition | None:
    """Return the recognition of normals that are not along the world's axes; None where they are none of these."""
    return in_single_pixels(case, "normal", _turned) if case.fails("normal") else None


def _turned(case: Case) -> Recognition | None:
    normals = case.live["normal"]
    tries: list[tuple[str, str, str, str, AnyArray]] = [
        (code, f"the live frame's normals {words}", "turned back", cure, normals @ np.array(rows, np.float32).T)
        for code, words, rows, cure in AXES
    ]
    unpacked = 2.0 * normals - np.float32(1.0)
    tries.append(("packed normals", _PACKED, "unpacked", "leave 2 n - 1, as floats", unpacked))
    camera = case.reference.camera
    if camera is not None:
        world = normals @ camera.matrix[:3, :3].astype(np.float32).T
        tries.append(("view space", _VIEW, "turned to the world", "multiply by the camera's matrix", world))
    return likeliest(
        [
            recognition(case, Undone(code, claim, undoing, cure, {"normal": undone}, ("normal",)))
            for code, claim, undoing, cure, undone in tries
        ]
    )


_PACKED = "the live frame's normals are packed into 0 to 1"
_VIEW = "the live frame's normals are in the camera's space"
