"""Animated WebP: each picture compressed as it arrives."""

import weakref
from fractions import Fraction

import numpy as np
import PIL.Image
import pytest

from posed.animation_file import QUALITY, check_size, durations, save_webp
from posed.errors import PosedError

MILLISECONDS = [30, 40, 50, 60, 70]


def pictures():
    """Five pictures of a square that walks over a plain ground."""
    for place in range(5):
        picture = np.full((24, 40, 4), 255, np.uint8)
        picture[8:16, 6 * place : 6 * place + 8] = 200, 40 * place, 0, 255
        yield picture


def test_the_file_is_what_pillow_makes_of_all_pictures_at_once(tmp_path):
    save_webp(tmp_path / "a.webp", pictures(), MILLISECONDS)
    first, *others = [PIL.Image.fromarray(picture) for picture in pictures()]
    options = {"save_all": True, "duration": MILLISECONDS, "loop": 0, "quality": QUALITY, "method": 4}
    first.save(tmp_path / "b.webp", append_images=others, **options)
    assert (tmp_path / "a.webp").read_bytes() == (tmp_path / "b.webp").read_bytes()
    with PIL.Image.open(tmp_path / "a.webp") as saved:
        assert saved.n_frames == 5


def test_pictures_gone_by_are_not_kept(tmp_path):
    there, most = [], []

    def watched():
        for picture in pictures():
            there.append(weakref.ref(picture))
            most.append(sum(one() is not None for one in there))
            yield picture
            del picture

    save_webp(tmp_path / "a.webp", watched(), MILLISECONDS)
    assert len(most) == 5
    assert max(most) <= 2  # the new one, and the one before it until Pillow lets it go


def test_one_picture_is_a_still(tmp_path):
    save_webp(tmp_path / "a.webp", [next(pictures())], [30])
    with PIL.Image.open(tmp_path / "a.webp") as saved:
        assert not saved.is_animated


def test_a_picture_that_cannot_be_made_leaves_no_file(tmp_path):
    def broken():
        yield from list(pictures())[:2]
        raise PosedError("frame 2: no such joint")

    with pytest.raises(PosedError, match="no such joint"):
        save_webp(tmp_path / "a.webp", broken(), MILLISECONDS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("count", [5, 3])
def test_whoever_makes_the_pictures_comes_to_an_end(tmp_path, count):
    ended = []

    def ending():
        try:
            yield from pictures()
            ended.append("after the last")
        finally:
            ended.append("cleared up")

    made = ending()
    save_webp(tmp_path / "a.webp", made, MILLISECONDS[:count])
    assert ended == (["after the last"] if count == 5 else []) + ["cleared up"]


def test_durations_do_not_drift():
    assert durations(range(6), Fraction(60)) == [17, 16, 17, 17, 16, 17]
    assert sum(durations(range(600), Fraction(60))) == 10_000


def test_too_many_pictures_are_refused(tmp_path):
    check_size(tmp_path / "a.webp", (1920, 1080), 2071)  # 2071 times 8,294,400 bytes, just below 2^34
    with pytest.raises(PosedError, match="2072 pictures of 1920 x 1080 are too many for one file, which takes 2071"):
        check_size(tmp_path / "a.webp", (1920, 1080), 2072)
