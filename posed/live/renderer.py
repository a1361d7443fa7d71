"""The live renderer: meshes that stay on the device, instances that palettes pose, and frames with any layer read."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.camera import Camera
from posed.errors import PosedError
from posed.fitting import fit
from posed.frame import Frame, Provenance, ShadowBand
from posed.gltf.material import DEFAULT_MATERIAL, Material
from posed.live.color import Lighting
from posed.live.device import Adapter, open_gpu
from posed.live.drawing import Drawing, View
from posed.live.flat import FlatScene
from posed.live.instances import Instance, Instances
from posed.live.materials import Surface, Surfaces
from posed.live.mesh_data import MeshData, SkinData
from posed.live.meshes import Mesh, Meshes
from posed.live.passes import DEFAULT_LAYERS
from posed.live.picking import Pick
from posed.live.poses import CrowdPose, InstancePose
from posed.live.scene_instances import SceneInstances
from posed.live.skin_store import SkinStore
from posed.live.vertices import PosedVertices
from posed.properties import shown_lights
from posed.scene.description import Scene
from posed.scene.ids import IdTable, PartId
from posed.scene.lone import SKY, SUN
from posed.snapshot import Posed


@dataclass(frozen=True, eq=False)
class Drawn:
    """The frame that was drawn last: its instances, as long as they live, how they were seen, and their names."""

    instances: ref[Instances]
    view: View
    ids: IdTable


class Renderer:
    """Draws on one adapter: snapshots of scenes by `render`, and its own instances, as an engine has them, by `draw`.

    What is uploaded stays while the scene, mesh or instance lives. Both ways go through the same instances and passes.

    Parameters
    ----------
    adapter
        Part of an adapter's name; by default POSED_ADAPTER, else the first GPU, else a software adapter.
    culling
        Whether the device looks for triangles that cannot show before it draws; None where it pays: on a GPU, for draws
        of more triangles than the picture has pixels. Frames have the same bits either way.

    Raises
    ------
    MissingError
        No adapter fits; the message says which package brings one.
    """

    def __init__(self, adapter: str | None = None, *, culling: bool | None = None) -> None:
        self._gpu = open_gpu(adapter)
        self._meshes, self._surfaces, self._skins = Meshes(self._gpu), Surfaces(self._gpu), SkinStore(self._gpu)
        self._instances = Instances(self._meshes, self._skins)
        self._painted: WeakValueDictionary[Material, Surface] = WeakValueDictionary()
        self._scenes: WeakKeyDictionary[Scene, SceneInstances] = WeakKeyDictionary()
        self._drawing = Drawing(self._gpu, self._skins, culling)
        self._drawn: Drawn | None = None
        self._lock = threading.RLock()

    @property
    def adapter(self) -> Adapter:
        """What the adapter says of itself."""
        return self._gpu.adapter

    @property
    def changes(self) -> int:
        """Grows with every change of what `draw` shows; a viewer draws again when it has."""
        return self._instances.changes + self._meshes.changes

    def upload_mesh(self, data: MeshData) -> Mesh:
        """Return a mesh on the device; it leaves when neither the caller nor an instance refers to it.

        Raises
        ------
        PosedError
            It passes what a binding holds.
        """
        with self._lock:
            return self._meshes.upload(data, None, "the mesh")

    def upload_skinned_mesh(self, data: MeshData, skin: SkinData) -> Mesh:
        """Return a mesh whose instances palettes pose; see `upload_mesh`.

        Raises
        ------
        PosedError
            The two have other counts of vertices, or pass what a binding holds.
        """
        with self._lock:
            return self._meshes.upload(data, skin, "the mesh")

    def replace_mesh(self, mesh: Mesh, data: MeshData, skin: SkinData | None = None) -> None:
        """Let `mesh`, and with it every instance that shows it, be other data, skinned or not; poses stay.

        Raises
        ------
        PosedError
            As for `upload_skinned_mesh`; the mesh then stays what it was.
        """
        with self._lock:
            self._meshes.replace(mesh, data, skin, "the mesh")

    def add(self, mesh: Mesh, matrix: Float64 | None = None, *, material: Material | None = None) -> Instance:
        """Return a new instance of `mesh`, drawn until it is removed, in its bind pose until it is posed.

        Parameters
        ----------
        mesh
            What it shows.
        matrix
            Posed vertices -> world, (4, 4) float64; the identity unless given.
        material
            glTF's default one unless given.

        Raises
        ------
        PosedError
            The matrix is none, or the material's textures pass what a binding holds.
        """
        with self._lock:
            one = self._instances.add(mesh, self._surface(material or DEFAULT_MATERIAL))
            try:
                one.place(np.eye(4) if matrix is None else matrix)
            except PosedError:
                self._instances.remove(one)
                raise
            return one

    def remove(self, instance: Instance) -> None:
        """Draw `instance` no more.

        Raises
        ------
        PosedError
            It was removed before, or is another renderer's.
        """
        with self._lock:
            self._instances.remove(instance)

    def set_poses(self, poses: Sequence[InstancePose | CrowdPose]) -> None:
        """Pose instances until the next call; those that `poses` leaves out are in their bind pose again.

        Raises
        ------
        PosedError
            An instance was removed, is another renderer's or is posed twice, or a palette is no (J, 4, 4).
        """
        with self._lock:
            self._instances.set_poses(poses)

    def set_material(self, instance: Instance, material: Material) -> None:
        """Let an instance have another material than it was added with.

        Raises
        ------
        PosedError
            The instance was removed or is another renderer's, or the material's textures pass what a binding holds.
        """
        with self._lock:
            self._instances.check(instance)
            instance.paint(self._surface(material))

    def _surface(self, material: Material) -> Surface:
        """Return a material on the device, the same for all instances that have it."""
        surface = self._painted.get(material)
        if surface is None:
            surface = self._painted[material] = self._surfaces.upload(material)
        return surface

    def stop(self) -> None:
        """Clear all poses, and put back the material, whole, that each instance was added with; places stay."""
        with self._lock:
            self._instances.stop()

    def draw(
        self,
        camera: Camera,
        *,
        previous_camera: Camera | None = None,
        size: tuple[int, int] = (960, 540),
        layers: Sequence[str] | None = None,
        lighting: Lighting | None = None,
        flat: FlatScene | None = None,
    ) -> Frame:
        """Draw the renderer's own instances and return the named layers.

        Object and part ids are `Instance.object_id`; a joint's is 1 + its row in the instance's palette.

        Parameters
        ----------
        camera, previous_camera
            The camera, and that of the frame before, for motion; it has not moved unless given.
        size, layers
            As for `render`.
        lighting
            What shines; unless given, the sun and the sky that a lone model without lights is shown under.
        flat
            What is drawn over the color, in pixels of the picture.

        Raises
        ------
        PosedError
            A size out of range, a layer that this renderer does not write, or more lights than it draws.
        PoseError
            A pose with fewer joints or weights than its mesh names, or that leads to where no number is.
        """
        with self._lock:
            view = View(camera, previous_camera or camera, size, lighting or Lighting((SUN,), SKY), flat)
            names = self._instances.names
            ids = IdTable(names, tuple(PartId(i, name, 0, 0, "mesh") for i, name in enumerate(names, 1)))
            pictures, provenance = self._draw(self._instances, view, layers, ids)
        return Frame(pictures, size, camera, ids, provenance)

    def render(
        self,
        scene: Scene,
        pose: Posed,
        *,
        size: tuple[int, int] = (960, 540),
        camera: Camera | None = None,
        layers: Sequence[str] | None = None,
        background: str | None = None,
        flat: FlatScene | None = None,
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
            Names of layers; by default color, object, part and triangle ids, depth and normal.
        background
            ``"environment"`` (the default) or ``"transparent"``.
        flat
            What is drawn over the color, in pixels of the picture.

        Raises
        ------
        PosedError
            A size out of range, a layer that this renderer does not write, more lights than it draws, or no such
            background.
        PoseError
            A snapshot that does not fit the scene.
        """
        whole = fit(scene, pose)
        previous = whole if pose.previous is None else fit(scene, pose.previous)
        before = camera or previous.camera or scene.camera
        if background not in (None, "environment", "transparent"):
            raise PosedError(f'background is "{background}": expected "environment" or "transparent"')
        lighting = Lighting(shown_lights(scene, whole), scene.environment, background == "transparent")
        view = View(camera or whole.camera or scene.camera, before, size, lighting, flat)
        with self._lock:
            instances = self._scene(scene).pose(scene, whole, previous)
            pictures, provenance = self._draw(instances, view, layers, scene.ids)
        provenance = replace(provenance, scene=scene.digest, posed=pose.digest, tick=pose.tick)
        return Frame(pictures, size, view.camera, scene.ids, provenance)

    def vertices(self, scene: Scene, pose: Posed) -> dict[int, PosedVertices]:
        """Return the posed vertices of every part that is drawn, by part id, as the vertex stage computes them."""
        pose = fit(scene, pose)
        with self._lock:
            scene_instances = self._scene(scene)
            instances = scene_instances.pose(scene, pose, pose)
            return self._drawing.vertices(instances, scene_instances.first_copies(), scene.camera)

    def read_vertices(self, instance: Instance) -> PosedVertices:
        """Return the posed vertices of one of the renderer's own instances, as the vertex stage computes them.

        Raises
        ------
        PosedError
            It was removed, is another renderer's, or is not visible.
        """
        with self._lock:
            self._instances.check(instance)
            if not instance.visible:
                raise PosedError(f"{instance.name} is not visible: what is not drawn is not posed")
            return self._drawing.vertices(self._instances, {0: instance}, Camera(np.eye(4), ymag=1.0))[0]

    def pick(self, x: int, y: int) -> Pick:
        """Return what pixel (x, y) of the frame that was drawn last shows, as its instances are posed now.

        Raises
        ------
        PosedError
            Nothing has been drawn, its scene is gone, or the pixel lies outside of the picture.
        """
        with self._lock:
            drawn = self._drawn
            instances = None if drawn is None else drawn.instances()
            if drawn is None or instances is None:
                raise PosedError("nothing to pick from: draw a frame first, and keep its scene")
            width, height = drawn.view.size
            if not (0 <= x < width and 0 <= y < height):
                raise PosedError(f"pixel ({x}, {y}) lies outside of the picture, which is {width} x {height}")
            return self._pick(instances, drawn, x, y)

    def _pick(self, instances: Instances, drawn: Drawn, x: int, y: int) -> Pick:
        seen = self._drawing.ids(instances, drawn.view, x, y)
        flat = self._drawing.flat_draw(drawn.view, x, y)
        if not seen["object"]:
            return Pick(x, y, flat=flat)
        own = instances is self._instances
        joint = f"joint {seen['joint'] - 1}" if own else drawn.ids.name("joint", seen["joint"])
        return Pick(
            x,
            y,
            drawn.ids.name("object", seen["object"]),
            drawn.ids.name("part", seen["part"]),
            seen["triangle"],
            joint if seen["joint"] else "",
            instances.of_object(seen["object"]) if own else None,
            flat,
        )

    def _scene(self, scene: Scene) -> SceneInstances:
        uploaded = self._scenes.get(scene)
        if uploaded is None:
            uploaded = self._scenes[scene] = SceneInstances(scene, self._meshes, self._surfaces, self._skins)
        return uploaded

    def _draw(
        self, instances: Instances, view: View, layers: Sequence[str] | None, ids: IdTable
    ) -> tuple[dict[str, AnyArray], Provenance]:
        pictures, bands = self._drawing.pictures(instances, view, DEFAULT_LAYERS if layers is None else layers)
        self._drawn = Drawn(ref(instances), view, ids)
        return pictures, self._provenance(bands, view.lighting)

    def _provenance(self, shadows: tuple[ShadowBand, ...] | None, lighting: Lighting) -> Provenance:
        """Return where a frame comes from; `shadows` are None where it has no color."""
        adapter = self._gpu.adapter
        return Provenance(
            renderer="posed live",
            version=_version(),
            backend=f"wgpu {adapter.backend}",
            adapter=adapter.name,
            driver=adapter.driver,
            integrator="aov" if shadows is None else "direct",
            samples="center",
            background="transparent" if lighting.transparent else "environment",
            shadows=shadows,
        )


@cache
def _version() -> str:
    return version("posed")
