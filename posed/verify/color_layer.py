"""The layer `color`: how far colors differ, and what a correct renderer may show near edges, shadows and texels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import tracer
from posed.arrays import AnyArray, Bool
from posed.frame import Frame
from posed.verify.flip import flip, is_installed, model_pixels
from posed.verify.policy import ColorLimit
from posed.verify.results import Blob, Measure

MOST_ASKED = 20_000
"""Pixels at most whose shadows and textures are looked into, those nearest to pixels that agree: an edge's band is
thin, and what lies deep in a large difference is no edge."""

HIGH = 99.9
"""The percentile of FLIP that is printed beside its mean."""


def why_not_compared(reference: Frame, limit: ColorLimit) -> str:
    """Say why a reference's color is none to compare with, empty where it is; what is not stated is taken as right."""
    integrator, samples = reference.provenance.integrator, reference.provenance.samples
    if integrator not in ("", "direct"):
        return f"the reference's color is by {integrator}: only direct is what live renderers show"
    if samples and (samples == "center") == limit.antialiased:
        if limit.antialiased:
            return "the reference is shaded once a pixel and the policy wants it antialiased"
        return "the reference is antialiased and the policy wants it shaded once a pixel: trace it with samples=center"
    return ""


def within_slack(asked: Bool, reference: Frame, live: Frame, limit: ColorLimit, pixel: float) -> Bool:
    """Return which of `asked`, (H, W) bool, show what a correct renderer may that reads shadows and textures as stated,
    and draws surfaces within `pixel` pixels of their place.

    No pixel, where the reference was read from a file: then what was traced is not at hand.
    """
    if reference.staged is None or not asked.any():
        return np.zeros_like(asked)
    from scipy import ndimage

    scene, camera = reference.staged
    rows, columns = np.nonzero(asked)
    if len(rows) > MOST_ASKED:
        depth = ndimage.distance_transform_edt(np.pad(asked, 1))[1:-1, 1:-1][rows, columns]
        nearest = np.sort(np.argsort(depth, kind="stable")[:MOST_ASKED])
        rows, columns = rows[nearest], columns[nearest]
    background = reference.provenance.background
    low, high = tracer.color_range(
        scene,
        camera,
        size=reference.size,
        pixels=np.stack([columns, rows], axis=1),
        shadows=_slacks(live),
        texel=limit.texel,
        pixel=pixel,
        background=background if background == "transparent" else None,
    )
    found = live["color"][rows, columns, :3].astype(np.float64)
    if live["color"][..., :3].max(initial=0.0) <= 1.0:
        low, high = np.minimum(low, 1.0), np.minimum(high, 1.0)
    inside = (found >= low - limit.max * np.maximum(1.0, low)) & (found <= high + limit.max * np.maximum(1.0, high))
    accounted = np.zeros_like(asked)
    accounted[rows, columns] = inside.all(axis=1)
    return accounted


def _slacks(live: Frame) -> Sequence[tracer.ShadowSlack] | None:
    stated = live.provenance.shadows
    if stated is None:
        return None
    return [tracer.ShadowSlack(one.light, one.objects, one.texel, one.bias) for one in stated]


def flip_measures(
    reference: Frame, live: Frame, limit: ColorLimit, explained: Bool, blobs: Sequence[Blob], numbers: AnyArray
) -> tuple[list[Measure], str]:
    """Return FLIP's measures over the model's pixels, and why there are none where the package is not here.

    Parameters
    ----------
    reference, live
        Frames with color; objects, where they have them, say which pixels are the model's.
    limit
        What is allowed.
    explained
        (H, W): where the live frame may differ, which counts as right.
    blobs, numbers
        The layer's blobs, and each pixel's number, (H, W).
    """
    if not is_installed():
        return [], "FLIP is not measured: pip install flip-evaluator"
    objects = [frame["object"] for frame in (reference, live) if "object" in frame]
    chosen = model_pixels(*objects) if objects else np.ones(explained.shape, np.bool_)
    error = flip(reference["color"], live["color"], where=chosen | (numbers > 0), right=explained)
    values = error[chosen] if chosen.any() else np.zeros(1, np.float32)
    measures = [
        Measure("FLIP mean", float(values.mean(dtype=np.float64)), limit.flip_mean),
        Measure(f"FLIP {HIGH} %", float(np.percentile(values, HIGH)), limit.flip_high),
    ]
    if blobs:
        means = [_mean_of(blob, error, numbers) for blob in blobs]
        worst = int(np.argmax(means))
        measures.append(Measure("FLIP of a blob", means[worst], limit.flip_blob, where=blobs[worst].place()))
    return measures, ""


def _mean_of(blob: Blob, error: AnyArray, numbers: AnyArray) -> float:
    left, top, right, bottom = blob.box
    place = slice(top, bottom), slice(left, right)
    return float(error[place][numbers[place] == blob.number].mean(dtype=np.float64))
