"""The geometry layers of the live renderer, against values worked out by hand."""

import math
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from posed.errors import PosedError, PoseError
from posed.gltf.material import AlphaMode, Material, Wrap
from posed.gltf.mesh import MorphTarget
from posed.live import Renderer
from posed.scene.description import Scene
from tests.posed.live.literals import (
    camera,
    model,
    picture,
    posed,
    primitive,
    rectangle,
    scene,
    translation,
)

LEFT_HALF = model(primitive(rectangle(-2048, -512, 0, 512, -5)))
EVERYTHING = ("object", "part", "triangle", "depth", "normal", "geometric_normal", "position")


@pytest.mark.parametrize("size", [(100, 40), (64, 20), (10, 7), (258, 1), (1, 33), (2, 2)])
def test_a_half_screen_quad_covers_exactly_the_left_half_whatever_the_padding_of_rows(
    renderer: Renderer, size: tuple[int, int]
) -> None:
    frame = renderer.render(scene(LEFT_HALF), posed(), size=size, layers=EVERYTHING)
    width, height = size
    covered = np.zeros((height, width), np.uint32)
    # A picture of one column has its only centre on the quad's edge, which belongs to one side.
    covered[:, : width // 2] = 1
    if width == 1:
        covered = frame["object"]
    np.testing.assert_array_equal(frame["object"], covered)
    np.testing.assert_array_equal(frame["part"], covered)
    # Devices interpolate to a step or two of float32.
    np.testing.assert_allclose(frame["depth"], np.where(covered, np.float32(5), np.float32(np.inf)), rtol=1e-6)
    for layer in ("normal", "geometric_normal"):
        np.testing.assert_allclose(frame[layer], covered[..., None] * np.array([0, 0, 1], np.float32), atol=1e-6)
    assert frame["position"].shape == (height, width, 3)
    assert (frame["position"][covered == 0] == 0).all()
    assert np.abs(frame["position"][covered == 1][:, 2] + 5).max(initial=0) < 1e-6


def test_positions_are_where_the_rays_through_pixel_centres_meet_the_plane(renderer: Renderer) -> None:
    frame = renderer.render(scene(LEFT_HALF), posed(), size=(8, 4), layers=["position"])
    # A picture 4 pixels high shows 2 x 5 metres at depth 5: 2.5 metres a pixel.
    x = (np.arange(4) + 0.5 - 4.0) * 2.5
    y = (2.0 - (np.arange(4) + 0.5)) * 2.5
    np.testing.assert_allclose(frame["position"][:, :4, 0], np.broadcast_to(x, (4, 4)), atol=1e-5)
    np.testing.assert_allclose(frame["position"][:, :4, 1], np.broadcast_to(y[:, None], (4, 4)), atol=1e-5)


def test_triangles_are_numbered_from_one_in_each_part(renderer: Renderer) -> None:
    left, right = primitive(rectangle(-9, -9, 0, 9, -5)), primitive(rectangle(0, -9, 9, 9, -5))
    frame = renderer.render(scene(model(left, right)), posed(), size=(4, 4))
    assert frame["part"].tolist() == [[1, 1, 2, 2]] * 4
    # Each quad's diagonal rises to the right: the first triangle lies below it.
    assert frame["triangle"][3, 1] == 1
    assert frame["triangle"][3, 3] == 1
    assert frame["triangle"][0, 0] == 2
    assert frame["triangle"][0, 2] == 2
    assert set(np.unique(frame["triangle"])) == {1, 2}


def test_instances_of_one_primitive_keep_their_own_ids_and_triangles(renderer: Renderer) -> None:
    quad = model(primitive(rectangle(-1, -1, 1, 1, -2), ((0, 2, 3), (0, 1, 2))))
    two = scene(quad, quad, matrices=[translation(-2, 0, 0), translation(2, 0, 0)])
    frame = renderer.render(two, posed(), size=(8, 4))
    # The picture is 8 metres wide at depth 2: a metre a pixel.
    assert frame["object"][1].tolist() == [0, 1, 1, 0, 0, 2, 2, 0]
    for number in (1, 2):
        assert set(np.unique(frame["triangle"][frame["object"] == number])) == {1, 2}
    np.testing.assert_array_equal(frame["part"], frame["object"])


def test_the_nearer_surface_is_seen(renderer: Renderer) -> None:
    near, far = primitive(rectangle(-9, -9, 0, 9, -5)), primitive(rectangle(-9, -9, 9, 9, -5.001))
    for order in ((near, far), (far, near)):
        frame = renderer.render(scene(*(model(one) for one in order)), posed(), size=(4, 2))
        np.testing.assert_allclose(frame["depth"][:, :2], 5.0, rtol=1e-6)
        assert np.unique(frame["object"][:, :2]).tolist() == [1 if order[0] is near else 2]


def test_far_surfaces_a_hundred_thousandth_apart_stay_in_order(renderer: Renderer) -> None:
    near, far = (model(primitive(rectangle(-2e4, -2e4, 2e4, 2e4, -depth))) for depth in (9000.0, 9000.1))
    frame = renderer.render(scene(far, near, looking=camera(znear=0.1, zfar=1e4)), posed(), size=(16, 16))
    assert (frame["object"] == 2).all()


@pytest.mark.parametrize(("znear", "zfar", "seen"), [(0.1, 10, 1), (4.99, 5.01, 1), (5.01, 10, 0), (0.1, 4.99, 0)])
@pytest.mark.parametrize("lens", [{"yfov": 1.0}, {"yfov": None, "ymag": 2.0}])
def test_near_and_far_planes_cut(
    renderer: Renderer, znear: float, zfar: float, seen: int, lens: dict[str, float | None]
) -> None:
    plane = model(primitive(rectangle(-50, -50, 50, 50, -5)))
    looking = camera(znear=znear, zfar=zfar, **lens)
    frame = renderer.render(scene(plane, looking=looking), posed(), size=(4, 4))
    assert (frame["object"] == seen).all()
    if seen:
        np.testing.assert_allclose(frame["depth"], 5.0, rtol=1e-6)


def test_an_orthographic_camera_without_a_far_plane_sees_parallel_rays(renderer: Renderer) -> None:
    quads = model(primitive(rectangle(-1, -1, 0, 1, -3)), primitive(rectangle(0, -1, 1, 1, -40)))
    looking = camera(yfov=None, ymag=2.0, znear=0.0)
    frame = renderer.render(scene(quads, looking=looking), posed(), size=(8, 8))
    # 4 metres a picture of 8 pixels: half a metre a pixel, whatever the depth.
    assert frame["part"][2].tolist() == [0, 0, 1, 1, 2, 2, 0, 0]
    assert frame["part"][:, 2].tolist() == [0, 0, 1, 1, 1, 1, 0, 0]
    np.testing.assert_allclose(frame["depth"][4, 2:6], [3, 3, 40, 40], rtol=1e-6)


def test_a_perspective_camera_may_have_its_near_plane_at_its_eye(renderer: Renderer) -> None:
    frame = renderer.render(scene(LEFT_HALF, looking=camera(znear=0.0)), posed(), size=(4, 4))
    np.testing.assert_allclose(frame["depth"][2], [5, 5, math.inf, math.inf], rtol=1e-6)


def bent_strip(scale: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Scene:
    """A strip of two quads up the y axis, one metre wide, whose upper joint leans."""
    positions = [(-0.5, 0, 0), (0.5, 0, 0), (-0.5, 1, 0), (0.5, 1, 0), (-0.5, 2, 0), (0.5, 2, 0)]
    triangles = ((0, 1, 3), (0, 3, 2), (2, 3, 5), (2, 5, 4))
    joints = [[0, 1]] * 6
    weights = [[1, 0], [1, 0], [0.5, 0.5], [0.5, 0.5], [0, 1], [0, 1]]
    strip = primitive(positions, triangles, joints=np.array(joints, np.uint32), weights=np.array(weights, np.float32))
    return scene(model(strip, joints=2, scale=scale), looking=camera(matrix=translation(0, 1, 2)))


def test_a_skinned_strip_is_where_its_palette_puts_it(renderer: Renderer) -> None:
    strip = bent_strip()
    palette = np.array([np.eye(4), translation(1, 0, 0)], np.float32)
    frame = renderer.render(strip, posed(palettes={"a": {0: palette}}), size=(16, 16), layers=EVERYTHING)
    # At depth 2 the picture is 4 metres high: 4 pixels a metre, and y = 1 at its middle. The lower row of vertices
    # stays, the middle one moves half a metre, the upper one a metre to the right.
    assert np.flatnonzero(frame["object"][11]).tolist() == [6, 7, 8, 9]
    lowest, highest = frame["triangle"][11], frame["triangle"][4]
    assert set(lowest[lowest > 0]) <= {1, 2}
    assert set(highest[highest > 0]) <= {3, 4}
    assert np.flatnonzero(highest).tolist() == [10, 11, 12, 13]
    # At row 7 the centre is at y = 1.125, so the strip has moved by 0.5 + 0.5 / 8 metres: 2.25 pixels.
    assert np.flatnonzero(frame["triangle"][7]).tolist() == [8, 9, 10, 11]
    assert frame["triangle"][7, 8] == 4
    assert frame["triangle"][7, 11] == 3
    assert frame["triangle"][8, 8] in (1, 2)


def test_without_a_palette_the_strip_is_at_rest(renderer: Renderer) -> None:
    strip = bent_strip()
    frame = renderer.render(strip, posed(), size=(16, 16))
    assert np.flatnonzero(frame["object"].any(axis=0)).tolist() == [6, 7, 8, 9]
    assert np.flatnonzero(frame["object"].any(axis=1)).tolist() == list(range(4, 12))


def test_the_transform_of_a_skinned_node_is_ignored(renderer: Renderer) -> None:
    plain, scaled = bent_strip(), bent_strip(scale=(0.0, 3.0, 3.0))
    expected = renderer.render(plain, posed(), size=(16, 16))["triangle"]
    np.testing.assert_array_equal(renderer.render(scaled, posed(), size=(16, 16))["triangle"], expected)


def test_morph_targets_move_vertices_before_the_palette_does(renderer: Renderer) -> None:
    quad = primitive(
        rectangle(-1, -1, 1, 1, 0),
        joints=np.zeros((4, 1), np.uint32),
        weights=np.ones((4, 1), np.float32),
        targets=(MorphTarget(positions=np.full((4, 3), (1, 0, 0), np.float32)),),
    )
    quarter_turn = np.array([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], np.float32)[None]
    morphing = scene(model(quad, joints=1), looking=camera(matrix=translation(0, 0, 4)))
    pose = posed(palettes={"a": {0: quarter_turn}}, morphs={"a": {0: np.array([2.0])}})
    frame = renderer.render(morphing, pose, size=(8, 8))
    # Two metres along x before a quarter turn about z are two metres up after it; a metre is a pixel.
    assert np.argwhere(frame["object"] > 0).tolist() == [[1, 3], [1, 4], [2, 3], [2, 4]]


def test_a_mirrored_node_shows_its_front_and_a_single_side_only(renderer: Renderer) -> None:
    single, double = Material(), Material(double_sided=True)
    quad = primitive(rectangle(-9, -9, 9, 9, -5))
    mirror = np.diag([-1.0, 1.0, 1.0, 1.0])
    behind = np.diag([1.0, 1.0, -1.0, 1.0])  # a mirror too; seen from its back
    from_behind = camera(matrix=np.diag([-1.0, 1.0, -1.0, 1.0]) @ translation(0, 0, 10))
    for material, matrix, looking, seen in (
        (single, np.eye(4), camera(), 1),
        (single, np.eye(4), from_behind, 0),
        (double, np.eye(4), from_behind, 1),
        (single, mirror, camera(), 1),
        (single, mirror, from_behind, 0),
        (single, behind, from_behind, 1),
    ):
        placed = scene(model(quad, material=material), matrices=[matrix], looking=looking)
        frame = renderer.render(placed, posed(), size=(2, 2), layers=EVERYTHING)
        assert (frame["object"] == seen).all(), (material.double_sided, matrix.diagonal())
        if seen:
            toward = looking.matrix[:3, 2]
            np.testing.assert_allclose(frame["normal"], np.broadcast_to(toward, (2, 2, 3)), atol=1e-6)
            np.testing.assert_allclose(frame["geometric_normal"], np.broadcast_to(toward, (2, 2, 3)), atol=1e-6)


def test_a_mirroring_joint_swaps_the_facing_of_the_triangles_whose_first_vertex_it_binds(renderer: Renderer) -> None:
    mirror = np.diag([-1, 1, 1, 1]).astype(np.float32)
    quad = primitive(
        rectangle(-9, -9, 9, 9, -5), joints=np.zeros((4, 1), np.uint32), weights=np.ones((4, 1), np.float32)
    )
    frame = renderer.render(scene(model(quad, joints=1)), posed(palettes={"a": {0: mirror[None]}}), size=(4, 4))
    assert (frame["object"] == 1).all()
    np.testing.assert_allclose(frame["normal"], np.broadcast_to([0, 0, 1], (4, 4, 3)), atol=1e-6)


def test_normals_follow_a_non_uniform_scale_by_the_cofactor(renderer: Renderer) -> None:
    slanted = np.array([1.0, 0.0, 1.0]) / math.sqrt(2)
    quad = primitive(rectangle(-9, -9, 9, 9, -1), normals=np.tile(slanted, (4, 1)).astype(np.float32))
    wide = scene(model(quad), matrices=[np.diag([4.0, 1.0, 1.0, 1.0])])
    frame = renderer.render(wide, posed(), size=(2, 2))
    # Stretching x by 4 divides the normal's x by 4.
    expected = np.array([0.25, 0.0, 1.0]) / math.sqrt(1.0625)
    np.testing.assert_allclose(frame["normal"], np.broadcast_to(expected, (2, 2, 3)), atol=1e-6)


def test_normals_interpolate_and_are_unit_length(renderer: Renderer) -> None:
    left, right = (-0.6, 0.0, 0.8), (0.6, 0.0, 0.8)
    quad = primitive(rectangle(-1, -1, 1, 1, -1), normals=np.array([left, right, right, left], np.float32))
    frame = renderer.render(scene(model(quad)), posed(), size=(4, 4))
    blended = np.array([[0.6 * t, 0.0, 0.8] for t in (-0.75, -0.25, 0.25, 0.75)])
    blended /= np.sqrt((blended * blended).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(frame["normal"][2], blended, atol=1e-6)


CHECKER = [[[255, 255, 255, 255], [255, 255, 255, 0]], [[255, 255, 255, 0], [255, 255, 255, 255]]]
CARD_UVS = np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float32)


@pytest.mark.parametrize("mode", [AlphaMode.MASK, AlphaMode.BLEND])
def test_the_texture_s_alpha_cuts_holes_into_every_layer(renderer: Renderer, mode: AlphaMode) -> None:
    material = Material(alpha_mode=mode, color_texture=picture(CHECKER, linear=False))
    card = model(primitive(rectangle(-1, -1, 1, 1, -1), uvs=(CARD_UVS,)), material=material)
    frame = renderer.render(scene(card), posed(), size=(4, 4), layers=EVERYTHING)
    holes = np.kron(np.array([[1, 0], [0, 1]]), np.ones((2, 2), int))
    for layer in ("object", "part"):
        assert (frame[layer] == holes).all()
    assert (np.isfinite(frame["depth"]) == holes).all()
    np.testing.assert_allclose(frame["normal"][..., 2], holes, atol=1e-6)
    assert ((frame["position"] != 0).any(axis=-1) == holes).all()


def test_alpha_is_filtered_between_texels_and_wraps(renderer: Renderer) -> None:
    # One row of two texels, alpha 1 and 0, over 16 pixels: linear between their centres at pixels 4 and 12.
    texels = [[[255, 255, 255, 255], [255, 255, 255, 0]]]
    quad = primitive(rectangle(-1, -1, 1, 1, -1), uvs=(CARD_UVS,))

    def solid(wrap: Wrap, cutoff: float) -> list[int]:
        material = Material(alpha_mode=AlphaMode.MASK, alpha_cutoff=cutoff, color_texture=picture(texels, wrap_s=wrap))
        frame = renderer.render(scene(model(quad, material=material)), posed(), size=(16, 16))
        return np.flatnonzero(frame["object"][8]).tolist()

    # Pixel centre x + 0.5 has alpha 1 - (x + 0.5 - 4) / 8 between 4 and 12; the cutoff 0.3 lies at 9.6.
    assert solid(Wrap.CLAMP, 0.3) == list(range(10))
    assert solid(Wrap.MIRROR, 0.3) == list(range(10))
    # Repeated, alpha rises from 1/2 at the left edge to 1 at 4, falls to 0 at 12 and rises to 1/2 at the right edge:
    # it passes 0.6 at 0.8 and at 7.2.
    assert solid(Wrap.REPEAT, 0.6) == [1, 2, 3, 4, 5, 6]


def test_the_texture_transform_and_the_set_of_coordinates_are_honoured(renderer: Renderer) -> None:
    shifted = picture(CHECKER, linear=False, uv=1, transform=((1.0, 0.0, 0.5), (0.0, 1.0, 0.0)))
    material = Material(alpha_mode=AlphaMode.MASK, color_texture=shifted)
    card = primitive(rectangle(-1, -1, 1, 1, -1), uvs=(np.zeros((4, 2), np.float32), CARD_UVS))
    frame = renderer.render(scene(model(card, material=material)), posed(), size=(2, 2))
    assert frame["object"].tolist() == [[0, 1], [1, 0]]


def test_vertex_and_factor_alpha_multiply_the_texture_s(renderer: Renderer) -> None:
    colors = np.tile(np.array([1, 1, 1, 0.8], np.float32), (4, 1))
    card = primitive(rectangle(-1, -1, 1, 1, -1), colors=colors)
    for factor, seen in ((0.7, 1), (0.6, 0)):  # 0.56 and 0.48 against 1/2
        material = Material(alpha_mode=AlphaMode.MASK, base_color=(1, 1, 1, factor))
        frame = renderer.render(scene(model(card, material=material)), posed(), size=(2, 2))
        assert (frame["object"] == seen).all()


def test_points_lines_and_triangles_without_area_draw_nothing(renderer: Renderer) -> None:
    nothing = primitive(rectangle(-1, -1, 1, 1, -1), ())
    collapsed = primitive(rectangle(-1, -1, 1, 1, -1), ((0, 0, 1), (1, 2, 2), (0, 1, 2)))
    frame = renderer.render(scene(model(nothing, collapsed)), posed(), size=(4, 4))
    assert set(np.unique(frame["part"])) == {0, 2}
    assert set(np.unique(frame["triangle"])) == {0, 3}


def test_what_is_not_visible_is_not_drawn(renderer: Renderer) -> None:
    frame = renderer.render(scene(LEFT_HALF), posed(visible={"a": False}), size=(4, 4))
    assert not frame["object"].any()
    assert np.isinf(frame["depth"]).all()


@pytest.mark.parametrize("far", [1e4, 1e6])
def test_objects_and_nodes_far_from_the_world_s_origin_keep_their_pixels(renderer: Renderer, far: float) -> None:
    quad = model(primitive(rectangle(-0.3, -0.4, 0.55, 0.35, -5)))
    here = renderer.render(scene(quad), posed(), size=(64, 64), layers=EVERYTHING)
    away = translation(far, -far, far)
    looking = camera(matrix=away)
    there = renderer.render(scene(quad, matrices=[away], looking=looking), posed(), size=(64, 64), layers=EVERYTHING)
    for layer in ("object", "triangle", "depth", "normal"):
        np.testing.assert_array_equal(here[layer], there[layer])
    by_node = posed(nodes={"a": {0: away}})
    np.testing.assert_array_equal(
        renderer.render(scene(quad, looking=looking), by_node, size=(64, 64))["triangle"], here["triangle"]
    )


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_a_scaled_scene_has_the_same_masks(renderer: Renderer, scale: float) -> None:
    def drawn(factor: float) -> np.ndarray:
        corners = (np.array(rectangle(-0.3, -0.4, 0.55, 0.35, -5)) * factor).tolist()
        looking = camera(znear=0.125 * factor)
        return renderer.render(scene(model(primitive(corners)), looking=looking), posed(), size=(64, 64))["triangle"]

    np.testing.assert_array_equal(drawn(scale), drawn(1.0))


def test_the_snapshot_s_camera_goes_before_the_scene_s_and_the_call_s_before_both(renderer: Renderer) -> None:
    away = camera(matrix=translation(0, 0, 100))
    there = scene(LEFT_HALF, looking=away)
    here, nearer = posed(camera=camera()), camera(matrix=translation(0, 0, -1))
    for pose, given, depth in ((posed(), None, 105), (here, None, 5), (here, nearer, 4)):
        frame = renderer.render(there, pose, size=(4, 4), camera=given)
        assert frame["depth"][2, 0] == pytest.approx(depth, rel=1e-6)


def test_an_unknown_layer_a_size_out_of_range_and_a_foreign_palette_are_refused(renderer: Renderer) -> None:
    with pytest.raises(PosedError, match=r'no layer "colour": it has color, object, part'):
        renderer.render(scene(LEFT_HALF), posed(), layers=["colour"])
    for size in ((0, 4), (4, 8193)):
        with pytest.raises(PosedError, match=r"1 to 8192 pixels a side"):
            renderer.render(scene(LEFT_HALF), posed(), size=size)
    strip = bent_strip()
    with pytest.raises(PoseError, match=r'object "a", node 0 has 3 entries of shape \(4, 4\): expected 2'):
        renderer.render(strip, posed(palettes={"a": {0: np.zeros((3, 4, 4), np.float32)}}))


def test_frames_name_what_they_come_from(renderer: Renderer) -> None:
    quad, pose = scene(LEFT_HALF), posed(tick=7)
    frame = renderer.render(quad, pose, size=(4, 4))
    assert (frame.provenance.scene, frame.provenance.posed) == (quad.digest, pose.digest)
    assert frame.provenance.tick == 7
    assert frame.provenance.adapter
    assert frame.provenance.backend.startswith("wgpu ")
    assert frame.ids.name("part", 1) == "a/mesh/0"


def test_a_picture_is_encoded_once_on_its_way_to_a_file(renderer: Renderer, tmp_path: Path) -> None:
    half = Material(base_color=(0.5, 0.5, 0.5, 1.0), unlit=True)
    texel = Material(color_texture=picture([[[128, 128, 128, 255]]]), unlit=True)
    for material, code in ((half, 188), (texel, 128)):
        wall = scene(model(primitive(rectangle(-9, -9, 9, 9, -1), uvs=(CARD_UVS,)), material=material))
        renderer.render(wall, posed(), size=(3, 2), layers=["color"]).save(tmp_path / "x.png")
        with PIL.Image.open(tmp_path / "x.png") as saved:
            assert saved.convert("RGBA").getpixel((1, 1)) == (code, code, code, 255)
