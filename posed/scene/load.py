"""Files to scenes: a scene file with everything it names, or a lone model."""

from __future__ import annotations

import math
import urllib.parse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anim
from posed.arrays import Float64, read_only
from posed.camera import Camera
from posed.errors import AssetError, SceneError
from posed.files import unreadable
from posed.gltf import load as load_gltf
from posed.gltf.image import Image
from posed.gltf.material import AlphaMode, Material, Texture, Wrap
from posed.gltf.model import Model
from posed.scene.description import Motion, Object, Scene
from posed.scene.lights import Environment, Light
from posed.scene.lone import lone_scene
from posed.scene.notes import model_notes
from posed.scene.panorama import Panorama
from posed.scene.placement import DEGREE, euler_rotation, looking, placed
from posed.scene.playing import read_animation
from posed.scene.shapes import shape_model
from posed.scene.toml import Document, Keys, read_toml

if TYPE_CHECKING:
    from posed.scene.schema import LightTable, ObjectTable, SceneTable, TextureTable

NO_ROTATION = (0.0, 0.0, 0.0, 1.0)


def load(
    path: Path | str, *, allow_outside: bool = False, scene: int | None = None, variant: str | None = None
) -> Scene:
    """Return the scene in a `.toml` file, or a `.glb` or `.gltf` as a scene of its own.

    Parameters
    ----------
    path
        The file.
    allow_outside
        Let a scene file name files outside its own folder's tree.
    scene, variant
        Of a `.glb` or `.gltf`, which of its scenes and which variant of its materials to show, in place of its own.

    Raises
    ------
    SceneError
        The scene file is wrong; with line and dotted key.
    AssetError
        A file it names, or the model itself, cannot be used.
    """
    path = Path(path)
    if path.suffix.lower() != ".toml":
        return lone_scene(load_gltf(path, scene=scene, variant=variant))
    if scene is not None or variant is not None:
        raise SceneError(
            path, 0, "", "a scene file shows its meshes' own scenes and materials: choose of a .glb or .gltf"
        )
    from posed.scene.kinds import check
    from posed.scene.schema import SceneTable

    document = read_toml(path)
    return _Reader(document, check(document, SceneTable), allow_outside).scene()


class _Reader:
    """One pass over a checked scene file; each file it names is read once."""

    def __init__(self, document: Document, table: SceneTable, allow_outside: bool) -> None:
        self.document, self.table, self.allow_outside = document, table, allow_outside
        self.folder = document.path.parent
        self.images: dict[Path, Image] = {}
        self.notes: list[str] = []
        self.models = {name: self.model(name) for name in table.meshes}
        self.materials = {name: self.material(name) for name in table.materials}

    def scene(self) -> Scene:
        names: dict[str, int] = {}
        objects = []
        for index, table in enumerate(self.table.object):
            if table.name in names:
                first = self.document.line(("object", names[table.name], "name"))
                raise self.document.error(
                    ("object", index, "name"), f'"{table.name}" names the object at line {first} too: names are unique'
                )
            names[table.name] = index
            objects.append(self.object(index))
        attached = tuple(self.attached(index, one, objects) for index, one in enumerate(objects))
        camera, node = self.camera(attached)
        return Scene(
            path=self.document.path,
            rate=self.table.rate,
            camera=camera,
            environment=self.environment(),
            lights=tuple(_light(table) for table in self.table.light),
            objects=attached,
            camera_node=node,
            notes=tuple(self.notes),
        )

    def file(self, name: str, keys: Keys) -> Path:
        """Return the path of a file that the scene names, inside its folder unless the caller allows more."""
        path = self.folder / urllib.parse.unquote(name)
        if not self.allow_outside:
            try:
                inside = path.resolve().is_relative_to(self.folder.resolve())
            except (OSError, RuntimeError, ValueError):
                inside = False
            if not inside:
                raise self.document.error(keys, f'"{name}" lies outside the scene\'s folder: move the file inside')
        reason = unreadable(path)
        if reason is not None:
            raise self.document.error(keys, f'"{name}" beside the scene: {reason} ({path})')
        return path

    def image(self, name: str, keys: Keys) -> Image:
        path = self.file(name, keys)
        if path not in self.images:
            image = Image(path.name, path.read_bytes(), str(path))
            try:
                _ = image.size  # refused here, at the key, not when a renderer first looks
            except AssetError as error:
                raise self.document.error(keys, str(error)) from error
            self.images[path] = image
        return self.images[path]

    def model(self, name: str) -> Model:
        table = self.table.meshes[name]
        if table.shape is not None:
            return shape_model(table.shape, table.size)
        assert table.file is not None
        keys = ("meshes", name, "file")
        path = self.file(table.file, keys)
        try:
            model = load_gltf(path)
        except AssetError as error:
            raise self.document.error(keys, str(error)) from error
        self.notes.extend(model_notes(model, table.file))
        return model

    def material(self, name: str) -> Material:
        table, keys = self.table.materials[name], ("materials", name)
        slots: dict[str, Any] = {
            slot: self.texture(getattr(table, slot), (*keys, slot))
            for slot in ("color_texture", "metallic_roughness_texture", "normal_texture", "emission_texture")
        }
        strength = table.emission_strength
        return Material(
            name=name,
            base_color=table.color,
            metallic=table.metallic,
            roughness=table.roughness,
            emission=(table.emission[0] * strength, table.emission[1] * strength, table.emission[2] * strength),
            alpha_mode=AlphaMode[table.alpha.upper()],
            alpha_cutoff=table.alpha_cutoff,
            double_sided=table.double_sided,
            unlit=table.unlit,
            transmission=table.transmission,
            ior=table.ior,
            specular=table.specular,
            content=table.content,
            **slots,
        )

    def texture(self, table: TextureTable | None, keys: Keys) -> Texture | None:
        if table is None:
            return None
        wrap = Wrap[table.wrap.upper()]
        return Texture(self.image(table.file, keys), table.uv, wrap, wrap, linear=table.filter == "linear")

    def object(self, index: int) -> Object:
        table, keys = self.table.object[index], ("object", index)
        model = self.models.get(table.mesh)
        if model is None:
            have = ", ".join(self.models) or "none"
            raise self.document.error((*keys, "mesh"), f"there is no [meshes.{table.mesh}] (there is {have})")
        if table.material is not None and table.material not in self.materials:
            have = ", ".join(self.materials) or "none"
            raise self.document.error(
                (*keys, "material"), f"there is no [materials.{table.material}] (there is {have})"
            )
        one = Object(
            name=table.name,
            model=model,
            matrix=_matrix(table),
            material=None if table.material is None else self.materials[table.material],
            content=None if table.content is None else self.image(table.content, (*keys, "content")),
            visible=table.visible,
            face_camera=table.face_camera,
            motion=self.motion(table, keys),
        )
        animation = table.animation
        if animation is not None:
            image = None
            if animation.atlas is not None:
                image = self.image(animation.atlas, (*keys, "animation", "atlas"))
            played, notes = read_animation(
                self.document, (*keys, "animation"), animation, table.mesh, model, image, self.table.rate
            )
            self.notes.extend(notes)
            one = replace(one, animation=played)
        if (one.content is not None or (animation is not None and animation.atlas is not None)) and not any(
            one.shown(primitive.material).content for mesh in model.meshes for primitive in mesh.primitives
        ):
            raise self.document.error(keys, "no material of this object has content = true, so its picture never shows")
        return one

    def motion(self, table: ObjectTable, keys: Keys) -> Motion | None:
        if table.motion is None:
            return None
        if table.matrix is not None:
            raise self.document.error((*keys, "motion"), "an object placed by a matrix cannot move: give its parts")
        from posed.scene.motion import read_motion

        return read_motion(table.motion, _transform(table))

    def node(self, text: str, objects: tuple[Object, ...] | list[Object], keys: Keys) -> tuple[str, int]:
        """Return object and node index of "object/node"."""
        name, _, node = text.partition("/")
        one = next((one for one in objects if one.name == name), None)
        if one is None or not node:
            have = ", ".join(f'"{one.name}/..."' for one in objects)
            raise self.document.error(keys, f'"{text}" names no object and node: expected one of {have or "none"}')
        found = [index for index, candidate in enumerate(one.model.nodes) if candidate.name == node]
        if len(found) != 1:
            what = f"{len(found)} nodes are" if found else "no node is"
            raise self.document.error(keys, f'{what} called "{node}" in {one.model.path.name}: one has to be')
        return name, found[0]

    def attached(self, index: int, one: Object, objects: list[Object]) -> Object:
        """Return `one` with its attachment, which may only be an object above it in the file."""
        text = self.table.object[index].attach
        if text is None:
            return one
        keys = ("object", index, "attach")
        target = self.node(text, objects, keys)
        if target[0] not in {earlier.name for earlier in objects[:index]}:
            raise self.document.error(keys, f'"{target[0]}" has to stand above "{one.name}" in the file')
        return replace(one, attach=target)

    def environment(self) -> Environment:
        table, image = self.table.environment, None
        if table.image is not None:
            keys = ("environment", "image")
            path = self.file(table.image, keys)
            image = Panorama(path.name, path.read_bytes(), str(path))
            try:
                _ = image.size
            except AssetError as error:
                raise self.document.error(keys, str(error)) from error
        bottom, top = table.gradient or (table.color, table.color)
        return Environment(bottom or (0.0, 0.0, 0.0), top or (0.0, 0.0, 0.0), table.intensity, image)

    def camera(self, objects: tuple[Object, ...]) -> tuple[Camera, tuple[str, int] | None]:
        table = self.table.camera
        if table.node is not None:
            name, node = self.node(table.node, objects, ("camera", "node"))
            model = next(one.model for one in objects if one.name == name)
            number = model.nodes[node].camera
            if number is None:
                raise self.document.error(("camera", "node"), f'"{table.node}" carries no camera in {model.path.name}')
            lens = model.cameras[number]
            identity = read_only([[float(i == j) for j in range(4)] for i in range(4)])
            return Camera(identity, lens.yfov, lens.ymag, lens.znear, lens.zfar), (name, node)
        try:
            if table.target is not None:
                matrix = looking(table.position, table.target, table.up)
            else:
                matrix = placed(table.position, table.rotation or NO_ROTATION, (1.0, 1.0, 1.0))
        except ValueError as error:
            raise self.document.error(("camera", "up"), str(error)) from error
        far = math.inf if table.far is None else table.far
        if table.height is not None:
            return Camera(matrix, ymag=table.height / 2.0, znear=table.near, zfar=far), None
        fov = 40.0 if table.fov is None else table.fov
        return Camera(matrix, yfov=fov * DEGREE, znear=table.near, zfar=far), None


def _transform(table: ObjectTable) -> anim.Transform:
    scale = table.scale * 3 if len(table.scale) == 1 else table.scale
    rotation = table.rotation or (NO_ROTATION if table.euler is None else euler_rotation(table.euler))
    return anim.Transform(table.position, rotation, scale)  # type: ignore[arg-type]


def _matrix(table: ObjectTable) -> Float64:
    if table.matrix is not None:
        return read_only([table.matrix[row * 4 : row * 4 + 4] for row in range(4)])
    return read_only(_transform(table).matrix())


def _light(table: LightTable) -> Light:
    x, y, z = table.direction or (0.0, -1.0, 0.0)
    length = math.sqrt(x * x + y * y + z * z)
    if not 0.0 < length < math.inf:  # the squares have left what a float holds
        largest = max(abs(x), abs(y), abs(z))
        x, y, z = x / largest, y / largest, z / largest
        length = math.sqrt(x * x + y * y + z * z)
    return Light(
        kind=table.kind,
        color=table.color,
        intensity=table.intensity,
        position=table.position or (0.0, 0.0, 0.0),
        direction=(x / length, y / length, z / length),
        range=math.inf if table.range is None else table.range,
        inner=table.inner * DEGREE,
        outer=table.outer * DEGREE,
        angle=table.angle * DEGREE,
    )
