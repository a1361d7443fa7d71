"""Files of baked meshes: `.npz`, `.ply`, `.obj` and `.glb`, each written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from posed.arrays import AnyArray, Float32
from posed.baked_glb import baked_glb
from posed.baking import BakedMesh
from posed.errors import PosedError
from posed.files import no_suffix, written_whole
from posed.gltf.model import Model
from posed.npz import write_npz

FORMATS = (".npz", ".ply", ".obj", ".glb")


def check_format(path: Path) -> None:
    """Refuse a name whose suffix is none of `FORMATS`."""
    if path.suffix.lower() not in FORMATS:
        raise PosedError(f"{path}: a bake is written as {', '.join(FORMATS)}, {no_suffix(path)}")


def write_baked(meshes: Sequence[BakedMesh], path: Path | str, *, model: Model | None = None) -> None:
    """Write baked meshes in the format that the suffix of `path` names; vertices keep their order and number.

    ``.npz`` has arrays ``<node>/<primitive>/<instance>/positions`` and so on; ``.ply`` all meshes as one, one after the
    other; ``.obj`` an object for each; ``.glb`` a node for each, with materials where `model` brings them.

    Raises
    ------
    PosedError
        The suffix is none of these, or the file cannot be written.
    """
    path = Path(path)
    check_format(path)
    writers: dict[str, Callable[[], Iterable[bytes]]] = {
        ".ply": lambda: _ply(meshes),
        ".obj": lambda: _obj(meshes),
        ".glb": lambda: [baked_glb(meshes, model)],
    }
    suffix = path.suffix.lower()
    with written_whole(path) as beside, beside.open("wb") as stream:
        if suffix == ".npz":
            _write_npz(stream, meshes)
        else:
            stream.writelines(writers[suffix]())


def _write_npz(stream: BinaryIO, meshes: Sequence[BakedMesh]) -> None:
    arrays: dict[str, AnyArray] = {}
    for mesh in meshes:
        place = f"{mesh.node}/{mesh.primitive}/{mesh.instance}"
        arrays[f"{place}/positions"] = mesh.positions
        arrays[f"{place}/triangles"] = mesh.triangles
        for name, values in (("normals", mesh.normals), ("tangents", mesh.tangents), ("colors", mesh.colors)):
            if values is not None:
                arrays[f"{place}/{name}"] = values
        for number, uvs in enumerate(mesh.uvs):
            arrays[f"{place}/uvs/{number}"] = uvs
    write_npz(stream, arrays)


def _ply(meshes: Sequence[BakedMesh]) -> Iterator[bytes]:
    """Yield a binary PLY of all meshes; normals and texture coordinates only where every mesh has them."""
    scalar = np.dtype("<f8" if any(mesh.positions.dtype == np.float64 for mesh in meshes) else "<f4")
    names = ["x", "y", "z"]
    columns: list[list[AnyArray]] = [[mesh.positions for mesh in meshes]]
    if meshes and all(mesh.normals is not None for mesh in meshes):
        names += ["nx", "ny", "nz"]
        columns.append([mesh.normals for mesh in meshes if mesh.normals is not None])
    if meshes and all(mesh.uvs for mesh in meshes):
        names += ["s", "t"]
        columns.append([_v_up(mesh.uvs[0]) for mesh in meshes])
    rows = [np.concatenate(values) for values in columns if values]
    vertices = np.concatenate(rows, axis=1).astype(scalar) if rows else np.zeros((0, 3), scalar)
    triangles = _joined_triangles(meshes)
    kind = "double" if scalar.itemsize == 8 else "float"
    header = [
        "ply",
        "format binary_little_endian 1.0",
        f"element vertex {len(vertices)}",
        *(f"property {kind} {name}" for name in names),
        f"element face {len(triangles)}",
        "property list uchar uint vertex_indices",
        "end_header",
    ]
    faces = np.empty(len(triangles), [("count", "u1"), ("corners", "<u4", 3)])
    faces["count"], faces["corners"] = 3, triangles
    yield ("\n".join(header) + "\n").encode()
    yield vertices.tobytes()
    yield faces.tobytes()


def _joined_triangles(meshes: Sequence[BakedMesh]) -> AnyArray:
    starts = np.cumsum([0, *(len(mesh.positions) for mesh in meshes)])
    parts = [mesh.triangles + np.uint32(start) for mesh, start in zip(meshes, starts[:-1], strict=True)]
    return np.concatenate([np.zeros((0, 3), np.uint32), *parts])


def _obj(meshes: Sequence[BakedMesh]) -> Iterator[bytes]:
    """Yield an OBJ with an object for each mesh; its indices count from 1 over the whole file."""
    vertex = texture = normal = 1
    for mesh in meshes:
        lines = [f"o node{mesh.node}_primitive{mesh.primitive}_instance{mesh.instance}"]
        lines += _rows("v", mesh.positions)
        if mesh.uvs:
            lines += _rows("vt", _v_up(mesh.uvs[0]))
        if mesh.normals is not None:
            lines += _rows("vn", mesh.normals)
        for triangle in mesh.triangles.tolist():
            lines.append("f " + " ".join(_corner(mesh, index, vertex, texture, normal) for index in triangle))
        vertex += len(mesh.positions)
        texture += len(mesh.positions) if mesh.uvs else 0
        normal += 0 if mesh.normals is None else len(mesh.positions)
        yield ("\n".join(lines) + "\n").encode()


def _corner(mesh: BakedMesh, index: int, vertex: int, texture: int, normal: int) -> str:
    uv = f"{texture + index}" if mesh.uvs else ""
    if mesh.normals is not None:
        return f"{vertex + index}/{uv}/{normal + index}"
    return f"{vertex + index}/{uv}" if uv else f"{vertex + index}"


def _v_up(uvs: Float32) -> AnyArray:
    """Return texture coordinates with v up from the image's lower edge, as these formats have it."""
    return np.stack([uvs[:, 0], np.float32(1.0) - uvs[:, 1]], axis=1)


def _rows(word: str, values: AnyArray) -> list[str]:
    """Return a line for each row, every number with the digits that bring its bits back."""
    digits = 17 if values.dtype == np.float64 else 9
    return [f"{word} " + " ".join(f"{number:.{digits}g}" for number in row) for row in values.tolist()]
