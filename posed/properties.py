"""Moved properties applied: a scene's materials, lights, lens and visible parts as a snapshot has them.

The snapshot states a value for every property that some clip of an object's file can move; what it does not state is
as the scene has it. Both renderers draw what these functions return.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from posed.arrays import Float64
from posed.camera import Camera
from posed.gltf.material import Material, texture_transform
from posed.gltf.model import Model
from posed.snapshot import Posed

if TYPE_CHECKING:
    from posed.scene.description import Part, Scene
    from posed.scene.lights import Light

Values = Mapping[str, Float64]

_LIGHTS = "/extensions/KHR_lights_punctual/lights"
_SURFACE = "pbrMetallicRoughness"
_COAT, _SHEEN = "extensions/KHR_materials_clearcoat", "extensions/KHR_materials_sheen"
_SPECULAR, _TRANSMISSION = "extensions/KHR_materials_specular", "extensions/KHR_materials_transmission"
_FACTORS = {
    f"{_SURFACE}/baseColorFactor": ("base_color", 0.0, math.inf),
    f"{_SURFACE}/metallicFactor": ("metallic", 0.0, 1.0),
    f"{_SURFACE}/roughnessFactor": ("roughness", 0.0, 1.0),
    "alphaCutoff": ("alpha_cutoff", 0.0, math.inf),
    "extensions/KHR_materials_ior/ior": ("ior", 0.0, math.inf),
    f"{_SPECULAR}/specularFactor": ("specular", 0.0, 1.0),
    f"{_SPECULAR}/specularColorFactor": ("specular_color", 0.0, math.inf),
    f"{_TRANSMISSION}/transmissionFactor": ("transmission", 0.0, 1.0),
    f"{_COAT}/clearcoatFactor": ("clearcoat.factor", 0.0, 1.0),
    f"{_COAT}/clearcoatRoughnessFactor": ("clearcoat.roughness", 0.0, 1.0),
    f"{_SHEEN}/sheenColorFactor": ("sheen.color", 0.0, math.inf),
    f"{_SHEEN}/sheenRoughnessFactor": ("sheen.roughness", 0.0, 1.0),
}
"""A material's property to its field and to the range it is held in: blends and splines may leave it."""

_TEXTURES = {
    f"{_SURFACE}/baseColorTexture": "color_texture",
    f"{_SURFACE}/metallicRoughnessTexture": "metallic_roughness_texture",
    "normalTexture": "normal_texture",
    "emissiveTexture": "emission_texture",
    f"{_SPECULAR}/specularTexture": "specular_texture",
    f"{_SPECULAR}/specularColorTexture": "specular_color_texture",
    f"{_TRANSMISSION}/transmissionTexture": "transmission_texture",
    f"{_COAT}/clearcoatTexture": "clearcoat.factor_texture",
    f"{_COAT}/clearcoatRoughnessTexture": "clearcoat.roughness_texture",
    f"{_COAT}/clearcoatNormalTexture": "clearcoat.normal_texture",
    f"{_SHEEN}/sheenColorTexture": "sheen.color_texture",
    f"{_SHEEN}/sheenRoughnessTexture": "sheen.roughness_texture",
}


def shown_parts(scene: Scene, posed: Posed) -> tuple[Part, ...]:
    """Return the parts that are drawn, in id order: of visible objects, at nodes that no clip hides at the moment."""
    hidden = {one.name: hidden_nodes(one.model, posed.properties.get(one.name, {})) for one in scene.objects}
    return tuple(
        part
        for part in scene.parts
        if posed.visible.get(part.object.name, True) and part.node not in hidden[part.object.name]
    )


def hidden_nodes(model: Model, values: Values) -> frozenset[int]:
    """Return the nodes that are not seen because they or a node above them are invisible; half visible is visible."""
    if not values:
        return frozenset()
    hidden: set[int] = set()
    for node in model.bones:
        own = values.get(f"/nodes/{node}/extensions/KHR_node_visibility/visible")
        seen = model.nodes[node].visible if own is None else own[0] >= 0.5
        if not seen or model.nodes[node].parent in hidden:
            hidden.add(node)
    return frozenset(hidden)


def shown_materials(scene: Scene, posed: Posed) -> tuple[Material, ...]:
    """Return the scene's materials as the snapshot has them; those that nothing moves are the scene's own objects."""
    materials = list(scene.materials)
    for part in scene.parts:
        values = posed.properties.get(part.object.name)
        if values and part.object.material is None:
            prefix = f"/materials/{part.primitive.material}/"
            own = {pointer.removeprefix(prefix): v for pointer, v in values.items() if pointer.startswith(prefix)}
            if own:
                materials[part.material_id - 1] = moved_material(part.material, own)
    return tuple(materials)


def moved_material(material: Material, values: Values) -> Material:
    """Return `material` with properties, named by the rest of their pointer, at other values."""
    changed: dict[str, Any] = {}
    for name, (field, least, most) in _FACTORS.items():
        if name in values:
            held = tuple(min(max(value, least), most) for value in values[name].tolist())
            changed[field] = held if len(held) > 1 else held[0]
    if "emissiveFactor" in values:
        strength = values["extensions/KHR_materials_emissive_strength/emissiveStrength"].tolist()[0]
        changed["emission"] = tuple(max(value * strength, 0.0) for value in values["emissiveFactor"].tolist())
    for name, field in _TEXTURES.items():
        texture, place = material.texture(field), f"{name}/extensions/KHR_texture_transform/"
        if texture is not None and f"{place}offset" in values:
            offset, scale, rotation = (values[place + key].tolist() for key in ("offset", "scale", "rotation"))
            texture = replace(texture, transform=texture_transform(offset, scale, rotation[0]))
        if texture is not None and f"{name}/scale" in values:
            texture = replace(texture, scale=values[f"{name}/scale"].tolist()[0])
        changed[field] = texture
    return _replaced(material, changed)


def _replaced(material: Material, changed: Mapping[str, Any]) -> Material:
    """Return `material` with other values in fields, those of its coat and its sheen where it has one."""
    own = {field: value for field, value in changed.items() if "." not in field}
    for owner in ("clearcoat", "sheen"):
        layer: Any = getattr(material, owner)
        if layer is not None:
            of_layer = {field.partition(".")[2]: v for field, v in changed.items() if field.startswith(f"{owner}.")}
            own[owner] = replace(layer, **of_layer)
    return replace(material, **own)


def shown_lights(scene: Scene, posed: Posed) -> tuple[Light, ...]:
    """Return the scene's lights as the snapshot has them."""
    moved = posed.properties
    return tuple(one if one.source is None else _moved_light(one, *one.source, moved) for one in scene.lights)


def _moved_light(light: Light, owner: str, number: int, properties: Mapping[str, Values]) -> Light:
    values = properties.get(owner, {})
    changed: dict[str, Any] = {}
    for name, field, least, most in (
        ("intensity", "intensity", 0.0, math.inf),
        ("range", "range", 0.0, math.inf),
        ("spot/outerConeAngle", "outer", 0.0, math.pi / 2),
        ("spot/innerConeAngle", "inner", 0.0, math.pi / 2),
    ):
        value = values.get(f"{_LIGHTS}/{number}/{name}")
        if value is not None:
            changed[field] = min(max(value.tolist()[0], least), most)
    color = values.get(f"{_LIGHTS}/{number}/color")
    if color is not None:
        changed["color"] = tuple(max(part, 0.0) for part in color.tolist())
    moved = replace(light, **changed)
    return replace(moved, inner=min(moved.inner, moved.outer))


def moved_lens(camera: Camera, number: int, values: Values) -> Camera:
    """Return `camera`, which is camera `number` of a file, with its lens at the values that move it.

    Raises
    ------
    ValueError
        The values are those of no camera.
    """
    kind = "perspective" if camera.ymag is None else "orthographic"
    fields = {"perspective": ("yfov", "znear", "zfar"), "orthographic": ("ymag", "znear", "zfar")}[kind]
    prefix = f"/cameras/{number}/{kind}/"
    changed: dict[str, Any] = {one: values[prefix + one].tolist()[0] for one in fields if prefix + one in values}
    moved = replace(camera, **changed)
    height = moved.yfov if moved.ymag is None else moved.ymag
    if height is None or height <= 0.0 or not 0.0 <= moved.znear < moved.zfar or (moved.yfov or 0.0) >= math.pi:
        raise ValueError("its lens is moved to where no camera is: a height above 0 and znear before zfar")
    return moved
