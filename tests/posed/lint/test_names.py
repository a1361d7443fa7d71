"""Names that several things share, data that nothing uses."""

from pathlib import Path

import pytest

from tests.gltf_literals import Literal
from tests.posed.lint.literals import HALF, Case, Spoil, animate, spoiled


def clips_of_one_name(file: Literal) -> None:
    animate(file, (2, "rotation", (0, 1), [[0, 0, 0, 1], [0, 0, HALF, HALF]], "LINEAR"), name="Bend")


def nodes_of_one_name(file: Literal) -> None:
    for name in ("a", "a", "b", "b", "c", "c", "hip", "knee"):
        file.root["scenes"][0]["nodes"].append(file.node(name=name))


def unused_data(file: Literal) -> None:
    file.accessor([0, 1])
    file.accessor([0, 1])
    file.root["materials"].append({"name": "old"})
    file.root["images"] = [{"uri": "data:image/png;base64,"}]
    file.mesh({"attributes": {"POSITION": 0, "NORMAL": 1}})
    file.node(name="stray", children=[file.node(name="below")])


CASES: list[Case] = [
    (
        clips_of_one_name,
        [
            '/animations: P801 warning: a name is used more than once: "Bend" by 0, 1',
        ],
    ),
    (
        nodes_of_one_name,
        [
            (
                '/nodes: P802 note: names are used more than once: "hip" by 1, 9, "knee" by 2, 10, "a" '
                "by 3, 4, and 2 more"
            ),
        ],
    ),
    (
        unused_data,
        [
            ("/images/0: P702 error: image 0 is no PNG, JPEG or WebP image of at most 16384 texels a side"),
            "/accessors: P803 note: 2 of 9 accessors are used by nothing: 7, 8",
            "/images: P803 note: 1 of 1 images is used by nothing: 0",
            "/materials: P803 note: 1 of 2 materials is used by nothing: 1",
            "/meshes: P803 note: 1 of 2 meshes is used by nothing: 1",
            "/nodes: P803 note: 2 of 5 nodes are in no scene and move no skin: 3, 4",
        ],
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), CASES)
def test_one_fault_and_what_is_said_of_it(spoil: Spoil, expected: list[str], tmp_path: Path) -> None:
    assert spoiled(spoil, tmp_path) == expected


def test_references_of_extensions_and_of_compressed_data_count(tmp_path: Path) -> None:
    """A texture in an extension of a material, variants of a primitive, attributes of instances."""

    def used(file: Literal) -> None:
        file.root["materials"].append({"name": "red"})
        primitive = file.root["meshes"][0]["primitives"][0]
        primitive["extensions"] = {"KHR_materials_variants": {"mappings": [{"material": 1, "variants": [0]}]}}
        instances = {"attributes": {"TRANSLATION": file.accessor([[0, 0, 0], [1, 0, 0]])}}
        file.root["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": instances}

    assert [line for line in spoiled(used, tmp_path) if "P803" in line] == []
