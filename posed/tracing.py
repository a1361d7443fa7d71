"""Scene and snapshot to a traced frame: the reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any

import tracer
from posed.camera import Camera
from posed.errors import MissingError, PosedError
from posed.frame import LAYERS, Frame, Provenance
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.stage import Stage, stage_camera


class Tracing:
    """A scene traced at many snapshots with the same settings; see `trace` for them."""

    def __init__(
        self,
        scene: Scene,
        *,
        size: tuple[int, int] = (960, 540),
        integrator: str = "direct",
        samples: int | str = 16,
        camera: Camera | None = None,
        seed: int = 0,
        layers: Sequence[str] | None = None,
        background: str | None = None,
        backend: str | None = None,
    ) -> None:
        if background not in (None, "environment", "transparent"):
            raise PosedError(f'background is "{background}": expected "environment" or "transparent"')
        unknown = [name for name in layers or () if name not in LAYERS]
        if unknown:
            raise PosedError(f'there is no layer "{unknown[0]}": the layers are {", ".join(LAYERS)}')
        self.scene, self.size, self.camera, self.backend = scene, size, camera, backend
        self.settings: dict[str, Any] = {
            "integrator": integrator,
            "samples": samples,
            "seed": seed,
            "layers": None if layers is None else tuple(layers),
            "background": None if background == "environment" else background,
        }
        self._stage = Stage(scene)

    def frame(self, posed: Posed) -> Frame:
        """Return the traced frame of `posed`."""
        layers = self.settings["layers"]
        staged = self._stage.at(posed, self.camera, motion=layers is None or "motion" in layers)
        camera = self.camera or posed.camera or self.scene.camera
        before = None if posed.previous is None else self.camera or posed.previous.camera
        seen = stage_camera(camera, staged.origin)
        try:
            with tracer.Tracer(staged, backend=self.backend) as ready:
                traced = ready.trace(
                    seen,
                    size=self.size,
                    previous_camera=None if before is None else stage_camera(before, staged.origin),
                    **self.settings,
                )
        except tracer.BackendError as error:
            raise MissingError(str(error)) from error
        except tracer.SceneError as error:
            raise PosedError(str(error)) from error
        provenance = self._provenance(posed, ready.backend)
        return Frame(traced, self.size, camera, self.scene.ids, provenance, (staged, seen))

    def _provenance(self, posed: Posed, backend: str) -> Provenance:
        settings = self.settings
        return Provenance(
            scene=self.scene.digest,
            posed=posed.digest,
            tick=posed.tick,
            renderer="posed trace",
            version=version("posed"),
            backend=backend,
            integrator=settings["integrator"],
            filter="box",
            samples=str(settings["samples"]),
            background=settings["background"] or "environment",
            seed=settings["seed"],
        )


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
    tracing = Tracing(
        scene,
        size=size,
        integrator=integrator,
        samples=samples,
        camera=camera,
        seed=seed,
        layers=None if layers is None else tuple(layers),
        background=background,
        backend=backend,
    )
    return tracing.frame(posed)
