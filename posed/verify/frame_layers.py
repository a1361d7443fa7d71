"""The layers of two frames: which pixels differ, which of them rounding explains, and where the others lie."""

from __future__ import annotations

import numpy as np

from posed.arrays import Bool
from posed.frame import Frame
from posed.verify.accounts import ByGeometry, ByNeighbors
from posed.verify.blobs import KEYED, find_blobs
from posed.verify.color_layer import flip_measures, why_not_compared, within_slack
from posed.verify.drift import LIMIT as DRIFT_LIMIT
from posed.verify.edge_band import blob_measures
from posed.verify.edge_bounds import EdgeBounds, bounds_of
from posed.verify.geometry import Geometry
from posed.verify.layers import LAYERS, Difference, differences, missing_layers
from posed.verify.policy import Policy
from posed.verify.results import NEITHER, LayerResult, Measure, Pixels
from posed.words import counted, noun


def compare_frames(
    reference: Frame, live: Frame, *, policy: Policy, geometry: Geometry | None
) -> tuple[LayerResult, ...]:
    """Return what is found about every layer of two frames of one size.

    Pixels are explained by `geometry`, the staged geometry of the reference, and by their neighbours as far as the
    policy's edge band reaches.
    """
    reasons = {layer: _missing(layer, reference, live, policy) for layer in LAYERS}
    found = differences([layer for layer, reason in reasons.items() if not reason], reference, live, policy)
    asked = np.zeros((reference.size[1], reference.size[0]), np.bool_)
    for one in found.values():
        asked |= one.pixels
    account: ByGeometry | None = None
    if policy.explains and geometry is not None and asked.any():
        account = ByGeometry(geometry, asked, reference, live, policy)
    band = ByNeighbors(reference, live, policy) if policy.explains and policy.edge_band else None
    finest = next((layer for layer in reversed(KEYED) if layer in found), None)
    bounds = None if policy.edge_band or account is None else bounds_of(reference, account, policy.grid)
    results, wrong = [], np.zeros_like(asked)
    for layer, reason in reasons.items():
        if reason:
            results.append(LayerResult(layer, note=reason))
            continue
        one = found.pop(layer)
        result = _judged(layer, one, account, band, policy, reference, live, bounds, wrong, drifts=layer == finest)
        results.append(result)
        if result.pixels is not None and layer != "motion":
            wrong |= result.pixels.blobs > 0
    return tuple(results)


def _judged(
    layer: str,
    one: Difference,
    account: ByGeometry | None,
    band: ByNeighbors | None,
    policy: Policy,
    reference: Frame,
    live: Frame,
    bounds: EdgeBounds | None,
    wrong_before: Bool,
    *,
    drifts: bool,
) -> LayerResult:
    """Return what is found about a layer that both frames have.

    `band` is None where the policy has no edge band. `bounds` is None where explained pixels are not bounded. At the
    pixels `wrong_before` an earlier layer has found another surface, so that no shadow or texture is looked into there.
    `drifts`: the directions of its edges are looked at.
    """
    explained, tied, shown = (np.zeros_like(one.pixels) for _ in range(3))
    if account is not None:
        explained = account.explains(layer, one)
        tied = explained & account.ties(layer)
    if band is not None:
        shown = band.explains(layer, one)
    if layer == "color" and policy.explains:
        asked = one.pixels & ~(explained if band is None else shown) & ~wrong_before
        slack = within_slack(asked, reference, live, policy.color, policy.grid)
        tied |= slack
        shown |= slack
        if band is not None:
            beside = one.pixels & ~shown & ~explained & ~wrong_before
            explained |= within_slack(beside, reference, live, policy.color, policy.grid + policy.edge_band)
    explained |= shown
    unexplained = one.pixels & ~explained
    wrong, allowed = int(unexplained.sum()), policy.unexplained(layer)
    differing, ties = int(one.pixels.sum()), int(tied.sum())
    measures, notes = [Measure("unexplained", wrong, allowed, "pixels")], []
    if bounds is not None:
        measures += bounds.measures(explained & ~tied)
        if drifts and account is not None:
            drift = account.drift(explained)
            measures.append(Measure("edge drift", drift.agreement, DRIFT_LIMIT))
            notes += [drift.sentence()] if drift.agreement > DRIFT_LIMIT else []
    if one.measure is not None:
        looked_at = ~one.pixels if wrong <= allowed else unexplained
        measures.append(Measure("largest", float(one.measure[looked_at].max(initial=0.0)), one.limit, one.unit))
        empty = int(np.isnan(live[layer][unexplained].reshape(wrong, -1)).any(axis=1).sum()) if wrong else 0
        notes += [f"{counted(empty, 'pixel')} of the live frame {noun(empty, 'is', 'are')} no number"] if empty else []
    blobs = find_blobs(layer, unexplained, one.measure, reference, live)
    if band is not None:
        measures += blob_measures(layer, one.pixels & ~shown, policy)
    if layer == "color":
        flips, note = flip_measures(reference, live, policy.color, explained, blobs.described, blobs.numbers)
        measures += flips
        notes += [note] if note else []
    return LayerResult(
        layer=layer,
        measures=tuple(measures),
        differing=differing,
        explained=differing - wrong,
        ties=ties,
        blobs=blobs.described,
        blob_count=blobs.count,
        note="; ".join(notes),
        pixels=Pixels(
            one.pixels,
            explained,
            tied,
            blobs.numbers,
            None if one.measure is None else one.measure.astype(np.float32),
        ),
    )


def _missing(layer: str, reference: Frame, live: Frame, policy: Policy) -> str:
    """Say why a layer is not compared, empty where it is."""
    sides = {"the live frame": missing_layers(layer, live), "the reference": missing_layers(layer, reference)}
    lacking = {name: missing for name, missing in sides.items() if missing}
    if len(lacking) == len(sides):
        return NEITHER
    if not lacking and layer == "color":
        return why_not_compared(reference, policy.color)
    return "".join(
        f"{name} does not have it" if list(missing) == [layer] else f"{name} has no {' or '.join(missing)} layer"
        for name, missing in lacking.items()
    )
