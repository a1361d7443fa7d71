"""Triangles, and attributes that shading needs."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import ArrayLike

from tests.gltf_literals import Literal
from tests.posed.lint.literals import PNG, Case, Spoil, bounded, primitive_of, replace_accessor, spoiled


def plain(file: Literal, positions: ArrayLike, triangles: ArrayLike) -> None:
    """Show another mesh at a node of its own, flat in z = 0."""
    count = len(np.asarray(positions))
    primitive = {
        "attributes": {"POSITION": bounded(file, positions), "NORMAL": file.accessor([[0, 0, 1]] * count)},
        "indices": file.accessor(np.asarray(triangles).ravel(), np.uint16),
    }
    file.root["scenes"][0]["nodes"].append(file.node(mesh=file.mesh(primitive, name="plain"), name="plain"))


SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]


def triangles_without_area(file: Literal) -> None:
    """One repeats a corner, one lies in a line."""
    plain(file, [*SQUARE, [2, 0, 0]], [[0, 1, 2], [0, 2, 3], [0, 1, 1], [0, 1, 4]])


def an_edge_of_three_triangles(file: Literal) -> None:
    """The diagonal, the third time by other vertices in the same places."""
    corners = [*SQUARE, [0, 0, 0], [1, 1, 0], [-1, 1, 0]]
    plain(file, corners, [[0, 1, 2], [0, 2, 3], [4, 5, 6]])


def no_normals(file: Literal) -> None:
    del primitive_of(file)["attributes"]["NORMAL"]
    replace_accessor(file, 1, [[0, 0, 1]] * 3)
    primitive_of(file)["targets"] = [{"NORMAL": 1}]


def textured(file: Literal, **material: object) -> None:
    file.root["images"] = [{"bufferView": file.view(PNG), "mimeType": "image/png"}]
    file.root["textures"] = [{"source": 0}]
    file.root["materials"][0] |= material


def a_normal_map_without_tangents(file: Literal) -> None:
    textured(file, normalTexture={"index": 0})
    primitive_of(file)["attributes"]["TEXCOORD_0"] = file.accessor([[0, 0], [1, 0], [0, 1]])


def a_texture_without_coordinates(file: Literal) -> None:
    textured(file, pbrMetallicRoughness={"baseColorTexture": {"index": 0, "texCoord": 1}})
    primitive_of(file)["attributes"]["TEXCOORD_0"] = file.accessor([[0, 0], [1, 0], [0, 1]])


def long_normals(file: Literal) -> None:
    replace_accessor(file, primitive_of(file)["attributes"]["NORMAL"], [[0, 0, 1], [0, 3, 4], [0, 0, 1.1]])


def lines_as_a_mode(file: Literal) -> None:
    primitive_of(file)["mode"] = 3


def points(file: Literal) -> None:
    primitive_of(file)["mode"] = 0


def no_positions(file: Literal) -> None:
    file.root["meshes"][0]["primitives"].append({"attributes": {}})


def four_indices(file: Literal) -> None:
    primitive_of(file)["indices"] = file.accessor([0, 1, 2, 0], np.uint8)


def loose_vertices(file: Literal) -> None:
    plain(file, SQUARE, [[0, 1, 3]])


CASES: list[Case] = [
    (
        triangles_without_area,
        [
            "/meshes/1/primitives/0: P501 note: 2 of 4 triangles have no area, the first is 2",
        ],
    ),
    (
        an_edge_of_three_triangles,
        [
            ("/meshes/1/primitives/0: P502 note: 1 edge belongs to more than two triangles, the first from vertex 0"),
        ],
    ),
    (
        no_normals,
        [
            "/meshes/0/primitives/0/attributes: P503 note: the primitive has no NORMAL",
        ],
    ),
    (
        a_normal_map_without_tangents,
        [
            ("/meshes/0/primitives/0/attributes: P504 note: material 0 has a normal map and the primitive no TANGENT"),
        ],
    ),
    (
        a_texture_without_coordinates,
        [
            (
                "/meshes/0/primitives/0/attributes: P505 warning: "
                "/materials/0/pbrMetallicRoughness/baseColorTexture reads TEXCOORD_1, which the "
                "primitive has not"
            ),
        ],
    ),
    (
        long_normals,
        [
            (
                "/meshes/0/primitives/0/attributes/NORMAL: P506 warning: 2 of 3 normals are not of unit "
                "length, at worst 5 at vertex 1"
            ),
        ],
    ),
    (
        lines_as_a_mode,
        [
            "/meshes/0/primitives/0: P507 note: the primitive draws a line strip",
        ],
    ),
    (
        points,
        [
            "/meshes/0/primitives/0: P507 note: the primitive draws points",
        ],
    ),
    (
        no_positions,
        [
            "/meshes/0/primitives/1/attributes: P508 warning: the primitive has no POSITION",
        ],
    ),
    (
        four_indices,
        [
            "/meshes/0/primitives/0: P509 warning: 4 indices are no whole number of triangles",
        ],
    ),
    (
        loose_vertices,
        [
            (
                "/meshes/1/primitives/0/attributes/POSITION: P510 note: 1 of 4 vertices is in no "
                "triangle, the first is 2"
            ),
        ],
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), CASES)
def test_one_fault_and_what_is_said_of_it(spoil: Spoil, expected: list[str], tmp_path: Path) -> None:
    assert spoiled(spoil, tmp_path) == expected


def test_an_unlit_surface_needs_no_normals(tmp_path: Path) -> None:
    def unlit(file: Literal) -> None:
        no_normals(file)
        file.root["materials"][0]["extensions"] = {"KHR_materials_unlit": {}}
        file.root["extensionsUsed"] = ["KHR_materials_unlit"]

    assert spoiled(unlit, tmp_path) == []


def test_normals_in_signed_bytes_are_not_named(tmp_path: Path) -> None:
    """(73, 73, 73) / 127 has a length of 0.9956."""

    def quantized(file: Literal) -> None:
        normal = primitive_of(file)["attributes"]["NORMAL"]
        replace_accessor(file, normal, [[73, 73, 73]] * 3, np.int8, normalized=True)

    assert spoiled(quantized, tmp_path) == []
