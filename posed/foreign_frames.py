"""Frames that other renderers leave: arrays by the names of our layers, a picture, and what they say of themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from posed.arrays import AnyArray
from posed.camera import Camera
from posed.errors import PosedError
from posed.files import unreadable
from posed.frame import LAYERS, Frame, Provenance
from posed.scene.ids import IdTable

STATED = ("size", "camera", "ids", *(one.name for one in fields(Provenance)))
"""What a folder's frame.json may state; each may be left out."""

LARGEST_JSON = 1 << 24
"""Bytes of a frame.json that are read at most."""


def read_folder(folder: Path) -> Frame:
    """Read the frame that an engine left in a folder: `color.png` or `<layer>.npy`, and optionally `frame.json`.

    Files of other names are not read. A layer is an array of the shape and kind that `frame.LAYERS` lists; wider
    numbers are rounded to that kind, and a color of three channels is opaque.

    Raises
    ------
    PosedError
        It holds no layer, a layer twice or of another shape than the others, or a frame.json that is none.
    """
    layers: dict[str, AnyArray] = {}
    for name in LAYERS:
        path = folder / f"{name}.npy"
        if path.exists():
            layers[name] = as_layer(name, _read_npy(path), str(path))
    provenance = Provenance(renderer=folder.name)
    picture = folder / "color.png"
    if picture.exists():
        if "color" in layers:
            raise PosedError(f"{folder}: has color.png and color.npy: leave one")
        drawn = Frame.load(picture)
        layers["color"] = drawn["color"]
        provenance = replace(provenance, background=drawn.provenance.background)
    if not layers:
        raise PosedError(
            f"{folder}: holds no frame: expected color.png or a layer such as depth.npy (the layers are "
            f"{', '.join(LAYERS)})"
        )
    stated = folder / "frame.json"
    facts = _read_json(stated) if stated.exists() else {}
    return _frame(layers, facts, provenance, str(stated if facts else folder))


def frame_of_arrays(arrays: Mapping[str, AnyArray], place: str) -> Frame:
    """Return the frame in an npz of another renderer: its arrays by the names of our layers.

    Raises
    ------
    PosedError
        No array has such a name, or one has another shape than the others.
    """
    layers = {name: as_layer(name, arrays[name], f"{place}: {name}") for name in LAYERS if name in arrays}
    if not layers:
        have = ", ".join(list(arrays)[:8]) or "nothing"
        raise PosedError(f"{place}: holds no layer of a frame but {have}: the layers are {', '.join(LAYERS)}")
    return _frame(layers, {}, Provenance(renderer=Path(place).name), place)


def as_layer(name: str, values: AnyArray, place: str) -> AnyArray:
    """Return an array in the shape and kind of a layer.

    Raises
    ------
    PosedError
        It has other dimensions, or numbers that the layer's kind does not hold.
    """
    channels, kind = LAYERS[name]
    if not channels and values.ndim == 3 and values.shape[2] == 1:
        values = values[..., 0]
    if name == "color" and values.ndim == 3 and values.shape[2] == 3:
        values = np.concatenate([values, np.ones((*values.shape[:2], 1), values.dtype)], axis=2)
    if values.ndim != (3 if channels else 2) or (channels and values.shape[2] != channels):
        expected = f"(H, W, {channels})" if channels else "(H, W)"
        raise PosedError(f"{place}: has shape {values.shape}: expected {expected}")
    if kind == "u4":
        if values.dtype.kind not in "uib" or (values.size and not 0 <= int(values.min()) <= int(values.max()) < 2**32):
            raise PosedError(f"{place}: is {values.dtype} and an id layer: expected whole numbers from 0 to 2^32 - 1")
        return values.astype(np.uint32)
    if values.dtype.kind != "f":
        raise PosedError(f"{place}: is {values.dtype}: expected float32")
    with np.errstate(over="ignore"):  # what float32 does not hold is infinite there
        return values.astype(np.float32)


def _frame(layers: Mapping[str, AnyArray], facts: Mapping[str, Any], provenance: Provenance, place: str) -> Frame:
    height, width = next(iter(layers.values())).shape[:2]
    for name, layer in layers.items():
        if layer.shape[:2] != (height, width):
            raise PosedError(
                f"{place}: {name} is {layer.shape[1]}x{layer.shape[0]} and {next(iter(layers))} {width}x{height}"
            )
    try:
        if "size" in facts and tuple(facts["size"]) != (width, height):
            raise PosedError(f"{place}: states the size {facts['size']}, its layers are {width}x{height}")
        camera = None if facts.get("camera") is None else Camera.from_json(facts["camera"])
        ids = IdTable() if facts.get("ids") is None else IdTable.from_json(facts["ids"])
        known = {name: value for name, value in facts.items() if name not in ("size", "camera", "ids")}
        stated = replace(provenance, **_checked(known, place))
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise PosedError(f"{place}: does not state a frame: {error}") from error
    return Frame(layers, (width, height), camera, ids, stated)


def _checked(facts: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return the facts of a provenance, each of its kind."""
    whole = {name for name in ("tick", "seed") if facts.get(name) is not None}
    for name, value in facts.items():
        kind = int if name in whole else str
        if name != "shadows" and value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
            raise PosedError(f'{place}: "{name}" is {value!r}: expected {"an integer" if kind is int else "a text"}')
    return {name: getattr(Provenance.from_json(facts), name) for name, value in facts.items() if value is not None}


def _read_npy(path: Path) -> AnyArray:
    reason = unreadable(path)
    if reason is not None:
        raise PosedError(f"{path}: {reason}")
    try:
        array: AnyArray = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise PosedError(f"{path}: is no array of NumPy: {error}") from error
    return array


def _read_json(path: Path) -> dict[str, Any]:
    reason = unreadable(path)
    if reason is not None:
        raise PosedError(f"{path}: {reason}")
    try:
        with path.open("rb") as stream:
            facts = json.loads(stream.read(LARGEST_JSON))
    except (ValueError, RecursionError) as error:
        raise PosedError(f"{path}: is not JSON: {error}") from error
    if not isinstance(facts, dict):
        raise PosedError(f"{path}: is no table of facts: expected an object with {', '.join(STATED)}")
    unknown = sorted(set(facts) - set(STATED))
    if unknown:
        raise PosedError(f'{path}: there is no fact "{unknown[0]}": it may state {", ".join(STATED)}')
    return facts
