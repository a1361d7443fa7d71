"""Live sides from files and folders, told apart by what is in them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posed.errors import PosedError
from posed.frame import Frame
from posed.verify.loading import load_side
from posed.verify.vertices import PartVertices, Place, Vertices
from tests.posed.live.literals import posed as snapshot

FRAME = Frame({"depth": np.ones((2, 3), np.float32)}, (3, 2))
VERTICES = Vertices({Place("a", 0, 0): PartVertices(np.zeros((3, 3), np.float32))})


@pytest.mark.parametrize(
    ("name", "held", "kind"),
    [
        ("a.npz", FRAME, "frame"),
        ("a.exr", FRAME, "frame"),
        ("a.npz", snapshot(models={"a": np.eye(4)}), "pose"),
        ("a.npz", snapshot(), "pose"),
        ("a.json", snapshot(), "pose"),
        ("a.npz", VERTICES, "vertices"),
    ],
)
def test_a_file_is_what_is_in_it(tmp_path: Path, name: str, held: Any, kind: str) -> None:
    held.save(tmp_path / name)
    side = load_side(tmp_path / name)
    assert [one for one in ("frame", "pose", "vertices") if getattr(side, one) is not None] == [kind]


def test_a_folder_may_hold_a_frame_a_snapshot_and_vertices(tmp_path: Path) -> None:
    np.save(tmp_path / "depth.npy", FRAME["depth"])
    snapshot(tick=3).save(tmp_path / "posed.json")
    VERTICES.save(tmp_path / "vertices.npz")
    side = load_side(tmp_path)
    assert side.frame is not None
    assert side.pose is not None
    assert side.vertices is not None
    assert side.tick == 3
    assert side.origin == tmp_path.name


def test_a_snapshot_alone_in_a_folder_is_enough(tmp_path: Path) -> None:
    snapshot().save(tmp_path / "posed.npz")
    side = load_side(tmp_path)
    assert side.frame is None
    assert side.pose is not None


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", 'found ".txt"'),
        ("a.npz", b"", "is not an npz"),
        ("a.json", b"[]", "is not a snapshot"),
        ("none.npz", None, "there is no such file"),
        ("", None, "holds no frame"),
    ],
)
def test_what_is_none_of_these_is_refused(tmp_path: Path, name: str, content: bytes | None, message: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(PosedError, match=message):
        load_side(tmp_path / name)


def test_two_snapshots_in_a_folder_are_refused(tmp_path: Path) -> None:
    for name in ("posed.json", "posed.npz"):
        snapshot().save(tmp_path / name)
    with pytest.raises(PosedError, match=r"has posed.json and posed.npz: leave one"):
        load_side(tmp_path)
