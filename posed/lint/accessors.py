"""Findings on accessors: bounds that are wrong or missing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posed.arrays import AnyArray
from posed.gltf.document import Record
from posed.lint.asset import Asset
from posed.lint.finding import Finding
from posed.words import counted

BOUNDS_WITHIN = 1e-5
"""Share of the largest number: what writing a float32 with six digits may lose."""


def check_accessors(asset: Asset) -> Iterator[Finding]:
    """Yield what is suspicious about the accessors' min and max."""
    _ = asset.parts  # fills accessors whose data is compressed
    for index, record in enumerate(asset.records["accessors"]):
        if ("min" in record or "max" in record) and ("bufferView" in record or "sparse" in record):
            with asset.tolerant():
                lie = _lie(record, asset.accessors.raw(index))
                if lie is not None:
                    key, what = lie
                    yield asset.finding("P101", record.place(key), what)
    for index, what in sorted(_bounded(asset).items()):
        record = asset.records["accessors"][index]
        lacks = " and ".join(key for key in ("min", "max") if key not in record)
        if lacks:
            yield asset.finding("P102", record.pointer, f"accessor {index} holds {what} and has no {lacks}")


def _lie(record: Record, raw: AnyArray) -> tuple[str, str] | None:
    """Return key and sentence of the first bound that is not what it says, None where both are true."""
    if not len(raw):
        return None
    rows = (raw.swapaxes(1, 2) if raw.ndim == 3 else raw).reshape(len(raw), -1).astype(np.float64)
    for key, bound in (("min", rows.min(axis=0)), ("max", rows.max(axis=0))):
        if key not in record:
            continue
        said = record.numbers(key)
        if len(said) != len(bound):
            return key, f"{key} has {counted(len(said), 'number')} for elements of {len(bound)}"
        scale = max(float(np.abs(bound).max()), float(np.abs(np.array(said)).max()))
        off = ~(np.abs(bound - said) <= BOUNDS_WITHIN * scale)
        if off.any():
            component = int(off.argmax())
            return key, f"{key} says {said[component]:g} of component {component} where it is {bound[component]:g}"
    return None


def _bounded(asset: Asset) -> dict[int, str]:
    """Return the accessors that must have bounds, and what each holds."""
    found: dict[int, str] = {}
    for part in asset.parts:
        with asset.tolerant():
            accessor = part.attributes.index("POSITION", len(asset.accessors), "accessors")
            if accessor is not None:
                found[accessor] = "positions"
    for animation in asset.records["animations"]:
        with asset.tolerant():
            for sampler in animation.records("samplers"):
                found[sampler.required_index("input", len(asset.accessors), "accessors")] = "key times"
    return found
