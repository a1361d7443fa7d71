"""`Posed` files: one JSON form, whole in a `.json` or with its matrices as arrays in an `.npz`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from posed.arrays import AnyArray, read_only
from posed.camera import Camera
from posed.errors import PosedError, PoseError
from posed.files import no_suffix, unreadable, written_whole
from posed.npz import read_npz, write_npz
from posed.numerals import read_fraction
from posed.snapshot import Posed

FORMATS = (".npz", ".json")
LARGEST_JSON = 1 << 28
"""Bytes of a snapshot in JSON that are read at most."""


def check_format(path: Path) -> None:
    """Refuse a name whose suffix is none of `FORMATS`."""
    if path.suffix.lower() not in FORMATS:
        raise PosedError(f"{path}: a snapshot is saved as {' or '.join(FORMATS)}, {no_suffix(path)}")


def save(posed: Posed, path: Path) -> None:
    """Write `posed` to `path` in the form its suffix names."""
    check_format(path)
    data = to_json(posed)
    with written_whole(path) as beside:
        if path.suffix.lower() == ".json":
            beside.write_text(json.dumps(data, indent=1) + "\n")
            return
        arrays: dict[str, AnyArray] = {}
        _take_arrays(data, "", arrays)
        arrays["posed"] = np.frombuffer(json.dumps(data).encode(), np.uint8)
        with beside.open("wb") as stream:
            write_npz(stream, arrays)


def load(path: Path) -> Posed:
    """Read the snapshot at `path`, whichever form it has."""
    reason = unreadable(path)
    if reason is not None:
        raise PoseError(f"{path}: {reason}")
    try:
        with path.open("rb") as stream:
            start = stream.read(2)
            text = b"" if start == b"PK" else start + stream.read(LARGEST_JSON)
        if start == b"PK":
            arrays = read_npz(path)
            data = json.loads(arrays.pop("posed").tobytes().decode())
            _give_arrays(data, arrays)
        else:
            data = json.loads(text.decode("utf-8-sig"))
        return from_json(data)
    except PosedError as error:
        raise PoseError(f"{path}: {error}") from error
    except UnicodeDecodeError as error:
        raise PoseError(f"{path}: is not a snapshot: its byte {error.start} is not UTF-8") from error
    except RecursionError as error:
        raise PoseError(f"{path}: its values are nested too deeply") from error
    except KeyError as error:
        raise PoseError(f'{path}: is not a snapshot: "{error.args[0]}" is missing') from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise PoseError(f"{path}: is not a snapshot: it is no JSON from {where} on") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise PoseError(f"{path}: is not a snapshot: {error}") from error


def to_json(posed: Posed) -> dict[str, Any]:
    """Return `posed` as JSON values, matrices column by column."""
    data: dict[str, Any] = {"format": "posed", "version": 1, **_fields(posed)}
    if posed.previous is not None:
        data["previous"] = _fields(posed.previous)
    if posed.sources:
        data["sources"] = dict(posed.sources)
    return data


def _fields(posed: Posed) -> dict[str, Any]:
    return {
        "tick": posed.tick,
        "alpha": posed.alpha,
        "rate": str(posed.rate),
        "scene": posed.scene,
        "models": {name: _columns(matrix) for name, matrix in posed.models.items()},
        "nodes": {
            name: {str(node): _columns(matrix) for node, matrix in nodes.items()} for name, nodes in posed.nodes.items()
        },
        "palettes": {
            name: {str(node): [_columns(matrix) for matrix in palette] for node, palette in nodes.items()}
            for name, nodes in posed.palettes.items()
        },
        "morphs": {
            name: {str(node): weights.tolist() for node, weights in nodes.items()}
            for name, nodes in posed.morphs.items()
        },
        **({"properties": _lists(posed.properties)} if posed.properties else {}),
        "sprites": dict(posed.sprites),
        "visible": dict(posed.visible),
        "camera": None if posed.camera is None else posed.camera.to_json(),
        "space": posed.space,
    }


def _lists(properties: Mapping[str, Mapping[str, AnyArray]]) -> dict[str, dict[str, list[float]]]:
    return {name: {pointer: one.tolist() for pointer, one in values.items()} for name, values in properties.items()}


def _columns(matrix: AnyArray) -> list[float]:
    values: list[float] = matrix.T.ravel().tolist()
    return values


def from_json(data: Any) -> Posed:
    """Return the snapshot in `data`; ValueError, KeyError or TypeError say what is wrong with it."""
    if not isinstance(data, dict) or data.get("format") != "posed":
        raise ValueError('its "format" is not "posed"')
    if data.get("version") != 1:
        raise ValueError(f'its "version" is {data.get("version")!r}, expected 1: it comes from a newer posed')
    previous = data.get("previous")
    sources = data.get("sources") or {}
    if not isinstance(sources, dict):
        raise ValueError('"sources" is not an object')
    return _posed(data, None if previous is None else _posed(previous, None, {}), sources)


def _posed(data: Any, previous: Posed | None, sources: Mapping[str, Any]) -> Posed:
    if not isinstance(data, dict):
        raise ValueError('"previous" is not an object')
    known = {"format", "version", "tick", "alpha", "rate", "scene", "models", "nodes", "palettes", "morphs", "sprites"}
    unknown = sorted(set(data) - known - {"visible", "camera", "previous", "sources", "space", "properties"})
    if unknown:
        raise ValueError(f'unknown field "{unknown[0]}"')
    tick, alpha = data["tick"], float(data.get("alpha", 0.0))
    if isinstance(tick, bool) or not isinstance(tick, int) or tick < 0:
        raise ValueError(f'"tick" is {tick!r}, expected an integer of 0 or more')
    if not 0.0 <= alpha < 1.0:
        raise ValueError(f'"alpha" is {alpha}, expected a number from 0 to below 1')
    if data.get("space", "scene") not in ("scene", "mesh"):
        raise ValueError(f'"space" is {data["space"]!r}, expected "scene" or "mesh"')
    camera = data.get("camera")
    if not isinstance(camera, dict | None):
        raise ValueError('"camera" is not an object')
    return Posed(
        tick=tick,
        rate=_rate(data.get("rate", 60)),
        alpha=alpha,
        scene=str(data.get("scene", "")),
        models={name: _matrices(value, f"models/{name}", np.float64, 2) for name, value in _table(data, "models")},
        nodes=_by_node(data, "nodes", np.float64, 2),
        palettes=_by_node(data, "palettes", np.float32, 3),
        morphs=_by_node(data, "morphs", np.float64, 1),
        properties={
            name: {
                str(pointer): _matrices(value, f"properties/{name}/{pointer}", np.float64, 1)
                for pointer, value in values.items()
            }
            for name, values in _table(data, "properties")
        },
        sprites={name: _frame(value, name) for name, value in _table(data, "sprites")},
        visible={name: _flag(value, name) for name, value in _table(data, "visible")},
        camera=None if camera is None else Camera.from_json(camera),
        previous=previous,
        sources=dict(sources),
        space=data.get("space", "scene"),
    )


def _rate(value: Any) -> Fraction:
    rate = read_fraction(value if isinstance(value, str) else repr(value))
    if rate <= 0:
        raise ValueError(f'"rate" is {value!r}, expected ticks a second above 0')
    return rate


def _frame(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f'"sprites/{name}" is {value!r}, expected the index of a frame')
    return value


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f'"visible/{name}" is {value!r}, expected true or false')
    return value


def _table(data: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    value = data.get(key) or {}
    if not isinstance(value, dict):
        raise ValueError(f'"{key}" is not an object by name')
    return list(value.items())


def _by_node(data: Mapping[str, Any], key: str, dtype: type, dimensions: int) -> dict[str, dict[int, AnyArray]]:
    by_name: dict[str, dict[int, AnyArray]] = {}
    for name, nodes in _table(data, key):
        if not isinstance(nodes, dict) or not all(str(node).isdecimal() for node in nodes):
            raise ValueError(f'"{key}/{name}" is not an object by node index')
        by_name[name] = {
            int(node): _matrices(value, f"{key}/{name}/{node}", dtype, dimensions) for node, value in nodes.items()
        }
    return by_name


def _matrices(value: Any, place: str, dtype: type, dimensions: int) -> AnyArray:
    """Return matrices given as 16 numbers each, column by column, or a list of weights."""
    with np.errstate(over="ignore"):  # what does not fit is found not finite below
        array: AnyArray = np.array(value, np.float64).astype(dtype)
    if dimensions > 1 and array.shape[-1:] == (16,):
        array = array.reshape(*array.shape[:-1], 4, 4).swapaxes(-1, -2)
    if array.ndim != dimensions or (dimensions > 1 and array.shape[-2:] != (4, 4)):
        expected = {1: "a list of numbers", 2: "16 numbers, column by column", 3: "a list of 16 numbers for each joint"}
        raise ValueError(f'"{place}" has shape {array.shape}, expected {expected[dimensions]}')
    if not np.isfinite(array).all():
        raise ValueError(f'"{place}" has a number that is not finite')
    return read_only(array)


def _take_arrays(data: Any, place: str, arrays: dict[str, AnyArray]) -> None:
    """Move every list of numbers below `data` into `arrays`, leaving its name."""
    for key, value in data.items():
        here = f"{place}/{key}" if place else str(key)
        if isinstance(value, dict) and key != "sources":
            _take_arrays(value, here, arrays)
        elif isinstance(value, list) and key != "sources":
            arrays[here] = np.array(value, np.float32 if "palettes/" in here else np.float64)
            data[key] = {"array": here}


def _give_arrays(data: Any, arrays: Mapping[str, AnyArray]) -> None:
    """Put the arrays back where `_take_arrays` left their names."""
    for key, value in data.items():
        if isinstance(value, dict) and set(value) == {"array"}:
            data[key] = arrays[value["array"]].tolist()
        elif isinstance(value, dict) and key != "sources":
            _give_arrays(value, arrays)
