"""The live renderer: a snapshot drawn as an engine draws it, skinning in the vertex stage, any layer read back."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.camera import Camera
from posed.errors import PosedError
from posed.fitting import fit
from posed.frame import Frame, Provenance
from posed.live import layout
from posed.live.camera import projection_matrix, view_matrix
from posed.live.device import DEFAULT_LIMITS, Adapter, open_gpu
from posed.live.draws import encode_pass, group_draws
from posed.live.instances import Instances, gather
from posed.live.pages import Geometry, upload_scene
from posed.live.passes import DEFAULT_LAYERS, passes_for
from posed.live.streams import FrameStream
from posed.live.targets import Targets
from posed.live.vertices import PosedVertices, read_vertices
from posed.properties import shown_materials
from posed.scene.description import Scene
from posed.snapshot import Posed


class Renderer:
    """Draws snapshots on one adapter; what it uploads is kept while the scene lives.

    Parameters
    ----------
    adapter
        Part of an adapter's name; by default POSED_ADAPTER, else the first GPU, else a software adapter.

    Raises
    ------
    MissingError
        No adapter fits; the message says which package brings one.
    """

    def __init__(self, adapter: str | None = None) -> None:
        self._gpu = open_gpu(adapter)
        self._geometries: WeakKeyDictionary[Scene, dict[int, Geometry]] = WeakKeyDictionary()
        self._frame_stream = FrameStream(self._gpu)
        self._targets: Targets | None = None
        self._lock = threading.Lock()

    @property
    def adapter(self) -> Adapter:
        """What the adapter says of itself."""
        return self._gpu.adapter

    def render(
        self,
        scene: Scene,
        pose: Posed,
        *,
        size: tuple[int, int] = (960, 540),
        camera: Camera | None = None,
        layers: Sequence[str] | None = None,
    ) -> Frame:
        """Draw `pose` and return the named layers.

        Parameters
        ----------
        scene, pose
            What is drawn. What the snapshot leaves out is at rest.
        size
            Width and height in pixels, each 1 to 8192.
        camera
            In place of the snapshot's camera, else the scene's.
        layers
            Names of layers; by default object, part and triangle ids, depth and normal.

        Raises
        ------
        PosedError
            A size out of range, or a layer that this renderer does not write.
        PoseError
            A snapshot that does not fit the scene.
        """
        layers = DEFAULT_LAYERS if layers is None else tuple(layers)
        passes = passes_for(layers)
        whole = fit(scene, pose)
        previous = whole if pose.previous is None else fit(scene, pose.previous)
        before = camera or previous.camera or scene.camera
        camera = camera or whole.camera or scene.camera
        with self._lock:
            targets = self._targets_of(size)
            instances, geometries = self._gather(scene, whole, previous, camera)
            draws, order = group_draws(geometries)
            frame_group = self._stream(instances, instances.records[order], (camera, before), size)
            encoder = self._gpu.device.create_command_encoder()
            for one in passes:
                encode_pass(self._gpu, encoder, one, targets, frame_group, draws)
            pictures = targets.read(encoder, layers)
        return Frame(
            layers={name: _finished(name, picture, instances.origin) for name, picture in pictures.items()},
            size=size,
            camera=camera,
            ids=scene.ids,
            provenance=self._provenance(scene, pose),
        )

    def vertices(self, scene: Scene, pose: Posed) -> dict[int, PosedVertices]:
        """Return the posed vertices of every part that is drawn, by part id, as the vertex stage computes them."""

        pose = fit(scene, pose)
        with self._lock:
            instances, geometries = self._gather(scene, pose, pose, scene.camera)
            frame_group = self._stream(instances, instances.records, (scene.camera, scene.camera), (1, 1))
            first = {part.id: index for index, part in reversed(list(enumerate(instances.parts)))}
            return {
                number: read_vertices(self._gpu, frame_group, geometries[index], index)
                for number, index in sorted(first.items())
            }

    def _gather(self, scene: Scene, pose: Posed, previous: Posed, camera: Camera) -> tuple[Instances, list[Geometry]]:
        """Return the records of what is drawn, and the geometry that each shows."""
        uploaded = self._geometries.get(scene)
        if uploaded is None:
            uploaded = self._geometries[scene] = upload_scene(self._gpu, scene)
        if any(one.model.properties for one in scene.objects):
            materials = shown_materials(scene, pose)
            for page in {id(one.page): one.page for one in uploaded.values()}.values():
                page.show(self._gpu, materials)
        instances = gather(scene, pose, previous, camera, {number: one.bounds for number, one in uploaded.items()})
        geometries = [uploaded[part.id] for part in instances.parts]
        instances.records["geometry"] = [one.index for one in geometries]
        instances.records["material"] = [part.material_id - 1 for part in instances.parts]
        return instances, geometries

    def _stream(
        self, instances: Instances, records: AnyArray, cameras: tuple[Camera, Camera], size: tuple[int, int]
    ) -> Any:
        """Write what changes from frame to frame, seen by the camera and by the one before; return its bind group."""
        frame = np.zeros(1, layout.FRAME)
        for prefix, camera in zip(("", "previous_"), cameras, strict=True):
            frame[f"{prefix}view"][0] = view_matrix(camera, instances.origin).T
            frame[f"{prefix}projection"][0] = projection_matrix(camera, size[0] / size[1], instances.farthest).T
        frame["size"][0, :2] = size
        return self._frame_stream.write(frame, records, instances.palettes, instances.morph_weights)

    def _targets_of(self, size: tuple[int, int]) -> Targets:
        largest = DEFAULT_LIMITS["max-texture-dimension-2d"]
        if not all(1 <= side <= largest for side in size):
            raise PosedError(f"size {size[0]}x{size[1]}: the live renderer draws 1 to {largest} pixels a side")
        if self._targets is None or self._targets.size != tuple(size):
            self._targets = Targets(self._gpu, (size[0], size[1]))
        return self._targets

    def _provenance(self, scene: Scene, pose: Posed) -> Provenance:
        adapter = self._gpu.adapter
        return Provenance(
            scene=scene.digest,
            posed=pose.digest,
            tick=pose.tick,
            renderer="posed live",
            version=version("posed"),
            backend=f"wgpu {adapter.backend}",
            adapter=adapter.name,
            driver=adapter.driver,
            samples="center",
        )


def _finished(name: str, picture: AnyArray, origin: Float64) -> AnyArray:
    """Return a layer as frames hold it; positions go back to the world in float64."""
    if name == "position":
        seen = picture[..., 3:] > 0.0
        return np.where(seen, picture[..., :3] + origin, 0.0).astype(np.float32)
    return np.ascontiguousarray(picture[..., :3]) if picture.ndim == 3 else picture
