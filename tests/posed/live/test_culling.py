"""Culling: a frame of which triangles that cannot show are left out has the same bits as one of all triangles."""

from collections.abc import Sequence

import numpy as np
import pytest

from posed.camera import Camera
from posed.gltf.material import AlphaMode, Material
from posed.gltf.mesh import MorphTarget
from posed.live import ALL_LAYERS, CrowdPose, InstancePose, Lighting, MeshData, Renderer, SkinData, culling
from posed.scene.lights import Environment, Light
from tests.posed.live.literals import translation

LIGHTING = Lighting((Light("sun", intensity=3.0, direction=(-0.4, -0.8, -0.45)),), Environment((0.3,) * 3, (0.6,) * 3))


def soup(rng: np.random.Generator, triangles: int, size: float, *, flat: bool = False, targets: int = 0) -> MeshData:
    """Odd triangles about the origin: some of a size, slivers, some without area, corners that several share."""
    middles = rng.uniform(-1.0, 1.0, (triangles, 1, 3))
    corners = middles + rng.normal(0.0, size, (triangles, 3, 3)) * 2.0 ** rng.integers(-6, 3, (triangles, 1, 1))
    kinds = rng.integers(0, 8, triangles)
    corners[kinds == 0, 2] = (corners[kinds == 0, 0] + corners[kinds == 0, 1]) / 2.0
    corners[kinds == 1, 2] = corners[kinds == 1, 0] + rng.normal(0.0, 1e-4, 3)
    corners[kinds == 2, 1] = corners[kinds == 2, 0]
    indices = np.arange(3 * triangles).reshape(-1, 3)
    indices[1::5, 0] = indices[0::5, 1][: len(indices[1::5])]
    normals = None if flat else rng.normal(size=(3 * triangles, 3)).astype(np.float32)
    deltas = tuple(MorphTarget(rng.normal(0.0, 0.2, (3 * triangles, 3)).astype(np.float32)) for _ in range(targets))
    return MeshData(corners.reshape(-1, 3), indices, normals, targets=deltas)


def skin(rng: np.random.Generator, data: MeshData) -> SkinData:
    vertices = len(data.positions)
    return SkinData(rng.integers(0, 3, (vertices, 4)), rng.uniform(0.0, 1.0, (vertices, 4)))


def palettes(rng: np.random.Generator, count: int) -> np.ndarray:
    made = np.tile(np.eye(4, dtype=np.float32), (count, 3, 1, 1))
    made[..., :3, :] += rng.normal(0.0, 0.15, (count, 3, 3, 4))
    made[0, 1, 0, 0] = -1.0
    return made


MATERIALS = (
    Material("sheet", double_sided=True),
    Material("shell"),
    Material("leaf", base_color=(1.0, 0.5, 0.5, 0.4), alpha_mode=AlphaMode.MASK, alpha_cutoff=0.5),
    Material("glass", base_color=(0.5, 0.5, 1.0, 0.4), alpha_mode=AlphaMode.BLEND),
)


def fill(renderer: Renderer, seed: int) -> None:
    """Add instances of odd meshes, skinned and not, some mirrored: before the eye, through its plane and behind it."""
    rng = np.random.default_rng(seed)
    plain, facets = soup(rng, 120, 0.1), soup(rng, 60, 0.3, flat=True)
    bent, morphed = soup(rng, 150, 0.05), soup(rng, 80, 0.2, targets=2)
    meshes = [renderer.upload_mesh(plain), renderer.upload_mesh(facets)]
    skinned = renderer.upload_skinned_mesh(bent, skin(rng, bent))
    shaped = renderer.upload_skinned_mesh(morphed, skin(rng, morphed))
    poses: list[InstancePose | CrowdPose] = []
    crowd = []
    for number in range(24):
        matrix = translation(*rng.uniform(-2.0, 2.0, 2), rng.uniform(-5.0, 1.0))
        matrix[:3, :3] = rng.normal(size=(3, 3)) * rng.choice([0.2, 1.0])
        one = renderer.add((*meshes, skinned, shaped)[number % 4], matrix, material=MATERIALS[number // 4 % 4])
        if number % 4 == 2:
            crowd.append(one)
        if number % 4 == 3:
            poses.append(InstancePose(one, palettes(rng, 1)[0], morph_weights=rng.uniform(-1.0, 1.0, 2)))
    renderer.set_poses([CrowdPose(crowd, palettes(rng, len(crowd)), palettes(rng, len(crowd))), *poses])


def same(adapter: str, seed: int, camera: Camera, size: tuple[int, int], layers: Sequence[str]) -> tuple[int, int]:
    """Draw with and without culling; see that they are the same and return how many triangles were left of how many."""
    frames = []
    for wanted in (False, True):
        renderer = Renderer(adapter, culling=wanted)
        fill(renderer, seed)
        frames.append(renderer.draw(camera, size=size, layers=layers, lighting=LIGHTING))
    for layer in layers:
        differ = (frames[0][layer] != frames[1][layer]).reshape(size[1], size[0], -1).any(axis=2)
        assert not differ.any(), f"{layer} differs at {np.argwhere(differ)[:3].tolist()}"
    triangles = sum(one.mesh.triangles for one in renderer._instances.frame(camera).instances)
    return renderer._drawing.culling.left(), triangles


AHEAD = Camera(np.eye(4), yfov=1.2, znear=0.05)


@pytest.mark.parametrize("size", [(64, 48), (37, 53)])
def test_every_layer_has_the_same_bits(renderer: Renderer, size: tuple[int, int]) -> None:
    left, triangles = same(renderer.adapter.name, 1, AHEAD, size, ALL_LAYERS)
    assert triangles == 6 * (120 + 60 + 150 + 80)
    assert 0.1 < left / triangles < 0.6  # a third lies behind the eye, and more is small


@pytest.mark.parametrize("size", [(1, 1), (8, 8), (301, 2), (2, 150)])
def test_so_it_is_at_odd_sizes(renderer: Renderer, size: tuple[int, int]) -> None:
    left, triangles = same(renderer.adapter.name, 2, AHEAD, size, ("triangle", "depth", "normal"))
    assert left < 0.5 * triangles


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", [{"ymag": 1.5, "znear": 0.5, "zfar": 4.0}, {"yfov": 2.4, "znear": 0.0}, {"yfov": 0.5}])
def test_so_it_is_with_other_cameras(renderer: Renderer, kind: dict[str, float], seed: int) -> None:
    matrix = np.eye(4)
    matrix[:3, 0], matrix[:3, 2] = (0.8, 0.0, -0.6), (0.6, 0.0, 0.8)
    left, triangles = same(renderer.adapter.name, 3 + seed, Camera(matrix, **kind), (45, 31), ("triangle", "depth"))
    assert 0 < left < 0.7 * triangles


def test_a_draw_that_no_binding_holds_is_culled_in_pieces(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = same(renderer.adapter.name, 1, AHEAD, (64, 48), ("object", "triangle"))
    monkeypatch.setattr(culling, "LIMIT", 150 * 3 * 16 + 15)  # one of the largest instances, two or three of the others
    assert same(renderer.adapter.name, 1, AHEAD, (64, 48), ("object", "triangle")) == whole
    monkeypatch.setattr(culling, "LIMIT", 100 * 3 * 16)  # larger instances are drawn as they are
    left, _ = same(renderer.adapter.name, 1, AHEAD, (64, 48), ("object", "triangle"))
    assert 0 < left < whole[0]


def hidden(renderer: Renderer, *corners: tuple[float, float], double_sided: bool = False, mirror: float = 1.0) -> bool:
    """Say whether a triangle is left out that has these corners in pixels of an orthographic picture, 4 x 4."""
    own = Renderer(renderer.adapter.name, culling=True)
    data = MeshData(np.array([(x - 2.0, 2.0 - y, -1.0) for x, y in corners]), np.array([[0, 1, 2]]))
    matrix = np.diag([mirror, 1.0, 1.0, 1.0])
    matrix[0, 3] = 0.0
    own.add(own.upload_mesh(data), matrix, material=Material("", double_sided=double_sided))
    own.draw(Camera(np.eye(4), ymag=2.0, zfar=10.0), size=(4, 4), layers=["triangle"])
    return own._drawing.culling.left() == 0


def test_what_is_left_out(renderer: Renderer) -> None:
    over_a_center = (1.2, 1.8), (1.8, 1.8), (1.5, 1.2)  # counter-clockwise: rows go down
    assert not hidden(renderer, *over_a_center)
    assert hidden(renderer, *over_a_center[::-1])  # its back
    assert not hidden(renderer, *over_a_center[::-1], double_sided=True)
    assert not hidden(renderer, *over_a_center, mirror=-1.0)  # a mirrored triangle keeps its front outside
    assert hidden(renderer, (1.6, 1.9), (1.9, 1.9), (1.7, 1.6))  # between the centres
    assert hidden(renderer, (0.6, 1.4), (3.4, 1.4), (3.4, 0.6))  # flat, between two rows
    assert hidden(renderer, (0.1, 3.9), (1.35, 0.1), (0.2, 3.5))  # long, beside the centres that its box holds
    assert hidden(renderer, (4.1, 3.0), (7.0, 3.0), (5.0, 1.0))  # beside the picture
    assert not hidden(renderer, (1.4, 1.495), (1.6, 1.495), (1.5, 1.3))  # nearer to a centre than a grid's step


def test_it_pays_on_no_software_adapter(renderer: Renderer) -> None:
    own = Renderer(renderer.adapter.name)
    fill(own, 1)
    own.draw(AHEAD, size=(8, 8), layers=["triangle"])
    assert (own._drawing.culling.left() == 0) == (own.adapter.kind == "CPU")
