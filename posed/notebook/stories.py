"""Verdicts and explanations shown: what failed and by how much, side by side; the story of a pixel."""

from __future__ import annotations

import io

import numpy as np

from posed.arrays import UInt8
from posed.notebook.page import Cell, Shown, figure, paragraph, preformatted, row, table, words
from posed.verify import Explanation, LayerResult, Verdict
from posed.verify.report.pictures import layer_pictures
from posed.words import numeral, unit_of

TITLES = ("layer", "", "measure", "found", "limit", "margin")

SIDE = 300
"""Pixels of each of the pictures side by side."""


def verdict(value: Verdict) -> Shown:
    """Show a verdict."""

    def blocks() -> list[str]:
        word = Cell("passed", "pass") if value.passed else Cell("failed", "fail")
        return [
            f'<p><span class="{word.style}">{word.html}</span>  {words(value.sentence())}</p>',
            _pictures(value),
            table(TITLES, [line for one in value.layers for line in _lines(one)]),
            *(paragraph(f"recognized: {one.sentence}") for one in value.recognitions),
            *(paragraph(f"note: {note}") for note in value.notes),
            paragraph(f"policy {value.policy.name}; reference: {value.reference.origin}; live: {value.live.origin}"),
        ]

    return Shown(_printed(value), f"Verdict: {value.title()}", blocks)


def _printed(value: Verdict) -> str:
    from rich.console import Console

    stream = io.StringIO()
    Console(file=stream, force_jupyter=False, width=120, highlight=False, color_system=None).print(value.table())
    return stream.getvalue().rstrip("\n")


def _lines(one: LayerResult) -> list[tuple[object, ...]]:
    if not one.compared:
        return [(Cell(words(one.layer), "dim"), Cell("not compared", "dim"), "", "", "", "")]
    word = Cell("pass", "pass") if one.passed else Cell("tolerated" if one.tolerated else "FAIL", "fail")
    return [
        (
            "" if index else one.layer,
            Cell("") if index else word,
            measure.name,
            f"{numeral(measure.value)} {unit_of(measure.value, measure.unit)}".rstrip(),
            numeral(measure.limit),
            numeral(measure.margin),
        )
        for index, measure in enumerate(one.measures)
    ] or [(one.layer, word, "", "", "", "")]


def _pictures(value: Verdict) -> str:
    """Return the first failing layer, or else the color, as both sides have it, and where they differ."""
    reference, live = value.reference.frame, value.live.frame
    if reference is None or live is None:
        return ""
    failed = [one for one in value.compared if not one.passed and one.pixels is not None]
    seen = [*failed, *(one for one in value.compared if one.pixels is not None)]
    for one in seen:
        assert one.pixels is not None
        limit = next((measure.limit for measure in one.measures if measure.name == "largest"), 0.0)
        drawn = layer_pictures(one.layer, reference, live, one.pixels, limit)
        if drawn is not None:
            return row(
                figure(drawn.reference, f"{one.layer}, reference", width=SIDE),
                figure(drawn.live, f"{one.layer}, live", width=SIDE),
                figure(_over(drawn.mask, drawn.reference), "blue at edges, amber at ties, red wrong", width=SIDE),
            )
    return ""


def _over(mask: UInt8, picture: UInt8) -> UInt8:
    """Return a mask over the picture, which is paled so that it does not stand out."""
    pale = np.full(mask.shape, 255, np.uint8)
    shown = picture[..., 3:] > 0
    pale[..., :3] = np.where(shown, 205 + picture[..., :3].mean(axis=2, keepdims=True) / 8, 240).astype(np.uint8)
    covered = mask[..., 3] > 0
    pale[covered] = mask[covered]
    return pale


def explanation(value: Explanation) -> Shown:
    """Show a pixel's story as its tree."""
    text = str(value)
    return Shown(text, f"Pixel {value.x}, {value.y}", lambda: [preformatted(text)])
