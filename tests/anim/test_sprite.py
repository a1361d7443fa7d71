"""Atlases, sprite clips and sheets: frames in place, coordinates, and what is refused."""

import pytest

from anim import AnimError, Atlas, FrameEvent, SpriteClip, SpriteSheet


def test_a_grid_runs_left_to_right_then_down() -> None:
    atlas = Atlas.grid((64, 48), (32, 16), 5)
    assert atlas.frames == ((0, 0, 32, 16), (32, 0, 32, 16), (0, 16, 32, 16), (32, 16, 32, 16), (0, 32, 32, 16))
    assert len(Atlas.grid((64, 48), (32, 16)).frames) == 6


def test_coordinates_have_v_down_from_the_top() -> None:
    assert Atlas.grid((64, 48), (32, 16)).uv(3) == (0.5, 1 / 3, 1.0, 2 / 3)
    assert Atlas.rects((10, 20), [(1, 2, 3, 4)]).uv(0) == (0.1, 0.1, 0.4, 0.3)


def test_frames_that_do_not_fit_are_refused() -> None:
    with pytest.raises(AnimError, match=r"9 cells of 32 x 16 pixels in an image of 64 x 48; it holds 2 x 3"):
        Atlas.grid((64, 48), (32, 16), 9)
    with pytest.raises(AnimError, match=r"frame 1 is \[8, 0, 3, 4\]; expected a rectangle inside 10 x 20"):
        Atlas.rects((10, 20), [(0, 0, 1, 1), (8, 0, 3, 4)])
    with pytest.raises(AnimError, match="a cell is 0 x 4 pixels"):
        Atlas.grid((64, 48), (0, 4))
    with pytest.raises(AnimError, match=r"frame 0 is \[1, 2\]; expected x, y, width and height"):
        Atlas.rects((10, 20), [(1, 2)])
    with pytest.raises(AnimError, match="frame is 6; the atlas has 6"):
        Atlas.grid((64, 48), (32, 16)).uv(6)
    with pytest.raises(AnimError, match="no frames"):
        Atlas.rects((10, 20), [])


def test_a_span_may_run_backwards() -> None:
    assert SpriteClip.span("run", 3, 5, 12).frames == (3, 4, 5)
    assert SpriteClip.span("back", 5, 3, 12).frames == (5, 4, 3)
    assert SpriteClip.span("one", 2, 2, 12).frames == (2,)


def test_clips_that_do_not_hold_together_are_refused() -> None:
    with pytest.raises(AnimError, match="clip 'a' has no frames"):
        SpriteClip("a", (), 12)
    with pytest.raises(AnimError, match="fps of clip 'a' is 0"):
        SpriteClip("a", (0,), 0)
    with pytest.raises(AnimError, match="event 'step' is on frame 1 of clip 'a', which has 1"):
        SpriteClip("a", (0,), 12, (FrameEvent("step", 1),))
    with pytest.raises(AnimError, match="clip 'a' shows frame 6; the atlas has 6"):
        SpriteSheet(Atlas.grid((64, 48), (32, 16)), (SpriteClip("a", (6,), 12),))


def test_a_sheet_finds_clips_and_lists_what_it_has() -> None:
    sheet = SpriteSheet(
        Atlas.grid((64, 48), (32, 16)), (SpriteClip("a", (4,), 1), SpriteClip("b", (1,), 1), SpriteClip("b", (2,), 1))
    )
    assert sheet.clip_index("a") == 0
    assert sheet.clip_index(2) == 2
    assert sheet.clip_index(sheet.clips[1]) == 1
    assert sheet.still_frame == 4
    with pytest.raises(AnimError, match=r"2 clips are named 'b'; choose one by its index: \[1, 2\]"):
        sheet.clip_index("b")
    with pytest.raises(AnimError, match="the sheet has no clip 'c'; it has 'a', 'b', 'b'"):
        sheet.clip_index("c")
