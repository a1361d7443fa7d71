"""Frames in memory and in files."""

from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from posed.camera import Camera
from posed.errors import PosedError
from posed.frame import Frame, Provenance
from posed.scene.ids import IdTable, JointId, PartId


def frame() -> Frame:
    color = np.zeros((2, 3, 4), np.float32)
    color[0, 0] = (0.5, 0.0, 1.0, 1.0)
    depth = np.full((2, 3), np.inf, np.float32)
    ids = IdTable(("a",), (PartId(1, "a", 0, 2, "mesh"),), ("red",), (JointId(1, "a", 0, 0, "hip"),))
    return Frame(
        {"color": color, "depth": depth, "object": np.eye(2, 3, dtype=np.uint32)},
        (3, 2),
        Camera(np.eye(4), yfov=1.0),
        ids,
        Provenance(tick=42, renderer="test"),
    )


def test_layers_are_read_by_name_and_a_missing_one_says_which_there_are() -> None:
    one = frame()
    assert one["depth"].shape == (2, 3)
    assert "normal" not in one
    with pytest.raises(KeyError, match='the frame has no layer "normal": it has color, depth, object'):
        one["normal"]


def test_layers_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        frame()["depth"][0, 0] = 1.0


def test_a_layer_of_another_shape_or_type_is_refused() -> None:
    with pytest.raises(PosedError, match=r'layer "depth" is float64 \(2, 3\): expected float32 \(2, 3\)'):
        Frame({"depth": np.zeros((2, 3))}, (3, 2))
    with pytest.raises(PosedError, match='a frame has no layer "z"'):
        Frame({"z": np.zeros((2, 3), np.float32)}, (3, 2))


def test_npz_keeps_everything(tmp_path: Path) -> None:
    one, path = frame(), tmp_path / "frame.npz"
    one.save(path)
    back = Frame.load(path)
    assert {name: back[name].tobytes() for name in back} == {name: one[name].tobytes() for name in sorted(one)}
    assert (back.size, back.ids, back.provenance) == (one.size, one.ids, one.provenance)
    assert back.camera is not None
    assert (back.camera.yfov, back.camera.zfar) == (1.0, np.inf)


def test_npz_has_the_same_bytes_each_time(tmp_path: Path) -> None:
    frame().save(tmp_path / "a.npz")
    frame().save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_png_is_srgb_encoded_once_and_opaque(tmp_path: Path) -> None:
    frame().save(tmp_path / "frame.png")
    with PIL.Image.open(tmp_path / "frame.png") as picture:
        assert (picture.mode, picture.size, picture.getpixel((0, 0))) == ("RGB", (3, 2), (188, 0, 255))


def test_png_of_a_transparent_background_has_straight_alpha(tmp_path: Path) -> None:
    color = np.float32([[[0.25, 0.25, 0.25, 0.5], [0, 0, 0, 0]]])
    Frame({"color": color}, (2, 1), provenance=Provenance(background="transparent")).save(tmp_path / "frame.png")
    with PIL.Image.open(tmp_path / "frame.png") as picture:
        assert [picture.getpixel((x, 0)) for x in range(2)] == [(188, 188, 188, 128), (0, 0, 0, 0)]


def test_another_suffix_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(PosedError, match=r'a frame is saved as \.png or \.npz, found "\.gif"'):
        frame().save(tmp_path / "frame.gif")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_save_keeps_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "frame.png"
    path.write_bytes(b"mine")
    with pytest.raises(PosedError, match="a PNG shows color and this frame has depth: use .npz"):
        Frame({"depth": np.zeros((1, 1), np.float32)}, (1, 1)).save(path)
    assert path.read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(PosedError, match="nowhere: cannot be written: No such file or directory"):
        frame().save(tmp_path / "nowhere" / "frame.png")


@pytest.mark.parametrize("content", [b"", b"PK\3\4", b"not an archive"], ids=["empty", "cut", "text"])
def test_what_is_no_frame_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.npz").write_bytes(content)
    with pytest.raises(PosedError, match="is not a frame that posed wrote"):
        Frame.load(tmp_path / "x.npz")


def test_ids_have_names() -> None:
    ids = frame().ids
    assert [ids.name("object", 0), ids.name("object", 1)] == ["background", "a"]
    assert [ids.name("part", 1), ids.name("material", 1), ids.name("joint", 1)] == ["a/mesh/2", "red", "a/hip"]
    assert IdTable.from_json(ids.to_json()) == ids
