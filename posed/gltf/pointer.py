"""Properties that animations move by JSON pointer (KHR_animation_pointer): what plays, and what each is at rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from posed.gltf.document import Record

NAME = "KHR_animation_pointer"

NODE = re.compile(r"/nodes/(\d{1,9})/(translation|rotation|scale|weights)")
"""Pointers that mean the same as a channel with a target node."""

_COAT, _SHEEN = "extensions/KHR_materials_clearcoat", "extensions/KHR_materials_sheen"
_SPECULAR, _TRANSMISSION = "extensions/KHR_materials_specular", "extensions/KHR_materials_transmission"
_TEXTURES = (
    "(?:pbrMetallicRoughness/baseColor|pbrMetallicRoughness/metallicRoughness|normal|emissive"
    f"|{_COAT}/clearcoat(?:Roughness|Normal)?|{_SHEEN}/sheen(?:Color|Roughness)"
    f"|{_SPECULAR}/specular(?:Color)?|{_TRANSMISSION}/transmission)Texture"
)
_MOVED = "extensions/KHR_texture_transform"
_STRENGTH = "extensions/KHR_materials_emissive_strength/emissiveStrength"

_PLAYED: tuple[tuple[str, tuple[float, ...]], ...] = (
    (r"/nodes/\d{1,9}/extensions/KHR_node_visibility/visible", (1.0,)),
    (r"/materials/\d{1,9}/pbrMetallicRoughness/baseColorFactor", (1.0, 1.0, 1.0, 1.0)),
    (r"/materials/\d{1,9}/pbrMetallicRoughness/(?:metallic|roughness)Factor", (1.0,)),
    (r"/materials/\d{1,9}/emissiveFactor", (0.0, 0.0, 0.0)),
    (rf"/materials/\d{{1,9}}/{_STRENGTH}", (1.0,)),
    (r"/materials/\d{1,9}/alphaCutoff", (0.5,)),
    (rf"/materials/\d{{1,9}}/(?:normal|{_COAT}/clearcoatNormal)Texture/scale", (1.0,)),
    (r"/materials/\d{1,9}/extensions/KHR_materials_ior/ior", (1.5,)),
    (rf"/materials/\d{{1,9}}/{_SPECULAR}/specularFactor", (1.0,)),
    (rf"/materials/\d{{1,9}}/{_SPECULAR}/specularColorFactor", (1.0, 1.0, 1.0)),
    (rf"/materials/\d{{1,9}}/{_TRANSMISSION}/transmissionFactor", (0.0,)),
    (rf"/materials/\d{{1,9}}/{_COAT}/clearcoat(?:Roughness)?Factor", (0.0,)),
    (rf"/materials/\d{{1,9}}/{_SHEEN}/sheenColorFactor", (0.0, 0.0, 0.0)),
    (rf"/materials/\d{{1,9}}/{_SHEEN}/sheenRoughnessFactor", (0.0,)),
    (rf"/materials/\d{{1,9}}/{_TEXTURES}/{_MOVED}/offset", (0.0, 0.0)),
    (rf"/materials/\d{{1,9}}/{_TEXTURES}/{_MOVED}/scale", (1.0, 1.0)),
    (rf"/materials/\d{{1,9}}/{_TEXTURES}/{_MOVED}/rotation", (0.0,)),
    (r"/cameras/\d{1,9}/perspective/(?:yfov|znear|zfar)", (1.0,)),
    (r"/cameras/\d{1,9}/orthographic/(?:ymag|znear|zfar)", (1.0,)),
    (r"/extensions/KHR_lights_punctual/lights/\d{1,9}/color", (1.0, 1.0, 1.0)),
    (r"/extensions/KHR_lights_punctual/lights/\d{1,9}/(?:intensity|range)", (1.0,)),
    (r"/extensions/KHR_lights_punctual/lights/\d{1,9}/spot/innerConeAngle", (0.0,)),
    (r"/extensions/KHR_lights_punctual/lights/\d{1,9}/spot/outerConeAngle", (0.7853981633974483,)),
)
"""Pointers that play, as patterns, and what each property is where the file leaves it out."""

_TOGETHER = (
    (re.compile(rf"(.*/{_MOVED}/)(?:offset|rotation|scale)"), ("offset", "rotation", "scale")),
    (re.compile(rf"(/materials/\d{{1,9}}/)(?:emissiveFactor|{_STRENGTH})"), ("emissiveFactor", _STRENGTH)),
)
"""Properties that make sense only together: where one is moved, the others are stated too."""


@dataclass(frozen=True)
class Property:
    """A value that some animation of the file moves: `pointer` into its JSON, and the numbers that it holds there."""

    pointer: str
    rest: tuple[float, ...]


def read_properties(document: Record) -> tuple[Property, ...]:
    """Return the properties that the file's animations move by pointer and that play, in the order they come in.

    Node transforms and morph weights are none of them: those are ordinary channels.
    """
    if NAME not in document.texts("extensionsUsed"):
        return ()
    found: dict[str, Property] = {}
    for animation in document.records("animations"):
        for channel in animation.records("channels"):
            pointer = pointer_of(channel)
            for one in _with_companions(pointer) if pointer is not None else ():
                rest = _rest(document, one)
                if rest is not None:
                    found.setdefault(one, Property(one, rest))
    return tuple(found.values())


def pointer_of(channel: Record) -> str | None:
    """Return the pointer that a channel targets, None for a channel that targets a node's path."""
    target = channel.required_record("target")
    extension = target.extension(NAME)
    return None if extension is None or target.text("path") != "pointer" else extension.text("pointer")


def plays(document: Record, pointer: str) -> bool:
    """Say whether a channel that moves `pointer` plays: as a node's own channel or as a property."""
    node = NODE.fullmatch(pointer)
    if node is not None:
        return int(node[1]) < len(document.records("nodes"))
    return _rest(document, pointer) is not None


def property_index(properties: Sequence[Property], pointer: str) -> int | None:
    """Return which property a pointer means, None where it does not play."""
    return next((index for index, one in enumerate(properties) if one.pointer == pointer), None)


def _with_companions(pointer: str) -> Iterable[str]:
    for pattern, names in _TOGETHER:
        found = pattern.fullmatch(pointer)
        if found is not None:
            return [found[1] + name for name in names]
    return [pointer]


def _rest(document: Record, pointer: str) -> tuple[float, ...] | None:
    """Return the property's numbers in the file, or its default where they are left out; None if it does not play."""
    default = next((value for pattern, value in _PLAYED if re.fullmatch(pattern, pointer)), None)
    if default is None:
        return None
    here: Any = document.data
    for key in pointer[1:].split("/"):
        if isinstance(here, list):
            if int(key) >= len(here):
                return None
            here = here[int(key)]
        elif isinstance(here, dict) and key in here:
            here = here[key]
        else:
            return default if _owner_is_there(document, pointer) else None
    numbers = here if isinstance(here, list) else [here]
    if len(numbers) != len(default) or not all(isinstance(one, int | float) and abs(one) <= 1e38 for one in numbers):
        return None
    return tuple(map(float, numbers))


def _owner_is_there(document: Record, pointer: str) -> bool:
    """Say whether the node, material, camera or light that a pointer goes through exists, and a texture it moves."""
    here: Any = document.data
    keys = pointer[1:].split("/")
    needed = next((keys.index(key) + 1 for key in keys if key.endswith("Texture")), None)
    if needed is None:
        needed = next(index + 1 for index, key in enumerate(keys) if key.isdecimal())
    for key in keys[:needed]:
        if isinstance(here, list) and int(key) < len(here):
            here = here[int(key)]
        elif isinstance(here, dict) and key in here:
            here = here[key]
        else:
            return False
    return True
