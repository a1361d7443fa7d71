"""What somebody looks at: a scene at a tick, from where, in which layer, under which overlays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from posed.camera import Camera
from posed.fitting import fit
from posed.frame import Frame
from posed.scene.description import Scene
from posed.stage import scene_posed
from posed.tracing import Tracing
from posed.viewer.orbit import Orbit
from posed.viewer.playing import Playing

LAYERS = ("color", "object", "part", "triangle", "joint", "depth", "normal", "motion")
"""Those that a person learns something from."""

RENDERERS = ("trace", "live")


class Look:
    """A scene, what plays in it and at which tick, and how it is seen; the tracer's trees live as long as it does.

    Parameters
    ----------
    scene
        What is shown.
    tick
        Where it begins.
    size
        (W, H) in pixels.
    renderer
        ``"trace"`` or ``"live"``.
    adapter
        Of the live renderer, part of its name.

    Attributes
    ----------
    playing
        What plays, and when.
    layer
        One of `LAYERS`.
    overlays
        Names that `posed.overlay.overlay` takes; they are drawn into traced color alone.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        tick: int = 0,
        size: tuple[int, int] = (960, 540),
        renderer: str = "trace",
        adapter: str | None = None,
    ) -> None:
        self.scene, self.size, self.renderer = scene, size, renderer
        self.playing = Playing(scene, tick)
        self.layer = "color"
        self.overlays: list[str] = []
        self._adapter = adapter
        self._tracing = Tracing(scene)
        self._orbit: Orbit | None = None

    def orbit(self) -> Orbit:
        """Return where the camera is; the scene's own until somebody moves it."""
        if self._orbit is not None:
            return self._orbit
        posed = fit(self.scene, self.playing.posed())
        staged = scene_posed(self.scene, self.size[0] / self.size[1], posed).scene
        corners = staged.triangles
        if self.playing.object is not None:  # what plays is what one looks at, not the ground it stands on
            number = 1 + [one.name for one in self.scene.objects].index(self.playing.object.name)
            corners = corners[staged.object == number]
        points = staged.positions[corners].reshape(-1, 3)
        middle = (points.min(axis=0) + points.max(axis=0)) / 2.0 + staged.origin if len(points) else np.zeros(3)
        return Orbit.around(posed.camera or self.scene.camera, np.asarray(middle, np.float64))

    def move(self, orbit: Orbit | None) -> None:
        """Put the camera somewhere, or back to where the scene has it."""
        self._orbit = orbit

    def camera(self) -> Camera | None:
        """Return the camera that somebody has moved, None for the snapshot's own."""
        return None if self._orbit is None else self._orbit.camera()

    def geometry(self, layers: Iterable[str]) -> Frame:
        """Return geometry layers of what is seen, traced."""
        return self._tracing.trace(
            self.playing.posed(), size=self.size, integrator="aov", camera=self.camera(), layers=layers
        )

    @property
    def draws_live(self) -> bool:
        """Whether the live renderer draws what is shown: nothing that only a trace has is asked for."""
        return self.renderer == "live" and not self.overlays

    def frame(self, samples: int = 1) -> Frame:
        """Return what is shown as a frame with the layer: traced, color with `samples` a pixel, or drawn live.

        Raises
        ------
        MissingError
            It would be drawn live, and there is no adapter.
        PosedError
            An overlay names what the scene has not.
        """
        options: dict[str, Any] = {"size": self.size, "camera": self.camera(), "layers": (self.layer,)}
        posed = self.playing.posed()
        if self.draws_live:
            from posed.live import render

            return render(self.scene, posed, adapter=self._adapter, **options)
        if self.layer == "color":
            return self._tracing.trace(posed, samples=samples, overlays=tuple(self.overlays), **options)
        return self._tracing.trace(posed, integrator="aov", **options)
