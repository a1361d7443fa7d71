"""Clear coats, sheens and tinted reflections, against docs/materials.md in float64."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from posed.gltf.material import Clearcoat, Material, Sheen
from posed.live import Renderer
from posed.scene.lights import Environment, Light
from tests.posed.live.literals import camera, model, picture, posed, primitive, rectangle, scene

UP = np.array([0.0, 0.0, 1.0])
ALBEDO = np.array(
    [
        (2.153, -2.938, -17.631, 33.432, -15.524),
        (14.262, -88.604, 258.167, -294.506, 113.973),
        (-46.178, 306.993, -912.813, 1061.035, -416.253),
        (29.172, -237.928, 864.175, -1102.827, 451.98),
        (-55.149, 270.327, -648.47, 688.393, -256.993),
    ]
)


def albedo(cosine: float, roughness: float) -> float:
    x, y = cosine**0.25, roughness**0.5
    return math.exp(sum(ALBEDO[i, j] * x**i * y**j for i in range(5) for j in range(5)))


def glossy(alpha: float, light: float, viewer: float, middle: float) -> float:
    squared = alpha * alpha
    distribution = squared / (math.pi * (middle**2 * (squared - 1) + 1) ** 2)
    forth = light * math.sqrt(viewer**2 * (1 - squared) + squared)
    back = viewer * math.sqrt(light**2 * (1 - squared) + squared)
    return distribution * 0.5 / (forth + back)


def charlie(roughness: float, light: float, viewer: float, middle: float) -> float:
    a = roughness**2
    p, q, s, t, u = (
        one + (other - one) * (1 - a) ** 2
        for one, other in (
            (21.5473, 25.3245),
            (3.82987, 3.32435),
            (0.19823, 0.16801),
            (-1.97760, -1.27393),
            (-4.32054, -4.85967),
        )
    )

    def k(x: float) -> float:
        return p / (1 + q * x**s) + t * x + u

    def shadowing(c: float) -> float:
        return math.exp(k(c)) if c < 0.5 else math.exp(2 * k(0.5) - k(1 - c))

    distribution = (2 + 1 / a) * (1 - middle**2) ** (1 / (2 * a)) / (2 * math.pi)
    return distribution / ((1 + shadowing(viewer) + shadowing(light)) * 4 * viewer * light)


def expected(material: Material, toward: Any) -> Any:
    """What a wall seen along its normal shows of a sun of pi and of a sky of 1."""
    coat, sheen = material.clearcoat or Clearcoat(0.0), material.sheen or Sheen((0.0, 0.0, 0.0), 1.0)
    half_way = (toward + UP) / math.sqrt(((toward + UP) ** 2).sum())
    light, middle = toward[2], half_way[2]
    base, tint, cloth = (np.array(one[:3]) for one in (material.base_color, material.specular_color, sheen.color))
    dielectric = np.minimum(((material.ior - 1) / (material.ior + 1)) ** 2 * tint, 1) * material.specular
    reflectance = dielectric + (base - dielectric) * material.metallic
    withheld = dielectric.max() + (base - dielectric.max()) * material.metallic
    grazing = material.specular + (1 - material.specular) * material.metallic
    away = (1 - middle) ** 5
    diffuse = base * (1 - material.metallic)
    lobe = glossy(material.roughness**2, light, 1.0, middle)
    direct = (1 - withheld - (grazing - withheld) * away) * diffuse / math.pi
    direct = direct + (reflectance + (grazing - reflectance) * away) * lobe
    roughness = max(sheen.roughness, 0.07)
    left = [max(1 - cloth.max() * albedo(c, roughness), 0.0) for c in (light, 1.0)]
    direct = direct * min(left) + cloth * charlie(roughness, light, 1.0, middle)
    share = coat.factor * 0.04
    gloss = glossy(coat.roughness**2, light, 1.0, middle) if coat.factor else 0.0
    ambient = left[1] * (diffuse + reflectance) + cloth * albedo(1.0, roughness)
    return math.pi * light * ((1 - share) * direct + share * gloss) + (1 - share) * ambient + share


@pytest.mark.parametrize(
    "material",
    [
        Material(clearcoat=Clearcoat(1.0, 0.4)),
        Material(base_color=(0.8, 0.3, 0.1, 1.0), metallic=0.3, roughness=0.5, clearcoat=Clearcoat(0.5, 0.8)),
        Material(metallic=0.0, sheen=Sheen((0.9, 0.5, 0.2), 0.6)),
        Material(metallic=0.0, sheen=Sheen((0.2, 0.4, 0.9), 0.02)),
        Material(metallic=0.2, specular_color=(1.0, 0.6, 0.1), specular=0.8, ior=2.0, roughness=0.6),
        Material(
            base_color=(0.5, 0.6, 0.7, 1.0),
            metallic=0.1,
            specular_color=(3.0, 0.5, 0.1),
            ior=3.0,
            sheen=Sheen((0.5, 0.5, 0.1), 1.0),
            clearcoat=Clearcoat(0.7, 0.5),
        ),
    ],
)
@pytest.mark.parametrize("angle", [0.2, 0.8, 1.3])
def test_layers_reflect_as_documented(renderer: Renderer, material: Material, angle: float) -> None:
    toward = np.array([math.sin(angle) * 0.6, math.sin(angle) * 0.8, math.cos(angle)])
    x, y, z = (-toward).tolist()
    wall = model(primitive(rectangle(-9, -9, 9, 9, -2)), material=material)
    one = replace(
        scene(wall, looking=camera(yfov=None, ymag=1.0)),
        lights=(Light("sun", intensity=math.pi, direction=(x, y, z)),),
        environment=Environment((1.0,) * 3, (1.0,) * 3),
    )
    shown = renderer.render(one, posed(), size=(2, 2), layers=["color"])["color"][..., :3]
    np.testing.assert_allclose(shown, np.broadcast_to(expected(material, toward), (2, 2, 3)), rtol=2e-4)


def test_each_texture_multiplies_its_own_factor(renderer: Renderer) -> None:
    # Bytes 255, 188, 128 and 64: red, green, blue and alpha of one texel that every texture shows.
    texture = picture([[[255, 188, 128, 64]]])
    red, green, blue, alpha = (code / 255.0 for code in (255, 188, 128, 64))
    linear = [((code + 0.055) / 1.055) ** 2.4 for code in (red, green, blue)]
    textured = Material(
        metallic=0.5,
        specular_texture=texture,
        specular_color_texture=texture,
        transmission=1.0,
        transmission_texture=texture,
        clearcoat=Clearcoat(0.5, 0.8, texture, texture),
        sheen=Sheen((0.5, 0.5, 0.5), 0.9, texture, texture),
    )
    spelled = Material(
        metallic=0.5,
        specular=alpha,
        specular_color=(linear[0], linear[1], linear[2]),
        transmission=red,
        clearcoat=Clearcoat(0.5 * red, 0.8 * green),
        sheen=Sheen((0.5 * linear[0], 0.5 * linear[1], 0.5 * linear[2]), 0.9 * alpha),
    )
    pictures = []
    for material in (textured, spelled):
        wall = model(primitive(rectangle(-9, -9, 9, 9, -2)), material=material)
        one = replace(
            scene(wall),
            lights=(Light("sun", intensity=2.0, direction=(0.6, 0.0, -0.8)),),
            environment=Environment((0.3, 0.4, 0.5), (0.6, 0.5, 0.4)),
        )
        pictures.append(renderer.render(one, posed(), size=(4, 4), layers=["color"])["color"])
    np.testing.assert_allclose(pictures[0], pictures[1], rtol=1e-4)


def test_a_coat_s_normal_map_bends_the_coat_alone(renderer: Renderer) -> None:
    normals = np.tile(np.array([0, 0, 1], np.float32), (4, 1))
    tangents = np.tile(np.array([1, 0, 0, 1], np.float32), (4, 1))
    uvs = (np.zeros((4, 2), np.float32),)
    card = primitive(rectangle(-9, -9, 9, 9, -2), normals=normals, tangents=tangents, uvs=uvs)
    leaning = picture([[[218, 128, 218, 255]]])
    black = Material(base_color=(0, 0, 0, 1), metallic=0.0, specular=0.0)

    def shown(material: Material) -> float:
        one = replace(
            scene(model(card, material=material), looking=camera(yfov=None, ymag=1.0)),
            lights=(Light("sun", intensity=math.pi, direction=(0, 0, -1)),),
        )
        return float(renderer.render(one, posed(), size=(1, 1), layers=["color"])["color"][0, 0, 0])

    # The coat leans by 45 degrees: light, viewer and the half vector all stand at that angle to it.
    cosine = math.sqrt(0.5)
    share = 0.04 + 0.96 * (1 - cosine) ** 5
    bent = shown(replace(black, clearcoat=Clearcoat(1.0, 1.0, normal_texture=leaning)))
    assert bent == pytest.approx(share * math.pi * cosine * glossy(1.0, cosine, cosine, cosine), rel=1e-2)
    assert shown(replace(black, normal_texture=leaning, clearcoat=Clearcoat(1.0, 1.0))) == pytest.approx(0.01, rel=1e-5)
