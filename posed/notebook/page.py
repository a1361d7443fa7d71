"""Blocks of HTML: headings, tables, pictures and folds that hold all they need and look right on light and on dark."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from posed.arrays import UInt8
from posed.words import counted

STYLE = """
.posed{font:13px/1.45 system-ui,sans-serif;max-width:100%}
.posed h4{margin:0 0 4px;font-size:14px;font-weight:600}
.posed p{margin:2px 0 6px;opacity:.75}
.posed img,.posed svg{display:block;max-width:100%;height:auto;border-radius:4px}
.posed .row{display:flex;flex-wrap:wrap;gap:14px;align-items:flex-start;margin:4px 0}
.posed figure{margin:0}
.posed figcaption{opacity:.7;font-size:11px;margin-top:2px}
.posed table{border-collapse:collapse;margin:2px 0;font-variant-numeric:tabular-nums}
.posed th,.posed td{padding:1px 12px 1px 0;text-align:left;border:0;background:none;white-space:nowrap;
font-weight:400;vertical-align:top}
.posed th{opacity:.6;font-size:11px}
.posed td.n,.posed th.n{text-align:right}
.posed details{margin:3px 0}
.posed summary{cursor:pointer;opacity:.85}
.posed .pass{color:#1a9d5a;font-weight:600}.posed .fail{color:#e0364b;font-weight:600}.posed .dim{opacity:.5}
.posed pre{margin:4px 0;white-space:pre-wrap;font:12px/1.4 ui-monospace,monospace;background:none}
"""

ROWS = 24
"""Of a table that are shown before it is folded."""


@dataclass(frozen=True)
class Shown:
    """What is shown of a value.

    `text` is for terminals; `title` and `blocks`, pieces of HTML, for notebooks; `picture`, where the value is one, the
    content of a PNG file. The two are functions: they may take a trace.
    """

    text: str
    title: str
    blocks: Callable[[], list[str]]
    picture: Callable[[], bytes] | None = None


def page(title: str, blocks: Iterable[str]) -> str:
    """Return a piece of HTML with a title above its blocks."""
    return f'<div class="posed"><style>{STYLE}</style><h4>{words(title)}</h4>{"".join(blocks)}</div>'


def words(text: object) -> str:
    """Return a text as HTML; what an asset calls a thing stays a name."""
    return html.escape("".join(letter if letter.isprintable() else "?" for letter in str(text)))


def paragraph(text: str) -> str:
    """Return a sentence."""
    return f"<p>{words(text)}</p>"


def row(*blocks: str) -> str:
    """Return blocks side by side where there is room."""
    return f'<div class="row">{"".join(blocks)}</div>'


def fold(title: str, block: str, *, unfolded: bool = False) -> str:
    """Return a block behind its title."""
    return f"<details{' open' if unfolded else ''}><summary>{words(title)}</summary>{block}</details>"


def preformatted(text: str) -> str:
    """Return a text with its own line breaks."""
    lines = "\n".join(words(line) for line in text.splitlines())
    return f"<pre>{lines}</pre>"


@dataclass(frozen=True)
class Cell:
    """A table's cell: ready HTML, and the class of its style."""

    html: str
    style: str = ""


def table(titles: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table; numbers stand on the right, a `Cell` brings its own HTML."""
    columns = range(len(titles))
    numeric = [bool(rows) and all(isinstance(one[column], int | float) for one in rows) for column in columns]
    head = "".join(f"<th{' class=n' * n}>{words(title)}</th>" for title, n in zip(titles, numeric, strict=True))
    body = ["".join(_cell(value, n) for value, n in zip(one, numeric, strict=True)) for one in rows]
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{one}</tr>' for one in body)}</tbody></table>"


def folded_table(name: str, titles: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table behind its count and what one row is, open where it is short; nothing where it has no rows."""
    if not rows:
        return ""
    return fold(counted(len(rows), name), table(titles, rows), unfolded=len(rows) <= ROWS // 3)


def _cell(value: object, numeric: bool) -> str:
    if isinstance(value, Cell):
        return f'<td class="{value.style}">{value.html}</td>'
    shown = f"{value:.6g}" if isinstance(value, float) else value
    return f"<td{' class=n' * numeric}>{words(shown)}</td>"


def png(codes: UInt8) -> bytes:
    """Return sRGB codes, (H, W, 3 or 4), as the content of a PNG file."""
    import PIL.Image

    stream = io.BytesIO()
    opaque = codes.shape[2] == 3 or bool((codes[..., 3] == 255).all())
    PIL.Image.fromarray(np.ascontiguousarray(codes[..., :3]) if opaque else codes).save(stream, "PNG")
    return stream.getvalue()


def figure(codes: UInt8, caption: str = "", *, width: int | None = None) -> str:
    """Return a picture of sRGB codes with a caption; `width` in the page's pixels, its own unless given."""
    data = base64.b64encode(png(codes)).decode()
    shown = codes.shape[1] if width is None else width
    below = f"<figcaption>{words(caption)}</figcaption>" if caption else ""
    return f'<figure><img width="{shown}" alt="{words(caption)}" src="data:image/png;base64,{data}">{below}</figure>'


def drawing(svg: str, caption: str = "") -> str:
    """Return a drawing with a caption."""
    return f"<figure>{svg}{f'<figcaption>{words(caption)}</figcaption>' if caption else ''}</figure>"
