"""The widget: a comm's messages to a screen, its answers back; and a still picture where no widget can live."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from posed.errors import PosedError
from posed.notebook.page import figure, page, paragraph
from posed.notebook.pictures import traced
from posed.notebook.player.about import about
from posed.notebook.player.request import LAST_TICK, read_request
from posed.notebook.player.screen import Screen
from posed.overlay.choosing import overlay
from posed.scene.description import Scene
from posed.snapshot import Posed

LEAST_SIDE, LARGEST_SIDE = 16, 4096
"""Pixels."""


class Player(anywidget.AnyWidget):
    """A scene that plays in a notebook; made by `posed.notebook.play`."""

    _esm = Path(__file__).with_name("player.js")
    _css = Path(__file__).with_name("player.css")
    about = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        scene: Scene,
        *,
        tick: int = 0,
        size: tuple[int, int] = (480, 270),
        overlays: tuple[str, ...] = (),
        adapter: str | None = None,
    ) -> None:
        if not isinstance(scene, Scene):
            raise PosedError(f"a player plays a scene, found {scene!r:.60}: give it posed.load(...)")
        if not (isinstance(tick, int) and 0 <= tick <= LAST_TICK):
            raise PosedError(f"a player begins at a tick, 0 or later, found {tick!r:.60}")
        if not all(LEAST_SIDE <= side <= LARGEST_SIDE for side in size):
            raise PosedError(f"a player has {LEAST_SIDE} to {LARGEST_SIDE} pixels a side, found {size[0]}x{size[1]}")
        for name in overlays:
            overlay(name)
        self._screen = Screen(scene, size=size, adapter=adapter)
        self._screen.look.playing.seek(tick)
        super().__init__(about=about(scene, tick=tick, size=size, shown=tuple(overlays)))
        self.on_msg(self._take)

    @property
    def tick(self) -> int:
        """The tick that is shown."""
        return self._screen.look.playing.tick

    def posed(self) -> Posed:
        """Return the snapshot that is shown."""
        return self._screen.look.playing.posed()

    def __repr__(self) -> str:
        return f"Player of {self._screen.look.scene!r}"

    def _take(self, _: Any, message: Any, __: Any) -> None:
        """Answer one message, if with what went wrong: a front end that waits would show nothing."""
        address = {name: message.get(name) for name in ("view", "number")}
        try:
            answer = self._screen.draw(read_request(message))
        except PosedError as error:
            self.send({"kind": "failed", "text": str(error)} | address)
        except Exception as error:
            self.send({"kind": "failed", "text": f"a fault of posed: {type(error).__name__}: {error}"} | address)
            raise
        else:
            self.send({"kind": "drawn"} | address | answer.message(), buffers=[answer.picture])

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the widget, and for front ends without widgets and for saved files a picture of the tick."""
        data, metadata = super()._repr_mimebundle_(**options) or ({"text/plain": repr(self)}, {})
        look = self._screen.look
        try:
            still = figure(traced(look.scene, self.posed(), size=self._screen.size), f"tick {self.tick}")
        except PosedError as error:
            still = paragraph(str(error))
        cure = "No player lives here, only its picture: posed.notebook.save_html writes one that needs no kernel."
        return data | {"text/html": page(f"Scene {look.scene.path.name}", [still, paragraph(cure)])}, metadata
