"""What a report says about one verdict, as plain values for its page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from posed.color import hex_color
from posed.errors import PosedError
from posed.frame import Frame
from posed.scene.ids import IdTable
from posed.verify.report.colors import id_colors
from posed.verify.report.encoding import encode
from posed.verify.report.pictures import NAMED, Pictures, layer_pictures
from posed.verify.results import Blob, LayerResult
from posed.verify.verdict import Side, Verdict

KINDS = ("reference", "live", "difference", "mask")
"""The four pictures of a layer."""

STORIES = 12
"""Blobs of a frame at most whose pixel is explained, the largest of each layer first."""

Story = Callable[[int, int], str]
"""Tells what a pixel, by column and row, shows and what put it there, as text of several lines."""


def frame_content(verdict: Verdict, *, story: Story | None = None) -> dict[str, Any]:
    """Return what the page shows of a verdict; pictures where both sides have a frame.

    Parameters
    ----------
    verdict
        What was found.
    story
        Explains blobs, where the scene is at hand.
    """
    reference, live = verdict.reference.frame, verdict.live.frame
    told = _stories(verdict, story) if story is not None else {}
    content: dict[str, Any] = verdict.to_json()
    content["policy"] = verdict.policy.name
    content["diagnosis"] = None if verdict.diagnosis is None else verdict.diagnosis.sentence()
    content["layers"] = [_layer(one, told) for one in verdict.layers]
    content["provenance"] = [_provenance(side) for side in (verdict.reference, verdict.live)]
    content |= {"pictures": {}, "lossy": [], "colors": {}, "counts": {}}
    if reference is None or live is None:
        return content
    drawn = _drawn(verdict, reference, live)
    uris, lossy = encode({(layer, kind): getattr(four, kind) for layer, four in drawn.items() for kind in KINDS})
    content["pictures"] = {layer: {kind: uris[layer, kind] for kind in KINDS} for layer in drawn}
    content["lossy"] = list(lossy)
    counts = {layer: _counts(reference, live, layer) for layer in NAMED if layer in reference and layer in live}
    content["counts"] = counts
    content["colors"] = {layer: _colors(rows) for layer, rows in counts.items()}
    return content


def names(ids: IdTable) -> dict[str, list[str]]:
    """Return the names of each layer's ids, that of id 1 first."""
    numbered = {
        "object": len(ids.objects),
        "part": len(ids.parts),
        "material": len(ids.materials),
        "joint": len(ids.joints),
    }
    return {layer: [ids.name(layer, number) for number in range(1, count + 1)] for layer, count in numbered.items()}


def _drawn(verdict: Verdict, reference: Frame, live: Frame) -> dict[str, Pictures]:
    drawn = {}
    for one in verdict.layers:
        if one.pixels is not None:
            pictures = layer_pictures(one.layer, reference, live, one.pixels, _limit(one))
            if pictures is not None:
                drawn[one.layer] = pictures
    return drawn


def _limit(one: LayerResult) -> float:
    """Return what is allowed at a pixel, in the layer's unit; 0 for ids."""
    return next((measure.limit for measure in one.measures if measure.name == "largest"), 0.0)


def _layer(one: LayerResult, told: Mapping[tuple[str, int], str]) -> dict[str, Any]:
    blobs = [
        asdict(blob) | {"place": blob.place(), "story": told.get((one.layer, blob.number), "")} for blob in one.blobs
    ]
    return one.to_json() | {"sentence": one.sentence(), "at_edges": one.at_edges, "blobs": blobs}


def _stories(verdict: Verdict, story: Story) -> dict[tuple[str, int], str]:
    """Return the stories of the first blobs of each failing layer, by layer and blob."""
    ranked: list[tuple[int, str, Blob]] = sorted(
        ((blob.number, one.layer, blob) for one in verdict.layers if not one.passed for blob in one.blobs),
        key=lambda entry: entry[0],
    )
    told: dict[tuple[str, int], str] = {}
    by_pixel: dict[tuple[int, int], str] = {}
    for number, layer, blob in ranked:
        if blob.at not in by_pixel:
            if len(by_pixel) == STORIES:
                continue
            try:
                by_pixel[blob.at] = story(*blob.at)
            except PosedError as error:
                by_pixel[blob.at] = str(error)
        told[layer, number] = by_pixel[blob.at]
    return told


def _provenance(side: Side) -> dict[str, str]:
    """Return what is known of where a side came from, in the order of its fields."""
    if side.frame is None:
        return {"origin": side.origin}
    known = {name: str(value) for name, value in asdict(side.frame.provenance).items() if value not in ("", None)}
    known["layers"] = ", ".join(sorted(side.frame))
    return known or {"origin": side.origin}


def _counts(reference: Frame, live: Frame, layer: str) -> list[tuple[int, int, int]]:
    """Return (id, pixels in the reference, pixels in the live frame) of each id that either shows."""
    seen: dict[int, list[int]] = {}
    for column, frame in enumerate((reference, live)):
        for number, count in zip(*np.unique(frame[layer], return_counts=True), strict=True):
            seen.setdefault(int(number), [0, 0])[column] = int(count)
    return [(number, one, other) for number, (one, other) in sorted(seen.items()) if number]


def _colors(rows: list[tuple[int, int, int]]) -> dict[str, int]:
    """Return ids by the color that pictures give them."""
    colors = id_colors(max((number for number, _, _ in rows), default=0))
    return {hex_color(colors[number]): number for number, _, _ in rows if number < len(colors)}
