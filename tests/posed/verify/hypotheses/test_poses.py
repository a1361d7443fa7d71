"""Mistakes that a snapshot can show: each is made on purpose and found by name, in a frame and in a dump."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posed
from posed.game import Game
from posed.snapshot import Posed
from tests.posed.verify.diagnosing.literals import (
    ANIMATED,
    BOX,
    TWO_ARMS,
    arm,
    arm_file,
    at,
    drawn,
    explains,
    turn,
    with_palette,
)

TICK = 30
WINDOW = 20
EVERYWHERE = pytest.mark.parametrize("kind", ["frame", "dump"])


def diagnosed(scene: posed.Scene, truth: Posed, wrong: Posed, kind: str, **options: Any) -> posed.Diagnosis:
    live = drawn(scene, wrong) if kind == "frame" else replace(wrong, tick=truth.tick, sources={}, previous=None)
    return posed.diagnose(scene, live, posed=truth, window=WINDOW, **options)


def claimed(found: posed.Diagnosis) -> str:
    assert found.best is not None
    return found.best.claim


@EVERYWHERE
def test_a_tick_late(tmp_path: Path, kind: str) -> None:
    scene = arm(tmp_path, text=ANIMATED + BOX)
    found = diagnosed(scene, at(scene, TICK), at(scene, TICK - 1), kind)
    explains(found, "another tick")
    assert claimed(found) == "the live frame is tick 29, not 30"
    assert found.sentence().startswith("the live frame is tick 29, not 30: explains 100 % of ")


@EVERYWHERE
def test_a_part_of_a_tick_early(tmp_path: Path, kind: str) -> None:
    scene = arm(tmp_path)
    found = diagnosed(scene, at(scene, TICK), at(scene, TICK + 3, 0.625), kind)
    explains(found, "another tick")
    assert claimed(found) == "the live frame is tick 33.625, not 30"


@EVERYWHERE
def test_one_of_two_objects_a_few_ticks_late(tmp_path: Path, kind: str) -> None:
    scene = arm(tmp_path, text=ANIMATED + TWO_ARMS)
    truth, late = at(scene, TICK), at(scene, TICK - 4)
    found = diagnosed(scene, truth, replace(truth, palettes={**truth.palettes, "other": late.palettes["other"]}), kind)
    explains(found, "another tick")
    assert claimed(found) == 'object "other" is at tick 26, not 30'
    assert found.best is not None
    assert found.best.hypothesis.objects == ("other",)


@EVERYWHERE
def test_last_frame_s_palette_while_all_else_moves(tmp_path: Path, kind: str) -> None:
    """The arm rides on a mover, so that a whole tick late would be elsewhere."""
    riding = ANIMATED + "[object.motion]\ntimes = [0.0, 1.0]\npositions = [[-0.5, 0, 0], [0.5, 0, 0]]\n"
    scene = arm(tmp_path, text=riding)
    truth = at(scene, TICK)
    assert truth.previous is not None
    found = diagnosed(scene, truth, replace(truth, palettes=truth.previous.palettes), kind)
    explains(found, "last frame's palette")
    assert claimed(found) == 'object "arm": drawn with last frame\'s palette'


@EVERYWHERE
def test_the_rest_pose(tmp_path: Path, kind: str) -> None:
    """The elbow rests bent by 25 degrees about z, a metre up: x' = c x - s (y - 1), y' = s x + c (y - 1) + 1."""
    scene = arm(tmp_path)
    bent = np.eye(4)
    c, s = np.cos(np.radians(25)), np.sin(np.radians(25))
    bent[:2] = [[c, -s, 0, s], [s, c, 0, 1 - c]]
    found = diagnosed(scene, at(scene, TICK), with_palette(at(scene, TICK), [bent, bent, np.eye(4)]), kind)
    explains(found, "rest pose")


@EVERYWHERE
def test_the_bind_pose_on_one_of_two_objects(tmp_path: Path, kind: str) -> None:
    scene = arm(tmp_path, text=ANIMATED + TWO_ARMS)
    truth = at(scene, TICK)
    straight = {0: np.tile(np.eye(4, dtype=np.float32), (3, 1, 1))}
    found = diagnosed(scene, truth, replace(truth, palettes={**truth.palettes, "other": straight}), kind)
    explains(found, "bind pose")
    assert claimed(found) == 'object "other": in the bind pose, as if no palette were applied'


@EVERYWHERE
def test_another_clip(tmp_path: Path, kind: str) -> None:
    scene = arm(tmp_path)
    world = posed.World(scene)
    world.animate("arm", "wave")
    world.advance(TICK)
    found = diagnosed(scene, at(scene, TICK), world.posed(), kind)
    explains(found, "another clip")
    assert claimed(found) == 'object "arm" plays clip "wave" at 0.5 s, not "bend"'


class Blended(Game):
    """Bends, with a wave laid over by some weight."""

    def __init__(self, weight: float) -> None:
        self.weight = weight

    def tick(self, world: posed.World, tick: int, input: Any) -> None:
        if tick == 0:
            world.animate("arm", "bend").blend("wave", self.weight)


def played(game: Game, scene: posed.Scene, tick: int = TICK) -> Posed:
    return list(posed.play(game, scene, tick + 1))[-1]


@EVERYWHERE
@pytest.mark.parametrize("weight", [0.0, 0.37])
def test_another_blend_weight(tmp_path: Path, kind: str, weight: float) -> None:
    scene = arm(tmp_path)
    truth, wrong = played(Blended(0.8), scene), played(Blended(weight), scene)
    found = diagnosed(scene, truth, wrong, kind, game=Blended(0.8))
    explains(found, "another blend weight")
    assert claimed(found) == f'object "arm": the weight of clip "wave" is {weight:g}, not 0.8'


class Fading(Game):
    """Bends, and from tick 24 on fades over to the wave in 20 ticks."""

    def tick(self, world: posed.World, tick: int, input: Any) -> None:
        if tick == 24:
            world.animate("arm", "wave").fade(20 / 60)


@EVERYWHERE
def test_a_crossfade_that_is_not_applied(tmp_path: Path, kind: str) -> None:
    """At tick 30 the fade is at 6/20; the wrong side starts the wave at tick 24 with nothing below it."""
    scene = arm(tmp_path)

    class Cutting(Game):
        def tick(self, world: posed.World, tick: int, input: Any) -> None:
            if tick == 24:
                world.animate("arm", "wave")

    found = diagnosed(scene, played(Fading(), scene), played(Cutting(), scene), kind, game=Fading())
    explains(found, "crossfade not applied")
    assert claimed(found) == (
        'object "arm": the crossfade is not applied: "wave" alone is drawn, where "bend" still shows'
    )


@EVERYWHERE
def test_a_crossfade_of_another_length(tmp_path: Path, kind: str) -> None:
    """Over 40 ticks the fade is at 6/40 where it should be at 6/20."""
    scene = arm(tmp_path)

    class Slow(Game):
        def tick(self, world: posed.World, tick: int, input: Any) -> None:
            if tick == 24:
                world.animate("arm", "wave").fade(40 / 60)

    found = diagnosed(scene, played(Fading(), scene), played(Slow(), scene), kind, game=Fading())
    explains(found, "crossfade not applied")
    assert claimed(found) == 'object "arm": the crossfade to "wave" is at 0.15, not 0.3'


@EVERYWHERE
@pytest.mark.parametrize(
    ("playback", "words"),
    [("loop", "holds its end where it should loop"), ("once", "loops where it should hold its end")],
)
def test_looping_against_clamping(tmp_path: Path, kind: str, playback: str, words: str) -> None:
    """Tick 70 of a clip of 50.3 ticks: 19.7 ticks into its second turn, or at its end."""
    scene = arm(tmp_path, text=ANIMATED + f'playback = "{playback}"\n')
    (tmp_path / "other").mkdir()
    other = {"loop": "once", "once": "loop"}[playback]
    wrong = arm(tmp_path / "other", text=ANIMATED + f'playback = "{other}"\n')
    live = replace(at(wrong, 70), scene=scene.digest)
    found = diagnosed(scene, at(scene, 70), live, kind)
    explains(found, "looping against clamping")
    assert claimed(found) == f'object "arm": clip "bend" {words}'


BINDS = np.tile(np.eye(4), (3, 1, 1))
BINDS[:, 1, 3] = [-1.0, -2.0, 0.0]
"""Inverse bind matrices of elbow, wrist and shoulder."""


def unbound(palette: Any) -> Any:
    """Global matrices: what binds a joint a metre up undone."""
    moved = palette.astype(float).copy()
    for joint, height in ((0, 1.0), (1, 2.0)):
        moved[joint, :3, 3] += height * palette[joint, :3, 1]
    return moved


def bound_twice(palette: Any) -> Any:
    return np.einsum("jab,jbc->jac", palette.astype(float), BINDS)


def transposed(palette: Any) -> Any:
    """What a shader makes of transposed matrices that goes on with x, y and z."""
    changed = np.zeros((3, 4, 4))
    changed[:, :3, :3] = np.transpose(palette[:, :3, :3], (0, 2, 1))
    changed[:, 3, 3] = 1.0
    return changed


def turned_back(palette: Any) -> Any:
    changed = palette.copy()
    changed[:, :3, :3] = np.transpose(palette[:, :3, :3], (0, 2, 1))
    return changed


def parents_first(palette: Any) -> Any:
    """Shoulder, elbow, wrist, read by vertices that count elbow, wrist, shoulder."""
    return palette[[2, 0, 1]]


@EVERYWHERE
@pytest.mark.parametrize(
    ("change", "family", "words"),
    [
        (unbound, "inverse bind matrices", "the inverse bind matrices are missing"),
        (bound_twice, "inverse bind matrices", "the inverse bind matrices are applied twice"),
        (transposed, "palette transposed", "the matrices of the palette are transposed"),
        (turned_back, "palette transposed", "the matrices of the palette are transposed, their translation kept"),
        (parents_first, "joint order", "the joints are in the order parents first, not in the file's"),
    ],
)
def test_a_palette_made_wrongly(
    tmp_path: Path, kind: str, change: Callable[[Any], Any], family: str, words: str
) -> None:
    scene = arm(tmp_path)
    truth = at(scene, TICK)
    found = diagnosed(scene, truth, with_palette(truth, change(truth.palettes["arm"][0])), kind)
    explains(found, family)
    assert claimed(found) == f'object "arm": {words}'


@EVERYWHERE
@pytest.mark.parametrize("applied", [True, False])
def test_the_skinned_node_s_transform(tmp_path: Path, kind: str, applied: bool) -> None:
    """The node stands 0.3 m to the right, turned by a quarter about z: (x, y) to (0.3 - y, x), and back."""
    placed = arm_file(node={"translation": [0.3, 0.0, 0.0], "rotation": turn("z", 20.0)})
    scene = arm(tmp_path, placed)
    c, s = np.cos(np.radians(20)), np.sin(np.radians(20))
    place = np.array([[c, -s, 0, 0.3], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    back = np.array([[c, s, 0, -0.3 * c], [-s, c, 0, 0.3 * s], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    truth = at(scene, TICK)
    palette = np.einsum("ab,jbc->jac", place if applied else back, truth.palettes["arm"][0].astype(float))
    found = diagnosed(scene, truth, with_palette(truth, palette), kind)
    explains(found, "skinned node's transform")
    words = (
        "the skinned node's own transform is applied"
        if applied
        else "the palette is relative to the skinned node, whose transform is not applied"
    )
    assert claimed(found) == f'object "arm": {words}'


@EVERYWHERE
@pytest.mark.parametrize(
    ("weight", "words"), [(0.0, "no morph target is applied"), (0.1, "the morph targets are at rest")]
)
def test_morphs_missing(tmp_path: Path, kind: str, weight: float, words: str) -> None:
    scene = arm(tmp_path, arm_file(morphs=True))
    truth = at(scene, TICK)
    found = diagnosed(scene, truth, replace(truth, morphs={"arm": {0: np.array([weight])}}), kind)
    explains(found, "morphs missing")
    assert claimed(found) == f'object "arm": {words}'
