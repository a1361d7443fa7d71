"""Broken skins and skinned nodes."""

import numpy as np

from tests.broken_rigs.spoiling import Broken, adding, attribute, binds, both, matrix, set_, without
from tests.gltf_rigs import LIMB

NAN = float("nan")
FIRST = ("meshes", 0, "primitives", 0)

SKINS = (
    Broken(
        "no inverse bind matrices",
        without("skins", 0, "inverseBindMatrices"),
        "P303 P803",
        rest=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (0.25, 3.0, 0.0), (-0.25, 3.0, 0.0)),
        moved=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (-2.0, 1.25, 0.0), (-2.0, 0.75, 0.0)),
    ),
    Broken(
        "fewer inverse bind matrices than joints",
        binds(matrix()),
        "P001",
        refused="/skins/0/inverseBindMatrices: expected 2 matrices, one a joint, found 1: export the file again",
    ),
    Broken("more inverse bind matrices than joints", binds(matrix(), matrix(m13=-1), matrix(m03=7)), "P304"),
    Broken(
        "an inverse bind matrix that is no number",
        binds(matrix(), matrix(m13=NAN)),
        "P001",
        refused="/skins/0/inverseBindMatrices: expected finite affine matrices, found joint 1 with another: bind the mesh again",
    ),
    Broken(
        "an inverse bind matrix that projects",
        binds(matrix(), matrix(m13=-1, m32=0.5)),
        "P001",
        refused="/skins/0/inverseBindMatrices: expected finite affine matrices, found joint 1 with another: bind the mesh again",
    ),
    Broken(
        "an inverse bind matrix of zeros",
        binds(matrix(), np.diag([0, 0, 0, 1])),
        "P304",
        rest=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0)),
        moved=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0)),
    ),
    Broken(
        "an inverse bind matrix that mirrors",
        binds(matrix(), matrix(m00=-1, m13=-1)),
        "P304",
        rest=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (-0.25, 2.0, 0.0), (0.25, 2.0, 0.0)),
        moved=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (-1.0, 0.75, 0.0), (-1.0, 1.25, 0.0)),
    ),
    Broken(
        "a skin without joints",
        set_("skins", 0, "joints", to=[]),
        "P001 P304",
        refused="/skins/0/joints: expected an array of one joint or more, found an array of 0: correct it or export the file again",
    ),
    Broken(
        "a joint that is no node",
        set_("skins", 0, "joints", to=[1, 3]),
        "P001",
        refused="/skins/0/joints/1: expected an index of nodes below 3, found 3: correct it or export the file again",
    ),
    Broken(
        "a joint listed twice",
        set_("skins", 0, "joints", to=[1, 1]),
        "P308",
        rest=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (0.25, 1.0, 0.0), (-0.25, 1.0, 0.0)),
        moved=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (0.25, 1.0, 0.0), (-0.25, 1.0, 0.0)),
    ),
    Broken(
        "a skin that is not there",
        set_("nodes", 0, "skin", to=1),
        "P001 P803",
        refused="/nodes/0/skin: expected an index of skins below 1, found 1: correct it or export the file again",
    ),
    Broken(
        "a skin on a mesh without joints",
        both(without(*FIRST, "attributes", "JOINTS_0"), without(*FIRST, "attributes", "WEIGHTS_0")),
        "P310 P803",
        moved=LIMB,
    ),
    Broken("a skin without a mesh", both(adding("nodes", {"skin": 0}), adding("scenes", 0, "nodes", 3)), "P310"),
    Broken("joints on a mesh without a skin", without("nodes", 0, "skin"), "P310 P803", moved=LIMB),
    Broken("a skinned node that is moved", set_("nodes", 0, "translation", to=[5, 5, 5]), "P301"),
    Broken("a skinned node of scale 0", set_("nodes", 0, "scale", to=[0, 0, 0]), "P301"),
    Broken(
        "a skinned node below a moved one",
        both(adding("nodes", {"children": [0], "translation": [5, 5, 5]}), set_("scenes", 0, "nodes", to=[3, 1])),
        "P302",
    ),
    Broken(
        "a skinned node below its own joint",
        both(set_("nodes", 2, "children", to=[0]), set_("scenes", 0, "nodes", to=[1])),
        "P302",
    ),
    Broken(
        "a joint of scale 0",
        set_("nodes", 2, "scale", to=[0, 0, 0]),
        "P306",
        rest=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0)),
        moved=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0)),
    ),
    Broken(
        "a joint that mirrors",
        set_("nodes", 2, "scale", to=[-1, 1, 1]),
        "P307",
        rest=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (-0.25, 2.0, 0.0), (0.25, 2.0, 0.0)),
        moved=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (-1.0, 0.75, 0.0), (-1.0, 1.25, 0.0)),
    ),
    Broken(
        "a joint far from where it was bound",
        set_("nodes", 1, "translation", to=[100, 0, 0]),
        "P309",
        rest=((99.75, 0.0, 0.0), (100.25, 0.0, 0.0), (100.25, 2.0, 0.0), (99.75, 2.0, 0.0)),
        moved=((99.75, 0.0, 0.0), (100.25, 0.0, 0.0), (99.0, 1.25, 0.0), (99.0, 0.75, 0.0)),
    ),
    Broken("joints outside the scene", set_("scenes", 0, "nodes", to=[0]), "P305"),
    Broken(
        "joints listed children first",
        both(
            set_("skins", 0, "joints", to=[2, 1]),
            binds(matrix(m13=-1), matrix()),
            attribute("JOINTS_0", [[1, 0, 0, 0]] * 4, np.uint8),
        ),
        "",
    ),
    Broken(
        "a plain node between two joints",
        both(
            adding("nodes", {"children": [2], "scale": [1, 2, 1]}),
            set_("nodes", 1, "children", to=[3]),
            set_("nodes", 2, "translation", to=[0, 0.5, 0]),
            set_("nodes", 2, "scale", to=[1, 0.5, 1]),
        ),
        "",
        moved=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (-0.5, 1.5, 0.0), (-0.5, 0.5, 0.0)),
    ),
    Broken("a skeleton that is no joint's root", set_("skins", 0, "skeleton", to=2), ""),
    Broken(
        "a skeleton that is no node",
        set_("skins", 0, "skeleton", to=9),
        "P001",
        refused="/skins/0/skeleton: expected an index of nodes below 3, found 9: correct it or export the file again",
    ),
)
