"""Findings on animations: keys as the file stores them, what they move, and how long they are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from anim.rational import snapped
from posed.arrays import Float64
from posed.gltf.document import Record
from posed.gltf.pointer import plays, pointer_of
from posed.lint.asset import Asset, called
from posed.lint.finding import Finding
from posed.lint.nodes import UNIT_WITHIN

UNMOVED_WITHIN = 1e-5
"""How far a value may be from the one at rest and count as it: JSON has the one in decimals, the keys are float32."""

_WIDTHS = {"translation": 3, "rotation": 4, "scale": 3}
_REST = {"translation": (0.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0, 1.0), "scale": (1.0, 1.0, 1.0)}


@dataclass
class _Faults:
    """What the channels of one clip share: the first place of each fault, how many channels have it, and the worst."""

    first: dict[str, tuple[str, str]] = field(default_factory=dict)
    count: dict[str, int] = field(default_factory=dict)

    def add(self, code: str, place: str, what: str, *, worse: bool = False) -> None:
        """Count a fault; its sentence is kept where it is the first or `worse` than the one so far."""
        self.count[code] = self.count.get(code, 0) + 1
        if worse or code not in self.first:
            self.first[code] = place, what


def check_animations(asset: Asset) -> Iterator[Finding]:
    """Yield what is suspicious about each clip; a fault that many channels share is one finding."""
    for index, record in enumerate(asset.records["animations"]):
        with asset.tolerant():
            yield from _clip(asset, record, called(record, "clip", index))


def _clip(asset: Asset, record: Record, name: str) -> Iterator[Finding]:
    clip = _Clip(asset, record.records("samplers"))
    channels = record.records("channels")
    for channel in channels:
        with asset.tolerant():
            yield from clip.target(channel)
    for code, (place, what) in clip.faults.first.items():
        count = clip.faults.count[code]
        yield asset.finding(code, place, f"{name}: {what}" + (f" (in {count} channels)" if count > 1 else ""))
    if not clip.moves:
        what = "has no channel that can be played" if clip.end is None else "holds every node as it is at rest"
        yield asset.finding("P605", record.pointer, f"{name} {what}")
    if clip.end is None or clip.begin is None:
        return
    if clip.begin < 0.0:
        yield asset.finding("P613", record.pointer, f"the first key of {name} is at {clip.begin:.6g} s")
    if clip.begin > 0.0 and clip.end > clip.begin:
        yield asset.finding("P611", record.pointer, f"the first key of {name} is at {clip.begin:.6g} s")
    if clip.end > 0.0:
        ticks = snapped(clip.end, asset.rate) * asset.rate
        if ticks.denominator != 1:
            yield asset.finding(
                "P604",
                record.pointer,
                f"{name} lasts {clip.end:.9g} s, {float(ticks):.9g} ticks at {float(asset.rate):.6g} a second",
            )


class _Clip:
    """One pass over the channels of a clip: `begin` and `end` in seconds are None until a channel can be played."""

    def __init__(self, asset: Asset, samplers: list[Record]) -> None:
        self.asset, self.samplers = asset, samplers
        self.faults = _Faults()
        self.moves = False
        self.begin: float | None = None
        self.end: float | None = None
        self.worst = UNIT_WITHIN
        self.seen: dict[tuple[int, str], int] = {}

    def target(self, channel: Record) -> Iterator[Finding]:
        """Examine a channel by what it is to move; yield what is wrong with its target."""
        asset, target = self.asset, channel.required_record("target")
        path = target.text("path")
        if path == "pointer":
            pointer = pointer_of(channel)
            if pointer is None or not plays(asset.document, pointer):
                yield asset.finding("P607", channel.pointer, f"the channel moves {pointer or 'no pointer'}")
                return
            self.moves = True
            self.keys(channel, "pointer", None)
            return
        nodes = asset.records["nodes"]
        node = target.index("node", len(nodes), "nodes")
        if node is None:
            yield asset.finding("P606", channel.pointer, f"the {path} channel names no node")
            return
        if path not in {*_WIDTHS, "weights"}:
            yield asset.finding("P607", channel.pointer, f'the channel of node {node} moves "{path}"')
            return
        record, what = nodes[node], f"the {path} of {called(nodes[node], 'node', node)}"
        if (node, path) in self.seen:
            yield asset.finding("P608", channel.pointer, f"{what} is moved by channel {self.seen[node, path]} already")
        self.seen[node, path] = int(channel.pointer.rpartition("/")[2])
        if path == "weights" and self.rest_weights(record) == ():
            yield asset.finding("P610", channel.pointer, f"{what} are moved, but it has no morph targets")
            return
        if path in _WIDTHS and "skin" in record:
            self.faults.add("P612", channel.pointer, f"{what} is moved, but the node is skinned")
        if path in _WIDTHS and "matrix" in record:
            self.faults.add("P609", channel.pointer, f"{what} is moved, but the node has a matrix")
        self.keys(channel, path, record)

    def keys(self, channel: Record, path: str, node: Record | None) -> None:
        """Examine the times and values of a channel."""
        accessors = self.asset.accessors
        sampler = self.samplers[channel.required_index("sampler", len(self.samplers), "samplers of this animation")]
        times = accessors.floats(
            sampler.required_index("input", len(accessors), "accessors"), ("SCALAR",), np.float64, sampler, "input"
        )
        if not len(times) or not np.isfinite(times).all():
            return
        self.begin = float(times[0]) if self.begin is None else min(self.begin, float(times[0]))
        self.end = max(self.end or 0.0, float(times[-1]))
        steps = np.diff(times)
        for code, bad, what in (("P603", steps < 0.0, "before"), ("P602", steps == 0.0, "as")):
            if bad.any():
                key = int(bad.argmax()) + 1
                self.faults.add(
                    code,
                    channel.pointer,
                    f"key {key} is at {times[key]:.6g} s, {what} key {key - 1}"
                    + (f" at {times[key - 1]:.6g} s" if code == "P603" else " is"),
                )
        if node is not None:
            self.values(channel, sampler, path, node, len(times))

    def values(self, channel: Record, sampler: Record, path: str, node: Record, count: int) -> None:
        """Examine what a channel gives a node."""
        accessors = self.asset.accessors
        output = sampler.required_index("output", len(accessors), "accessors")
        kind = f"VEC{_WIDTHS[path]}" if path in _WIDTHS else "SCALAR"
        values = accessors.floats(output, (kind,), np.float64, sampler, "output")
        rest = self.rest_weights(node) if path == "weights" else node.numbers(path, _WIDTHS[path], _REST[path])
        cubic = sampler.text("interpolation", "LINEAR") == "CUBICSPLINE"
        if values.size != count * len(rest) * (3 if cubic else 1) or not np.isfinite(values).all():
            return
        rows = values.reshape(-1, 3, len(rest)) if cubic else values.reshape(-1, 1, len(rest))
        held = rows[:, 1 if cubic else 0]
        if path == "rotation":
            self.lengths(channel, held, accessors.records[output])
        self.moves = self.moves or (cubic and bool(rows[:, ::2].any())) or _leaves(held, np.array(rest), path)

    def lengths(self, channel: Record, rotations: Float64, accessor: Record) -> None:
        """Keep the rotation whose length is farthest from 1."""
        lengths = np.sqrt((rotations * rotations).sum(axis=1))
        off = np.abs(lengths - 1.0)
        key, rounding = int(off.argmax()), 2.0 / 127.0 if accessor.integer("componentType") == 5120 else UNIT_WITHIN
        if off[key] > rounding:
            what = f"rotation keys are not of unit length, at worst {lengths[key]:.6g} at key {key}"
            self.faults.add("P601", channel.pointer, what, worse=float(off[key]) > self.worst)
            self.worst = max(self.worst, float(off[key]))

    def rest_weights(self, node: Record) -> tuple[float, ...]:
        """Return the morph weights of a node at rest, one a target."""
        mesh = node.index("mesh", len(self.asset.records["meshes"]), "meshes")
        count = 0 if mesh is None else self.asset.morph_count(mesh)
        if mesh is None or count == 0:
            return ()
        shown = node if "weights" in node else self.asset.records["meshes"][mesh]
        given = shown.numbers("weights") if "weights" in shown else ()
        return (*given, *[0.0] * count)[:count]


def _leaves(values: Float64, rest: Float64, path: str) -> bool:
    """Return whether any of the values, (T, C), is another than the one at rest."""
    if path != "rotation":
        return bool((np.abs(values - rest) > UNMOVED_WITHIN * (1.0 + np.abs(rest))).any())
    unit = values / np.maximum(np.sqrt((values * values).sum(axis=1, keepdims=True)), 1e-30)
    still = rest / max(math.hypot(*rest.tolist()), 1e-30)  # JSON holds numbers whose squares are none
    off = np.minimum(np.abs(unit - still).max(axis=1), np.abs(unit + still).max(axis=1))  # q and -q are one rotation
    return bool((off > UNMOVED_WITHIN).any())
