"""Frames that other renderers leave, as folders, arrays and pictures."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import OpenEXR
import PIL.Image
import pytest

from posed.camera import Camera
from posed.errors import PosedError
from posed.frame import Frame

DEPTH = np.array([[1.0, 2.0, np.inf], [3.0, 4.0, np.inf]], np.float64)
IDS = np.array([[1, 1, 0], [2, 2, 0]], np.int64)


def folder(place: Path, facts: Any = None, **layers: Any) -> Path:
    for name, layer in layers.items():
        np.save(place / f"{name}.npy", layer)
    if facts is not None:
        (place / "frame.json").write_text(facts if isinstance(facts, str) else json.dumps(facts))
    return place


def test_a_folder_s_arrays_are_layers_in_our_kinds(tmp_path: Path) -> None:
    frame = Frame.load(folder(tmp_path, depth=DEPTH[..., None], object=IDS, color=np.full((2, 3, 3), 0.25)))
    assert frame.size == (3, 2)
    assert set(frame) == {"depth", "object", "color"}
    assert frame["depth"].dtype == np.float32
    assert frame["object"].dtype == np.uint32
    np.testing.assert_array_equal(frame["color"][0, 0], [0.25, 0.25, 0.25, 1.0])
    assert frame.provenance.renderer == tmp_path.name
    assert frame.provenance.tick is None


def test_a_folder_s_picture_is_srgb_with_straight_alpha(tmp_path: Path) -> None:
    PIL.Image.fromarray(np.array([[[188, 188, 188, 128]]], np.uint8)).save(tmp_path / "color.png")
    frame = Frame.load(tmp_path)
    assert frame["color"][0, 0].tolist() == pytest.approx([0.2518, 0.2518, 0.2518, 0.50196], abs=1e-3)
    assert frame.provenance.background == "transparent"


def test_what_frame_json_states_is_kept(tmp_path: Path) -> None:
    camera = Camera(np.eye(4), yfov=0.7, zfar=50.0)
    facts = {
        "size": [3, 2],
        "tick": 42,
        "renderer": "three.js",
        "version": "r180",
        "camera": camera.to_json(),
        "ids": {"objects": ["box"], "parts": [], "materials": [], "joints": []},
    }
    frame = Frame.load(folder(tmp_path, facts, depth=DEPTH))
    assert (frame.provenance.tick, frame.provenance.renderer, frame.provenance.version) == (42, "three.js", "r180")
    assert frame.camera is not None
    assert frame.camera.to_json() == camera.to_json()
    assert frame.ids.objects == ("box",)


@pytest.mark.parametrize(
    ("facts", "layers", "message"),
    [
        (None, {}, r"holds no frame: expected color.png or a layer such as depth.npy \(the layers are color, depth"),
        (None, {"depth": DEPTH, "object": IDS[:1]}, "object is 3x1 and depth 3x2"),
        (None, {"depth": DEPTH[0]}, r"depth.npy: has shape \(3,\): expected \(H, W\)"),
        (None, {"normal": DEPTH}, r"has shape \(2, 3\): expected \(H, W, 3\)"),
        (None, {"depth": IDS}, "depth.npy: is int64: expected float32"),
        (None, {"object": DEPTH}, "is float64 and an id layer: expected whole numbers"),
        (None, {"object": IDS - 1}, "expected whole numbers from 0"),
        ({"size": [2, 3]}, {"depth": DEPTH}, r"states the size \[2, 3\], its layers are 3x2"),
        ({"ticks": 3}, {"depth": DEPTH}, 'there is no fact "ticks": it may state size, camera, ids, scene'),
        ({"tick": "3"}, {"depth": DEPTH}, "\"tick\" is '3': expected an integer"),
        ({"renderer": 3}, {"depth": DEPTH}, '"renderer" is 3: expected a text'),
        ({"camera": {"matrix": [1]}}, {"depth": DEPTH}, "does not state a frame: a camera's matrix has 16"),
        ("[1, 2", {"depth": DEPTH}, "frame.json: is not JSON"),
        ("[1, 2]", {"depth": DEPTH}, "is no table of facts"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(tmp_path: Path, facts: Any, layers: Any, message: str) -> None:
    with pytest.raises(PosedError, match=message):
        Frame.load(folder(tmp_path, facts, **layers))


def test_two_colors_and_files_that_are_no_arrays_are_refused(tmp_path: Path) -> None:
    PIL.Image.new("RGB", (3, 2)).save(tmp_path / "color.png")
    folder(tmp_path, color=np.zeros((2, 3, 3)))
    with pytest.raises(PosedError, match=r"has color.png and color.npy: leave one"):
        Frame.load(tmp_path)
    (tmp_path / "color.npy").write_bytes(b"none")
    with pytest.raises(PosedError, match=r"color.npy: is no array of NumPy"):
        Frame.load(tmp_path)


def test_an_npz_of_another_program_has_the_layers_it_names(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", depth=DEPTH, object=IDS, extra=np.zeros(3))
    frame = Frame.load(tmp_path / "a.npz")
    assert set(frame) == {"depth", "object"}
    np.savez(tmp_path / "b.npz", extra=np.zeros(3))
    with pytest.raises(PosedError, match=r"b.npz: holds no layer of a frame but extra"):
        Frame.load(tmp_path / "b.npz")


def test_an_exr_of_another_program_is_opaque_without_alpha(tmp_path: Path) -> None:
    plane = np.full((2, 3), 0.5, np.float32)
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    with OpenEXR.File(header, {"R": plane, "G": plane * 2, "B": plane, "Z": plane}) as file:
        file.write(str(tmp_path / "a.exr"))
    frame = Frame.load(tmp_path / "a.exr")
    assert set(frame) == {"color", "depth"}
    assert frame["color"][0, 0].tolist() == [0.5, 1.0, 0.5, 1.0]
