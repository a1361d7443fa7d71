"""The layers of two frames: which pixels differ, which of them rounding explains, and where the others lie."""

from __future__ import annotations

import math

import numpy as np

from posed.arrays import Bool
from posed.frame import Frame
from posed.verify.blobs import find_blobs
from posed.verify.explained import Explained, explain_pixels
from posed.verify.geometry import Geometry
from posed.verify.layers import LAYERS, Difference, difference, missing_layers
from posed.verify.policy import Policy
from posed.verify.results import LayerResult, Measure, Pixels

EXPECTED = 0.001
"""Pixels that rounding explains, a pixel of visible edge."""

MOST_TIMES_EXPECTED = 4.0
"""How many times the expected number may be explained before that itself is a finding."""


def compare_frames(
    reference: Frame, live: Frame, *, policy: Policy, geometry: Geometry | None
) -> tuple[LayerResult, ...]:
    """Return what is found about every layer of two frames of one size.

    Without `geometry`, the staged geometry of the reference, no pixel is explained by it.
    """
    found = {
        layer: difference(layer, reference, live, policy)
        for layer in LAYERS
        if not missing_layers(layer, live) and not missing_layers(layer, reference)
    }
    asked = np.zeros((reference.size[1], reference.size[0]), np.bool_)
    for one in found.values():
        asked |= one.pixels
    explained = None
    if geometry is not None and policy.explains and asked.any():
        layers = {name: live[name] for name in ("object", "part", "triangle", "depth") if name in live}
        explained = explain_pixels(geometry, asked, layers, band=policy.band, depth_limit=policy.depth.relative)
    most = _most_at_edges(reference)
    return tuple(
        _judged(layer, found[layer], asked, explained, most, policy, reference, live)
        if layer in found
        else LayerResult(layer, note=_missing(layer, reference, live))
        for layer in LAYERS
    )


def _judged(
    layer: str,
    one: Difference,
    asked: Bool,
    explained: Explained | None,
    most_at_edges: int,
    policy: Policy,
    reference: Frame,
    live: Frame,
) -> LayerResult:
    """Return what is found about a layer that both frames have; `explained` is about the pixels of `asked`."""
    unexplained, tied = one.pixels.copy(), np.zeros_like(one.pixels)
    if explained is not None:
        accounted = _explains(layer, one, asked, explained, policy, reference, live)
        unexplained[asked] &= ~accounted
        tied[asked] = one.pixels[asked] & accounted & explained.tied
    wrong, allowed = int(unexplained.sum()), policy.unexplained(layer)
    differing, ties = int(one.pixels.sum()), int(tied.sum())
    measures = [Measure("unexplained", wrong, allowed, "pixels")]
    if explained is not None:
        measures.append(Measure("at edges", differing - wrong - ties, most_at_edges, "pixels"))
    if one.measure is not None:
        counted = ~one.pixels if wrong <= allowed else unexplained
        measures.append(Measure("largest", float(one.measure[counted].max(initial=0.0)), one.limit, one.unit))
    blobs = find_blobs(layer, unexplained, one.measure, reference, live)
    return LayerResult(
        layer=layer,
        measures=tuple(measures),
        differing=differing,
        explained=differing - wrong,
        ties=ties,
        blobs=blobs.described,
        blob_count=blobs.count,
        pixels=Pixels(
            one.pixels,
            one.pixels & ~unexplained,
            tied,
            blobs.numbers,
            None if one.measure is None else one.measure.astype(np.float32),
        ),
    )


def _explains(
    layer: str, one: Difference, asked: Bool, explained: Explained, policy: Policy, reference: Frame, live: Frame
) -> Bool:
    """Return for each asked pixel whether its difference in `layer` is explained.

    A normal and a motion are those of the triangle that was seen: where the live frame rightly sees another one, so are
    they.
    """
    if layer in ("normal", "motion"):
        assert one.measure is not None
        is_other = np.zeros(len(explained.degrees), np.bool_)
        for name in ("part", "triangle"):
            if name in reference and name in live:
                is_other |= reference[name][asked] != live[name][asked]
        within = policy.normal.degrees + explained.degrees if layer == "normal" else policy.motion.pixels
        followed: Bool = np.where(is_other, explained.triangle, one.measure[asked] <= within)
        return followed
    result: Bool = getattr(explained, layer)
    return result


def _most_at_edges(reference: Frame) -> int:
    """Return how many explained pixels the reference's visible edges may bring about, at least a handful.

    A straight edge of n pixels crosses the rows and columns between pixel centres 4 n / pi times on average.
    """
    crossings = 0
    if "part" in reference and "triangle" in reference:
        for layer in ("part", "triangle"):
            ids = reference[layer]
            crossings = max(crossings, int((ids[1:] != ids[:-1]).sum()) + int((ids[:, 1:] != ids[:, :-1]).sum()))
    return max(8, math.ceil(MOST_TIMES_EXPECTED * EXPECTED * crossings * math.pi / 4.0))


def _missing(layer: str, reference: Frame, live: Frame) -> str:
    lacking = [
        f"{name} has no {' or '.join(missing)} layer"
        for name, missing in (
            ("the live frame", missing_layers(layer, live)),
            ("the reference", missing_layers(layer, reference)),
        )
        if missing
    ]
    return ", ".join(lacking)
