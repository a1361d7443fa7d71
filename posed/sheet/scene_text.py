"""The scene file that plays a sheet: a card of the model's size that shows it, to be taken over into other scenes."""

from __future__ import annotations

import json
from decimal import Context, Decimal
from fractions import Fraction

from posed.sheet.rendering import Sheet

_DIGITS = 15
"""Of a rate that has no end as a decimal: a frame comes late by its own length after 10^14 of them."""


def scene_text(sheet: Sheet, image: str, name: str) -> str:
    """Return a scene file, format 1, with one object `name` that plays the sheet in the file `image` beside it.

    Its camera sees the card exactly: rendered at the size of a cell, a frame is a cell again. The sheet's clips are
    called after the clip, with the number of the direction where there are several.
    """
    shown = sheet.framing
    x, y = shown.center
    clips = _clip_names(sheet)
    lines = [
        f"# {image}: {sheet.frames} frames from {sheet.directions} directions.",
        "# Into a scene of your own, take over all from [meshes] on.",
        "format = 1",
        "",
        "[camera]",
        f"position = [{x!r}, {y!r}, {shown.height!r}]",
        f"height = {shown.height!r}",
        f"near = {shown.height / 2.0!r}",
        "",
        f"[meshes.{_quoted(name)}]",
        'shape = "card"',
        f"size = [{shown.width!r}, {shown.height!r}]",
        "",
        f"[materials.{_quoted(name)}]",
        'alpha = "blend"',
        "content = true",
        "unlit = true",
        "double_sided = true",
        "",
        "[[object]]",
        f"name = {_quoted(name)}",
        f"mesh = {_quoted(name)}",
        f"material = {_quoted(name)}",
        f"position = [{x!r}, {y!r}, 0.0]",
        "",
        "[object.animation]",
        f"atlas = {_quoted(image.replace('%', '%25'))}",  # a scene file names files as URIs
        f"grid = [{sheet.frames}, {sheet.directions}]",
        f"fps = {_decimal(sheet.fps)}",
        f"clip = {_quoted(clips[0])}",
    ]
    for direction, clip in enumerate(clips):
        first = direction * sheet.frames
        lines += [
            "",
            f"[object.animation.clips.{_quoted(clip)}]",
            f"from = {first}",
            f"to = {first + sheet.frames - 1}",
        ]
    return "\n".join(lines) + "\n"


def _clip_names(sheet: Sheet) -> list[str]:
    if sheet.directions == 1:
        return [sheet.clip]
    return [f"{sheet.clip}_{direction}" for direction in range(sheet.directions)]


def _quoted(text: str) -> str:
    """Return `text` as a TOML string, which is a JSON string but for one control character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _decimal(number: Fraction) -> str:
    """Return a number in decimals, exact where it has an end within `_DIGITS`."""
    context = Context(prec=_DIGITS)
    return format(context.divide(Decimal(number.numerator), Decimal(number.denominator)).normalize(), "f")
