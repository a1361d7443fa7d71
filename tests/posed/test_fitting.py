"""Snapshots against their scene: what is filled in and what is refused."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from posed.errors import PoseError
from posed.fitting import fit
from posed.scene.description import Scene
from posed.scene.load import load
from posed.snapshot import Posed
from posed.still import still_posed
from tests.gltf_literals import two_joint_skin
from tests.gltf_rigs import sprite_card


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    (tmp_path / "a.glb").write_bytes(two_joint_skin().glb())
    return load(tmp_path / "a.glb")


def test_what_is_left_out_is_filled_in(scene: Scene) -> None:
    whole = fit(scene, Posed(3, Fraction(60)))
    still = still_posed(scene, 3)
    assert whole.palettes["a"].keys() == still.palettes["a"].keys()
    assert whole.models["a"].tolist() == np.eye(4).tolist()
    assert whole.camera is not None
    assert replace(whole, scene=scene.digest) == still


def test_what_is_whole_stays_the_same(scene: Scene) -> None:
    still = still_posed(scene, 3)
    assert fit(scene, still) is still


def test_palettes_in_mesh_space_are_taken_to_scene_space(scene: Scene) -> None:
    """The skinned node's global given with the snapshot moves by (5, 0, 0)."""
    still = still_posed(scene, 0)
    ((node, palette),) = still.palettes["a"].items()
    place = np.eye(4)
    place[0, 3] = 5.0
    dumped = palette.copy()
    dumped[:, 0, 3] -= 5.0
    mine = fit(scene, replace(still, nodes={"a": {node: place}}, palettes={"a": {node: dumped}}, space="mesh"))
    assert (mine.space, dict(mine.nodes)) == ("scene", {})
    assert mine.palettes["a"][node].tolist() == palette.tolist()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scene": "0" * 32}, "taken of scene 0000.*: give the scene that it was taken of, or pose it again"),
        ({"models": {"b": np.eye(4)}}, r'models: the scene has no object "b" \(it has a\)'),
        ({"palettes": {"a": {7: np.zeros((2, 4, 4), np.float32)}}}, 'palettes: object "a" takes none at node 7'),
        ({"morphs": {"a": {0: np.zeros(1)}}}, r'morphs: object "a" takes none at node 0 \(it takes them at none\)'),
        ({"sprites": {"a": 0}}, 'sprites: "a" is no sprite'),
    ],
)
def test_what_does_not_fit_is_refused(scene: Scene, changes: dict[str, object], message: str) -> None:
    with pytest.raises(PoseError, match=message):
        fit(scene, replace(Posed(0, Fraction(60)), **changes))  # type: ignore[arg-type]


def test_another_count_of_joints_is_refused(scene: Scene) -> None:
    (node,) = still_posed(scene, 0).palettes["a"]
    with pytest.raises(PoseError, match=r'palettes: object "a", node \d has 3 entries of shape \(4, 4\): expected 2'):
        fit(scene, Posed(0, Fraction(60), palettes={"a": {node: np.zeros((3, 4, 4), np.float32)}}))


def test_a_frame_past_the_atlas_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PoseError, match='sprites: "hero" is at frame 8, its atlas has 8'):
        fit(load(sprite_card(tmp_path)), Posed(0, Fraction(60), sprites={"hero": 8}))
