"""A scene made ready for rays, and the pictures taken of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tracer import direct, embree
from tracer.bands import Progress, Report, band_count, in_bands, per_thread
from tracer.camera import Camera
from tracer.errors import BackendError, SceneError
from tracer.packets import TILE
from tracer.picture import geometry_layers
from tracer.pixel_filter import filter_table
from tracer.prepared import Prepared
from tracer.scene import Scene
from tracer.settings import (
    CENTER,
    GEOMETRY_LAYERS,
    checked_background,
    checked_bounces,
    checked_filter,
    checked_layers,
    checked_rows,
    checked_samples,
    checked_size,
)
from tracer.view import view_of

if TYPE_CHECKING:
    from tracer.light_sampling import Panorama

BACKENDS: Final = ("embree", "bvh")


class Shot(NamedTuple):
    """What is asked of a picture's color, checked."""

    view: NDArray[np.float64]
    """from `view_of`"""
    size: tuple[int, int]
    """width, height"""
    rows: tuple[int, int]
    """of these, the first one and the one behind the last"""
    background: NDArray[np.float64]
    """from `checked_background`"""
    places: NDArray[np.float64]
    """from `filter_table`"""
    samples: int
    seed: int


class Tracer:
    """A scene with its acceleration structure: traced as often as wanted, freed by `close` or at the end of a `with`.

    Parameters
    ----------
    scene
        What to trace.
    backend
        ``"embree"`` or ``"bvh"``, an own float64 hierarchy; None: the environment variable `POSED_BACKEND`, else
        embree where embreex is installed.

    Raises
    ------
    BackendError
        Where the backend is unknown or not on this machine.
    """

    def __init__(self, scene: Scene, *, backend: str | None = None) -> None:
        self._with_embree: Final = _chosen_backend(backend) == "embree"
        self._is_open = True
        self._panorama: Panorama | None = None
        self._prepared = Prepared(scene, with_embree=self._with_embree)

    @property
    def backend(self) -> str:
        """What traces the scene: `bvh` also where the scene is too large or too small for Embree."""
        return "embree" if self._prepared.with_embree else "bvh"

    @property
    def scene(self) -> Scene:
        """The scene that is traced."""
        return self._prepared.scene

    def update(self, scene: Scene) -> None:
        """Trace another scene from now on, with the same bits as a new tracer of it.

        Where it was made from this one's own arrays, with other vertices, materials, lights or environment (as
        `dataclasses.replace` does), it is there in a fraction of the time: what they share is kept, and trees are
        refitted. No picture may be in the making meanwhile.

        Raises
        ------
        SceneError
            The scene cannot be traced, or the tracer is closed.
        """
        self._check_open()
        if not self._prepared.follow(scene):
            self._prepared.release()
            self._prepared = Prepared(scene, with_embree=self._with_embree)

    def _check_open(self) -> None:
        if not self._is_open:
            raise SceneError("this tracer is closed: make another one")

    def close(self) -> None:
        """Free the acceleration structure; a second call does nothing."""
        self._is_open = False
        self._prepared.release()

    def __enter__(self) -> Tracer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def trace(
        self,
        camera: Camera,
        *,
        size: tuple[int, int] = (960, 540),
        integrator: str = "direct",
        samples: int | str = 16,
        seed: int = 0,
        layers: Sequence[str] | None = None,
        background: ArrayLike | str | None = None,
        previous_camera: Camera | None = None,
        bounces: int | None = None,
        filter: str = "box",
        rows: tuple[int, int] | None = None,
        progress: Progress | None = None,
    ) -> dict[str, NDArray[Any]]:
        """Take a picture; see `trace`."""
        self._check_open()
        width, height = checked_size(size)
        wanted = checked_layers(layers, integrator, samples)
        view = view_of(camera, (width, height))
        has_geometry = any(name in GEOMETRY_LAYERS for name in wanted)
        passes = ("color" in wanted) + has_geometry
        top, bottom = checked_rows(rows, height)
        report = Report(progress, band_count(bottom - top), passes)
        result: dict[str, NDArray[Any]] = {}
        count, behind = checked_samples(samples), checked_background(background)
        window, most = checked_filter(filter, integrator, samples), checked_bounces(bounces, integrator)
        if "color" in wanted or "variance" in wanted:
            places = filter_table(window)
            shot = Shot(view, (width, height), (top, bottom), behind, places, count, int(seed) & 0xFFFFFFFF)
            result = self._path(shot, most, report) if integrator == "path" else self._direct(shot, report)
        if has_geometry:
            previous_view = view if previous_camera is None else view_of(previous_camera, (width, height))
            result |= geometry_layers(self._prepared, view, previous_view, (width, height), (top, bottom), report)
        whole = bottom - top == height
        return {name: result[name] if whole else result[name][top:bottom].copy() for name in wanted}

    def _direct(self, shot: Shot, report: Report) -> dict[str, NDArray[Any]]:
        sky = self.scene.environment
        if sky.image is not None and sky.irradiance is None:
            raise SceneError(
                "integrator direct takes an environment image's ambient light from nine coefficients a channel: "
                "give Environment(image=.., irradiance=..) or choose integrator path"
            )
        width, height = shot.size
        color = np.zeros((height, width, 4), np.float32)
        by_tree = shot.samples == CENTER or self.backend == "bvh"
        world, shine = self._prepared.decided() if by_tree else self._prepared.proposing(), self._prepared.shine

        settings = shot.view, shot.background, shot.places, shot.samples, shot.seed
        memory = per_thread(lambda: (direct.new_stack() if by_tree else None, direct.new_memory()))

        def write(first: int, last: int) -> None:
            stack, own = memory()
            direct.write_direct(world, stack, shine, *settings, first, last, own, color)

        top, bottom = shot.rows
        in_bands(write, bottom, report, top=top - top % TILE)
        return {"color": color}

    def _path(self, shot: Shot, bounces: int, report: Report) -> dict[str, NDArray[Any]]:
        from tracer import light_sampling, path, path_memory, single_rays

        if shot.samples == CENTER:
            raise SceneError('integrator path takes a number of samples, not "center": light comes from every side')
        world, scene = self._prepared.proposing(), self.scene
        if self._panorama is None or self._panorama.image is not scene.environment.image:
            self._panorama = light_sampling.panorama_of(scene.environment.image)
        hittable = np.sort(world.tree.triangles)
        emitters = light_sampling.emitters_of(scene, world.mesh, self._prepared.shine, hittable, self._panorama)
        gaps, (width, height) = single_rays.gaps_of(scene.materials), shot.size
        color, variance = np.zeros((height, width, 4), np.float32), np.zeros((height, width, 3), np.float32)

        memory = per_thread(path_memory.new_memory)

        def write(first: int, last: int) -> None:
            settings = shot.view, shot.background, shot.places, shot.samples, shot.seed, bounces, first, last
            path.write_path(world, emitters, gaps, *settings, memory(), color, variance)

        in_bands(write, shot.rows[1], report, top=shot.rows[0])
        return {"color": color, "variance": variance}


def trace(
    scene: Scene,
    camera: Camera,
    *,
    size: tuple[int, int] = (960, 540),
    integrator: str = "direct",
    samples: int | str = 16,
    seed: int = 0,
    layers: Sequence[str] | None = None,
    background: ArrayLike | str | None = None,
    previous_camera: Camera | None = None,
    bounces: int | None = None,
    filter: str = "box",
    rows: tuple[int, int] | None = None,
    backend: str | None = None,
    progress: Progress | None = None,
) -> dict[str, NDArray[Any]]:
    """Trace a scene once.

    Parameters
    ----------
    scene, camera
        What is seen, and from where; both relative to `scene.origin`.
    size
        Width and height in pixels, each at least 1.
    integrator
        ``"direct"``: emission, lights with hard shadows, an ambient term; ``"path"``: all light there is, by chance,
        without bias; ``"aov"``: geometry layers only.
    samples
        Rays a pixel for `color`, of `path` paths, which from 32 on share camera rays by twos, from 64 on by fours;
        ``"center"``: one through the pixel's centre, decided in float64, in `direct` only.
        The geometry layers always are those of the centre.
    seed
        Another seed places the samples elsewhere.
    layers
        Names from `LAYERS`; None: all that the integrator has.
    background
        None: the environment; three numbers: a linear color; ``"transparent"``: nothing, and color comes premultiplied.
    previous_camera
        The camera of the snapshot before, for `motion`; None: the same camera.
    bounces
        Of `path`: reflections after which light no longer counts; None: all.
    filter
        How samples count: ``"box"``, all within their pixel and alike, or ``"blackman-harris"``, three pixels wide.
    rows
        The first row and the one behind the last: layers have these alone, with the bits they have in the whole
        picture, and memory is taken for these alone. None: all.
    backend
        As for `Tracer`.
    progress
        Called now and then, from any thread but never from two at once, with the share done in (0, 1].

    Returns
    -------
    dict
        Each layer by name, (H, W) or (H, W, C), row 0 on top. Positions are in world space. Where nothing is hit:
        depth infinity, everything else 0, `color` the background with alpha 0. `barycentric` holds the weights of the
        second and third vertex; `variance`, that of color's mean, comes from `path` with two samples or more.

    Raises
    ------
    SceneError
        For a size, integrator, layer, number of samples or of bounces, filter or background that does not exist, or
        that the integrator has no use for.
    BackendError
        Where the backend is not on this machine.
    """
    with Tracer(scene, backend=backend) as tracer:
        return tracer.trace(
            camera,
            size=size,
            integrator=integrator,
            samples=samples,
            seed=seed,
            layers=layers,
            background=background,
            previous_camera=previous_camera,
            bounces=bounces,
            filter=filter,
            rows=rows,
            progress=progress,
        )


def _chosen_backend(backend: str | None) -> str:
    """Choose a backend by name, by environment, or by what is installed."""
    name = backend or os.environ.get("POSED_BACKEND") or ("embree" if embree.is_installed() else "bvh")
    if name not in BACKENDS:
        raise BackendError(f"backend must be {' or '.join(BACKENDS)}, found {name!r}")
    return name
