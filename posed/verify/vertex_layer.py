"""The layer `vertices`: posed vertices, read back from a device or dumped by an engine, against those posed here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from posed.arrays import Float64
from posed.errors import PosedError, PoseError
from posed.verify.displacement import length, step_at
from posed.verify.layers import angle_between
from posed.verify.policy import VertexLimit
from posed.verify.poses import MM, MOST_LISTED
from posed.verify.results import Deviation, LayerResult, Measure
from posed.verify.skinned import Skinned
from posed.verify.vertices import PartVertices, Place, Vertices
from posed.words import distance

HIGH = 99.9
"""The percentile of displacements that is printed beside the largest."""

ROUNDINGS = 16.0 * 2.0**-24
"""Relative error of the sums behind a posed normal before it is normalized: sixteen roundings of float32."""


@dataclass(frozen=True, eq=False)
class _Found:
    """Of one part: displacements in metres and the step that they are measured in, angles in degrees."""

    place: Place
    skinned: Skinned | None
    displacement: Float64
    step: float
    normal: Float64
    tangent: Float64


def compare_vertices(reference: Vertices, live: Vertices, *, limit: VertexLimit) -> LayerResult:
    """Return how far live vertices lie from those of the reference, part by part.

    Parameters
    ----------
    reference, live
        By part. Parts that the live side leaves out are not compared; `note` names their number. What poses the
        reference's parts, where that is known, names joints and tells normals that a flattened matrix leaves open.
    limit
        What is allowed.

    Raises
    ------
    PosedError
        They are of two ticks.
    PoseError
        A part that the reference has not, or with another number of vertices.
    """
    if None not in (reference.tick, live.tick) and reference.tick != live.tick:
        raise PosedError(
            f"the live vertices are of tick {live.tick} and their reference of tick {reference.tick}: pose both alike, "
            "or let posed diagnose say which tick they show"
        )
    found = [_part(place, one, other, limit) for place, one, other in _pairs(reference, live)]
    steps = np.concatenate([np.zeros(1), *(one.displacement / one.step for one in found)])
    beyond = [one for one in found if _is_off(one, limit)]
    worst = max(found, key=lambda one: float((one.displacement / one.step).max(initial=0.0)))
    largest = float(steps.max(initial=0.0))
    measures = [
        Measure("largest displacement", largest, limit.steps, "float32 steps", _where(worst) if largest else ""),
        Measure(f"{HIGH} % displacement", float(np.percentile(steps, HIGH)), limit.steps, "float32 steps"),
    ]
    for name in ("normal", "tangent"):
        angles = [float(getattr(one, name).max(initial=-1.0)) for one in found]
        if max(angles) >= 0.0:
            off = found[int(np.argmax(angles))]
            where = _name(off, int(getattr(off, name).argmax())) if max(angles) else ""
            measures.append(Measure(f"{name} angle", max(angles), limit.degrees, "degrees", where))
    missing = len(reference.parts) - len(found)
    return LayerResult(
        "vertices",
        tuple(measures),
        deviations=tuple(sorted((_deviation(one, limit) for one in beyond), key=lambda one: -one.value)[:MOST_LISTED]),
        note=f"{missing} of {len(reference.parts)} parts are not stated by the live side" if missing else "",
    )


def _pairs(reference: Vertices, live: Vertices) -> Iterator[tuple[Place, PartVertices, PartVertices]]:
    """Yield the parts that both sides have; a live place without an object is that of the only object."""
    owners = {place.object for place in reference.parts}
    for place, part in live.parts.items():
        if not place.object and len(owners) == 1:
            place = place._replace(object=next(iter(owners)))  # noqa: PLW2901 - the same place by its full name
        if place not in reference.parts:
            have = ", ".join("/".join(map(str, one)) for one in list(reference.parts)[:8])
            raise PoseError(f"vertices: there is no part {'/'.join(map(str, place))} (there are {have})")
        expected = reference.parts[place]
        if len(expected.positions) != len(part.positions):
            raise PoseError(
                f"vertices: part {'/'.join(map(str, place))} has {len(part.positions)} vertices, "
                f"expected {len(expected.positions)}: dump all of them in the file's order"
            )
        yield place, expected, part


def _part(place: Place, one: PartVertices, other: PartVertices, limit: VertexLimit) -> _Found:
    displacement = length(other.positions.astype(np.float64) - one.positions)
    angles = {}
    for name in ("normals", "tangents"):
        expected, found = getattr(one, name), getattr(other, name)
        angle = np.zeros(0)
        if expected is not None and found is not None and length(found[:, :3]).any():
            angle = angle_between(expected[:, :3], found[:, :3])
            if name == "tangents":
                angle[expected[:, 3] * found[:, 3] < 0.0] = 180.0
            if one.skinned is not None:
                _leave_flattened(angle, one.skinned, limit.degrees, is_normal=name == "normals")
        angles[name] = angle
    return _Found(place, one.skinned, displacement, step_at(one.largest), angles["normals"], angles["tangents"])


def _leave_flattened(angle: Float64, known: Skinned, degrees: float, *, is_normal: bool) -> None:
    """Set angles to 0 where float32 leaves a direction open, because the blended matrix all but flattens it."""
    off = np.flatnonzero(angle > degrees)
    if not len(off):
        return
    first, second, third = known.stretches(off).T
    kept = second * third if is_normal else third
    full = first * first if is_normal else first
    with np.errstate(divide="ignore", invalid="ignore"):
        open_angle = np.degrees(ROUNDINGS * full / kept)
    angle[off[~(angle[off] > degrees + open_angle)]] = 0.0


def _is_off(one: _Found, limit: VertexLimit) -> bool:
    return bool(
        (one.displacement / one.step).max(initial=0.0) > limit.steps
        or max(one.normal.max(initial=0.0), one.tangent.max(initial=0.0)) > limit.degrees
    )


def _deviation(one: _Found, limit: VertexLimit) -> Deviation:
    off = one.displacement > limit.steps * one.step
    value, most = float(one.displacement.max(initial=0.0)), limit.steps * one.step
    if off.any():
        note = f"{int(off.sum())} of {len(off)} vertices are off, by up to {distance(value * MM)}"
        worst = int(one.displacement.argmax())
    else:
        turned = one.normal if one.normal.max(initial=0.0) > limit.degrees else one.tangent
        name = "normals" if turned is one.normal else "tangents"
        count = int((turned > limit.degrees).sum())
        note = f"{count} of {len(turned)} {name} are off, by up to {turned.max():.4g} degrees"
        worst = int(turned.argmax())
    joint = "" if one.skinned is None else f", most at joint {one.skinned.joint_of(worst)}"
    place = "/".join(map(str, one.place))
    return Deviation("part", place, value * MM, most * MM, "mm", note + joint, one.place.object)


def _where(one: _Found) -> str:
    vertex = int(one.displacement.argmax())
    return f"{_name(one, vertex)}, {distance(one.displacement[vertex] * MM)}"


def _name(one: _Found, vertex: int) -> str:
    joint = "" if one.skinned is None else f", joint {one.skinned.joint_of(vertex)}"
    return f"part {'/'.join(map(str, one.place))}, vertex {vertex}{joint}"
