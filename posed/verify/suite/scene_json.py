"""What a renderer's command is told of a frame: camera matrices, lights, objects, files and ids, all resolved, as JSON.

Whoever draws from it needs no scene file of ours. Files that only a scene file knows, such as a plane or an embedded
picture, are written beside it.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.baked_files import write_baked
from posed.baking import bake
from posed.camera import Camera
from posed.fitting import fit
from posed.gltf.material import Material, Texture
from posed.properties import shown_lights
from posed.scene.description import Object, Scene
from posed.scene.lights import Environment, Light
from posed.snapshot import Posed
from posed.sources import mixes_of

VERSION = 1

TEXTURES = ("color_texture", "metallic_roughness_texture", "normal_texture", "emission_texture")

SUFFIXES = {b"\x89PNG": ".png", b"\xff\xd8\xff": ".jpg", b"RIFF": ".webp", b"#?": ".hdr", b"v/1\x01": ".exr"}
"""The first bytes of a picture to the suffix it is written with."""


def write_scene_json(scene: Scene, pose: Posed, size: tuple[int, int], folder: Path) -> Path:
    """Write what a renderer needs for one frame to `scene.json` in `folder`, files beside it, and return its path.

    Raises
    ------
    PosedError
        The folder cannot be written, or the snapshot does not fit the scene.
    """
    path = folder / "scene.json"
    path.write_text(json.dumps(scene_json(scene, pose, size, folder), indent=1) + "\n")
    return path


def scene_json(scene: Scene, pose: Posed, size: tuple[int, int], folder: Path) -> dict[str, Any]:
    """Return the description of one frame; matrices are 16 numbers, column by column, angles radians.

    Parameters
    ----------
    scene, pose
        What is drawn; what the snapshot leaves out is at rest.
    size
        Width and height in pixels.
    folder
        Where files are written that are not files yet.
    """
    pose = fit(scene, pose)
    camera = pose.camera or scene.camera
    files = _Files(folder)
    return {
        "format": "posed scene",
        "version": VERSION,
        "digest": scene.digest,
        "posed_digest": pose.digest,
        "tick": pose.tick,
        "alpha": pose.alpha,
        "rate": str(pose.rate),
        "time": float((pose.tick + pose.alpha) / pose.rate),
        "size": list(size),
        "camera": camera_json(camera, size),
        "lights": [_light(one) for one in shown_lights(scene, pose)],
        "environment": _environment(scene.environment, files),
        "objects": [_object(number, one, pose, files) for number, one in enumerate(scene.objects, 1)],
        "ids": scene.ids.to_json(),
    }


def camera_json(camera: Camera, size: tuple[int, int]) -> dict[str, Any]:
    """Return a camera with its matrices: `projection` for a depth from -1 to 1 and for one from 0 to 1."""
    aspect = size[0] / size[1]
    return {
        **camera.to_json(),
        "aspect": aspect,
        "view": _columns(view(camera)),
        "projection": {
            "minus_one_to_one": _columns(projection(camera, aspect, nearest=-1.0)),
            "zero_to_one": _columns(projection(camera, aspect, nearest=0.0)),
        },
    }


def view(camera: Camera) -> Float64:
    """Return world -> camera, (4, 4) float64; the camera's matrix is rigid."""
    matrix = np.eye(4)
    matrix[:3, :3] = camera.matrix[:3, :3].T
    matrix[:3, 3] = -(matrix[:3, :3] * camera.matrix[:3, 3]).sum(axis=1)
    return matrix


def projection(camera: Camera, aspect: float, *, nearest: float) -> Float64:
    """Return camera -> clip space, (4, 4) float64: z / w is `nearest` at the near plane and 1 at the far plane.

    Without a far plane it comes near to 1 far away (glTF 2.0, section 3.10.3.4); an orthographic camera without one
    ends at a thousand kilometres.
    """
    near, far = camera.znear, camera.zfar
    matrix = np.zeros((4, 4))
    span = 1.0 - nearest
    if camera.ymag is not None:
        far = far if math.isfinite(far) else 1e6
        matrix[0, 0], matrix[1, 1] = 1.0 / (aspect * camera.ymag), 1.0 / camera.ymag
        matrix[2, 2], matrix[2, 3] = -span / (far - near), nearest - span * near / (far - near)
        matrix[3, 3] = 1.0
        return matrix
    half = math.tan((camera.yfov or 0.0) / 2.0)
    matrix[0, 0], matrix[1, 1] = 1.0 / (aspect * half), 1.0 / half
    # z / w = a + b / depth, with `nearest` at `near` and 1 at `far`.
    b = -span * near if math.isinf(far) else -span * near * far / (far - near)
    a = nearest - b / near if near > 0.0 else 1.0
    matrix[2, 2], matrix[2, 3], matrix[3, 2] = -a, b, -1.0
    return matrix


def _columns(matrix: AnyArray) -> list[float]:
    numbers: list[float] = matrix.T.ravel().tolist()
    return numbers


def _light(one: Light) -> dict[str, Any]:
    facts = {name: value for name, value in asdict(one).items() if name != "source"}
    return facts | {"range": None if math.isinf(one.range) else one.range}


def _environment(one: Environment, files: _Files) -> dict[str, Any]:
    image = None if one.image is None else files.picture(one.image.name, one.image.data, one.image.source)
    irradiance = one.irradiance * one.intensity
    return {
        "bottom": list(one.bottom),
        "top": list(one.top),
        "intensity": one.intensity,
        "image": image,
        "irradiance": irradiance.tolist(),
    }


def _object(number: int, one: Object, pose: Posed, files: _Files) -> dict[str, Any]:
    material = one.material
    return {
        "id": number,
        "name": one.name,
        "file": files.model(one),
        "matrix": _columns(pose.models[one.name]),
        "visible": pose.visible.get(one.name, True),
        "material": None if material is None else _material(one.shown(None), files),
        "clips": _clips(pose.sources.get(one.name)),
        "morphs": {str(node): weights.tolist() for node, weights in pose.morphs.get(one.name, {}).items()},
        "sprite": _sprite(one, pose, files),
        "source": pose.sources.get(one.name),
    }


def _clips(source: object) -> list[dict[str, Any]] | None:
    """Return the clips that pose an object with times and weights, where plain shares of clips are all there is.

    `time` lies in the clip, as its playback wraps or holds it; `unwrapped` counts the passes over its end. None where
    more is played: then only the snapshot says what the object looks like.
    """
    mixes = mixes_of(source) or ()
    if not mixes:
        return []
    (newest,) = mixes[-1:]
    layers = newest.layers
    plain = len(mixes) == 1 and all(
        one.mask is None and one.reference is None and one.kind.name == "SHARE" for one in layers
    )
    if not plain:
        return None
    return [
        {
            "clip": one.clip,
            "index": one.index,
            "time": one.time,
            "unwrapped": one.unwrapped,
            "playback": one.playback.name.lower(),
            "weight": one.weight,
        }
        for one in layers
    ]


def _sprite(one: Object, pose: Posed, files: _Files) -> dict[str, Any] | None:
    if one.animation is None or one.animation.sprite is None or one.animation.image is None:
        return None
    frame = pose.sprites[one.name]
    image = one.animation.image
    return {
        "atlas": files.picture(image.name, image.data, image.source),
        "frame": frame,
        "uv": list(one.animation.sprite.atlas.uv(frame)),
    }


def _material(one: Material, files: _Files) -> dict[str, Any]:
    textures = {name: _texture(getattr(one, name), files) for name in TEXTURES}
    return {
        "base_color": list(one.base_color),
        "metallic": one.metallic,
        "roughness": one.roughness,
        "specular": one.specular,
        "emission": list(one.emission),
        "alpha": one.alpha_mode.name.lower(),
        "alpha_cutoff": one.alpha_cutoff,
        "double_sided": one.double_sided,
        "unlit": one.unlit,
        "transmission": one.transmission,
        "ior": one.ior,
        **textures,
    }


def _texture(one: Texture | None, files: _Files) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "file": files.picture(one.image.name, one.image.data, one.image.source),
        "uv": one.uv,
        "wrap": [one.wrap_s.name.lower(), one.wrap_t.name.lower()],
        "filter": "linear" if one.linear else "nearest",
        "transform": [list(row) for row in one.transform],
    }


class _Files:
    """The files that a description names: as they lie, or written to a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: dict[tuple[str, int], str] = {}

    def model(self, one: Object) -> str:
        """Return the absolute path of an object's model; a shape is written."""
        path = one.model.path
        if path.suffix.lower() in (".glb", ".gltf"):
            return str(path.resolve())
        return self._once(one.name, id(one.model), lambda place: write_baked(bake(one.model), place), ".glb")

    def picture(self, name: str, data: bytes, source: str) -> str:
        """Return the absolute path of a picture; one that is no file of its own is written."""
        if Path(source).suffix.lower() in (*SUFFIXES.values(), ".jpeg") and Path(source).is_file():
            return str(Path(source).resolve())
        suffix = next((suffix for start, suffix in SUFFIXES.items() if data.startswith(start)), ".png")
        return self._once(name, id(data), lambda place: place.write_bytes(data), suffix)

    def _once(self, name: str, key: int, write: Any, suffix: str) -> str:
        if (name, key) not in self._written:
            place = self._folder / f"{len(self._written)}{suffix}"
            write(place)
            self._written[name, key] = str(place.resolve())
        return self._written[name, key]
