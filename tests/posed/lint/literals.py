"""A file in which nothing is suspicious, to be spoiled in one place, and what lint says of it then."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from posed.lint import lint
from tests.gltf_literals import TRIANGLE, Literal

Spoil = Callable[[Literal], object]
Case = tuple[Spoil, list[str]]
"""A fault, and all that lint says of the clean file with it, each line without the cure."""

HALF = 0.5**0.5

PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU"
    b"\0\0\0\nIDATx\x9cc`\0\0\0\x02\0\x01H\xaf\xa4q\0\0\0\0IEND\xaeB`\x82"
)
"""One black texel."""


def bounded(file: Literal, values: ArrayLike, dtype: DTypeLike = np.float32, **extra: Any) -> int:
    """Append an accessor with its true min and max."""
    rows = np.asarray(values, dtype).reshape(len(np.asarray(values)), -1)
    return file.accessor(values, dtype, min=rows.min(axis=0).tolist(), max=rows.max(axis=0).tolist(), **extra)


def animate(file: Literal, *channels: tuple[int | None, str, Sequence[float], ArrayLike, str], **extra: Any) -> int:
    """Append a clip whose key times have their true min and max."""
    clip = file.animation(*channels, **extra)
    for sampler, (_, _, times, _, _) in zip(file.root["animations"][clip]["samplers"], channels, strict=True):
        file.root["accessors"][sampler["input"]] |= {"min": [min(times)], "max": [max(times)]}
    return clip


def clean() -> Literal:
    """A triangle on two joints, node 0 under skin 0, with a clip of one second that turns joint node 2.

    Vertices 0 and 1 follow joint 0, vertex 2 joint 1. Joint 0 is node 1, joint 1 its child node 2, one metre up.
    """
    file = Literal(scenes=[{"nodes": [0, 1]}])
    primitive = {
        "attributes": {
            "POSITION": bounded(file, TRIANGLE),
            "NORMAL": file.accessor([[0, 0, 1]] * 3),
            "JOINTS_0": file.accessor([[0, 1, 0, 0]] * 3, np.uint8),
            "WEIGHTS_0": file.accessor([[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]]),
        },
        "material": 0,
    }
    file.root["materials"] = [{"name": "skin"}]
    file.node(name="body", mesh=file.mesh(primitive, name="body"), skin=0)
    file.node(name="hip", children=[2])
    file.node(name="knee", translation=[0, 1, 0])
    bind = np.stack([np.eye(4), np.eye(4)])
    bind[1, 1, 3] = -1.0
    file.root["skins"] = [{"joints": [1, 2], "inverseBindMatrices": file.accessor(bind)}]
    animate(file, (2, "rotation", (0, 1), [[0, 0, 0, 1], [0, 0, HALF, HALF]], "LINEAR"), name="Bend")
    return file


def lines(path: Path) -> list[str]:
    """Return what lint says of a file, each line without the path before it and the cure after it."""
    found = []
    for finding in lint(path):
        line, path_, cure = str(finding), str(finding.path), f"; {finding.cure}"
        assert line.startswith(path_)
        assert line.endswith(cure)
        assert "\n" not in line
        found.append(line.removeprefix(path_).removeprefix(": ").removesuffix(cure))
    return found


def spoiled(spoil: Spoil, folder: Path) -> list[str]:
    """Return what lint says of the clean file with one fault in it."""
    file = clean()
    spoil(file)
    return lines(file.write(folder))


def primitive_of(file: Literal) -> dict[str, Any]:
    """Return the clean file's one primitive."""
    primitive: dict[str, Any] = file.root["meshes"][0]["primitives"][0]
    return primitive


def replace_accessor(file: Literal, index: int, values: ArrayLike, dtype: DTypeLike = np.float32, **extra: Any) -> None:
    """Put other elements in the place of accessor `index`, so that no loose one is left behind."""
    new = file.root["accessors"].pop(file.accessor(values, dtype, **extra))
    view = file.root["bufferViews"].pop()
    file.root["bufferViews"][file.root["accessors"][index]["bufferView"]] = view
    file.root["accessors"][index] = new | {"bufferView": file.root["accessors"][index]["bufferView"]}
