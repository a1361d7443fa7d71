"""A corpus of broken rigs: each is a sound one with one fault, together with what must become of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.gltf_literals import Literal
from tests.gltf_rigs import BENT, LIMB, limb

Points = tuple[tuple[float, float, float], ...]
Spoil = Callable[[Literal], object]


@dataclass(frozen=True)
class Broken:
    """One broken rig.

    Attributes
    ----------
    name
        What is wrong, and the test's name.
    spoil
        Puts the fault into the sound file.
    codes
        What lint finds, errors first.
    refused
        The text with which loading refuses it, after the file's name; empty where it loads.
    rest, moved
        Where the first part's vertices must be, at rest and one second into the clip; none where no part is shown.
    unposed, untraced
        How the text ends with which every pose, or every picture, of what loads is refused.
    seen
        Whether a picture of it at rest shows anything.
    base
        The sound file.
    """

    name: str
    spoil: Spoil
    codes: str
    refused: str = ""
    rest: Points = LIMB
    moved: Points = BENT
    unposed: str = ""
    untraced: str = ""
    seen: bool = True
    base: Callable[[], Literal] = limb

    def build(self) -> Literal:
        """Return the file."""
        file = self.base()
        self.spoil(file)
        return file


def primitive(file: Literal) -> dict[str, Any]:
    """Return the first primitive's JSON."""
    found: dict[str, Any] = file.root["meshes"][0]["primitives"][0]
    return found


def attribute(name: str, values: Any, dtype: Any = np.float32, **extra: Any) -> Spoil:
    """Return what puts other values in the place of an attribute."""

    def spoil(file: Literal) -> None:
        index = primitive(file)["attributes"].get(name)
        if name == "POSITION" and np.isfinite(values).all() and len(values):
            rows = np.array(values, dtype)
            extra.update(min=rows.min(axis=0).tolist(), max=rows.max(axis=0).tolist())
        if index is None:
            primitive(file)["attributes"][name] = file.accessor(values, dtype, **extra)
        else:
            put(file, index, values, dtype, **extra)

    return spoil


def put(file: Literal, index: int, values: Any, dtype: Any = np.float32, **extra: Any) -> None:
    """Put values in the place of accessor `index`, which keeps its number and its view."""
    new = file.root["accessors"].pop(file.accessor(values, dtype, **extra))
    view = file.root["bufferViews"].pop()
    at = file.root["accessors"][index]["bufferView"]
    file.root["bufferViews"][at] = view
    file.root["accessors"][index] = {**new, "bufferView": at}


def set_(*path: str | int, to: Any) -> Spoil:
    """Return what puts a value at a path of the JSON."""

    def spoil(file: Literal) -> None:
        here: Any = file.root
        for key in path[:-1]:
            here = here[key]
        here[path[-1]] = to

    return spoil


def adding(*path: Any) -> Spoil:
    """Return what appends the last of the words to the array at the path that the others are."""

    def spoil(file: Literal) -> None:
        here: Any = file.root
        for key in path[:-1]:
            here = here[key]
        here.append(path[-1])

    return spoil


def replaced(index: int, values: Any, dtype: Any = np.float32, **extra: Any) -> Spoil:
    """Return what puts values in the place of accessor `index`."""
    return lambda file: put(file, index, values, dtype, **extra)


def binds(*matrices: Any) -> Spoil:
    """Return what gives the skin other inverse bind matrices."""
    return lambda file: put(file, 5, np.array(matrices, np.float64))


def matrix(**changed: float) -> list[list[float]]:
    """Return the identity with entries by row and column: ``m01=2`` is row 0, column 1."""
    rows = np.eye(4).tolist()
    for place, value in changed.items():
        rows[int(place[1])][int(place[2])] = value
    return rows


def keys(values: Any, *, times: list[float] | None = None, path: str = "rotation", how: str = "LINEAR") -> Spoil:
    """Return what makes the one clip move the knee by another channel; its keys are at 0 and 1 s unless given."""

    def spoil(file: Literal) -> None:
        given = np.array([0, 1] if times is None else times, np.float32)
        bounds = (
            {"min": [float(given.min())], "max": [float(given.max())]}
            if np.isfinite(given).all() and len(given)
            else {}
        )
        put(file, 6, given, **bounds)
        put(file, 7, values)
        channel = file.root["animations"][0]
        channel["channels"][0]["target"]["path"] = path
        channel["samplers"][0]["interpolation"] = how

    return spoil


def without(*path: str | int) -> Spoil:
    """Return what takes away the value at a path of the JSON."""

    def spoil(file: Literal) -> None:
        here: Any = file.root
        for key in path[:-1]:
            here = here[key]
        del here[path[-1]]

    return spoil


def both(*spoils: Spoil) -> Spoil:
    """Return what does several things one after the other."""
    return lambda file: [spoil(file) for spoil in spoils]


def chain_of(count: int) -> Spoil:
    """Return what hangs a chain of `count` nodes on the knee."""

    def spoil(file: Literal) -> None:
        first = len(file.root["nodes"])
        file.root["nodes"][2]["children"] = [first]
        file.root["nodes"] += [{"children": [first + 1 + i]} for i in range(count - 1)] + [{}]

    return spoil
