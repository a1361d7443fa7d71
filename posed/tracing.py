"""Scene and snapshot to a traced frame: the reference."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version
from types import TracebackType

import tracer
from posed.camera import Camera
from posed.errors import MissingError, PosedError
from posed.frame import LAYERS, Frame, Provenance
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.stage import Stage, stage_camera


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
        background: str | None = None,
    ) -> Frame:
        """Return the traced frame of `posed`; see `posed.trace` for the options and errors."""
        if background not in (None, "environment", "transparent"):
            raise PosedError(f'background is "{background}": expected "environment" or "transparent"')
        wanted = None if layers is None else tuple(layers)
        unknown = [name for name in wanted or () if name not in LAYERS]
        if unknown:
            raise PosedError(f'there is no layer "{unknown[0]}": the layers are {", ".join(LAYERS)}')
        staged = self._stage.at(posed, camera, motion=wanted is None or "motion" in wanted)
        own = camera or posed.camera or self.scene.camera
        before = None if posed.previous is None else camera or posed.previous.camera
        seen = stage_camera(own, staged.origin)
        try:
            ready = self._ready(staged)
            traced = ready.trace(
                seen,
                size=size,
                integrator=integrator,
                samples=samples,
                seed=seed,
                layers=wanted,
                background=None if background == "environment" else background,
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
            filter="box",
            samples=str(samples),
            background=background or "environment",
            seed=seed,
        )
        return Frame(traced, size, own, self.scene.ids, provenance, (staged, seen))

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
    background: str | None = None,
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
        ``"environment"`` (the default) or ``"transparent"``.
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
        )
