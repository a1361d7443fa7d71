"""Broken nodes and scenes."""

from tests.broken_rigs.spoiling import Broken, chain_of, set_, without

NODES = (
    Broken(
        "a node below itself",
        set_("nodes", 2, "children", to=[1]),
        "P001 P203",
        refused="/nodes/1/children: the node lies below itself: expected a tree, break the cycle",
    ),
    Broken(
        "a node that is its own child",
        set_("nodes", 1, "children", to=[1, 2]),
        "P001 P203",
        refused="/nodes/1/children: the node lies below itself: expected a tree, break the cycle",
    ),
    Broken(
        "a node with two parents",
        set_("nodes", 0, "children", to=[2]),
        "P001",
        refused="/nodes/1/children/0: node 2 is already a child of node 0: expected one parent, list it once",
    ),
    Broken(
        "a child that is not there",
        set_("nodes", 2, "children", to=[7]),
        "P001",
        refused="/nodes/2/children/0: expected an index of nodes below 3, found 7: correct it or export the file again",
    ),
    Broken(
        "a child listed as -1",
        set_("nodes", 2, "children", to=[-1]),
        "P001",
        refused="/nodes/2/children/0: expected an index of nodes below 3, found -1: correct it or export the file again",
    ),
    Broken("a chain of 20,000 nodes", chain_of(20_000), ""),
    Broken(
        "a million nodes",
        set_("nodes", to=[{}] * 1_000_000),
        "P001",
        refused="/nodes: expected at most 262144 objects, found 1000000: part the file",
    ),
    Broken("a rotation of length 0", set_("nodes", 2, "rotation", to=[0, 0, 0, 0]), "P202"),
    Broken("a rotation of length 2", set_("nodes", 2, "rotation", to=[0, 0, 0, 2]), "P201"),
    Broken("a rotation without an end", set_("nodes", 2, "rotation", to=[0, 0, 0, 1e200]), "P201"),
    Broken(
        "a translation of two numbers",
        set_("nodes", 2, "translation", to=[0, 1]),
        "P001",
        refused="/nodes/2/translation: expected an array of 3 numbers, found an array of 2: correct it or export the file again",
    ),
    Broken(
        "a translation of words",
        set_("nodes", 2, "translation", to=["0", "1", "0"]),
        "P001",
        refused='/nodes/2/translation/0: expected a finite number, found "0": correct it or export the file again',
    ),
    Broken(
        "a translation that no float32 holds",
        set_("nodes", 2, "translation", to=[0, 1e300, 0]),
        "P204",
        unposed="vertex 2 is posed to [0.25, inf, 0.0], which is no finite place: check the pose's matrices",
    ),
    Broken(
        "a matrix that projects",
        set_("nodes", 2, "matrix", to=[1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]),
        "P001 P609",
        refused="/nodes/2/matrix: expected an affine matrix, found one whose last row is not 0 0 0 1: correct it or export the file again",
    ),
    Broken(
        "a matrix of fifteen numbers",
        set_("nodes", 2, "matrix", to=[1] * 15),
        "P001 P609",
        refused="/nodes/2/matrix: expected an array of 16 numbers, found an array of 15: correct it or export the file again",
    ),
    Broken(
        "a matrix of large numbers",
        set_("nodes", 2, "matrix", to=[1e300, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]),
        "P001 P609",
        refused="/nodes/2/matrix: expected numbers up to 1e+38, found larger ones: scale the model",
    ),
    Broken(
        "a matrix on an animated node",
        set_("nodes", 2, to={"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]}),
        "P609",
    ),
    Broken(
        "a scene of nodes that are not there",
        set_("scenes", 0, "nodes", to=[0, 9]),
        "P001",
        refused="/scenes/0/nodes/1: expected an index of nodes below 3, found 9: correct it or export the file again",
    ),
    Broken("a scene that lists a child", set_("scenes", 0, "nodes", to=[0, 1, 2]), "P203"),
    Broken(
        "a scene that is not there",
        set_("scene", to=1),
        "P001",
        refused="/scene: expected an index of scenes below 1, found 1: correct it or export the file again",
    ),
    Broken("a scene without nodes", set_("scenes", 0, to={}), "P305 P803", rest=(), moved=(), seen=False),
    Broken("no scene at all", without("scenes"), ""),
    Broken(
        "a name that is no text",
        set_("nodes", 1, "name", to=7),
        "P001",
        refused="/nodes/1/name: expected a string, found 7: correct it or export the file again",
    ),
    Broken(
        "a mesh that is not there",
        set_("nodes", 0, "mesh", to=3),
        "P001 P803",
        refused="/nodes/0/mesh: expected an index of meshes below 1, found 3: correct it or export the file again",
    ),
)
