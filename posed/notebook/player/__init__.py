"""The player: a scene that plays in a notebook, or in one HTML file that needs no kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posed.errors import MissingError
from posed.notebook.player.saved import save_html
from posed.scene.description import Scene

if TYPE_CHECKING:
    from posed.notebook.player.widget import Player

__all__ = ["play", "save_html"]


def play(
    scene: Scene,
    *,
    tick: int = 0,
    size: tuple[int, int] = (480, 270),
    overlays: tuple[str, ...] = (),
    adapter: str | None = None,
) -> Player:
    """Return a player of `scene`: the last value of a cell shows it.

    Its time line scrubs and plays; clips, layers and overlays are chosen below the picture, which is dragged to turn
    and clicked to pick: then it tells the chain of joints that pull there, and their weights. Pictures are traced, one
    sample a pixel while something moves and up to 16 at rest, or drawn live.

    Parameters
    ----------
    scene
        What plays.
    tick
        Where it begins, 0 or more.
    size
        (W, H) in pixels, 16 to 4096 each.
    overlays
        Names, as `posed.overlay.overlay` takes them, that are shown from the start.
    adapter
        Of the live renderer, part of its name.

    Raises
    ------
    MissingError
        The extra `notebook` is not installed.
    PosedError
        A setting is out of its range, or an overlay names what the scene has not.
    """
    try:
        from posed.notebook.player.widget import Player
    except ImportError as error:
        raise MissingError(
            f'a player needs anywidget, which is not here ({error}): pip install "posed[notebook]"; '
            "posed.notebook.save_html needs neither it nor a kernel"
        ) from error
    return Player(scene, tick=tick, size=size, overlays=overlays, adapter=adapter)
