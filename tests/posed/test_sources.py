"""What posed an object, there and back through JSON."""

import json
from typing import Any

import pytest

import anim
from anim.rows import Kind
from posed.errors import PoseError
from posed.sources import animator_source, mixes_of, sprite_of, sprite_source

ADDED = anim.PlayedLayer(
    "nod", 2, Kind.ADDITIVE, 0.5, 0.25, anim.Playback.ONCE, 0.25, 0.5, mask=(1.0, 0.0), reference=(0, 0.5)
)
MIXES = (
    anim.PlayedMix(1.0, (anim.PlayedLayer("walk", 0, Kind.SHARE, 1.0, 0.5, unwrapped=2.5),)),
    anim.PlayedMix(0.75, (anim.PlayedLayer("run", 1, Kind.SHARE, 1.0, 0.125, anim.Playback.PING_PONG, -0.125), ADDED)),
)


def test_mixes_come_back_from_json() -> None:
    source = json.loads(json.dumps(animator_source(MIXES, root_motion=True)))
    assert mixes_of(source) == MIXES
    assert source["root_motion"] is True
    assert "root_motion" not in animator_source(MIXES)


def test_a_sprite_comes_back_from_json() -> None:
    played = anim.PlayedSprite("run", 1, 2, 9, 5, anim.Playback.PING_PONG)
    assert sprite_of(json.loads(json.dumps(sprite_source(played, 9)))) == played
    assert sprite_source(None, 4) == {"frame": 4}
    assert sprite_of({"frame": 4}) is None


def test_what_an_older_file_leaves_out_is_usual() -> None:
    layer = {"clip": "walk", "index": 0, "weight": 1.0, "time": 0.5}
    (mix,) = mixes_of({"mixes": [{"weight": 1.0, "layers": [layer]}]}) or ()
    assert mix.layers == (anim.PlayedLayer("walk", 0, Kind.SHARE, 1.0, 0.5, unwrapped=0.5),)
    assert mixes_of({"clip": "Walk"}) is None
    assert mixes_of("Walk") is None


@pytest.mark.parametrize(
    "source",
    [
        {"mixes": [{"layers": []}]},
        {"mixes": 3},
        {"mixes": [{"weight": 1.0, "layers": [{"clip": "walk", "index": "x", "weight": 1, "time": 0}]}]},
        {"mixes": [{"weight": 1.0, "layers": [{"clip": "w", "index": 0, "weight": 1, "time": 0, "kind": "odd"}]}]},
        {"mixes": [{"weight": 1.0, "layers": [{"clip": "w", "index": 0, "weight": 1, "time": 0, "playback": "x"}]}]},
    ],
)
def test_values_that_are_no_mixes_are_refused(source: Any) -> None:
    with pytest.raises(PoseError, match="its mixes cannot be read"):
        mixes_of(source)


def test_values_that_are_no_sprite_are_refused() -> None:
    with pytest.raises(PoseError, match="its step cannot be read"):
        sprite_of({"step": 1, "frame": 2})
