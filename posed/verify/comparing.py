"""Two frames into a verdict, and the whole check: trace, draw, compare."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from posed.arrays import Bool
from posed.camera import Camera
from posed.errors import PosedError
from posed.frame import Frame, Provenance
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify.blobs import find_blobs
from posed.verify.explained import Explained, explain_pixels
from posed.verify.geometry import Geometry, geometry_of
from posed.verify.layers import LAYERS, Difference, difference, missing_layers
from posed.verify.policy import Policy, policy_of
from posed.verify.results import LayerResult, Measure, Pixels
from posed.verify.verdict import Side, Verdict

EXPECTED = 0.001
"""Pixels that rounding explains, a pixel of visible edge."""

MOST_TIMES_EXPECTED = 4.0
"""How many times the expected number may be explained before that itself is a finding."""

DRAWN = ("object", "part", "triangle", "depth", "normal", "motion")
"""Layers of the built-in live renderer that a check compares."""

CAMERA_TOLERANCE = 1e-6
"""Relative difference of camera numbers that a float32 on the way explains."""


def compare(
    reference: Frame, live: Frame, *, policy: Policy | str = "gpu", geometry: Geometry | None = None
) -> Verdict:
    """Compare a live frame with its reference, layer by layer.

    Parameters
    ----------
    reference
        The traced frame.
    live
        What another renderer drew; layers that it does not have are not compared.
    policy
        A preset's name, ``"gpu"`` or ``"exact"``, or limits of one's own.
    geometry
        The staged geometry from which pixels at edges are explained; the reference's own unless given. A reference
        that was read from a file has none: then no pixel is explained.

    Raises
    ------
    PosedError
        Another size, tick or camera than the reference's, or no such policy.
    """
    policy = policy_of(policy)
    _same_picture(reference, live)
    if geometry is None and reference.staged is not None:
        scene, camera = reference.staged
        geometry = geometry_of(scene, camera, reference.size)
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
    return Verdict(
        layers=tuple(
            _judged(layer, found[layer], asked, explained, most, policy, reference, live)
            if layer in found
            else LayerResult(layer, note=_missing(layer, reference, live))
            for layer in LAYERS
        ),
        policy=policy,
        size=reference.size,
        tick=reference.provenance.tick,
        reference=Side(_origin(reference.provenance), reference),
        live=Side(_origin(live.provenance), live),
    )


def check(
    scene: Scene,
    pose: Posed,
    live: Frame | None = None,
    *,
    size: tuple[int, int] = (960, 540),
    policy: Policy | str = "gpu",
    camera: Camera | None = None,
    backend: str | None = None,
    adapter: str | None = None,
) -> Verdict:
    """Trace `pose` through pixel centres, draw it live unless a frame is given, and compare the two.

    Parameters
    ----------
    scene, pose
        What is seen.
    live
        A frame of any renderer; its size goes before `size`.
    size, camera
        The picture, and what looks in place of the snapshot's camera.
    policy
        See `compare`.
    backend, adapter
        See `posed.trace` and `posed.live.render`.

    Raises
    ------
    PosedError
        As in `compare`.
    MissingError
        Nothing on this machine traces or draws.
    """
    from posed.live import render
    from posed.tracing import trace

    policy = policy_of(policy)
    size = size if live is None else live.size
    reference = trace(scene, pose, size=size, integrator="aov", samples="center", camera=camera, backend=backend)
    if live is None:
        live = render(scene, pose, size=size, camera=camera, layers=DRAWN, adapter=adapter)
    verdict = compare(reference, live, policy=policy)
    return replace(verdict, scene=scene, reference=replace(verdict.reference, pose=pose))


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


def _same_picture(reference: Frame, live: Frame) -> None:
    if live.size != reference.size:
        raise PosedError(
            f"the live frame is {live.size[0]}x{live.size[1]} and its reference "
            f"{reference.size[0]}x{reference.size[1]}: draw both at one size"
        )
    ticks = reference.provenance.tick, live.provenance.tick
    if None not in ticks and ticks[0] != ticks[1]:
        raise PosedError(f"the live frame is of tick {ticks[1]} and its reference of tick {ticks[0]}: pose both alike")
    if reference.camera is not None and live.camera is not None and not _alike(reference.camera, live.camera):
        raise PosedError("the live frame was taken by another camera than its reference: give both the same one")


def _alike(one: Camera, other: Camera) -> bool:
    numbers = [
        np.array([*camera.matrix.ravel(), camera.yfov or 0.0, camera.ymag or 0.0, camera.znear])
        for camera in (one, other)
    ]
    scale = max(1.0, float(np.abs(numbers[0]).max()))
    return bool(np.abs(numbers[0] - numbers[1]).max() <= CAMERA_TOLERANCE * scale)


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


def _origin(one: Provenance) -> str:
    return ", ".join(fact for fact in (one.renderer, one.backend, one.adapter, one.driver) if fact) or "not stated"
