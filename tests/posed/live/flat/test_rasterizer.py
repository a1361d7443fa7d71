"""The rules of flat drawing, worked out by hand on the CPU twin."""

from typing import Any

import numpy as np
import pytest

from posed.errors import PosedError
from posed.live.flat import Color, Draw, FlatScene, FlatSprites, Image, composite, rasterize

WHITE = Color(1, 1, 1)
RED, GREEN = (255, 0, 0, 255), (0, 255, 0, 255)


def covered(draw: Draw, size: tuple[int, int] = (4, 3)) -> list[str]:
    """Rows of the picture, # where the draw covers a pixel."""
    _, number = rasterize(FlatScene([draw]), size)
    return ["".join(".#"[value] for value in row) for row in number]


def row(fill: Image, width: int, size: float | None = None) -> np.ndarray[Any, Any]:
    """A picture of one row that the fill covers whole, or its left `size` pixels."""
    size = width if size is None else size
    color, _ = rasterize(FlatScene([Draw.rectangle((size / 2, 0.5), (size, 1), fill)]), (width, 1))
    return color[0]


def test_a_rectangle_covers_the_pixels_whose_centres_it_holds_left_and_upper_border_included() -> None:
    assert covered(Draw.rectangle((2, 1.5), (2, 1), WHITE)) == ["....", ".##.", "...."]
    assert covered(Draw.rectangle((1.5, 1), (2, 1), WHITE)) == ["##..", "....", "...."]  # from 0.5 to 2.5, 0.5 to 1.5
    assert covered(Draw.rectangle((1.5001, 1), (2, 1), WHITE)) == [".##.", "....", "...."]
    assert covered(Draw.rectangle((2, 1.5), (0.98, 9), WHITE)) == ["....", "....", "...."]
    assert covered(Draw.rectangle((-50, 1), (20, 9), WHITE)) == ["....", "....", "...."]


def test_an_ellipse_covers_its_border() -> None:
    assert covered(Draw.ellipse((2.5, 2.5), (4, 4), WHITE), (5, 5)) == ["..#..", ".###.", "#####", ".###.", "..#.."]
    # 3 by 4 by 5: of radius 5 around the middle of pixel (5, 5).
    disc = covered(Draw.ellipse((5.5, 5.5), (10, 10), WHITE), (11, 11))
    assert disc[1] == "..#######.."
    assert disc[2] == ".#########."
    assert disc[5] == "###########"
    assert covered(Draw.ellipse((2, 1.5), (4, 1), WHITE)) == ["....", "####", "...."]


def test_polygons_that_share_an_edge_neither_overlap_nor_leave_a_gap() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        a, b = (0.0, rng.uniform(0, 12)), (16.0, rng.uniform(0, 12))
        above = Draw.polygon([(0, 0), (16, 0), b, a], WHITE)
        below = Draw.polygon([a, b, (16, 12), (0, 12)], WHITE)
        over, under = (rasterize(FlatScene([one]), (16, 12))[1] for one in (above, below))
        assert (over + under == 1).all()
    # Along a diagonal through pixel centres too.
    over, under = (
        rasterize(FlatScene([Draw.polygon(corners, WHITE)]), (6, 6))[1]
        for corners in ([(0, 0), (6, 0), (6, 6)], [(0, 0), (6, 6), (0, 6)])
    )
    assert (over + under == 1).all()


def test_a_polygon_that_crosses_itself_is_hollow_where_it_covers_twice() -> None:
    ring = [(0, 0), (5, 0), (5, 5), (0, 5), (0, 0), (1, 1), (4, 1), (4, 4), (1, 4), (1, 1)]
    rows = covered(Draw.polygon([(float(x), float(y)) for x, y in ring], WHITE), (5, 5))
    assert rows == ["#####", "#...#", "#...#", "#...#", "#####"]


def test_later_draws_lie_over_earlier_ones_in_linear_light() -> None:
    one = Draw.rectangle((0.5, 0.5), (1, 1), Color(0.5, 0, 0, 1))
    half = Draw.rectangle((0.5, 0.5), (1, 1), Color(0, 1, 0, 0.25))
    color, number = rasterize(FlatScene([one, half]), (1, 1))
    np.testing.assert_allclose(color[0, 0], [0.375, 0.25, 0, 1], atol=1e-7)
    assert number[0, 0] == 1  # a quarter is not solid
    color, number = rasterize(FlatScene([half, one]), (1, 1))
    np.testing.assert_allclose(color[0, 0], [0.5, 0, 0, 1], atol=1e-7)
    assert number[0, 0] == 2
    below = np.array([[[0, 0, 0.5, 1]]], np.float32)
    np.testing.assert_allclose(
        composite(rasterize(FlatScene([half]), (1, 1))[0], below)[0, 0], [0, 0.25, 0.375, 1], atol=1e-7
    )


def test_a_picture_in_its_own_size_shows_its_texels() -> None:
    texels = np.array([[(10, 20, 30, 255), (128, 128, 128, 255), (255, 255, 255, 128)]], np.uint8)
    for linear in (False, True):
        found = row(Image(texels, linear=linear), 3)
        assert found[1, :3] == pytest.approx(0.21586, abs=1e-5)  # sRGB 128
        np.testing.assert_allclose(found[2], [128 / 255] * 4, atol=1e-6)


def test_filters_blend_between_texel_centres_by_premultiplied_color() -> None:
    texels = np.array([[(255, 255, 255, 255), (0, 0, 0, 0)]], np.uint8)
    found = row(Image(texels), 4)
    # Four pixels over two texels: centres at 0.25, 0.75, 1.25, 1.75, held from 0.5 to 1.5.
    np.testing.assert_allclose(found[:, 3], [1, 0.75, 0.25, 0], atol=1e-6)
    np.testing.assert_allclose(found[:, 0], found[:, 3], atol=1e-6)  # no dark seam
    np.testing.assert_allclose(row(Image(texels, linear=False), 4)[:, 3], [1, 1, 0, 0])


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("scale", [0.3, 1.0, 1.5, 7.0])
def test_nothing_of_a_neighbouring_frame_is_seen(scale: float, linear: bool) -> None:
    """A red frame beside green ones, at sizes that put pixels beyond the outermost texels' centres."""
    texels = np.full((6, 12, 4), GREEN, np.uint8)
    texels[2:4, 4:8] = RED
    sprite = Image(texels, uv=(4 / 12, 2 / 6, 8 / 12, 4 / 6), linear=linear)
    for draw in (
        Draw.sprite(sprite, (30.5, 15.5), (4 * scale, 2 * scale)),
        Draw.ellipse((30, 15), (40, 20), sprite),
    ):
        color, number = rasterize(FlatScene([draw]), (60, 30))
        assert (color[number == 1] == [1, 0, 0, 1]).all()
        assert (color[number == 0] == 0).all()
        assert number.any()


def test_a_frame_narrower_than_a_texel_is_held_at_its_middle() -> None:
    texels = np.array([[RED, GREEN]], np.uint8)
    found = row(Image(texels, uv=(0.1, 0, 0.2, 1)), 3)
    np.testing.assert_allclose(found, [[1, 0, 0, 1]] * 3)


def test_a_frame_may_be_mirrored_and_tinted() -> None:
    texels = np.array([[RED, GREEN]], np.uint8)
    found = row(Image(texels, uv=(1, 0, 0, 1), linear=False, tint=(1, 0.5, 1, 0.5)), 2)
    np.testing.assert_allclose(found, [[0, 0.25, 0, 0.5], [0.5, 0, 0, 0.5]], atol=1e-7)


def test_many_sprites_are_drawn_in_their_order_and_counted_one_by_one() -> None:
    texels = np.array([[RED, GREEN]], np.uint8)
    sprites = FlatSprites(Image(texels, linear=False))
    assert sprites.add((1, 0.5), (2, 1), (0, 0, 0.5, 1)) == 0
    assert sprites.add((2, 0.5), (2, 1), (0.5, 0, 1, 1)) == 1
    scene = FlatScene([Draw.rectangle((3.5, 0.5), (1, 1), WHITE), sprites])
    color, number = rasterize(scene, (4, 1))
    assert number.tolist() == [[2, 3, 3, 1]]
    np.testing.assert_allclose(color[0, :3, :2], [[1, 0], [0, 1], [0, 1]])
    assert [scene.find(one) for one in (1, 2, 3)] == [(0, 0), (1, 0), (1, 1)]
    with pytest.raises(PosedError, match="4: the flat scene has fewer draws"):
        scene.find(4)
    sprites.set([(0.5, 0.5)], (1, 1))
    assert len(sprites) == 1
    assert rasterize(FlatScene([sprites]), (2, 1))[1].tolist() == [[1, 0]]
    sprites.clear()
    assert len(sprites) == 0
    assert not rasterize(FlatScene([sprites]), (2, 1))[1].any()


def test_a_sprite_has_its_frame_s_own_size_unless_one_is_given() -> None:
    texels = np.zeros((8, 16, 4), np.uint8)
    draw = Draw.sprite(Image(texels), (10, 10), uv=(0.25, 0, 0.5, 1))
    assert (draw.low.tolist(), draw.high.tolist()) == ([8, 6], [12, 14])


@pytest.mark.parametrize(
    ("build", "refusal"),
    [
        (lambda: Image(np.zeros((2, 2, 3), np.uint8)), r"the picture is uint8 \(2, 2, 3\): expected an image or uint8"),
        (lambda: Image(np.zeros((2, 2, 4))), r"the picture is float64"),
        (
            lambda: Image(np.zeros((1, 1, 4), np.uint8), uv=(0, 0, 1.5, 1)),
            r"uv \[0.0, 0.0, 1.5, 1.0\]: a frame lies in",
        ),
        (lambda: Image(np.zeros((1, 1, 4), np.uint8), uv=(0, 0, 0, 1)), r"a frame lies in \[0, 1\] and has a size"),
        (lambda: Image(np.zeros((1, 1, 4), np.uint8), uv=(0, 0, float("nan"), 1)), r"a frame lies in"),
        (lambda: Draw.rectangle((0, 0), (1, -1), WHITE), r"a size is \[1.0, -1.0\]: expected 0 or more"),
        (lambda: Draw.rectangle((0, float("inf")), (1, 1), WHITE), r"centers are pixels of at most 65536, finite"),
        (lambda: Draw.polygon([(0, 0), (1, 1)], WHITE), r"a polygon's points are \(2, 2\): expected \(P, 2\)"),
        (lambda: FlatSprites(Image(np.zeros((1, 1, 4), np.uint8))).set([(0, 0)], [(1, 1)] * 2), r"sizes \(2, 2\)"),
        (
            lambda: FlatSprites(Image(np.zeros((1, 1, 4), np.uint8))).set([(0, 0)], (1, 1), [(0, 0, 1, 1)] * 2),
            r"uvs are \(2, 4\): expected \(1, 4\), a frame a sprite",
        ),
    ],
)
def test_what_is_no_draw_is_refused_by_what_is_wrong(build: Any, refusal: str) -> None:
    with pytest.raises(PosedError, match=refusal):
        build()
