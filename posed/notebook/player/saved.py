"""A player as one HTML file: pictures drawn beforehand, for where no kernel runs and no network is."""

from __future__ import annotations

import base64
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from posed.errors import PosedError
from posed.files import check_place, written_whole
from posed.notebook.page import words
from posed.overlay.choosing import overlay
from posed.scene.description import Scene
from posed.viewer.drawing import flattened
from posed.viewer.look import LAYERS, Look
from posed.viewer.playing import Choice, Playing
from posed.words import counted

PICTURES = 120
"""Of each layer and overlay at most, unless the ticks are given."""

MEGABYTES = 32.0
"""Of the file at most, unless more is allowed."""

QUALITY = 82
"""Of WebP."""

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 24px auto; padding: 0 16px; max-width: {width}px; background: Canvas; color: CanvasText; }}
h1 {{ font: 600 16px/1.4 system-ui, sans-serif; margin: 0 0 10px; }}
{css}
</style>
<h1>{title}</h1>
<main id="player"><noscript>The player needs JavaScript.</noscript></main>
<script type="application/json" id="content">{content}</script>
<script type="module">
{script}
const {{ about, pictures, ticks, words }} = JSON.parse(document.getElementById("content").textContent);
player(document.getElementById("player"), about, saved(pictures, ticks, words));
</script>
</html>
"""

Watched = Callable[[Iterable[Any], int], Iterable[Any]]
"""Passes the items of a number through, and shows how far they are."""

LEAST_PICTURE = 80
"""Characters of the smallest picture in a page."""


@dataclass(frozen=True)
class Saved:
    """What was written: the file, how many ticks it plays, the names of its pictures, its bytes."""

    path: Path
    ticks: int
    names: tuple[str, ...]
    size: int

    def __str__(self) -> str:
        pictures = ", ".join(self.names)
        return f"{self.path}: {counted(self.ticks, 'tick')} of {pictures}, {_size(self.size)}"


def save_html(
    scene: Scene,
    path: Path | str,
    *,
    ticks: range | None = None,
    plays: Mapping[str, Choice] | None = None,
    size: tuple[int, int] = (480, 270),
    layers: Sequence[str] = ("color",),
    overlays: Sequence[str] = (),
    samples: int = 4,
    megabytes: float = MEGABYTES,
    watched: Watched = lambda items, _: items,
) -> Saved:
    """Write a player of `scene` that opens from disk: a time line, and a menu of its layers and overlays.

    The file is written whole or not at all, and asks nobody for anything.

    Parameters
    ----------
    scene
        What plays.
    path
        Of the file.
    ticks
        Those that are drawn; of the longest clip that plays, up to `PICTURES` at an even step, unless given.
    plays
        Clips by object, in place of what the scene plays.
    size
        (W, H) in pixels of a picture.
    layers
        A picture each: "color" or a geometry layer.
    overlays
        A picture each, color with that overlay in it: names as `posed.overlay.overlay` takes them.
    samples
        Of color a pixel.
    megabytes
        That the file may have.
    watched
        Shows the progress.

    Raises
    ------
    PosedError
        Nothing is to be drawn, a name is none, the file would be too large, or it cannot be written.
    PoseError
        The scene cannot be posed.
    """
    path = Path(path)
    check_place(path)
    unknown = [name for name in layers if name not in LAYERS]
    if unknown:
        raise PosedError(f'a player has no layer "{unknown[0]}": choose among {", ".join(LAYERS)}')
    for name in overlays:
        overlay(name)
    names = tuple(dict.fromkeys([*layers, *overlays]))
    playing = Playing(scene)
    playing.play(plays or {})
    chosen = _even(playing.length()) if ticks is None else ticks
    if not names or not chosen:
        raise PosedError("a player of no pictures shows nothing: give a tick, and a layer or an overlay")
    total, written = len(names) * len(chosen), 0
    if total * LEAST_PICTURE > megabytes * 1e6:
        raise PosedError(
            f"{path}: {total:,} pictures cannot lie in {_size(megabytes * 1e6)}: take fewer ticks, or a step between "
            "them"
        )
    pictures: dict[str, list[str]] = {name: [] for name in names}
    for number, (name, data) in enumerate(watched(_drawn(scene, plays or {}, chosen, names, size, samples), total), 1):
        uri = "data:image/webp;base64," + base64.b64encode(data).decode()
        pictures[name].append(uri)
        written += len(uri)
        if written > megabytes * 1e6:
            raise PosedError(
                f"{path}: {number} of {total} pictures make {_size(written)}, and {_size(megabytes * 1e6)} are "
                "allowed: take fewer ticks, a smaller size or fewer layers and overlays, or allow more"
            )
    page = _page(scene, pictures, chosen, size, samples).encode()
    with written_whole(path) as beside:
        beside.write_bytes(page)
    return Saved(path, len(chosen), names, len(page))


def _size(size: float) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.1f} kB"


def _even(length: int) -> range:
    """Return ticks from 0 to a length, at a step that leaves `PICTURES` of them at most."""
    return range(0, length + 1, max(1, math.ceil((length + 1) / PICTURES)))


def _drawn(
    scene: Scene,
    plays: Mapping[str, Choice],
    ticks: range,
    names: Sequence[str],
    size: tuple[int, int],
    samples: int,
) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the WebP of every picture, tick by tick."""
    look = Look(scene, size=size)
    look.playing.play(plays)
    for tick in ticks:
        look.playing.seek(tick)
        for name in names:
            look.layer = name if name in LAYERS else "color"
            look.overlays = [] if name in LAYERS else [name]
            stream = io.BytesIO()
            flattened(look.frame(samples), look.layer).convert("RGB").save(stream, "WEBP", quality=QUALITY, method=4)
            yield name, stream.getvalue()


def _page(
    scene: Scene, pictures: Mapping[str, Sequence[str]], ticks: range, size: tuple[int, int], samples: int
) -> str:
    here = Path(__file__).parent
    about = {
        "saved": True,
        "size": list(size),
        "rate": float(scene.rate),
        "first": ticks[0],
        "step": ticks.step,
        "length": ticks[-1] - ticks[0],
        "tick": 0,
        "objects": [],
        "layers": list(pictures),
        "overlays": [],
        "joints": [],
        "renderers": ["trace"],
    }
    step = "" if ticks.step == 1 else f", every {ticks.step} ticks"
    told = f"{counted(samples, 'sample')} a pixel, saved as WebP{step}"
    content = json.dumps({"about": about, "pictures": pictures, "ticks": list(ticks), "words": told})
    return PAGE.format(
        title=words(f"{scene.path.name}, ticks {ticks[0]} to {ticks[-1]}"),
        width=size[0],
        css=(here / "player.css").read_text(encoding="utf-8"),
        script=(here / "player.js").read_text(encoding="utf-8"),
        content=content.replace("<", "\\u003c"),
    )
