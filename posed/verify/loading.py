"""A live side from what an engine left: a frame, a snapshot, vertices, or a folder with any of them."""

from __future__ import annotations

import zipfile
from pathlib import Path

from posed.errors import PosedError
from posed.files import no_suffix, unreadable
from posed.foreign_frames import read_folder
from posed.frame import FORMATS, LAYERS, Frame
from posed.snapshot import Posed
from posed.verify.sides import side_of
from posed.verify.verdict import Side
from posed.verify.vertices import Vertices, is_vertices

POSED_FILES = ("posed.json", "posed.npz")
"""Names of a snapshot in a folder."""

VERTEX_FILE = "vertices.npz"
"""Name of vertices in a folder."""


def load_side(path: Path | str) -> Side:
    """Read what is compared from a file or a folder.

    A folder may hold a frame (see `foreign_frames.read_folder`), a snapshot as posed.json or posed.npz, and
    vertices.npz. A file is a frame (.png, .exr, .npz), a snapshot (.json, .npz) or vertices (.npz), told apart by their
    content.

    Raises
    ------
    PosedError
        It cannot be read or is none of these.
    """
    path = Path(path)
    if path.is_dir():
        return _load_folder(path)
    if path.suffix.lower() not in (*FORMATS, ".json"):
        raise PosedError(
            f"{path}: expected a frame ({', '.join(FORMATS)}), a snapshot (.json, .npz), vertices (.npz) or a folder, "
            f"{no_suffix(path)}"
        )
    reason = unreadable(path)
    if reason is not None:
        raise PosedError(f"{path}: {reason}")
    if path.suffix.lower() == ".json":
        return _named(side_of(Posed.load(path)), path)
    if path.suffix.lower() != ".npz":
        return side_of(Frame.load(path))
    match _npz_kind(path):
        case "snapshot":
            return _named(side_of(Posed.load(path)), path)
        case "vertices":
            return side_of(Vertices.load(path))
    return side_of(Frame.load(path))


def _load_folder(folder: Path) -> Side:
    poses = [folder / name for name in POSED_FILES if (folder / name).exists()]
    if len(poses) > 1:
        raise PosedError(f"{folder}: has {' and '.join(one.name for one in poses)}: leave one")
    pose = Posed.load(poses[0]) if poses else None
    vertices = Vertices.load(folder / VERTEX_FILE) if (folder / VERTEX_FILE).exists() else None
    has_frame = (folder / "color.png").exists() or any((folder / f"{name}.npy").exists() for name in LAYERS)
    frame = read_folder(folder) if has_frame or (pose is None and vertices is None) else None
    origin = folder.name if frame is None else side_of(frame).origin
    return Side(origin, frame, pose, vertices)


def _named(side: Side, path: Path) -> Side:
    return Side(path.name, pose=side.pose)


def _npz_kind(path: Path) -> str:
    """Return what the members of an npz say that it holds."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = {name.removesuffix(".npy") for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile) as error:
        raise PosedError(f"{path}: is not an npz: {error}") from error
    if "posed" in names:
        return "frame" if names & set(LAYERS) else "snapshot"
    return "vertices" if is_vertices(names) else "frame"
