"""Scene and snapshot to a traced frame: the reference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from types import TracebackType
from typing import TYPE_CHECKING, Any

import tracer
from posed.arrays import AnyArray
from posed.camera import Camera
from posed.errors import MissingError, PosedError
from posed.frame import LAYERS, Frame, Provenance
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.stage import Stage, stage_camera

if TYPE_CHECKING:
    from posed.overlay import Overlay

OVERLAID = "with overlays"
"""What the integrator of a frame says whose color is no reference any more."""


class Tracing:
    """A scene ready to be traced at many snapshots: what does not move is laid out once.

    `trace(scene, posed)` is its one-shot form, with the same options and the same bits.

    Parameters
    ----------
    scene
        What to see.
    backend
        ``"embree"`` or ``"bvh"``; the best one of this machine unless named.
    """

    def __init__(self, scene: Scene, *, backend: str | None = None) -> None:
        self.scene, self.backend = scene, backend
        self._stage = Stage(scene)
        self._tracer: tracer.Tracer | None = None

    def trace(
        self,
        posed: Posed,
        *,
        size: tuple[int, int] = (960, 540),
        integrator: str = "direct",
        samples: int | str = 16,
        camera: Camera | None = None,
        seed: int = 0,
        layers: Iterable[str] | None = None,
        background: str | Sequence[float] | None = None,
        filter: str = "box",
        bounces: int | None = None,
        overlays: Sequence[Overlay | str] = (),
        rows: tuple[int, int] | None = None,
    ) -> Frame:
        """Return the traced frame of `posed`; see `posed.trace` for the options and errors.

        `rows`, the first one and the one behind the last, gives these alone as a frame of their own size, with the bits
        and the camera of the whole picture, and takes memory for no others. Overlays need the whole.
        """
        options: dict[str, Any] = {
            "size": size,
            "samples": samples,
            "camera": camera,
            "seed": seed,
            "background": background,
            "filter": filter,
            "bounces": bounces,
            "rows": rows,
        }
        if rows is not None and overlays:
            raise PosedError("overlays are drawn into a whole picture: leave out rows")
        if not overlays:
            return self._traced(posed, integrator=integrator, layers=layers, **options)
        from posed.overlay.choosing import overlay
        from posed.overlay.drawing import layers_for

        if integrator == "aov":
            raise PosedError('overlays are drawn into color, which the integrator "aov" has not: take "direct"')
        chosen = [overlay(one) for one in overlays]
        wanted = None if layers is None else ("color", *layers)
        asked = None if wanted is None else dict.fromkeys([*wanted, *layers_for(chosen)])
        frame = self._traced(posed, integrator=integrator, layers=asked, **options)
        color = self._overlaid(frame, posed, chosen)
        kept = {name: frame[name] for name in frame if wanted is None or name in wanted}
        stated = replace(frame.provenance, integrator=f"{integrator} {OVERLAID}")
        return replace(frame, layers=kept | {"color": color}, provenance=stated)

    def _overlaid(self, frame: Frame, posed: Posed, chosen: Sequence[Overlay]) -> AnyArray:
        """Return the frame's color with overlays drawn into it."""
        from posed.fitting import fit
        from posed.overlay.drawing import drawn
        from posed.overlay.view import View

        def traced(other: Posed, layers: Sequence[str]) -> Mapping[str, AnyArray]:
            return self._traced(other, size=frame.size, integrator="aov", camera=frame.camera, layers=layers).layers

        staged, seen = frame.staged
        whole = fit(self.scene, posed)
        view = View(
            self.scene,
            whole,
            frame.layers,
            staged,
            seen,
            frame.size,
            traced,
            lambda other: self._stage.at(other, frame.camera, motion=False),
        )
        return drawn(view, chosen)

    def _traced(
        self,
        posed: Posed,
        *,
        size: tuple[int, int],
        integrator: str,
        samples: int | str = "center",
        camera: Camera | None = None,
        seed: int = 0,
        layers: Iterable[str] | None = None,
        background: str | Sequence[float] | None = None,
        filter: str = "box",
        bounces: int | None = None,
        rows: tuple[int, int] | None = None,
    ) -> Frame:
        if isinstance(background, str) and background not in ("environment", "transparent"):
            raise PosedError(f'background is "{background}": expected "environment", "transparent" or three numbers')
        wanted = None if layers is None else tuple(layers)
        unknown = [name for name in wanted or () if name not in LAYERS]
        if unknown:
            raise PosedError(f'there is no layer "{unknown[0]}": the layers are {", ".join(LAYERS)}')
        own = camera or posed.camera or self.scene.camera
        before = None if posed.previous is None else camera or posed.previous.camera
        try:
            staged = self._stage.at(posed, camera, motion=wanted is None or "motion" in wanted)
            seen = stage_camera(own, staged.origin)
            ready = self._ready(staged)
            traced = ready.trace(
                seen,
                size=size,
                integrator=integrator,
                samples=samples,
                seed=seed,
                layers=wanted,
                background=None if background == "environment" else background,
                filter=filter,
                bounces=bounces,
                rows=rows,
                previous_camera=None if before is None else stage_camera(before, staged.origin),
            )
        except tracer.BackendError as error:
            raise MissingError(str(error)) from error
        except tracer.SceneError as error:
            raise PosedError(str(error)) from error
        provenance = Provenance(
            scene=self.scene.digest,
            posed=posed.digest,
            tick=posed.tick,
            renderer="posed trace",
            version=version("posed"),
            backend=ready.backend,
            integrator=integrator,
            filter="" if integrator == "aov" or samples == "center" else filter,
            samples=str(samples),
            bounces=bounces,
            background=_named(background),
            seed=seed,
        )
        shown = size if rows is None else (size[0], rows[1] - rows[0])
        return Frame(traced, shown, own, self.scene.ids, provenance, (staged, seen))

    def close(self) -> None:
        """Free the acceleration structures; a second call does nothing, and the next `trace` makes them again."""
        if self._tracer is not None:
            self._tracer.close()
            self._tracer = None

    def _ready(self, staged: tracer.Scene) -> tracer.Tracer:
        """Return the tracer of what was staged: the one at hand, made to follow, or the first."""
        if self._tracer is None:
            self._tracer = tracer.Tracer(staged, backend=self.backend)
        else:
            self._tracer.update(staged)
        return self._tracer

    def __enter__(self) -> Tracing:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def trace(
    scene: Scene,
    posed: Posed,
    *,
    size: tuple[int, int] = (960, 540),
    integrator: str = "direct",
    samples: int | str = 16,
    camera: Camera | None = None,
    seed: int = 0,
    layers: Iterable[str] | None = None,
    background: str | Sequence[float] | None = None,
    filter: str = "box",
    bounces: int | None = None,
    overlays: Sequence[Overlay | str] = (),
    backend: str | None = None,
) -> Frame:
    """Trace `scene` as `posed` freezes it.

    Parameters
    ----------
    scene, posed
        What to see. What the snapshot leaves out is filled in: see `posed.fit`.
    size
        (W, H) in pixels.
    integrator
        ``"direct"``: emission, lights with hard shadows and the environment's ambient light, as the live renderer
        shades; ``"path"``: all light there is, by chance and without bias, with its variance; ``"aov"``: the geometry
        layers alone.
    samples
        Of color a pixel; ``"center"`` shades once, at the pixel's centre. Geometry layers always come from there.
    camera
        In place of the snapshot's.
    seed
        Of the samples' places within a pixel.
    layers
        The layers wanted; all that the integrator gives unless named.
    background
        ``"environment"`` (the default), ``"transparent"``, or a linear color, three numbers, that is seen and shines on
        nothing. Against nothing, color is premultiplied by its alpha.
    filter
        How the samples of a pixel count: ``"box"``, those within it alike, or ``"blackman-harris"``, three pixels wide.
    bounces
        Of `path`: reflections after which light no longer counts; all unless given.
    overlays
        What is drawn into the color: names and what `posed.overlay` makes, such as
        ``["bones", posed.overlay.weights("hand_R")]``.
    backend
        ``"embree"`` or ``"bvh"``; the best one of this machine unless named.

    Raises
    ------
    PoseError
        The snapshot does not fit the scene.
    PosedError
        A setting is wrong.
    MissingError
        The backend is not on this machine.
    """
    with Tracing(scene, backend=backend) as tracing:
        return tracing.trace(
            posed,
            size=size,
            integrator=integrator,
            samples=samples,
            camera=camera,
            seed=seed,
            layers=layers,
            background=background,
            filter=filter,
            bounces=bounces,
            overlays=overlays,
        )


def _named(background: str | Sequence[float] | None) -> str:
    """Return what a frame's provenance says of its background: a color as numbers between commas."""
    if background is None or isinstance(background, str):
        return background or "environment"
    return ",".join(repr(float(part)) for part in background)
