"""Rigs about skins: what joints, inverse binds and the nodes around them do to a mesh."""

from __future__ import annotations

import numpy as np

from posed.conform.figure import BODY, HEIGHTS, HIP, KNEE, SHIN, UPRIGHT, Channel, Figure, limb, moved, ridge, turn
from posed.conform.rig import Rig
from posed.matrices import multiply

BENT = {"rotation": turn("z", 40.0)}
"""A knee that rests bent."""


def _swing(node: int, degrees: float = 50.0) -> Channel:
    return moved(node, "rotation", "LINEAR", (0.0, 1.0), [turn("z", 0.0), turn("z", degrees)])


def _no_inverse_binds() -> bytes:
    figure = Figure()
    limb(figure, shin={"translation": [0.0, 0.25, 0.0]}, binds=None)
    figure.clip(_swing(SHIN))
    return figure.glb(BODY, HIP)


def _child_first() -> bytes:
    figure = Figure()
    bound = figure.bound([{1 - joint: weight for joint, weight in row.items()} for row in KNEE])
    limb(figure, bound, joints=(SHIN, HIP), binds=UPRIGHT[::-1])
    figure.clip(moved(HIP, "translation", "LINEAR", (0.0, 1.0), [[0.0] * 3, [0.2, 0.0, 0.0]]), _swing(SHIN))
    return figure.glb(BODY, HIP)


def _plain_node_between() -> bytes:
    figure = Figure()
    figure.node("body", mesh=figure.mesh("ridge", figure.primitive(ridge(), figure.bound())), skin=0)
    figure.node("hip", children=[2])
    figure.node("spacer", translation=[0.0, 0.5, 0.0], children=[3])
    figure.node("shin", translation=[0.0, 0.5, 0.0])
    figure.skin([1, 3], UPRIGHT)
    figure.clip(_swing(2, 30.0), _swing(3, 20.0))
    return figure.glb(0, 1)


def _ancestor() -> bytes:
    figure = Figure()
    limb(figure)
    above = figure.node("carrier", translation=[0.1, 0.0, 0.0], children=[HIP])
    figure.clip(_swing(above, 30.0), _swing(SHIN))
    return figure.glb(BODY, above)


def _skinned_node() -> bytes:
    figure = Figure()
    limb(figure, body={"translation": [1.0, 0.5, 0.0], "scale": [2.0, 2.0, 2.0]}, shin=BENT)
    above = figure.node("holder", translation=[0.0, 0.0, -1.0], children=[BODY])
    return figure.glb(above, HIP)


def _skinned_node_moves() -> bytes:
    figure = Figure()
    limb(figure, shin=BENT)
    figure.clip(moved(BODY, "translation", "LINEAR", (0.0, 1.0), [[0.0] * 3, [1.0, 1.0, 0.0]]))
    return figure.glb(BODY, HIP)


def _scaled_root() -> bytes:
    figure = Figure()
    larger = np.diag([100.0, 100.0, 100.0, 1.0])
    limb(figure, shin={"translation": [0.0, 100.0, 0.0]}, binds=[multiply(larger, bind) for bind in UPRIGHT])
    root = figure.node("armature", scale=[0.01, 0.01, 0.01], children=[HIP])
    figure.writer.document["skins"][0]["skeleton"] = root
    figure.clip(_swing(SHIN))
    return figure.glb(BODY, root)


def _mirrored_joint() -> bytes:
    figure = Figure()
    limb(figure, shin={"scale": [-1.0, 1.0, 1.0], "rotation": turn("z", 25.0)})
    return figure.glb(BODY, HIP)


def _mirrored_bind() -> bytes:
    figure = Figure()
    mirror = np.diag([-1.0, 1.0, 1.0, 1.0])
    binds = [multiply(mirror, bind) for bind in UPRIGHT]
    limb(figure, hip={"scale": [-1.0, 1.0, 1.0]}, shin={"rotation": turn("z", 25.0)}, binds=binds)
    return figure.glb(BODY, HIP)


def _stretched_joint() -> bytes:
    figure = Figure()
    limb(figure, shin={"scale": [1.0, 1.0, 4.0]})
    return figure.glb(BODY, HIP)


def _shear() -> bytes:
    figure = Figure()
    limb(figure, hip={"scale": [1.0, 2.0, 1.0]}, shin=BENT)
    return figure.glb(BODY, HIP)


def _shared_skin() -> bytes:
    figure = Figure()
    limb(figure, shin=BENT)
    narrow = figure.primitive(ridge(half=0.15, depth=0.3), figure.bound())
    second = figure.node("crest", mesh=figure.mesh("crest", narrow), skin=0, translation=[0.0, 0.0, 3.0])
    return figure.glb(BODY, HIP, second)


def _two_skins() -> bytes:
    figure = Figure()
    limb(figure, hip={"translation": [-0.5, 0.0, 0.0]}, shin={"rotation": turn("z", 30.0)})
    other = figure.node("hip_right", translation=[0.5, 0.0, 0.0], children=[4])
    figure.node("shin_right", translation=[0.0, 1.0, 0.0], rotation=turn("z", -50.0))
    figure.skin([other, 4], UPRIGHT)
    twin = figure.node("body_right", mesh=0, skin=1)
    return figure.glb(BODY, HIP, other, twin)


def _many_joints() -> bytes:
    figure = Figure()
    count = 300
    mesh = figure.mesh(
        "ridge", figure.primitive(ridge(), figure.bound([{0: 1.0}, {0: 1.0}, {280: 1.0}, {299: 1.0}, {299: 1.0}]))
    )
    figure.node("body", mesh=mesh, skin=0)
    root = figure.node("joint_0", children=list(range(2, count + 1)))
    for number in range(1, count):
        figure.node(f"joint_{number}")
    figure.skin(range(root, root + count), [np.eye(4)] * count)
    figure.clip(
        moved(root + 280, "translation", "LINEAR", (0.0, 1.0), [[0.0] * 3, [0.3, 0.0, 0.0]]),
        moved(root + 299, "rotation", "LINEAR", (0.0, 1.0), [turn("z", 0.0), turn("z", 20.0)]),
    )
    return figure.glb(0, root)


def _placed_nodes() -> bytes:
    figure = Figure()
    part = figure.mesh("ridge", figure.primitive(ridge(HEIGHTS[:3])))
    figure.node("lower", mesh=part, children=[1])
    figure.node("upper", mesh=part, translation=[0.0, 1.0, 0.0], scale=[1.0, 0.5, 1.0])
    figure.clip(_swing(0, 30.0), _swing(1, 60.0))
    return figure.glb(0)


def _mirrored_node() -> bytes:
    figure = Figure()
    part = figure.mesh("ridge", figure.primitive(ridge()))
    figure.node("left", mesh=part, translation=[-0.4, 0.0, 0.0], rotation=turn("z", 10.0))
    figure.node("right", mesh=part, translation=[0.4, 0.0, 0.0], scale=[-1.0, 1.0, 1.0])
    return figure.glb(0, 1)


RIGS = (
    Rig("no_inverse_binds", "a skin without inverse bind matrices has identities", _no_inverse_binds, (30,), "once"),
    Rig("child_first", "joints are listed in any order, not parents first", _child_first, (30,), "once"),
    Rig(
        "plain_node_between", "a node that is no joint stands between two that are", _plain_node_between, (30,), "once"
    ),
    Rig("animated_ancestor", "a node that is no joint moves the whole skeleton", _ancestor, (30,), "once"),
    Rig("skinned_node", "the skinned node's own place and its parent's count for nothing", _skinned_node),
    Rig("skinned_node_moves", "nor does a clip that moves the skinned node", _skinned_node_moves, (30,), "once"),
    Rig("scaled_root", "the armature, the skin's skeleton, is a hundredth in scale", _scaled_root, (30,), "once"),
    Rig(
        "mirrored_joint", "what a joint of negative scale mirrors keeps its front outside", _mirrored_joint, drawn=True
    ),
    Rig("mirrored_bind", "a joint mirrored when bound and when posed shows its front", _mirrored_bind, drawn=True),
    Rig(
        "stretched_joint",
        "normals follow a stretched joint by the inverse transpose",
        _stretched_joint,
        normals=True,
        drawn=True,
    ),
    Rig("shear", "a joint turned below a stretched one is sheared", _shear),
    Rig("shared_skin", "two meshes of one skin are posed alike, wherever their nodes stand", _shared_skin),
    Rig("two_skins", "one mesh under two skins is posed twice, by different joints", _two_skins),
    Rig("many_joints", "a skin has 300 joints", _many_joints, (30,), "once"),
    Rig("placed_nodes", "meshes without a skin follow their animated nodes", _placed_nodes, (30,), "once"),
    Rig(
        "mirrored_node",
        "a mesh on a node of negative scale keeps its front outside",
        _mirrored_node,
        normals=True,
        drawn=True,
    ),
)
