"""What a model holds, as plain data: nodes, clips, skins, parts, materials, textures, extensions and sizes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from anim.rational import snapped
from posed.errors import AssetError
from posed.gltf.container import read_container
from posed.gltf.document import parse_document
from posed.gltf.material import Texture
from posed.gltf.mesh import Primitive
from posed.gltf.model import Model
from posed.scene.lone import RATE

MODES = ("points", "lines", "line loop", "line strip", "triangles", "triangle strip", "triangle fan")
"""What a primitive draws, by glTF's number."""

SLOTS = {
    "color_texture": "color",
    "metallic_roughness_texture": "metallic roughness",
    "normal_texture": "normal",
    "emission_texture": "emission",
    "specular_texture": "specular",
    "specular_color_texture": "specular color",
    "transmission_texture": "transmission",
    "clearcoat.factor_texture": "coat",
    "clearcoat.roughness_texture": "coat roughness",
    "clearcoat.normal_texture": "coat normal",
    "sheen.color_texture": "sheen",
    "sheen.roughness_texture": "sheen roughness",
}
"""The fields of a material that hold textures, and their names for people."""


def inspection(model: Model) -> dict[str, Any]:
    """Return what `model` holds as JSON values; lists of nodes, meshes and so on are in the file's order.

    Raises
    ------
    AssetError
        The file has gone or changed since it was loaded.
    """
    container = read_container(model.path)
    document = parse_document(model.path, container.json)
    clips = [_clip(model, index) for index in range(len(model.clips))]
    return {
        "file": str(model.path),
        "bytes": {
            "file": model.path.stat().st_size,
            "json": len(container.json),
            "binary": 0 if container.binary is None else len(container.binary),
            "buffers": sum(record.integer("byteLength") for record in document.records("buffers")),
        },
        "generator": document.required_record("asset").text("generator", ""),
        "extensions": {
            "used": list(document.texts("extensionsUsed")),
            "required": list(document.texts("extensionsRequired")),
        },
        "scene": model.scene,
        "scenes": [record.text("name", "") for record in document.records("scenes")],
        "roots": list(model.roots),
        "variants": list(model.variants),
        "nodes": _nodes(model),
        "clips": clips,
        "skins": [
            {"name": skin.name, "joints": len(skin.joints), "nodes": [n.index for n in model.nodes if n.skin == i]}
            for i, skin in enumerate(model.skins)
        ],
        "meshes": [
            {"name": mesh.name, "parts": [_part(primitive) for primitive in mesh.primitives]} for mesh in model.meshes
        ],
        "materials": [_material(model, index) for index in range(len(model.materials))],
        "cameras": [{"name": camera.name, "yfov": camera.yfov, "ymag": camera.ymag} for camera in model.cameras],
        "lights": [{"name": light.name, "kind": light.kind, "intensity": light.intensity} for light in model.lights],
        "notes": list(model.notes),
    }


def _nodes(model: Model) -> list[dict[str, Any]]:
    """Return every node; `joint` lists the skins that it is a joint of, each with its row there."""
    rows: dict[int, dict[str, int]] = {}
    for skin in model.skins:
        for row, joint in enumerate(skin.joints):
            rows.setdefault(joint, {})[str(skin.index)] = row
    return [
        {
            "name": node.name,
            "children": list(node.children),
            "joint": rows.get(node.index, {}),
            "mesh": node.mesh,
            "skin": node.skin,
            "camera": node.camera,
            "light": node.light,
            "instances": None if node.instances is None else len(node.instances),
            "visible": node.visible,
        }
        for node in model.nodes
    ]


def _clip(model: Model, index: int) -> dict[str, Any]:
    """Return a clip; `ticks` is its length at 60 a second, a whole number where it counts as one."""
    clip = model.clips[index]
    ticks = snapped(clip.duration, RATE) * RATE
    return {
        "name": clip.name,
        "seconds": clip.duration,
        "ticks": int(ticks) if ticks.denominator == 1 else float(ticks),
        "channels": len(clip.channels),
        "keys": sum(len(channel.times) for channel in clip.channels),
        "nodes": len({channel.node for channel in clip.channels}),
        "interpolations": sorted({channel.interpolation.name for channel in clip.channels}),
    }


def _part(primitive: Primitive) -> dict[str, Any]:
    """Return a primitive; `influences` is the largest number of joints that pull one of its vertices."""
    weights = primitive.weights
    attributes = {
        "normals": primitive.normals is not None,
        "tangents": primitive.tangents is not None,
        "colors": primitive.colors is not None,
    }
    return {
        "draws": MODES[primitive.mode],
        "vertices": len(primitive.positions),
        "triangles": len(primitive.triangles),
        "influences": 0 if weights is None or not len(weights) else int(np.count_nonzero(weights, axis=1).max()),
        "targets": len(primitive.targets),
        "uvs": len(primitive.uvs),
        "attributes": [name for name, there in attributes.items() if there],
        "material": primitive.material,
    }


def _material(model: Model, index: int) -> dict[str, Any]:
    material = model.materials[index]
    textures = {name: material.texture(slot) for slot, name in SLOTS.items()}
    return {
        "name": material.name,
        "base_color": list(material.base_color),
        "metallic": material.metallic,
        "roughness": material.roughness,
        "alpha": material.alpha_mode.name.lower(),
        "double_sided": material.double_sided,
        "unlit": material.unlit,
        "textures": {name: _texture(texture) for name, texture in textures.items() if texture is not None},
    }


def _texture(texture: Texture) -> dict[str, Any]:
    """Return a texture's image; its `size` is None where that cannot be read."""
    size: list[int] | None = None
    with suppress(AssetError):
        size = list(texture.image.size)
    return {"name": texture.image.name, "size": size, "bytes": len(texture.image.data)}
