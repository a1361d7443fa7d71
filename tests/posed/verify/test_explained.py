"""Which answers at a pixel are explained, on triangles placed by hand around a pixel's centre.

The camera is orthographic with a metre a pixel and looks along -Z; pixel (4, 4) of 8 x 8 has its centre at
x = 0.5, y = -0.5.
"""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

import tracer
from posed.verify.explained import Explained, explain_pixels
from posed.verify.geometry import Geometry, geometry_of

BAND = 2.0**-7
SIZE = (8, 8)
BACKGROUND = (0, 0, 0)


def geometry(
    *triangles: list[tuple[float, float, float]],
    objects: list[int] | None = None,
    parts: list[int] | None = None,
    material: tracer.Material | None = None,
    textures: tuple[tracer.Texture, ...] = (),
    uvs: list[list[tuple[float, float]]] | None = None,
    camera: tracer.Camera | None = None,
) -> Geometry:
    """Triangles that share no vertex by index; object, part and triangle ids from 1 unless given."""
    count = len(triangles)
    positions = np.array(triangles, np.float32).reshape(-1, 3)
    ids = np.arange(1, count + 1, dtype=np.uint32)
    given = np.array(objects, np.uint32) if objects else np.ones(count, np.uint32)
    staged = tracer.Scene(
        positions=positions,
        normals=np.tile(np.array([0, 0, 1], np.float32), (len(positions), 1)),
        triangles=np.arange(3 * count, dtype=np.uint32).reshape(-1, 3),
        flat=np.ones(count, np.bool_),
        facing=np.ones(count, np.int8),
        object=given,
        part=np.array(parts, np.uint32) if parts else given.copy(),
        triangle=ids,
        material=np.zeros(count, np.uint32),
        uvs=np.zeros((0, len(positions), 2), np.float32)
        if uvs is None
        else np.array(uvs, np.float32).reshape(1, -1, 2),
        materials=(material or tracer.Material(double_sided=True),),
        textures=textures,
    )
    return geometry_of(staged, camera or tracer.Camera(np.eye(4), ymag=4.0, znear=0.0, zfar=100.0), SIZE)


def explained(
    seen: Geometry, answer: tuple[int, int, int], depth: float = math.nan, *, pixel: tuple[int, int] = (4, 4)
) -> Explained:
    """What explains this answer (object, part, triangle) at one pixel."""
    asked = np.zeros(SIZE, np.bool_)
    asked[pixel[1], pixel[0]] = True

    def layer(value: float, dtype: type) -> NDArray[np.generic]:
        return np.full(SIZE, value, dtype)

    live = {name: layer(value, np.uint32) for name, value in zip(("object", "part", "triangle"), answer, strict=True)}
    return explain_pixels(seen, asked, live | {"depth": layer(depth, np.float32)}, band=BAND, depth_limit=1e-4)


def left_of(x: float, z: float = -5.0) -> list[tuple[float, float, float]]:
    """A large triangle whose right edge is upright at x."""
    return [(x - 40, 0, z), (x, -40, z), (x, 40, z)]


def right_of(x: float, z: float = -5.0) -> list[tuple[float, float, float]]:
    return [(x + 40, 0, z), (x, 40, z), (x, -40, z)]


@pytest.mark.parametrize(("edge", "is_explained"), [(0.5 + 0.9 * BAND, True), (0.5 + 1.1 * BAND, False)])
def test_a_miss_is_explained_within_the_band_of_a_boundary_only(edge: float, is_explained: bool) -> None:
    found = explained(geometry(left_of(edge)), BACKGROUND)
    assert found.silhouette.tolist() == [is_explained]


@pytest.mark.parametrize(("edge", "is_explained"), [(0.5 - 0.9 * BAND, True), (0.5 - 1.1 * BAND, False)])
def test_a_hit_is_explained_when_its_triangle_comes_within_the_band(edge: float, is_explained: bool) -> None:
    found = explained(geometry(left_of(edge)), (1, 1, 1))
    for answer in (found.silhouette, found.object, found.part, found.triangle):
        assert answer.tolist() == [is_explained]


@pytest.mark.parametrize(("share", "is_explained"), [(0.9, True), (1.1, False)])
def test_a_sliver_may_be_seen_at_the_depth_of_its_plane_as_far_beyond_it_as_its_edge_may_be_off(
    share: float, is_explained: bool
) -> None:
    # Its depth falls from 6 m to 5 m on the way from x = 0.4 to its edge, just left of the pixel's centre.
    edge = 0.5 - 0.5 * BAND
    seen = geometry([(0.4, 0, -6), (edge, -40, -5), (edge, 40, -5)])
    fall = 1.0 / (edge - 0.4)
    assert explained(seen, (1, 1, 1), 5.0 - share * fall * BAND).depth.tolist() == [is_explained]


def test_other_ids_than_those_that_are_there_are_not_explained() -> None:
    seen = geometry(left_of(0.5), right_of(0.5), objects=[1, 2])
    assert explained(seen, (2, 2, 2)).triangle.all()
    wrong_object = explained(seen, (3, 2, 2))
    assert wrong_object.silhouette.all()
    assert not wrong_object.object.any()
    wrong_triangle = explained(seen, (2, 2, 1))
    assert wrong_triangle.part.all()
    assert not wrong_triangle.triangle.any()


def test_across_a_shared_edge_both_neighbours_are_answers_and_what_lies_behind_is_not() -> None:
    behind = [(-40.0, -40.0, -9.0), (40.0, -40.0, -9.0), (0.0, 80.0, -9.0)]
    seen = geometry(left_of(0.5), right_of(0.5), behind, objects=[1, 1, 2])
    assert explained(seen, (1, 1, 1)).triangle.all()
    assert explained(seen, (1, 1, 2)).triangle.all()
    crack, hole = explained(seen, (2, 2, 3)), explained(seen, BACKGROUND)
    assert not crack.object.any()
    assert not hole.silhouette.any()


def test_at_a_silhouette_what_lies_behind_is_an_answer() -> None:
    # A fold that both sides lean away from the camera: front and back share the edge on one side of it.
    front, back = left_of(0.5), [(-39.5, 0.0, -7.0), (0.5, 40.0, -5.0), (0.5, -40.0, -5.0)]
    seen = geometry(front, back, left_of(40.0, -9.0), objects=[1, 1, 2])
    assert explained(seen, (2, 2, 3)).triangle.all()
    assert explained(seen, (1, 1, 2)).triangle.all()


def test_the_edge_of_another_object_in_the_same_place_does_not_seal() -> None:
    seen = geometry(left_of(0.5), right_of(0.5), objects=[1, 2])
    assert explained(seen, BACKGROUND).silhouette.all()


def test_a_silhouette_behind_a_sliver_explains_too() -> None:
    # The centre lies on a triangle all of whose near edges are shared; the neighbour ends a fraction of the band on.
    body, sliver = left_of(0.501), [(0.501, 40.0, -5.0), (0.501, -40.0, -5.0), (0.503, 0.0, -5.0)]
    assert explained(geometry(body, sliver), BACKGROUND).silhouette.all()
    wide = [(0.501, 40.0, -5.0), (0.501, -40.0, -5.0), (3.0, 0.0, -5.0)]
    assert not explained(geometry(body, wide), BACKGROUND).silhouette.any()


def test_coincident_surfaces_may_swap_and_surfaces_apart_may_not() -> None:
    big = [(-40.0, -40.0, -5.0), (40.0, -40.0, -5.0), (0.0, 80.0, -5.0)]
    for gap, is_explained in ((0.0, True), (1e-7, True), (1e-3, False)):
        moved = [(x, y, z - gap) for x, y, z in big]
        found = explained(geometry(big, moved, objects=[1, 2]), (2, 2, 2))
        assert found.triangle.tolist() == [is_explained]
        assert found.tied.tolist() == [is_explained]


def test_surfaces_that_cross_may_swap_within_the_band_of_the_crossing() -> None:
    upright = [(-40.0, -40.0, -5.0), (40.0, -40.0, -5.0), (0.0, 80.0, -5.0)]

    def tilted(x: float) -> list[tuple[float, float, float]]:
        # Depth falls by 1 a pixel to the right and is 5 at x.
        return [(-20.0 + x, -40.0, -25.0), (20.0 + x, -40.0, 15.0), (x, 80.0, -5.0)]

    for offset, is_explained in ((0.9 * BAND, True), (3 * BAND, False)):
        for side in (-1, 1):
            seen = geometry(upright, tilted(0.5 + side * offset), objects=[1, 2])
            hidden = (2, 2, 2) if side > 0 else (1, 1, 1)
            assert explained(seen, hidden).triangle.tolist() == [is_explained]


def test_an_edge_is_a_tie_only_where_it_goes_through_the_centre() -> None:
    for answer in ((1, 1, 1), BACKGROUND):
        assert explained(geometry(left_of(0.5)), answer).tied.all()
        for side in (-0.5, 0.5):
            found = explained(geometry(left_of(0.5 + side * BAND)), answer)
            assert found.silhouette.all()
            assert not found.tied.any()


def test_depth_is_explained_by_the_slope_of_what_is_seen() -> None:
    # Depth grows by 4 metres a pixel to the right and is 10 at the pixel's centre.
    steep = [(-1.5, -40.0, -2.0), (2.5, -40.0, -18.0), (0.5, 80.0, -10.0)]
    seen = geometry(steep)
    for off, is_explained in ((3.9 * BAND, True), (-3.9 * BAND, True), (4.2 * BAND + 1e-3, False), (-0.2, False)):
        assert explained(seen, (1, 1, 1), 10.0 + off).depth.tolist() == [is_explained], off


def test_a_triangle_through_the_near_plane_ends_where_it_is_cut() -> None:
    looking = tracer.Camera(np.eye(4), yfov=2 * math.atan(4.0), znear=1.0, zfar=100.0)
    floor = [(-100.0, -0.5, 10.0), (100.0, -0.5, 10.0), (0.0, -0.5, -90.0)]
    seen = geometry(floor, camera=looking)
    # At depth 1 a pixel is a metre: the near plane cuts the floor at y = -0.5, the centre of row 4.
    assert explained(seen, BACKGROUND, pixel=(4, 4)).silhouette.all()
    assert explained(seen, (1, 1, 1), pixel=(4, 4)).triangle.all()
    assert not explained(seen, (1, 1, 1), pixel=(4, 5)).triangle.any()


def test_a_back_that_is_not_drawn_neither_hides_nor_answers() -> None:
    back = [(-40.0, -40.0, -3.0), (0.0, 80.0, -3.0), (40.0, -40.0, -3.0)]
    front = [(-40.0, -40.0, -5.0), (40.0, -40.0, -5.0), (0.0, 80.0, -5.0)]
    seen = geometry(back, front, objects=[1, 2], material=tracer.Material())
    assert explained(seen, (2, 2, 2)).triangle.all()
    assert not explained(seen, (1, 1, 1)).object.any()


def masked(cutoff_offset: float) -> Geometry:
    """A card before a wall; its alpha rises by 1/8 a pixel from 0 at x = -3.5 and is 1/2 at the pixel's centre."""
    texels = np.zeros((1, 9, 4), np.uint8)
    texels[0, :, 3] = np.round(np.arange(9) / 8 * 255)
    material = tracer.Material(
        alpha_mode=tracer.AlphaMode.MASK,
        alpha_cutoff=0.5 + cutoff_offset,
        color_texture=tracer.TextureSlot(0),
        double_sided=True,
    )
    card = [(-4.0, -40.0, -5.0), (5.0, -40.0, -5.0), (5.0, 40.0, -5.0)]
    return geometry(
        card,
        material=material,
        textures=(tracer.Texture(texels, tracer.Wrap.CLAMP, tracer.Wrap.CLAMP),),
        uvs=[[(0, 0), (1, 0), (1, 1)]],
    )


@pytest.mark.parametrize("answer", [(1, 1, 1), BACKGROUND])
def test_at_a_mask_s_edge_either_answer_is_explained(answer: tuple[int, int, int]) -> None:
    # The byte nearest to 1/2 is 128: alpha 0.50196. The band and a texel's 256th change it by 1/8 (1/128 + 1/256).
    assert explained(masked(0.00196), answer).silhouette.all()


def test_off_a_mask_s_edge_only_one_is() -> None:
    assert explained(masked(-0.02), (1, 1, 1)).silhouette.all()
    assert not explained(masked(-0.02), BACKGROUND).silhouette.any()
    assert explained(masked(0.02), BACKGROUND).silhouette.all()
    assert not explained(masked(0.02), (1, 1, 1)).silhouette.any()
