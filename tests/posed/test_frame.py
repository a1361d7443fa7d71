"""Frames in memory and in files."""

import json
from pathlib import Path

import numpy as np
import OpenEXR
import PIL.Image
import pytest

from posed.camera import Camera
from posed.errors import PosedError
from posed.frame import LAYERS, Frame, Provenance, ShadowBand
from posed.frame_files import CHANNELS
from posed.npz import write_npz
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
        Provenance(tick=42, renderer="test", shadows=(ShadowBand(0, (1, 2), 0.25, 0.5), ShadowBand(1, (1,), 1.0, 0.0))),
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


@pytest.mark.parametrize("name", ["frame.npz", "frame.exr"])
def test_a_file_keeps_everything(tmp_path: Path, name: str) -> None:
    one, path = frame(), tmp_path / name
    one.save(path)
    back = Frame.load(path)
    assert {name: back[name].tobytes() for name in back} == {name: one[name].tobytes() for name in one}
    assert (back.size, back.ids, back.provenance) == (one.size, one.ids, one.provenance)
    assert hash(back.provenance) == hash(one.provenance)
    assert back.camera is not None
    assert (back.camera.yfov, back.camera.zfar) == (1.0, np.inf)


@pytest.mark.parametrize("suffix", [".npz", ".exr", ".png"])
def test_a_file_has_the_same_bytes_each_time(tmp_path: Path, suffix: str) -> None:
    for name in ("a", "b"):
        frame().save((tmp_path / name).with_suffix(suffix))
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_exr_has_the_channels_that_other_tools_know_and_states_where_it_came_from(tmp_path: Path) -> None:
    frame().save(tmp_path / "frame.exr")
    with OpenEXR.File(str(tmp_path / "frame.exr"), separate_channels=True) as file:
        channels = {name: channel.pixels for name, channel in file.channels().items()}
        assert (file.header()["posed.tick"], file.header()["posed.renderer"]) == ("42", "test")
    assert sorted(channels) == ["A", "B", "G", "R", "Z", "id.object"]
    assert channels["id.object"].dtype == np.uint32
    assert channels["R"][0].tolist() == [0.5, 0.0, 0.0]


def test_every_layer_has_channels() -> None:
    assert {name: len(channels) for name, channels in CHANNELS.items()} == {
        name: max(count, 1) for name, (count, _) in LAYERS.items()
    }


def test_an_exr_of_another_renderer_gives_what_it_has(tmp_path: Path) -> None:
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    with OpenEXR.File(header, {"Z": np.full((2, 3), 5, np.float32), "other": np.zeros((2, 3), np.float32)}) as file:
        file.write(str(tmp_path / "x.exr"))
    back = Frame.load(tmp_path / "x.exr")
    assert (list(back), back.size, back["depth"][0, 0]) == (["depth"], (3, 2), 5.0)


def test_a_png_of_any_engine_is_read_as_linear_color(tmp_path: Path) -> None:
    PIL.Image.new("RGB", (3, 2), (188, 0, 255)).save(tmp_path / "x.png")
    back = Frame.load(tmp_path / "x.png")
    assert (list(back), back.size) == (["color"], (3, 2))
    assert back["color"][0, 0] == pytest.approx((0.502886, 0.0, 1.0, 1.0), abs=1e-6)
    assert back.rgba()[0, 0].tolist() == [188, 0, 255, 255]


def test_arrays_given_to_a_frame_stay_writable() -> None:
    depth = np.zeros((1, 1), np.float32)
    Frame({"depth": depth}, (1, 1))
    depth[0, 0] = 1.0


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
    with pytest.raises(PosedError, match=r'a frame is saved as one of \.png, \.exr, \.npz, found "\.gif"'):
        frame().save(tmp_path / "frame.gif")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_save_keeps_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "frame.png"
    path.write_bytes(b"mine")
    with pytest.raises(PosedError, match="a PNG shows color and this frame has depth: use .exr or .npz"):
        Frame({"depth": np.zeros((1, 1), np.float32)}, (1, 1)).save(path)
    assert path.read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_made(tmp_path: Path) -> None:
    frame().save(tmp_path / "new" / "frame.png")
    assert (tmp_path / "new" / "frame.png").stat().st_size > 0


@pytest.mark.parametrize("name", ["x.npz", "x.exr", "x.png"])
@pytest.mark.parametrize(
    "content", [b"", b"PK\3\4", b"\x76\x2f\x31\x01\x02", b"\x89PNG\r\n\x1a\n", b"not an image"], ids=range(5)
)
def test_what_is_no_frame_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(PosedError, match=f"{name}: (is not a frame that|is not an EXR that|not a readable PNG)"):
        Frame.load(tmp_path / name)


def test_a_frame_of_another_version_is_refused(tmp_path: Path) -> None:
    meta = {"format": "posed frame", "version": 2}
    with (tmp_path / "x.npz").open("wb") as stream:
        write_npz(stream, {"posed": np.frombuffer(json.dumps(meta).encode(), np.uint8)})
    with pytest.raises(PosedError, match="x.npz: is a posed frame of version 2: expected version 1"):
        Frame.load(tmp_path / "x.npz")


def test_an_exr_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame().save(tmp_path / "x.exr")
    monkeypatch.setattr("posed.frame_files.LARGEST_SIDE", 1)
    with pytest.raises(PosedError, match=r"x.exr: is \d x \d pixels: at most 1 a side are read"):
        Frame.load(tmp_path / "x.exr")


def test_a_missing_or_unknown_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(PosedError, match="x.npz: there is no such file"):
        Frame.load(tmp_path / "x.npz")
    with pytest.raises(PosedError, match=r'a frame is read from one of \.png, \.exr, \.npz, found "\.gif"'):
        Frame.load(tmp_path / "x.gif")


def test_ids_have_names() -> None:
    ids = frame().ids
    assert [ids.name("object", 0), ids.name("object", 1)] == ["background", "a"]
    assert [ids.name("part", 1), ids.name("material", 1), ids.name("joint", 1)] == ["a/mesh/2", "red", "a/hip"]
    assert IdTable.from_json(ids.to_json()) == ids


@pytest.mark.parametrize("size", [(0, 0), (0, 4), (4, 0)])
def test_a_frame_without_pixels_is_refused(tmp_path: Path, size: tuple[int, int]) -> None:
    """Else it would agree with anything."""
    width, height = size
    path = tmp_path / "none.npz"
    np.savez(path, depth=np.zeros((height, width), np.float32))
    with pytest.raises(
        PosedError, match=f"a frame of {width} x {height} pixels shows nothing: draw it at 1 x 1 or larger"
    ):
        Frame.load(path)
