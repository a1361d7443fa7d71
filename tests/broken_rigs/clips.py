"""Broken morph targets and clips."""

import numpy as np

from tests.broken_rigs.spoiling import Broken, adding, both, keys, replaced, set_, without
from tests.gltf_rigs import LIMB, QUAD, QUARTER_TURN_Z, morph_quad

NAN = float("nan")
FIRST = ("meshes", 0, "primitives", 0)
CHANNEL = ("animations", 0, "channels", 0)

SQUARE = ((0.0, -1.0, 0.0), (2.0, -1.0, 0.0), (2.0, 1.0, 0.0), (0.0, 1.0, 0.0))
SMILING = (*SQUARE[:2], (2.0, 2.0, 0.0), SQUARE[3])
"""`morph_quad` at rest, half of target 1, and with all of target 0."""

MORPHS = (
    Broken(
        "a target with fewer vertices",
        replaced(3, np.zeros((3, 3))),
        "P001",
        refused="/meshes/0/primitives/0/targets/0/POSITION: expected 4 elements, one a vertex, found 3: export the file again",
        base=morph_quad,
    ),
    Broken(
        "a target without positions",
        set_(*FIRST, "targets", 0, to={}),
        "P803",
        rest=SQUARE,
        moved=SQUARE,
        base=morph_quad,
    ),
    Broken(
        "a target that is no number",
        replaced(3, np.full((4, 3), NAN)),
        "P001",
        refused="/meshes/0/primitives/0/targets/0/POSITION: expected finite numbers, found [nan, nan, nan] at vertex 0: export the file again",
        base=morph_quad,
    ),
    Broken(
        "a target that throws vertices off",
        replaced(3, np.full((4, 3), 3e38)),
        "",
        rest=SQUARE,
        moved=((3e38, 3e38, 3e38),) * 4,
        base=morph_quad,
    ),
    Broken(
        "more weights than targets",
        set_("nodes", 0, "weights", to=[0, 0.5, 1, 1]),
        "P002",
        rest=SQUARE,
        moved=SMILING,
        base=morph_quad,
    ),
    Broken(
        "fewer weights than targets",
        set_("nodes", 0, "weights", to=[0]),
        "P002",
        rest=QUAD,
        moved=SMILING,
        base=morph_quad,
    ),
    Broken(
        "weights that are words",
        set_("nodes", 0, "weights", to=["x"]),
        "P001 P605",
        refused='/nodes/0/weights/0: expected a finite number, found "x": correct it or export the file again',
        base=morph_quad,
    ),
    Broken(
        "keys of one weight for two targets",
        replaced(6, [0, 1]),
        "P001 P605",
        refused="/animations/0/samplers/0/output: expected 4 values for 2 keys, found 2: export the file again",
        base=morph_quad,
    ),
    Broken(
        "weights of a mesh without targets",
        without(*FIRST, "targets"),
        "P610 P605 P803 P002",
        rest=QUAD,
        moved=QUAD,
        base=morph_quad,
    ),
)

CLIPS = (
    Broken(
        "key times that go back",
        keys(times=[0, 1, 0.5], values=[[0, 0, 0, 1]] * 3),
        "P603 P605",
        refused="/animations/0/channels/0: channel of node 2, rotation: key 2 is at 0.5 s, before key 1 at 1.0 s: export the file again",
    ),
    Broken(
        "key times that repeat",
        keys(times=[0, 0.5, 0.5, 1], values=[[0, 0, 0, 1], [0, 0, 0, 1], QUARTER_TURN_Z, QUARTER_TURN_Z]),
        "P602",
    ),
    Broken(
        "a key time that is no number",
        keys(times=[0, NAN], values=[[0, 0, 0, 1]] * 2),
        "P001 P102 P605",
        refused="/animations/0/channels/0: channel of node 2, rotation: times[1] is nan; expected a finite number that fits float64: export the file again",
    ),
    Broken("a key time below 0", keys(times=[-1, 1], values=[[0, 0, 0, 1], QUARTER_TURN_Z]), "P613"),
    Broken(
        "no keys",
        keys(times=[], values=np.zeros((0, 4))),
        "P001 P102 P605",
        refused="/animations/0/channels/0: channel of node 2, rotation: has no keys; expected at least one: export the file again",
    ),
    Broken("one key", keys(times=[0.5], values=[QUARTER_TURN_Z]), ""),
    Broken(
        "fewer values than keys",
        keys(times=[0, 0.5, 1], values=[[0, 0, 0, 1]] * 2),
        "P001 P605",
        refused="/animations/0/samplers/0/output: expected 3 values for 3 keys, found 2: export the file again",
    ),
    Broken(
        "a spline without its tangents",
        keys(values=[[0, 0, 0, 1]] * 2, how="CUBICSPLINE"),
        "P001 P605",
        refused="/animations/0/samplers/0/output: expected 6 values for 2 keys, found 2: export the file again",
    ),
    Broken(
        "an interpolation of no known kind",
        keys(values=[[0, 0, 0, 1]] * 2, how="BEZIER"),
        "P001 P605",
        refused='/animations/0/samplers/0/interpolation: expected one of STEP, LINEAR, CUBICSPLINE, found "BEZIER": correct it or export the file again',
    ),
    Broken(
        "a rotation key of length 0",
        keys(values=[[0, 0, 0, 1], [0, 0, 0, 0]]),
        "P001 P601",
        refused="/animations/0/channels/0: channel of node 2, rotation: rotation of key 1 has length 0; no turn is (0, 0, 0, 1): export the file again",
    ),
    Broken(
        "rotation keys of length 2",
        keys(values=[[0, 0, 0, 2], [0, 0, 2 * QUARTER_TURN_Z[2], 2 * QUARTER_TURN_Z[3]]]),
        "P601",
    ),
    Broken(
        "a rotation key that is no number",
        keys(values=[[0, 0, 0, 1], [0, 0, NAN, 1]]),
        "P001 P605",
        refused="/animations/0/channels/0: channel of node 2, rotation: values[1, 2] is nan; expected a finite number that fits float64: export the file again",
    ),
    Broken(
        "rotation keys of three numbers",
        keys(values=[[0, 0, 0], [0, 0, 1]]),
        "P001 P605",
        refused="/accessors/7/type: expected VEC4 for /animations/0/samplers/0/output, found VEC3: export the file again",
    ),
    Broken(
        "a key that throws a joint off",
        keys(path="translation", values=[[0, 1, 0], [0, 3e38, 3e38]]),
        "",
        moved=(
            (-0.25, 0.0, 0.0),
            (0.25, 0.0, 0.0),
            (0.25, 3e38, 3e38),
            (-0.25, 3e38, 3e38),
        ),
    ),
    Broken(
        "a key that shrinks a joint to nothing",
        keys(path="scale", values=[[1, 1, 1], [0, 0, 0]]),
        "",
        moved=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0)),
    ),
    Broken("a channel without a node", without(*CHANNEL, "target", "node"), "P606 P605", moved=LIMB),
    Broken(
        "a channel of a node that is not there",
        set_(*CHANNEL, "target", "node", to=9),
        "P001 P605",
        refused="/animations/0/channels/0/target/node: expected an index of nodes below 3, found 9: correct it or export the file again",
    ),
    Broken(
        "a channel without a target",
        without(*CHANNEL, "target"),
        "P001 P605",
        refused="/animations/0/channels/0/target: expected an object, found nothing: correct it or export the file again",
    ),
    Broken(
        "a channel of a sampler that is not there",
        set_(*CHANNEL, "sampler", to=4),
        "P001 P605",
        refused="/animations/0/channels/0/sampler: expected an index of samplers of this animation below 1, found 4: correct it or export the file again",
    ),
    Broken("a channel of an unknown path", set_(*CHANNEL, "target", "path", to="color"), "P605 P607", moved=LIMB),
    Broken(
        "a clip without channels", set_("animations", 0, to={"channels": [], "samplers": []}), "P605 P803", moved=LIMB
    ),
    Broken(
        "a property moved twice",
        adding("animations", 0, "channels", {"sampler": 0, "target": {"node": 2, "path": "rotation"}}),
        "P608",
    ),
    Broken(
        "a clip that moves a skinned node",
        both(keys(path="translation", values=[[0, 0, 0], [9, 9, 9]]), set_(*CHANNEL, "target", "node", to=0)),
        "P612",
        moved=LIMB,
    ),
    Broken("a clip that begins late", keys(times=[1, 2], values=[QUARTER_TURN_Z, [0, 0, 0, 1]]), "P611"),
    Broken("a loop of no whole ticks", keys(times=[0, 0.99], values=[[0, 0, 0, 1], QUARTER_TURN_Z]), "P604"),
    Broken(
        "morph weights of a mesh without targets",
        both(keys(path="weights", values=[0, 1]), set_(*CHANNEL, "target", "node", to=0)),
        "P610 P605",
        moved=LIMB,
    ),
)
