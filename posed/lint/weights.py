"""Findings on joint weights as the file stores them, before they are normalized."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.lint.asset import Asset, Part
from posed.lint.finding import Finding
from posed.words import counted

SUM_WITHIN = 1e-4
"""How far a sum may be from 1 before it is named: it moves a vertex ten metres from the origin by a millimetre."""


def check_weights(asset: Asset) -> Iterator[Finding]:
    """Yield what is suspicious about joints and weights of each primitive."""
    for part in asset.parts:
        with asset.tolerant():
            influences = _influences(asset, part)
            if influences is not None:
                yield from _vertices(asset, part, *influences)


def _influences(asset: Asset, part: Part) -> tuple[AnyArray, Float64] | None:
    """Return joints and weights, both (V, K) over all sets, or None where there are none that fit each other."""
    joints: list[AnyArray] = []
    weights: list[AnyArray] = []
    attributes, accessors = part.attributes, asset.accessors
    while f"JOINTS_{len(joints)}" in attributes and f"WEIGHTS_{len(joints)}" in attributes:
        names = f"JOINTS_{len(joints)}", f"WEIGHTS_{len(joints)}"
        joint, weight = (attributes.required_index(name, len(accessors), "accessors") for name in names)
        joints.append(accessors.integers(joint, ("VEC4",), attributes, names[0]))
        weights.append(accessors.floats(weight, ("VEC4",), np.float64, attributes, names[1]))
    counts = {len(array) for array in (*joints, *weights)}
    if len(counts) != 1 or counts == {0}:
        return None
    together = np.concatenate(weights, axis=1)
    return (np.concatenate(joints, axis=1), together) if np.isfinite(together).all() else None


def _vertices(asset: Asset, part: Part, joints: AnyArray, weights: Float64) -> Iterator[Finding]:
    place = part.attributes.pointer
    sums = weights.sum(axis=1)
    empty = ~(weights != 0.0).any(axis=1)
    off = np.where(empty, 0.0, np.abs(sums - 1.0))
    if off.max() > SUM_WITHIN:
        vertex, count = int(off.argmax()), int((off > SUM_WITHIN).sum())
        yield asset.finding(
            "P401",
            place,
            f"the weights of {_vertices_of(count)} do not sum to 1, at worst to {sums[vertex]:.6g} at vertex {vertex}",
        )
    for code, bad, what in (
        ("P402", empty, "no weights"),
        ("P403", (weights < 0.0).any(axis=1), "a negative weight"),
        ("P404", _twice(joints, weights), "one joint more than once"),
    ):
        if bad.any():
            have = counted(int(bad.sum()), "vertex has", "vertices have")
            yield asset.finding(code, place, f"{have} {what}, the first is vertex {int(bad.argmax())}")
    most = (weights > 0.0).sum(axis=1)
    for code, limit, more in (("P406", 8, most.max() > 8), ("P405", 4, 4 < most.max() <= 8)):
        if more:
            count = int((most > limit).sum())
            yield asset.finding(
                code,
                place,
                f"{counted(count, 'vertex has', 'vertices have')} more than {limit} influences, at most "
                f"{int(most.max())} at vertex {int(most.argmax())}",
            )


def _twice(joints: AnyArray, weights: Float64) -> AnyArray:
    """Return whether each vertex has a joint that pulls it in two influences."""
    labels = np.where(weights > 0.0, joints.astype(np.int64), -1 - np.arange(joints.shape[1]))
    labels.sort(axis=1)
    twice: AnyArray = (labels[:, 1:] == labels[:, :-1]).any(axis=1)
    return twice


def _vertices_of(count: int) -> str:
    return counted(count, "vertex", "vertices")
