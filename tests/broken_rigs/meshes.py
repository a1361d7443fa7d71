"""Broken meshes and materials."""

import numpy as np

from tests.broken_rigs.spoiling import Broken, attribute, both, replaced, set_, without
from tests.gltf_rigs import LIMB

NAN = float("nan")
INF = float("inf")
FIRST = ("meshes", 0, "primitives", 0)

MESHES = (
    Broken(
        "a position that is no number",
        attribute("POSITION", [*LIMB[:3], (NAN, 0, 0)]),
        "P001 P102",
        refused="/meshes/0/primitives/0/attributes/POSITION: expected finite numbers, found [nan, 0.0, 0.0] at vertex 3: export the file again",
    ),
    Broken(
        "a position without an end",
        attribute("POSITION", [*LIMB[:3], (INF, 0, 0)]),
        "P001 P102",
        refused="/meshes/0/primitives/0/attributes/POSITION: expected finite numbers, found [inf, 0.0, 0.0] at vertex 3: export the file again",
    ),
    Broken(
        "positions of two numbers",
        attribute("POSITION", [row[:2] for row in LIMB]),
        "P001",
        refused="/accessors/0/type: expected VEC3 for /meshes/0/primitives/0/attributes/POSITION, found VEC2: export the file again",
    ),
    Broken(
        "positions that only float64 would part",
        attribute("POSITION", [(x, y + 1e8, z) for x, y, z in LIMB]),
        "P501",
        rest=((-0.25, 100000000.0, 0.0), (0.25, 100000000.0, 0.0), (0.25, 100000000.0, 0.0), (-0.25, 100000000.0, 0.0)),
        moved=(
            (-0.25, 100000000.0, 0.0),
            (0.25, 100000000.0, 0.0),
            (-100000000.0, 1.25, 0.0),
            (-100000000.0, 0.75, 0.0),
        ),
        seen=False,
    ),
    Broken(
        "all vertices in one place",
        attribute("POSITION", [LIMB[0]] * 4),
        "P501",
        rest=((-0.25, 0.0, 0.0), (-0.25, 0.0, 0.0), (-0.25, 0.0, 0.0), (-0.25, 0.0, 0.0)),
        moved=((-0.25, 0.0, 0.0), (-0.25, 0.0, 0.0), (1.0, 0.75, 0.0), (1.0, 0.75, 0.0)),
        seen=False,
    ),
    Broken(
        "no vertices",
        both(
            attribute("POSITION", np.zeros((0, 3))),
            attribute("NORMAL", np.zeros((0, 3))),
            attribute("JOINTS_0", np.zeros((0, 4)), np.uint8),
            attribute("WEIGHTS_0", np.zeros((0, 4))),
            without(*FIRST, "indices"),
        ),
        "P102 P803",
        rest=(),
        moved=(),
        seen=False,
    ),
    Broken(
        "a primitive without positions",
        without(*FIRST, "attributes", "POSITION"),
        "P508 P803",
        rest=(),
        moved=(),
        seen=False,
    ),
    Broken(
        "a mesh without primitives",
        set_("meshes", 0, "primitives", to=[]),
        "P310 P803 P803",
        rest=(),
        moved=(),
        seen=False,
    ),
    Broken(
        "a primitive without attributes",
        without(*FIRST, "attributes"),
        "P001 P310 P803",
        refused="/meshes/0/primitives/0/attributes: expected an object, found nothing: correct it or export the file again",
    ),
    Broken(
        "a mode that is none",
        set_(*FIRST, "mode", to=7),
        "P001 P310",
        refused="/meshes/0/primitives/0/mode: expected an integer of 0 to 6, found 7: correct it or export the file again",
    ),
    Broken("points", set_(*FIRST, "mode", to=0), "P507", seen=False),
    Broken("a strip of lines", set_(*FIRST, "mode", to=3), "P507", seen=False),
    Broken(
        "an index past the vertices",
        replaced(4, [0, 1, 2, 0, 2, 4], np.uint16),
        "P001",
        refused="/meshes/0/primitives/0/indices: expected indices below 4, the number of vertices, found 4 at position 5: export the file again",
    ),
    Broken(
        "indices that are signed",
        replaced(4, [0, 1, 2, 0, 2, 3], np.int16),
        "P001",
        refused="/accessors/4/componentType: expected unsigned integers for /meshes/0/primitives/0/indices, found int16: export the file again",
    ),
    Broken("five indices", replaced(4, [0, 1, 2, 0, 2], np.uint16), "P509 P510"),
    Broken("one index", replaced(4, [0], np.uint16), "P509 P510", seen=False),
    Broken("a triangle of one vertex", replaced(4, [0, 1, 2, 3, 3, 3], np.uint16), "P501"),
    Broken("a triangle three times", replaced(4, [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 2, 3], np.uint16), "P502"),
    Broken("a normal of length 0", attribute("NORMAL", [[0, 0, 0]] * 4), "P506"),
    Broken(
        "a normal that is no number",
        attribute("NORMAL", [[0, NAN, 0]] * 4),
        "P001",
        refused="/meshes/0/primitives/0/attributes/NORMAL: expected finite numbers, found [0.0, nan, 0.0] at vertex 0: export the file again",
    ),
    Broken(
        "fewer normals than vertices",
        attribute("NORMAL", [[0, 0, 1]] * 3),
        "P001",
        refused="/meshes/0/primitives/0/attributes/NORMAL: expected 4 elements, one a vertex, found 3: export the file again",
    ),
    Broken("no normals", without(*FIRST, "attributes", "NORMAL"), "P503 P803"),
    Broken(
        "a texture without coordinates",
        both(
            set_(
                "images",
                to=[
                    {
                        "uri": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
                    }
                ],
            ),
            set_("textures", to=[{"source": 0}]),
            set_("materials", 0, to={"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}),
        ),
        "P505",
    ),
    Broken(
        "an image that is none",
        both(
            set_("images", to=[{"uri": "data:image/png;base64,AAAA"}]),
            set_("textures", to=[{"source": 0}]),
            set_("materials", 0, to={"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}),
            attribute("TEXCOORD_0", np.zeros((4, 2))),
        ),
        "P702",
        untraced='/images/0: not a readable PNG, JPEG or WebP image (it begins with "\\x00\\x00\\x00"): export it again',
    ),
    Broken(
        "a texture that is not there",
        set_("materials", 0, to={"normalTexture": {"index": 0}}),
        "P001 P505 P504",
        refused="/materials/0/normalTexture/index: expected no index, as the file has no textures, found 0: correct it or export the file again",
    ),
    Broken(
        "a material that is not there",
        set_(*FIRST, "material", to=4),
        "P001 P803",
        refused="/meshes/0/primitives/0/material: expected an index of materials below 1, found 4: correct it or export the file again",
    ),
    Broken(
        "a color below 0",
        set_("materials", 0, to={"pbrMetallicRoughness": {"baseColorFactor": [-1, 0, 0, 1]}}),
        "P001",
        refused="/materials/0/pbrMetallicRoughness/baseColorFactor/0: expected a finite number of at least 0, found -1: correct it or export the file again",
    ),
)
