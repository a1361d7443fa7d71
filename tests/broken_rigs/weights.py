"""Broken weights and the joints of vertices."""

import numpy as np

from tests.broken_rigs.spoiling import Broken, attribute, both, set_, without

NAN = float("nan")
A, B = [1, 0, 0, 0], [0, 1, 0, 0]
"""All weight on the first joint that a vertex lists, and on the second."""
FIRST = ("meshes", 0, "primitives", 0)

WEIGHTS = (
    Broken("weights that sum to a half", attribute("WEIGHTS_0", np.array([A, A, B, B]) / 2), "P401"),
    Broken(
        "a vertex without weights",
        attribute("WEIGHTS_0", [A, A, B, [0] * 4]),
        "P402",
        moved=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (-1.0, 1.25, 0.0), (-0.25, 2.0, 0.0)),
    ),
    Broken(
        "a weight that is no number",
        attribute("WEIGHTS_0", [A, A, B, [0, NAN, 0, 0]]),
        "P001",
        refused="/meshes/0/primitives/0/attributes/WEIGHTS_0: expected finite weights, found [0.0, nan, 0.0, 0.0] at vertex 3: export the file again",
    ),
    Broken(
        "a weight below 0",
        attribute("WEIGHTS_0", [A, A, [-1, 2, 0, 0], [-1, 2, 0, 0]]),
        "P403",
        moved=((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0), (-2.25, 0.5, 0.0), (-1.75, -0.5, 0.0)),
    ),
    Broken("weights near the end of floats", attribute("WEIGHTS_0", [A, A, [0, 3e38, 0, 0], [0, 3e38, 0, 0]]), "P401"),
    Broken("weights in bytes that are not normalized", attribute("WEIGHTS_0", [A, A, B, B], np.uint8), ""),
    Broken(
        "a joint twice on a vertex",
        both(
            attribute("JOINTS_0", [[0, 1, 1, 0]] * 4, np.uint8),
            attribute("WEIGHTS_0", [A, A, [0, 0.5, 0.5, 0], [0, 0.5, 0.5, 0]]),
        ),
        "P404",
    ),
    Broken(
        "a joint past the skin's",
        attribute("JOINTS_0", [[0, 1, 0, 0]] * 3 + [[0, 2, 0, 0]], np.uint8),
        "P001",
        refused='/meshes/0/primitives/0/attributes/JOINTS_0: vertex 3 of mesh 0 "body", primitive 0: expected joints below 2, the number that skin 0 has, found 2: bind the mesh to that skin again',
    ),
    Broken("a joint past the skin's under weight 0", attribute("JOINTS_0", [[0, 1, 9, 9]] * 4, np.uint8), ""),
    Broken(
        "joints as floats",
        attribute("JOINTS_0", [[0, 1, 0, 0]] * 4, np.float32),
        "P001",
        refused="/accessors/2/componentType: expected unsigned integers for /meshes/0/primitives/0/attributes/JOINTS_0, found float32: export the file again",
    ),
    Broken(
        "joints as signed bytes",
        attribute("JOINTS_0", [[0, 1, 0, 0]] * 4, np.int8),
        "P001",
        refused="/accessors/2/componentType: expected unsigned integers for /meshes/0/primitives/0/attributes/JOINTS_0, found int8: export the file again",
    ),
    Broken(
        "joints without weights",
        without(*FIRST, "attributes", "WEIGHTS_0"),
        "P001 P803",
        refused="/meshes/0/primitives/0/attributes: expected as many WEIGHTS sets as JOINTS sets, found 0 and 1: export the file again",
    ),
    Broken(
        "weights without joints",
        without(*FIRST, "attributes", "JOINTS_0"),
        "P001 P310 P803",
        refused="/meshes/0/primitives/0/attributes: expected as many WEIGHTS sets as JOINTS sets, found 1 and 0: export the file again",
    ),
    Broken(
        "a second set without a first",
        both(set_(*FIRST, "attributes", "JOINTS_2", to=2), set_(*FIRST, "attributes", "WEIGHTS_2", to=3)),
        "P001",
        refused="/meshes/0/primitives/0/attributes/JOINTS_1: expected an index of accessors below 8, found nothing: correct it or export the file again",
    ),
    Broken(
        "fewer joints than vertices",
        attribute("JOINTS_0", [[0, 1, 0, 0]] * 3, np.uint8),
        "P001",
        refused="/meshes/0/primitives/0/attributes/JOINTS_0: expected 4 elements, one a vertex, found 3: export the file again",
    ),
    Broken(
        "five influences, a fifth of the weight each",
        both(
            attribute("JOINTS_0", [[0, 0, 0, 0]] * 2 + [[1, 1, 1, 1]] * 2, np.uint8),
            attribute("WEIGHTS_0", np.full((4, 4), 0.2)),
            attribute("JOINTS_1", [[0, 0, 0, 0]] * 2 + [[1, 0, 0, 0]] * 2, np.uint8),
            attribute("WEIGHTS_1", [[0.2, 0, 0, 0]] * 4),
        ),
        "P404 P405",
    ),
)
