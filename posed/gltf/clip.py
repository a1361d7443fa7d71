"""Clips: a file's animations as channels of `anim` (glTF 2.0, section 3.11)."""

from __future__ import annotations

from collections.abc import Sequence

import anim
from posed.gltf.accessor import Accessors
from posed.gltf.document import Record
from posed.gltf.mesh import Mesh
from posed.gltf.node import Node
from posed.gltf.pointer import NODE, Property, pointer_of, property_index

_PATHS = {
    "translation": (anim.Path.TRANSLATION, ("VEC3",)),
    "rotation": (anim.Path.ROTATION, ("VEC4",)),
    "scale": (anim.Path.SCALE, ("VEC3",)),
    "weights": (anim.Path.WEIGHTS, ("SCALAR",)),
}
_INTERPOLATIONS = dict(anim.Interpolation.__members__)
_REEXPORT = "export the file again"


def read_clips(
    document: Record,
    accessors: Accessors,
    nodes: Sequence[Node],
    meshes: Sequence[Mesh],
    properties: Sequence[Property],
    notes: list[str],
) -> tuple[anim.Clip, ...]:
    """Return the file's animations; channels that cannot move anything are left out, each with a note.

    An animation without a name is called ``animation_`` and its index. Property i moves as the weights of node N + i
    would, N being the number of nodes: it is sampled and mixed as they are.

    Raises
    ------
    AssetError
        A sampler's keys are not finite, go back in time or disagree in number with its values.
    """
    morph_counts = [0 if node.mesh is None else meshes[node.mesh].morph_count for node in nodes]
    return tuple(
        _read_clip(index, record, accessors, morph_counts, properties, notes)
        for index, record in enumerate(document.records("animations"))
    )


def _read_clip(
    index: int,
    record: Record,
    accessors: Accessors,
    morph_counts: Sequence[int],
    properties: Sequence[Property],
    notes: list[str],
) -> anim.Clip:
    samplers = record.records("samplers")
    channels: dict[tuple[int, anim.Path], anim.Channel] = {}
    timed: dict[int, anim.Channel] = {}
    for channel_record in record.records("channels"):
        channel = _read_channel(channel_record, samplers, accessors, morph_counts, properties, timed, notes)
        if channel is None:
            continue
        key = (channel.node, channel.path)
        if key in channels:
            notes.append(f"{channel_record.pointer}: an earlier channel moves the same property, this one replaces it")
        channels[key] = channel
    return anim.Clip(record.text("name", "") or f"animation_{index}", channels.values())


def _read_channel(
    record: Record,
    samplers: Sequence[Record],
    accessors: Accessors,
    morph_counts: Sequence[int],
    properties: Sequence[Property],
    timed: dict[int, anim.Channel],
    notes: list[str],
) -> anim.Channel | None:
    """Return the channel; one whose times are those of a channel in `timed`, by accessor, shares them."""
    target = _target(record, morph_counts, properties, notes)
    if target is None:
        return None
    node, path, kinds, width = target
    sampler = samplers[record.required_index("sampler", len(samplers), "samplers of this animation")]
    interpolation = sampler.text("interpolation", "LINEAR")
    if interpolation not in _INTERPOLATIONS:
        sampler.refuse(f"one of {', '.join(_INTERPOLATIONS)}", "interpolation")
    keys = _accessor(sampler, "input", accessors)
    times = accessors.numbers(keys, ("SCALAR",), sampler, "input")
    values = accessors.numbers(_accessor(sampler, "output", accessors), kinds, sampler, "output")
    rows = len(times) * (3 if interpolation == "CUBICSPLINE" else 1)
    if kinds == ("SCALAR",):
        rows *= width
    if len(values) != rows:
        raise sampler.error(f"expected {rows} values for {len(times)} keys, found {len(values)}: {_REEXPORT}", "output")
    values = values if values.ndim == 2 else values.reshape(-1, width)
    alike = timed.get(keys)
    try:
        if alike is not None:
            return alike.beside(node, path, _INTERPOLATIONS[interpolation], values)
        channel = anim.Channel(node, path, _INTERPOLATIONS[interpolation], times, values)
        if len(channel.times) == len(times):
            timed[keys] = channel
        return channel
    except anim.AnimError as error:
        raise record.error(f"{error}: {_REEXPORT}") from error


def _target(
    record: Record, morph_counts: Sequence[int], properties: Sequence[Property], notes: list[str]
) -> tuple[int, anim.Path, tuple[str, ...], int] | None:
    """Return what a channel moves: node or property, path, type of accessor and numbers a value; None for nothing."""
    target = record.required_record("target")
    name = target.text("path")
    pointer = pointer_of(record) if name == "pointer" else None
    own = None if pointer is None else NODE.fullmatch(pointer)
    if pointer is None:
        node = target.index("node", len(morph_counts), "nodes")
    elif own is not None and int(own[1]) < len(morph_counts):
        node, name = int(own[1]), own[2]
    else:
        index = property_index(properties, pointer)
        if index is None:
            notes.append(f'{record.pointer}: the pointer "{pointer}" is not played, the channel is left out')
            return None
        width = len(properties[index].rest)
        kinds = ("SCALAR",) if width == 1 else (f"VEC{width}",)
        return len(morph_counts) + index, anim.Path.WEIGHTS, kinds, width
    if name not in _PATHS or node is None:
        reason = f'the path "{name}" is not played' if name not in _PATHS else "no node is its target"
        notes.append(f"{record.pointer}: {reason}, the channel is left out")
        return None
    path, kinds = _PATHS[name]
    if path is anim.Path.WEIGHTS and morph_counts[node] == 0:
        notes.append(f"{record.pointer}: node {node} has no morph targets, the channel is left out")
        return None
    return node, path, kinds, morph_counts[node] if path is anim.Path.WEIGHTS else 1


def _accessor(sampler: Record, key: str, accessors: Accessors) -> int:
    return sampler.required_index(key, len(accessors), "accessors")
