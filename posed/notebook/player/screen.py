"""The screen: a request becomes a picture, quick while something moves, fine at rest, and says which of the two."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING

from posed.notebook.player.picked import picked
from posed.notebook.player.request import Answer, Request
from posed.scene.description import Scene
from posed.viewer.drawing import flattened
from posed.viewer.look import Look
from posed.viewer.playing import Choice
from posed.words import counted

if TYPE_CHECKING:
    import PIL.Image

SAMPLES = (1, 4, 16)
"""Of color a pixel, by the request's quality."""


class Screen:
    """A scene, drawn as requests want it.

    Nothing is kept between two requests but the camera, the world of the last tick and the tracer's trees.

    Parameters
    ----------
    scene, size, adapter
        See `posed.notebook.play`.
    """

    def __init__(self, scene: Scene, *, size: tuple[int, int] = (480, 270), adapter: str | None = None) -> None:
        self.size = size
        self.look = Look(scene, size=size, adapter=adapter)

    def draw(self, request: Request) -> Answer:
        """Return the picture that a request wants.

        Raises
        ------
        MissingError
            It would be drawn live, and there is no adapter.
        PosedError
            It names a clip, an object or a joint that the scene has not.
        """
        look = self.look
        look.playing.play(
            {name: Choice(one.clip, one.blended, one.weight) for name, one in request.plays.items()}, request.object
        )
        look.playing.seek(request.tick)
        look.layer, look.renderer, look.overlays = request.layer, request.renderer, list(request.overlays)
        look.size = self.size
        self._move(request)
        told = None if request.pick is None else picked(look, request.pick)
        width, height = self.size
        look.size = (max(1, width // request.coarse), max(1, height // request.coarse))
        samples = SAMPLES[request.quality]
        quick = request.quality == 0
        picture = flattened(look.frame(samples), look.layer)
        return Answer(
            picture=encoded(picture, quick=quick),
            media="image/jpeg" if quick else "image/webp",
            label=self._label(samples, request.coarse),
            refines=request.quality < len(SAMPLES) - 1 and (quick or self._sampled),
            length=look.playing.length(),
            picked=told,
        )

    def _move(self, request: Request) -> None:
        for kind, x, y in request.moves:
            orbit = self.look.orbit()
            if kind == "turn":
                self.look.move(orbit.turned(-x * math.pi, y * math.pi))
            elif kind == "shift":
                self.look.move(orbit.shifted(-x, y))
            elif kind == "near":
                self.look.move(orbit.nearer(math.exp(max(-20.0, min(20.0, x)))))
            else:
                self.look.move(None)

    @property
    def _sampled(self) -> bool:
        """Whether the picture is one of samples, of which there may be more."""
        return self.look.layer == "color" and not self.look.draws_live

    def _label(self, samples: int, coarse: int) -> str:
        look = self.look
        seconds = float(look.playing.tick / look.scene.rate)
        words = [f"tick {look.playing.tick}, {seconds:.2f} s", look.playing.words()]
        if look.layer != "color":
            words.append(look.layer)
        if look.draws_live:
            words.append("drawn live")
        else:
            traced = "traced" if look.renderer == "trace" else "traced, as overlays are"
            fine = f"{counted(samples, 'sample')} a pixel" if self._sampled else "at pixel centers"
            words.append(f"{traced}, {fine}")
        if coarse > 1:
            words.append(f"{look.size[0]}x{look.size[1]} while it moves")
        return " \u00b7 ".join(words)


def encoded(picture: PIL.Image.Image, *, quick: bool) -> bytes:
    """Return a picture as a file: a JPEG, which takes a millisecond, where it must be `quick`; WebP without loss."""
    stream = io.BytesIO()
    opaque = picture.convert("RGB")
    if quick:
        opaque.save(stream, "JPEG", quality=88, subsampling=0)
    else:
        opaque.save(stream, "WEBP", lossless=True, method=0, quality=30)
    return stream.getvalue()
