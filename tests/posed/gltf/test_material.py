"""Materials, textures, cameras and lights: defaults, extensions, and the affine map of texture coordinates."""

import base64
import math

import numpy as np
import pytest

from posed.gltf import load
from posed.gltf.material import DEFAULT_MATERIAL, AlphaMode, Wrap
from tests.gltf_literals import Literal, refusal

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=="
)
"""A PNG of one red texel."""


def material(tmp_path, given, **root):
    return load(Literal(materials=[given], **root).write(tmp_path)).materials[0]


def textured(tmp_path, info, *, sampler=None, key="baseColorTexture"):
    literal = Literal(textures=[{"source": 0, **({} if sampler is None else {"sampler": 0})}])
    if sampler is not None:
        literal.root["samplers"] = [sampler]
    literal.root["images"] = [{"bufferView": literal.view(PIXEL), "name": "red"}]
    info = {"index": 0, **info}
    literal.root["materials"] = [{"pbrMetallicRoughness": {key: info}} if key == "baseColorTexture" else {key: info}]
    return load(literal.write(tmp_path)).materials[0]


def test_a_bare_material_has_the_specification_s_defaults(tmp_path):
    bare = material(tmp_path, {})
    assert bare.name == ""
    for name in ("base_color", "metallic", "roughness", "emission", "alpha_mode", "double_sided", "unlit", "ior"):
        assert getattr(bare, name) == getattr(DEFAULT_MATERIAL, name)


def test_every_factor(tmp_path):
    found = material(
        tmp_path,
        {
            "name": "skin",
            "pbrMetallicRoughness": {
                "baseColorFactor": [0.1, 0.2, 0.3, 0.4],
                "metallicFactor": 0,
                "roughnessFactor": 0,
            },
            "emissiveFactor": [0.5, 0.25, 0],
            "alphaMode": "MASK",
            "alphaCutoff": 0,
            "doubleSided": True,
            "extensions": {
                "KHR_materials_unlit": {},
                "KHR_materials_emissive_strength": {"emissiveStrength": 4},
                "KHR_materials_transmission": {"transmissionFactor": 0.75},
                "KHR_materials_ior": {"ior": 1.25},
                "KHR_materials_specular": {"specularFactor": 0},
            },
        },
    )
    assert (found.name, found.base_color, found.metallic, found.roughness) == ("skin", (0.1, 0.2, 0.3, 0.4), 0.0, 0.0)
    assert (found.emission, found.alpha_mode, found.alpha_cutoff) == ((2.0, 1.0, 0.0), AlphaMode.MASK, 0.0)
    assert (found.double_sided, found.unlit) == (True, True)
    assert (found.transmission, found.ior, found.specular) == (0.75, 1.25, 0.0)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"alphaMode": "GLASS"}, '/alphaMode: expected one of OPAQUE, MASK, BLEND, found "GLASS"'),
        (
            {"pbrMetallicRoughness": {"metallicFactor": 2}},
            "/pbrMetallicRoughness/metallicFactor: expected a finite number of 0 to 1, found 2",
        ),
        (
            {"normalTexture": {"index": 0}},
            "/normalTexture/index: expected no index, as the file has no textures, found 0",
        ),
    ],
)
def test_values_out_of_range(tmp_path, given, expected):
    text = refusal(Literal(materials=[given]).write(tmp_path))
    assert text == f"/materials/0{expected}: correct it or export the file again"


def test_a_texture_decodes_when_it_is_first_asked_for(tmp_path):
    texture = textured(tmp_path, {}).color_texture
    assert "texels" not in vars(texture.image)
    assert texture.image.name == "red"
    assert texture.image.texels.tolist() == [[[255, 0, 0, 255]]]


def test_broken_images_are_refused_when_they_are_decoded(tmp_path):
    literal = Literal(textures=[{"source": 0}], materials=[{"emissiveTexture": {"index": 0}}])
    literal.root["images"] = [{"bufferView": literal.view(b"no picture")}]
    texture = load(literal.write(tmp_path)).materials[0].emission_texture
    with pytest.raises(Exception, match="/images/0: not a readable PNG, JPEG or WebP image"):
        _ = texture.image.texels


def test_wrap_and_filter(tmp_path):
    plain = textured(tmp_path, {}).color_texture
    assert (plain.wrap_s, plain.wrap_t, plain.linear) == (Wrap.REPEAT, Wrap.REPEAT, True)
    chosen = textured(tmp_path, {}, sampler={"wrapS": 33071, "wrapT": 33648, "magFilter": 9728}).color_texture
    assert (chosen.wrap_s, chosen.wrap_t, chosen.linear) == (Wrap.CLAMP, Wrap.MIRROR, False)


def test_the_scale_of_a_normal_map(tmp_path):
    assert textured(tmp_path, {"scale": 0.5}, key="normalTexture").normal_texture.scale == 0.5


def test_a_texture_without_an_image_is_none(tmp_path):
    basis = {"extensions": {"KHR_texture_basisu": {"source": 0}}}
    literal = Literal(materials=[{"emissiveTexture": {"index": 0}}], textures=[basis], images=[{"uri": "a.ktx2"}])
    model = load(literal.write(tmp_path))
    assert model.materials[0].emission_texture is None
    assert model.notes == ("/textures/0: no image of a kind that is read, /materials/0/emissiveTexture goes without",)


def test_a_transform_scales_then_turns_against_the_clock_then_moves(tmp_path):
    moved = {"offset": [0.5, 0.25], "rotation": math.pi / 2, "scale": [2, 3], "texCoord": 1}
    texture = textured(tmp_path, {"texCoord": 0, "extensions": {"KHR_texture_transform": moved}}).color_texture
    assert texture.uv == 1
    map_, offset = np.array(texture.transform)[:, :2], np.array(texture.transform)[:, 2]
    # With v down, a quarter turn against the clock takes the point at (1, 0), right, to (0, -1), up.
    assert map_ @ (1, 0) + offset == pytest.approx([0.5, 0.25 - 2])
    assert map_ @ (0, 1) + offset == pytest.approx([0.5 + 3, 0.25])


def test_webp_takes_the_place_of_the_plain_image(tmp_path):
    literal = Literal(textures=[{"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}}])
    literal.root["images"] = [{"bufferView": literal.view(PIXEL), "name": name} for name in ("plain", "webp")]
    literal.root["materials"] = [{"emissiveTexture": {"index": 0}}]
    assert load(literal.write(tmp_path)).materials[0].emission_texture.image.name == "webp"


def test_an_image_beside_the_model_stays_within_its_folder(tmp_path):
    literal = Literal(textures=[{"source": 0}], materials=[{"emissiveTexture": {"index": 0}}])
    literal.root["images"] = [{"uri": "../red.png"}]
    assert refusal(literal.write(tmp_path)).startswith("/images/0/uri: expected a file in the model's folder")
    literal.root["images"] = [{"uri": "red%20one.png"}]
    (tmp_path / "red one.png").write_bytes(PIXEL)
    assert load(literal.write(tmp_path)).materials[0].emission_texture.image.data == PIXEL


def test_cameras(tmp_path):
    cameras = [
        {"type": "perspective", "name": "near", "perspective": {"yfov": 1, "znear": 0.1, "zfar": 10}},
        {"type": "perspective", "perspective": {"yfov": 1, "znear": 0.1}},
        {"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 2, "znear": 0, "zfar": 10}},
    ]
    near, endless, flat = load(Literal(cameras=cameras, nodes=[{"camera": 0}]).write(tmp_path)).cameras
    assert (near.name, near.yfov, near.ymag, near.znear, near.zfar) == ("near", 1.0, None, 0.1, 10.0)
    assert endless.zfar == math.inf
    assert (flat.yfov, flat.ymag, flat.znear) == (None, 2.0, 0.0)


@pytest.mark.parametrize(
    ("camera", "expected"),
    [
        ({"type": "fisheye"}, '/type: expected perspective or orthographic, found "fisheye"'),
        ({"type": "perspective"}, "/perspective: expected an object, found nothing"),
        (
            {"type": "perspective", "perspective": {"yfov": 0, "znear": 1}},
            "/perspective/yfov: expected an angle between 0 and pi, found 0",
        ),
        (
            {"type": "perspective", "perspective": {"yfov": 1, "znear": 1, "zfar": 1}},
            "/perspective/zfar: expected a distance past znear, found 1",
        ),
    ],
)
def test_cameras_that_show_nothing(tmp_path, camera, expected):
    text = refusal(Literal(cameras=[camera]).write(tmp_path))
    assert text == f"/cameras/0{expected}: correct it or export the file again"


def test_lights(tmp_path):
    lights = [
        {"type": "directional", "color": [1, 0.5, 0], "intensity": 3},
        {"type": "point", "range": 5},
        {"type": "spot", "spot": {"innerConeAngle": 0.1, "outerConeAngle": 0.2}},
        {"type": "spot"},
    ]
    extensions = {"KHR_lights_punctual": {"lights": lights}}
    nodes = [{"extensions": {"KHR_lights_punctual": {"light": 2}}}]
    model = load(Literal(extensions=extensions, nodes=nodes).write(tmp_path))
    sun, point, spot, wide = model.lights
    assert (sun.kind, sun.color, sun.intensity, sun.range) == ("sun", (1.0, 0.5, 0.0), 3.0, math.inf)
    assert (point.kind, point.intensity, point.range) == ("point", 1.0, 5.0)
    assert (spot.inner, spot.outer, wide.inner, wide.outer) == (0.1, 0.2, 0.0, math.pi / 4)
    assert model.nodes[0].light == 2


def test_clear_coats_and_sheens(tmp_path):
    coat = {"clearcoatFactor": 0.5, "clearcoatRoughnessFactor": 0.25}
    sheen = {"sheenColorFactor": [0.1, 0.2, 0.3], "sheenRoughnessFactor": 0.75}
    materials = [
        {"extensions": {"KHR_materials_clearcoat": coat}},
        {"extensions": {"KHR_materials_sheen": sheen}},
        {"extensions": {"KHR_materials_clearcoat": {}, "KHR_materials_sheen": {}}},
    ]
    used = ["KHR_materials_clearcoat", "KHR_materials_sheen"]
    model = load(Literal(materials=materials, extensionsUsed=used, extensionsRequired=used).write(tmp_path))
    coated, woven, plain = model.materials
    assert (coated.clearcoat.factor, coated.clearcoat.roughness, coated.sheen) == (0.5, 0.25, None)
    assert (woven.sheen.color, woven.sheen.roughness, woven.clearcoat) == ((0.1, 0.2, 0.3), 0.75, None)
    assert (plain.clearcoat.factor, plain.clearcoat.roughness) == (0.0, 0.0)
    assert (plain.sheen.color, plain.sheen.roughness) == ((0.0, 0.0, 0.0), 0.0)
    assert model.notes == ()


def test_every_texture_of_the_extensions_and_the_normal_map_that_needs_tangents(tmp_path):
    literal = Literal(textures=[{"source": 0}])
    literal.root["images"] = [{"bufferView": literal.view(PIXEL)}]

    def info(uv):
        return {"index": 0, "texCoord": uv}

    coat = {"clearcoatFactor": 1, "clearcoatTexture": info(1), "clearcoatRoughnessTexture": info(2)}
    extensions = {
        "KHR_materials_clearcoat": coat | {"clearcoatNormalTexture": info(3) | {"scale": 0.5}},
        "KHR_materials_sheen": {
            "sheenColorFactor": [1, 1, 1],
            "sheenColorTexture": info(4),
            "sheenRoughnessTexture": info(5),
        },
        "KHR_materials_specular": {
            "specularColorFactor": [0.5, 1, 2],
            "specularTexture": info(6),
            "specularColorTexture": info(7),
        },
        "KHR_materials_transmission": {"transmissionTexture": info(8)},
    }
    literal.root["materials"] = [
        {"extensions": extensions},
        {"extensions": extensions, "normalTexture": info(9)},
        {"extensions": extensions | {"KHR_materials_unlit": {}}},
    ]
    coated, bumpy, unlit = load(literal.write(tmp_path)).materials
    layers = coated.clearcoat, coated.sheen
    assert [one.uv for one in (layers[0].factor_texture, layers[0].roughness_texture)] == [1, 2]
    assert (layers[0].normal_texture.uv, layers[0].normal_texture.scale) == (3, 0.5)
    assert [one.uv for one in (layers[1].color_texture, layers[1].roughness_texture)] == [4, 5]
    assert [one.uv for one in (coated.specular_texture, coated.specular_color_texture)] == [6, 7]
    assert (coated.specular_color, coated.transmission, coated.transmission_texture.uv) == ((0.5, 1.0, 2.0), 0.0, 8)
    assert (coated.bumps.uv, bumpy.bumps.uv, unlit.bumps) == (3, 9, None)


def test_a_clear_coat_out_of_range(tmp_path):
    coat = {"KHR_materials_clearcoat": {"clearcoatFactor": 2}}
    assert refusal(Literal(materials=[{"extensions": coat}]).write(tmp_path)) == (
        "/materials/0/extensions/KHR_materials_clearcoat/clearcoatFactor: "
        "expected a finite number of 0 to 1, found 2: correct it or export the file again"
    )


def test_an_image_without_data_and_a_wrap_that_is_none(tmp_path):
    root = {"materials": [{"normalTexture": {"index": 0}}], "textures": [{"source": 0, "sampler": 0}]}
    assert refusal(Literal(**root, images=[{}], samplers=[{}]).write(tmp_path)) == (
        "/images/0/uri: expected a bufferView or a uri, found nothing: correct it or export the file again"
    )
    images = [{"uri": "data:,"}]
    assert refusal(Literal(**root, images=images, samplers=[{"wrapS": 7}]).write(tmp_path)) == (
        "/samplers/0/wrapS: expected one of 10497, 33648, 33071, found 7: correct it or export the file again"
    )


def test_a_light_that_reaches_nowhere(tmp_path):
    extensions = {"KHR_lights_punctual": {"lights": [{"type": "point", "range": 0}]}}
    assert refusal(Literal(extensions=extensions).write(tmp_path)) == (
        "/extensions/KHR_lights_punctual/lights/0/range: expected a range above 0, found 0: correct it or export the "
        "file again"
    )
