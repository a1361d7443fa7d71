"""Diagnose as a whole: nothing broken, nothing that fits, ties, what it works from, and what it refuses."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posed
from posed.errors import PosedError, PoseError
from posed.frame import Frame, Provenance
from posed.game import Game
from posed.live import Renderer
from posed.verify.diagnosing import Diagnosis, Family, Finding, Hypothesis
from posed.verify.diagnosing.diagnosis import Match
from posed.verify.vertices import Vertices
from tests.posed.verify.diagnosing.literals import (
    ANIMATED,
    BOX,
    LAYERS,
    SIZE,
    TWO_ARMS,
    arm,
    arm_file,
    at,
    drawn,
    drawn_vertices,
    explains,
    with_palette,
)

TICK = 30


def diagnosed(scene: posed.Scene, live: Any, **options: Any) -> posed.Diagnosis:
    return posed.diagnose(scene, live, posed=at(scene, TICK), window=10, **options)


@pytest.mark.parametrize("kind", ["frame", "dump", "vertices", "picture"])
def test_nothing_differs_where_nothing_is_broken(tmp_path: Path, kind: str) -> None:
    scene = arm(tmp_path, arm_file(morphs=True), ANIMATED + BOX)
    truth = at(scene, TICK)
    live = {
        "frame": lambda: drawn(scene, truth),
        "dump": lambda: replace(truth, sources={}, previous=None, scene=""),
        "vertices": lambda: posed.verify.expected_vertices(scene, truth),
        "picture": lambda: picture(tmp_path, scene, truth),
    }[kind]()
    found = diagnosed(scene, live)
    assert found.sentence() == "nothing differs"
    assert (found.differing, found.best, found.ranked) == (0, None, ())


def test_the_built_in_live_renderer_shows_nothing_to_explain(tmp_path: Path, renderer: Renderer) -> None:
    """Its edges differ from the trace, as rounding has it, and that is no difference."""
    scene = arm(tmp_path)
    live = renderer.render(scene, at(scene, TICK), size=SIZE, layers=LAYERS)
    assert diagnosed(scene, live).sentence() == "nothing differs"
    late = replace(renderer.render(scene, at(scene, TICK - 1), size=SIZE, layers=LAYERS), provenance=Provenance())
    found = diagnosed(scene, late)
    explains(found, "another tick")


def test_no_hypothesis_explains_an_arm_that_is_crushed(tmp_path: Path) -> None:
    """Flattened to a fifth in z and skewed: nothing that anybody does by mistake."""
    scene = arm(tmp_path)
    truth = at(scene, TICK)
    crush = np.array([[1.3, 0.2, 0, 0.1], [0, 0.8, 0, 0.2], [0, 0, 0.2, 0], [0, 0, 0, 1]])
    wrong = with_palette(truth, np.einsum("ab,jbc->jac", crush, truth.palettes["arm"][0]))
    for live in (drawn(scene, wrong), replace(wrong, sources={})):
        found = diagnosed(scene, live)
        assert found.best is None
        assert found.sentence().startswith(f"no hypothesis explains this: {found.differing:,} ")
        assert all(one.share < 0.9 for one in found.ranked)
        named = (
            'note: what differs most: object "arm", joint wrist, by 1.099 m; object "arm", joint elbow, by 696.8 mm; '
        )
        assert [line.startswith(named) for line in found.lines()] == [True] * isinstance(live, posed.Posed)


def picture(folder: Path, scene: posed.Scene, pose: posed.Posed, background: str | None = None) -> Frame:
    """A picture of another renderer: a file with color alone, antialiased."""
    posed.trace(scene, pose, size=SIZE, layers=("color",), background=background).save(folder / "live.png")
    return Frame.load(folder / "live.png")


@pytest.mark.parametrize("background", [None, "transparent"])
def test_a_picture_is_enough_for_the_silhouette(tmp_path: Path, background: str | None) -> None:
    scene = arm(tmp_path)
    straight = with_palette(at(scene, TICK), np.tile(np.eye(4), (3, 1, 1)))
    found = diagnosed(scene, picture(tmp_path, scene, straight, background))
    explains(found, "bind pose", share=0.95)  # antialiased corners lie outside of what the trace has around them
    assert found.best is not None
    assert found.best.traced


def test_object_ids_alone_tell_by_the_silhouette(tmp_path: Path) -> None:
    scene = arm(tmp_path)
    whole = drawn(scene, at(scene, TICK - 3))
    found = diagnosed(scene, replace(whole, layers={"object": whole["object"]}))
    explains(found, "another tick")
    assert found.best is not None
    assert found.best.hypothesis.values["tick"] == TICK - 3


def test_hypotheses_that_explain_as_much_are_told_and_the_usual_one_comes_first(tmp_path: Path) -> None:
    """A fade's end and the clip alone are the same; so are a tick late and last frame's palette, with nothing else."""
    scene = arm(tmp_path)
    found = diagnosed(scene, drawn(scene, at(scene, TICK - 1)))
    assert found.best is not None
    assert found.best.claim == "the live frame is tick 29, not 30"
    assert [one.family for one in found.ties] == ["last frame's palette"]
    assert all(one.traced for one in (found.best, *found.ties))


def test_every_finding_names_what_it_breaks(tmp_path: Path) -> None:
    """One of two arms is bound straight: that all are would break the other."""
    scene = arm(tmp_path, text=ANIMATED + TWO_ARMS)
    truth = at(scene, TICK)
    straight = {0: np.tile(np.eye(4, dtype=np.float32), (3, 1, 1))}
    found = diagnosed(scene, drawn(scene, replace(truth, palettes={**truth.palettes, "other": straight})))
    assert found.best is not None
    assert found.best.hypothesis.objects == ("other",)
    assert found.best.match.broken == 0


def test_a_script_is_played_again_for_other_ticks(tmp_path: Path) -> None:
    """The wave begins at tick 20: eight ticks early shows the bend's tick 12."""

    class Late(Game):
        def __init__(self) -> None:
            self.begun = 0

        def tick(self, world: posed.World, tick: int, input: Any) -> None:
            self.begun += tick == 20  # a game that is played twice must begin anew
            if tick == 20 and self.begun == 1:
                world.animate("arm", "wave")

    scene = arm(tmp_path)
    snapshots = list(posed.play(Late(), scene, TICK + 1))
    for tick in (12, 28):
        found = posed.diagnose(scene, drawn(scene, snapshots[tick]), tick=TICK, game=Late(), window=20)
        assert found.best is not None
        assert found.best.claim == f"the live frame is tick {tick}, not 30"
        assert found.notes == ()


def test_without_a_replay_the_truth_s_own_clips_are_moved_on(tmp_path: Path) -> None:
    scene = arm(tmp_path)
    world = posed.World(scene)
    world.animate("arm", "wave").start(0.25)
    world.advance(TICK)
    truth = world.posed()
    world.advance(TICK + 4)
    found = posed.diagnose(scene, drawn(scene, world.posed()), posed=truth, window=10)
    assert found.best is not None
    assert found.best.claim == "the live frame is tick 34, not 30"
    assert found.notes == (
        "other ticks are those of the truth's own clips, at its weights: the snapshot is not what the scene plays",
    )


def test_a_snapshot_that_does_not_say_what_plays_is_told(tmp_path: Path) -> None:
    scene = arm(tmp_path)
    world = posed.World(scene)
    world.animate("arm", "wave")
    world.advance(TICK)
    truth = replace(world.posed(), sources={}, previous=None)
    straight = with_palette(truth, np.tile(np.eye(4), (3, 1, 1)))
    found = posed.diagnose(scene, drawn(scene, straight), posed=truth, window=10)
    explains(found, "bind pose")
    assert found.notes == (
        "no other tick was tried: the snapshot is not what the scene plays, and does not say what it plays",
        "last frame's palette was not tried: the snapshot does not have the tick before",
    )


def test_hypotheses_of_one_s_own(tmp_path: Path) -> None:
    """An engine that draws everything a metre to the right."""

    def propose(case: Any) -> Any:
        moved = case.truth.models["arm"].copy()
        moved[0, 3] += 1.0
        posed_ = replace(case.truth, models={**case.truth.models, "arm": moved})
        yield Hypothesis("off", "the arm stands a metre to the right", "the model matrix", posed_, objects=("arm",))

    scene = arm(tmp_path)
    truth = at(scene, TICK)
    moved = truth.models["arm"].copy()
    moved[0, 3] += 1.0
    live = drawn(scene, replace(truth, models={"arm": moved}))
    found = diagnosed(scene, live, families=(Family("off", propose),))
    assert found.best is not None
    assert found.best.claim == "the arm stands a metre to the right"
    assert diagnosed(scene, live).best is None


def test_a_verdict_at_hand_spares_the_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = arm(tmp_path)
    truth, live = at(scene, TICK), drawn(scene, at(scene, TICK - 1))
    verdict = posed.check(scene, truth, live)

    def no_trace(*words: Any, **options: Any) -> None:
        raise AssertionError("the truth is traced again")

    monkeypatch.setattr("posed.verify.diagnosing.frame_evidence.trace", no_trace)
    found = posed.diagnose(scene, live, posed=truth, verdict=verdict, window=10)
    explains(found, "another tick")


def test_it_is_data_and_a_table(tmp_path: Path) -> None:
    scene = arm(tmp_path)
    found = diagnosed(scene, drawn(scene, at(scene, TICK - 1)))
    data = json.loads(json.dumps(found.to_json()))
    assert (data["format"], data["version"], data["tick"], data["counted"]) == ("posed diagnosis", 1, 30, "pixels")
    assert data["best"]["family"] == "another tick"
    assert data["best"]["values"]["tick"] == 29.0
    assert data["best"]["explained"] == data["differing"] == found.differing
    assert data["ranked"][0] == data["best"]
    lines = str(found).splitlines()
    assert lines[0] == found.sentence()
    assert lines[1].split() == ["explains", "breaks", "hypothesis"]
    assert lines[2].split()[:3] == ["100", "%", "0"]
    assert lines[-1].startswith("look at: when the engine advances its animation")


def test_an_engine_that_knows_that_it_is_late_is_diagnosed_and_what_it_states_is_noted(tmp_path: Path) -> None:
    scene = arm(tmp_path)
    frame = drawn(scene, at(scene, 29))
    for live in (at(scene, 29), replace(frame, provenance=replace(frame.provenance, tick=29))):
        found = posed.diagnose(scene, live, tick=30)
        assert found.sentence().startswith("the live frame is tick 29, not 30: explains")
        assert "the live side states tick 29; it is held against tick 30" in found.notes


WALKER = Path(__file__).parents[4] / "golden/scenes/walker.toml"


def walker_picture(folder: Path, tick: int) -> tuple[posed.Scene, posed.Frame]:
    """The walker and an antialiased picture of a tick, which states neither its tick nor any ids."""
    scene = posed.load(WALKER)
    world = posed.World(scene)
    world.advance(tick)
    options = {"size": (320, 180), "integrator": "direct", "samples": 16, "layers": ["color"]}
    posed.trace(scene, world.posed(), **options).save(folder / "picture.png")
    loaded = posed.Frame.load(folder / "picture.png")
    return scene, replace(loaded, provenance=replace(loaded.provenance, tick=None))


def test_at_the_right_tick_nothing_of_an_antialiased_picture_differs(tmp_path: Path) -> None:
    scene, live = walker_picture(tmp_path, 42)
    assert posed.diagnose(scene, live, tick=42, policy="foreign").sentence() == "nothing differs"


@pytest.mark.parametrize("late", [2, 12])
def test_a_late_picture_is_told_by_whole_ticks(tmp_path: Path, late: int) -> None:
    """Two ticks move no outline by a pixel, so that the first look, which sees outlines alone, tells nothing."""
    scene, live = walker_picture(tmp_path, 42 + late)
    found = posed.diagnose(scene, live, tick=42, policy="foreign", window=16)
    assert found.best is not None
    assert found.best.claim == f"the live frame is tick {42 + late}, not 42"


def test_what_is_refused(tmp_path: Path) -> None:
    scene = arm(tmp_path)
    live, truth = drawn(scene, at(scene, TICK)), at(scene, TICK)
    with pytest.raises(PoseError, match="the live side does not state its tick: say which one it should show"):
        posed.diagnose(scene, live)
    with pytest.raises(PoseError, match="the snapshot is of tick 30 and the tick asked for is 31: give one of them"):
        posed.diagnose(scene, live, posed=truth, tick=31)
    with pytest.raises(PosedError, match="a str cannot be compared: give a frame, a snapshot or vertices"):
        posed.diagnose(scene, "live.png", tick=3)  # type: ignore[arg-type]
    with pytest.raises(PosedError, match="the live frame has depth: a cause is told from object ids, at least from"):
        diagnosed(scene, replace(live, layers={"depth": live["depth"]}))
    with pytest.raises(PoseError, match=r"vertices: there is no part arm/7/0/0 \(there are arm/0/0\)"):
        diagnosed(scene, elsewhere(scene, truth, node=7))
    with pytest.raises(PoseError, match=r"vertices: part arm/0/0/0 has 3 vertices, expected 52: dump all of them"):
        diagnosed(scene, elsewhere(scene, truth, count=3))
    with pytest.raises(PosedError, match="the live side holds nothing: give a frame, a snapshot or vertices"):
        diagnosed(scene, posed.verify.Side())


def elsewhere(scene: posed.Scene, truth: posed.Posed, *, node: int = 0, count: int = 52) -> Vertices:
    ((place, part),) = posed.verify.expected_vertices(scene, truth).parts.items()
    return Vertices({place._replace(node=node): replace(part, positions=part.positions[:count], normals=None)})


def test_a_side_counts_by_what_differs_first(tmp_path: Path) -> None:
    """Its snapshot is right and its frame is not: the fault lies after the snapshot."""
    scene = arm(tmp_path, arm_file(scale=(-1.0, 1.0, 1.0)))
    truth = at(scene, TICK)
    side = posed.verify.Side(frame=drawn_vertices(scene, truth, facing=1), pose=replace(truth, sources={}))
    found = diagnosed(scene, side)
    assert found.noun == "pixels"
    explains(found, "mirrored winding")
    late = posed.verify.Side(frame=side.frame, pose=replace(at(scene, TICK - 1), tick=TICK))
    assert diagnosed(scene, late).noun == "joints"


@pytest.mark.parametrize(
    ("wrong", "claim"),
    [
        (lambda color: color[::-1], "flipped in y"),
        (lambda color: color[:, ::-1], "flipped in x"),
        (lambda color: color[..., [2, 1, 0, 3]], "'s red and blue are swapped"),
        (lambda color: np.concatenate([color[..., :3] ** (1.0 / 2.2), color[..., 3:]], axis=-1), "sRGB-encoded twice"),
    ],
)
def test_a_mistake_of_the_picture_as_a_whole_is_told(tmp_path: Path, wrong: Any, claim: str) -> None:
    """A power of 1 / 2.2 is within 0.03 of the sRGB curve, and what is told must not hang on less."""
    scene = arm(tmp_path)
    picture = posed.trace(scene, at(scene, TICK), size=SIZE, layers=("color",))
    live = replace(picture, layers={"color": np.ascontiguousarray(wrong(picture["color"]), np.float32)}, staged=None)
    best = posed.diagnose(scene, live, tick=TICK, window=30).best
    assert best is not None
    assert (best.family, best.traced) == ("picture", True)
    assert claim in best.claim


def test_a_frame_with_ids_that_is_upside_down_is_told(tmp_path: Path) -> None:
    scene = arm(tmp_path)
    right = drawn(scene, at(scene, TICK))
    live = replace(right, layers={name: right[name][::-1].copy() for name in right}, staged=None)
    found = diagnosed(scene, live)
    assert found.best is not None
    assert found.best.claim == "the live frame is flipped in y"
    assert found.best.match.explained == found.differing


def test_what_explains_next_to_nothing_is_not_printed() -> None:
    """Shares of 0.9, 0.05 and 0.04: the third is chance."""
    truth = posed.Posed(tick=0, rate=Fraction(60))
    ranked = tuple(
        Finding(Hypothesis("", f"claim {share}", "", truth), Match(share, 0, 100), "pixels") for share in (90, 5, 4)
    )
    assert [one.claim for one in Diagnosis(100, "pixels", ranked).shown] == ["claim 90", "claim 5"]
