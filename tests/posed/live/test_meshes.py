"""Meshes: how they are packed, what is refused, and that buffers which do not hold them all are several."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from posed.errors import PosedError
from posed.gltf.material import Material
from posed.gltf.mesh import MorphTarget
from posed.live import MeshData, Renderer, SkinData, store
from posed.live.geometry import pack
from posed.live.slots import slotted_corners
from posed.live.strongest import strongest_joints
from tests.posed.live.literals import QUAD, model, picture, posed, primitive, rectangle, scene

UVS = (np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float32),)
RED = [[[255, 0, 0, 255], [1, 2, 3, 4]]]
CORNERS = np.array(rectangle(0, 0, 1, 1, 0))


def test_influences_without_weight_are_left_out_and_the_others_keep_their_order() -> None:
    skin = SkinData(
        np.array([[5, 6, 7]] * 4),
        np.array([[0.5, 0, 0.5], [0, 1, 0], [0.25, 0.25, 0.5], [1, 0, 0]], np.float32),
    )
    packed = pack(MeshData(CORNERS, QUAD), skin)
    words = packed.indices
    assert words[:8].reshape(4, 2).tolist() == [[8, 2], [11, 1], [13, 3], [18, 1]]
    assert words[8:10].view(np.float32).tolist() == [0.5, 0.5]
    assert words[[10, 12, 19]].tolist() == [5 | 7 << 16, 6, 5]
    assert words[13:16].view(np.float32).tolist() == [0.25, 0.25, 0.5]
    assert words[16:18].tolist() == [5 | 6 << 16, 7]
    corners = slotted_corners(np.array(QUAD, np.uint32), 4)
    assert words[20:26].tolist() == corners.tolist()
    assert words[26:].tolist() == strongest_joints(corners, skin.joints, skin.weights).tolist()
    assert packed.record["first_corner"] == 20
    assert skin.joint_count == 8


def test_a_joint_that_has_no_weight_needs_no_palette_row() -> None:
    assert SkinData(np.array([[3, 900]]), np.array([[1.0, 0.0]])).joint_count == 4
    assert SkinData(np.array([[65535]]), np.array([[1.0]])).joint_count == 65536


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ({"positions": CORNERS[:, :2]}, r"positions are \(4, 2\): expected \(4, 3\), a row a vertex"),
        ({"normals": CORNERS[:3]}, r"normals are \(3, 3\): expected \(4, 3\)"),
        ({"uvs": (UVS[0], CORNERS)}, r"uvs 1 are \(4, 3\): expected \(4, 2\)"),
        ({"tangents": np.full((4, 4), np.nan)}, r"tangents: row 0 is not finite"),
        ({"targets": (MorphTarget(normals=CORNERS[1:]),)}, r"normals of target 0 are \(3, 3\)"),
        ({"triangles": [[0, 1, 2], [1, 2, 4]]}, r"triangle 1 is \[1, 2, 4\]: there are 4 vertices"),
        ({"triangles": [[0, 1, -1]]}, r"triangle 0 is \[0, 1, -1\]"),
        ({"triangles": [0, 1, 2]}, r"triangles are int64 \(3,\): expected integers \(F, 3\)"),
        ({"positions": np.zeros((0, 3)), "triangles": np.zeros((0, 3), int)}, r"a mesh has one vertex or more"),
    ],
)
def test_a_mesh_that_is_none_is_refused_by_what_is_wrong(given: dict[str, Any], refusal: str) -> None:
    with pytest.raises(PosedError, match=refusal):
        MeshData(**{"positions": CORNERS, "triangles": QUAD} | given)


@pytest.mark.parametrize(
    ("joints", "weights", "refusal"),
    [
        ([[0], [1]], [[1.0]], r"joints are int64 \(2, 1\), weights \(1, 1\)"),
        ([[0.5]], [[1.0]], r"joints are float64"),
        ([[0], [1]], [[1.0], [0.0]], r"vertex 1 has no weight: bind it to a joint"),
        ([[0]], [[np.inf]], r"vertex 0 has a weight that is not finite"),
        ([[65536]], [[1.0]], r"joints lie in 65536 .. 65536: expected 0 .. 65535"),
        ([[-1]], [[1.0]], r"joints lie in -1 .. -1"),
    ],
)
def test_a_binding_that_is_none_is_refused_by_what_is_wrong(joints: Any, weights: Any, refusal: str) -> None:
    with pytest.raises(PosedError, match=refusal):
        SkinData(np.array(joints), np.array(weights))


def test_what_nothing_binds_is_no_skin() -> None:
    with pytest.raises(PosedError, match="primitive 0 has no joints: upload it as a mesh that is not skinned"):
        SkinData.of(primitive(rectangle(0, 0, 1, 1, 0)))


def test_several_pages_draw_what_one_does(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    quads = [primitive(rectangle(x, -1, x + 0.4, 1, -1 - x / 9), uvs=UVS) for x in (-1.0, -0.5, 0.0, 0.5)]
    drawn = scene(*(model(quad, material=Material(color_texture=picture(RED))) for quad in quads))
    expected = renderer.render(drawn, posed(), size=(40, 20))
    monkeypatch.setattr(store, "LIMIT", 352)  # one material's record, and four quads of 4 vertices of 5 floats
    several = Renderer()
    copies = [replace(quad, index=0) for quad in quads * 2]
    again = scene(*(model(quad, material=Material(color_texture=picture(RED))) for quad in copies))
    found = several.render(again, posed(), size=(40, 20))
    assert len(several._meshes._pages) == 2
    assert len(several._surfaces._pages) == 8
    np.testing.assert_array_equal(found["triangle"], expected["triangle"])
    assert set(np.unique(expected["object"])) == {0, 1, 2, 3, 4}


def test_what_fits_no_binding_is_refused_by_name(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LIMIT", 40)
    with pytest.raises(PosedError, match=r'object "a", node 0, primitive 0: its vertices take 48 bytes .* at most 40'):
        renderer.render(scene(model(primitive(rectangle(0, 0, 1, 1, 0)))), posed())
