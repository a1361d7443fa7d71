"""How two frames differ, layer by layer: which pixels, and by how much."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from posed.arrays import AnyArray, Bool
from posed.frame import Frame
from posed.verify.pixel_errors import angles, color_errors, distances, relative_error
from posed.verify.policy import Policy

LAYERS = ("silhouette", "object", "part", "triangle", "depth", "normal", "motion", "color")
"""The layers that are compared, in the order in which a failure is named."""

NEEDS: Mapping[str, tuple[str, ...]] = {
    "silhouette": (),
    "object": ("object",),
    "part": ("part",),
    "triangle": ("part", "triangle"),
    "depth": ("depth",),
    "normal": ("normal",),
    "motion": ("motion",),
    "color": ("color",),
}
"""What of a frame each layer is read from; all but color also from where it shows anything, see `coverage`."""

COVERS = ("object", "depth", "normal")
"""Layers that tell where a frame shows anything, the first that there is."""


@dataclass(frozen=True, eq=False)
class Difference:
    """Where one layer differs, (H, W) bool, and by how much, (H, W) float64 in `unit`, or None for ids.

    `limit` is what a pixel is allowed. Where a surface is seen on one side only, the difference is the silhouette's; so
    the others leave these pixels out.
    """

    pixels: Bool
    measure: AnyArray | None = None
    limit: float = 0.0
    unit: str = ""


def missing_layers(layer: str, frame: Frame) -> tuple[str, ...]:
    """Return what `frame` lacks for `layer` to be compared."""
    lacking = tuple(name for name in NEEDS[layer] if name not in frame)
    if lacking or layer == "color" or coverage(frame) is not None:
        return lacking
    return COVERS


def coverage(frame: Frame) -> Bool | None:
    """Return where a frame shows anything, (H, W) bool, None where nothing tells.

    Objects tell, else a finite depth, else a normal, else a coverage of a half in a picture with a transparent
    background.
    """
    if "object" in frame:
        return np.asarray(frame["object"] != 0)
    if "depth" in frame:
        return np.isfinite(frame["depth"])
    if "normal" in frame:
        return np.asarray((frame["normal"] != 0.0).any(axis=2))
    if "color" in frame and frame.provenance.background == "transparent":
        return np.asarray(frame["color"][..., 3] >= 0.5)
    return None


def differences(layers: Iterable[str], reference: Frame, live: Frame, policy: Policy) -> dict[str, Difference]:
    """Return where and by how much each of some layers differs; both frames have what these need."""
    seen, also_seen = coverage(reference), coverage(live)
    both = either = np.zeros((reference.size[1], reference.size[0]), np.bool_)
    if seen is not None and also_seen is not None:
        both, either = seen & also_seen, seen ^ also_seen
    return {
        layer: Difference(either) if layer == "silhouette" else _difference(layer, reference, live, policy, both)
        for layer in layers
    }


def _difference(layer: str, reference: Frame, live: Frame, policy: Policy, both: Bool) -> Difference:
    match layer:
        case "object" | "part":
            return Difference(both & (reference[layer] != live[layer]))
        case "triangle":
            same = (reference["triangle"] == live["triangle"]) & (reference["part"] == live["part"])
            return Difference(both & ~same)
        case "depth":
            error = relative_error(reference["depth"], live["depth"], both)
            limit = policy.depth.relative
            return Difference(~(error <= limit) & both, error, limit)
        case "motion":
            distance = distances(reference["motion"], live["motion"], both)
            limit = policy.motion.pixels
            return Difference(~(distance <= limit) & both, distance, limit, "pixels")
        case "color":
            see_through = all(one.provenance.background == "transparent" for one in (reference, live))
            error = color_errors(reference["color"], live["color"], alpha=see_through)
            limit = policy.color.max
            return Difference(~(error <= limit), error, limit)
        case _:
            angle = angles(reference["normal"], live["normal"], both)
            limit = policy.normal.degrees
            return Difference(~(angle <= limit) & both, angle, limit, "degrees")


def angle_between(expected: AnyArray, found: AnyArray) -> AnyArray:
    """Return the angle between directions, (N, 3) each, in degrees, (N,) float64; 180 where one is none.

    The chord's length gives small angles without the cancellation that the cosine has.
    """
    one, other = expected.astype(np.float64), found.astype(np.float64)
    lengths = [np.sqrt((vectors * vectors).sum(axis=-1)) for vectors in (one, other)]
    usable = np.isfinite(lengths[0]) & np.isfinite(lengths[1]) & (lengths[0] > 0.0) & (lengths[1] > 0.0)
    angle = np.full(usable.shape, 180.0)
    steps = one[usable] / lengths[0][usable, None] - other[usable] / lengths[1][usable, None]
    chord = np.sqrt((steps * steps).sum(axis=-1))
    angle[usable] = np.degrees(2.0 * np.arcsin(np.minimum(chord / 2.0, 1.0)))
    return angle
