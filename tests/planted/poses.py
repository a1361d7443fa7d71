"""Faults of what is posed: the live side draws, or dumps, another snapshot than the one it was given."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from posed.arrays import Float32, Float64
from posed.snapshot import Posed
from posed.verify import Vertices
from posed.verify.sides import Compared
from posed.verify.skinned import Skinned
from tests.planted.fault import planted
from tests.planted.stage import Stage

TURN = math.radians(0.05)


@planted("walker", layer="silhouette", object="walker", joint="scarf_3")
def a_scarf_moved_by_two_pixels(stage: Stage) -> Compared:
    """One joint's row of the palette is shifted across the picture."""
    return stage.draw(_shifted(stage, "scarf_3", 2.0))


@planted("walker", layer="object", object="walker", joint="foot_L")
def a_foot_moved_by_two_pixels(stage: Stage) -> Compared:
    """As the scarf, but before the ground, so that the silhouette stays whole."""
    return stage.draw(_shifted(stage, "foot_L", 2.0))


@planted("walker", layer="silhouette", object="walker")
def one_tick_late(stage: Stage) -> Compared:
    """The tick before is drawn under this one's number."""
    return stage.draw(replace(stage.at(stage.tick - 1), tick=stage.tick))


@planted("column", layer="silhouette", object="turning")
def bind_pose_on_one_of_three_objects(stage: Stage) -> Compared:
    """The palette of the column in the middle was never written."""
    bind = np.tile(np.eye(4, dtype=np.float32), (4, 1, 1))
    return stage.draw(_posing(stage.pose, "turning", {4: bind}))


@planted("walker", layer="silhouette", object="walker", joint="forearm_L")
def two_joints_swapped(stage: Stage) -> Compared:
    """The forearms have each other's rows of the palette."""
    palettes = {}
    left, right = (_row(stage, name) for name in ("forearm_L", "forearm_R"))
    for node, palette in stage.pose.palettes["walker"].items():
        palettes[node] = palette.copy()
        palettes[node][[left, right]] = palette[[right, left]]
    return stage.draw(_posing(stage.pose, "walker", palettes))


@planted("walker", layer="motion", object="walker")
def a_stale_previous_palette(stage: Stage) -> Compared:
    """Where the walker was a tick ago is taken from two ticks ago."""
    before = stage.pose.previous
    assert before is not None
    stale = replace(before, palettes=stage.at(stage.tick - 2).palettes)
    return stage.draw(replace(stage.pose, previous=stale))


@planted("flag", layer="silhouette", object="swaying")
def a_morph_weight_missing(stage: Stage) -> Compared:
    """The second target has no weight."""
    weights = stage.pose.morphs["swaying"][0] * [1.0, 0.0]
    return stage.draw(replace(stage.pose, morphs={**stage.pose.morphs, "swaying": {0: weights}}))


@planted("column", layer="object", object="lift")
def an_object_missing(stage: Stage) -> Compared:
    """The box is not drawn."""
    return stage.draw(replace(stage.pose, visible={**stage.pose.visible, "lift": False}))


@planted("props", layer="silhouette", object="lantern")
def an_attachment_left_behind(stage: Stage) -> Compared:
    """The lantern stays where the hand was at the first tick."""
    left = stage.at(0).models["lantern"]
    return stage.draw(replace(stage.pose, models={**stage.pose.models, "lantern": left}))


@planted("column", layer="object", object="lift")
def a_mover_one_tick_early(stage: Stage) -> Compared:
    """The box is where it will be at the next tick."""
    early = stage.at(stage.tick + 1).models["lift"]
    return stage.draw(replace(stage.pose, models={**stage.pose.models, "lift": early}))


@planted("sprites", layer="color", object="walking")
def a_shifted_atlas_frame(stage: Stage) -> Compared:
    """One card shows the frame after its own."""
    after = stage.pose.sprites["walking"] + 1
    return stage.draw(replace(stage.pose, sprites={**stage.pose.sprites, "walking": after}))


@planted("walker", layer="pose", object="walker", joint="hand_R")
def a_dumped_joint_turned_by_a_twentieth_of_a_degree(stage: Stage) -> Compared:
    """Only the snapshot is given, without a picture: one hand is turned about its own middle."""
    row = _row(stage, "hand_R")
    c, s = math.cos(TURN), math.sin(TURN)
    turn = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    palettes = {}
    for node, palette in stage.pose.palettes["walker"].items():
        palettes[node] = palette.copy()
        palettes[node][row, :3, :3] = (turn[:, :, None] * palette[row, :3, :3].astype(np.float64)).sum(axis=1)
    return _posing(stage.pose, "walker", palettes)


@planted("walker", layer="vertices", object="walker", joint="toe_L")
def a_dumped_vertex_moved_by_a_tenth_of_a_millimetre(stage: Stage) -> Compared:
    """Only vertices are given: one, that a toe leads, is off."""
    truth = stage.truth.vertices
    assert truth is not None
    place, part = next(
        (place, part)
        for place, part in truth.parts.items()
        if part.skinned and "walker/toe_L" in _leaders(part.skinned)
    )
    assert part.skinned is not None
    positions = part.positions.copy()
    positions[_leaders(part.skinned).index("walker/toe_L"), 1] += 1e-4
    return Vertices({**truth.parts, place: replace(part, positions=positions, skinned=None)}, stage.tick)


def _leaders(skinned: Skinned) -> list[str]:
    """Return the joint with the largest weight of each vertex."""
    return [skinned.joint_of(vertex) for vertex in range(len(skinned.joints))]


def _posing(pose: Posed, name: str, palettes: dict[int, Float32]) -> Posed:
    return replace(pose, palettes={**pose.palettes, name: palettes})


def _row(stage: Stage, joint: str) -> int:
    model = stage.scene.object("walker").model
    return [model.nodes[one].name for one in model.skins[0].joints].index(joint)


def _shifted(stage: Stage, joint: str, pixels: float) -> Posed:
    """Return the snapshot with a joint of the walker moved across the picture, to its right."""
    camera, row = stage.camera, _row(stage, joint)
    assert camera.yfov is not None
    palettes = {}
    for node, palette in stage.pose.palettes["walker"].items():
        palettes[node] = palette.copy()
        away = stage.pose.models["walker"][:3, 3] + palette[row, :3, 3] - camera.matrix[:3, 3]
        depth = -float((camera.matrix[:3, 2] * away).sum())
        metres: Float64 = pixels * 2.0 * math.tan(camera.yfov / 2.0) * depth / stage.size[1] * camera.matrix[:3, 0]
        palettes[node][row, :3, 3] += metres
    return _posing(stage.pose, "walker", palettes)
