"""What refers to what in a glTF file, by kind: the entries of the root's arrays that something uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from posed.lint.asset import Asset

_USERS: dict[str, dict[str, str]] = {
    "scenes": {"nodes": "nodes"},
    "nodes": {"children": "nodes", "mesh": "meshes", "skin": "skins", "camera": "cameras"},
    "skins": {"joints": "nodes", "inverseBindMatrices": "accessors"},
    "meshes": {"indices": "accessors", "material": "materials", "bufferView": "bufferViews"},
    "animations": {"input": "accessors", "output": "accessors"},
    "accessors": {"bufferView": "bufferViews"},
    "bufferViews": {"buffer": "buffers"},
    "images": {"bufferView": "bufferViews"},
    "textures": {"source": "images", "sampler": "samplers"},
}
"""A kind to the keys, anywhere within its entries, whose integers are indices of another kind."""


def used(asset: Asset) -> dict[str, set[int]]:
    """Return the indices of each kind that another entry of the file uses; nodes are used by a scene or a skin."""
    found: dict[str, set[int]] = {kind: set() for kind in asset.records}
    for kind, keys in _USERS.items():
        for record in asset.records[kind]:
            for key, value in _pairs(record.data):
                if key in keys:
                    found[keys[key]].update(_integers(value))
                elif kind in ("meshes", "nodes") and (key in ("attributes", "targets")):
                    found["accessors"].update(_attributes(value))
    for record in asset.records["materials"]:
        for key, value in _pairs(record.data):
            if key.endswith("Texture") and isinstance(value, dict):
                found["textures"].update(_integers(value.get("index")))
    roots = {node for scene in asset.records["scenes"] for node in _integers(scene.data.get("nodes"))}
    joints = {node for skin in asset.records["skins"] for node in _integers(skin.data.get("joints"))}
    count = len(asset.records["nodes"])
    shown = {node for node in roots if node < count} if asset.records["scenes"] else set(range(count))
    found["nodes"] = asset.below(shown) | joints
    return found


def _pairs(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield every key with its value, however deep, what exporters keep for themselves left out."""
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            for key, inner in here.items():
                if key != "extras":
                    yield key, inner
                    waiting.append(inner)
        elif isinstance(here, list):
            waiting.extend(here)


def _integers(value: Any) -> Iterator[int]:
    for one in value if isinstance(value, list) else [value]:
        if type(one) is int and one >= 0:
            yield one


def _attributes(value: Any) -> Iterator[int]:
    """Yield the accessors of an attributes object or a list of them; ids of compressed data are among them."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            yield from _integers(list(one.values()))
