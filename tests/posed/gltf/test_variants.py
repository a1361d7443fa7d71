"""Variants of materials: which one a primitive shows."""

import pytest

from posed.errors import AssetError
from posed.gltf import load
from tests.gltf_literals import Literal, refusal

NAME = "KHR_materials_variants"


def shoe(**mapping):
    """Two primitives of material 0, of which the first is of material 1 in the variants Night and Snow."""
    literal = Literal(extensionsUsed=[NAME], materials=[{"name": "day"}, {"name": "dark"}])
    names = [{"name": "Day"}, {"name": "Night"}, {"name": "Snow"}]
    literal.root["extensions"] = {NAME: {"variants": names}}
    mappings = [{"material": 0, "variants": [0]}, {"material": 1, "variants": [1, 2], **mapping}]
    first = {**literal.primitive(), "material": 0, "extensions": {NAME: {"mappings": mappings}}}
    literal.node(mesh=literal.mesh(first, {**literal.primitive(), "material": 0}))
    return literal


@pytest.mark.parametrize(("variant", "material"), [(None, 0), ("Day", 0), ("Night", 1), ("Snow", 1)])
def test_a_variant_changes_the_materials_that_it_maps(tmp_path, variant, material):
    model = load(shoe().write(tmp_path), variant=variant)
    assert [primitive.material for primitive in model.meshes[0].primitives] == [material, 0]
    assert model.variants == ("Day", "Night", "Snow")
    assert model.notes == ()


def test_each_variant_is_a_model_of_its_own(tmp_path):
    path = shoe().write(tmp_path)
    assert len({load(path, variant=variant).digest for variant in (None, "Day", "Night")}) == 3


def test_a_variant_that_is_not_there(tmp_path):
    path = shoe().write(tmp_path)
    with pytest.raises(AssetError) as caught:
        load(path, variant="Sand")
    assert str(caught.value) == (
        f"{path}: /extensions/KHR_materials_variants/variants: "
        'there is no variant "Sand": the file has "Day", "Night", "Snow"'
    )


def test_a_variant_of_a_file_without_any(tmp_path):
    path = Literal().write(tmp_path)
    with pytest.raises(AssetError) as caught:
        load(path, variant="Sand")
    assert str(caught.value) == f'{path}: there is no variant "Sand": the file has none'


def test_a_mapping_of_what_is_not_there(tmp_path):
    place = f"/meshes/0/primitives/0/extensions/{NAME}/mappings/1"
    cure = "correct it or export the file again"
    assert refusal(shoe(material=2).write(tmp_path)) == (
        f"{place}/material: expected an index of materials below 2, found 2: {cure}"
    )
    assert refusal(shoe(variants=[3]).write(tmp_path)) == (
        f"{place}/variants/0: expected an index of variants below 3, found 3: {cure}"
    )
