"""The golden frames of a suite."""

import shutil
from pathlib import Path

import pytest

from posed.errors import PosedError
from posed.fixtures import skinned_column
from posed.golden import Golden, Sidecar, Status, write_goldens
from posed.golden.suite import TRACED, Choice, Held, asked, hold
from posed.live import Renderer
from posed.verify.suite import Suite, load_suite
from tests.posed.golden.test_sidecar import ACCEPTED

ROOT = Path(__file__).parents[3]

SUITE = """
format = 1
size = [48, 27]

[renderers.live]

[renderers.nobody]
command = ["false"]

[[test]]
name = "bending"
scene = "column.toml"
ticks = [0, 25]
renderers = ["live"]

[[test]]
name = "silent"
scene = "column.toml"
ticks = [0]
renderers = ["nobody"]
"""


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    for name in ("column.toml", "column.glb"):
        shutil.copy(ROOT / "golden" / "scenes" / name, tmp_path)
    (tmp_path / "suite.toml").write_text(SUITE)
    return load_suite(tmp_path / "suite.toml")


def statuses(found: list[Held]) -> list[tuple[str, int, str, Status]]:
    return [(one.test, one.tick, one.renderer, one.judgement.status) for one in found]


def accept(found: list[Held]) -> None:
    write_goldens(
        [
            (one.judgement.path, Golden(one.frame, Sidecar.of(one.frame, one.policy.name, ACCEPTED)))
            for one in found
            if one.frame is not None
        ]
    )


TRACES = Choice(renderers=("trace",))


def test_every_frame_is_held_and_one_that_nobody_drew_is_a_failure(suite: Suite, renderer: Renderer) -> None:
    found = list(hold(suite))
    assert statuses(found) == [
        ("bending", 0, "trace", Status.MISSING),
        ("bending", 0, "live", Status.MISSING),
        ("bending", 25, "trace", Status.MISSING),
        ("bending", 25, "live", Status.MISSING),
        ("silent", 0, "trace", Status.MISSING),
        ("silent", 0, "nobody", Status.FAIL),
    ]
    assert len(asked(suite, Choice())) == 6
    nobody = found[-1]
    assert nobody.frame is None
    assert nobody.refusal.startswith("there is no frame: ")
    accept(found)
    again = list(hold(suite))
    assert {one.judgement.status for one in again[:5]} == {Status.PASS}
    assert {one.judgement.sentence for one in again[:5]} == {"the same bit by bit"}


def test_a_choice_draws_nothing_else(suite: Suite) -> None:
    choice = Choice(tests=("bending",), ticks=(25,), renderers=("trace",))
    found = list(hold(suite, choice))
    assert statuses(found) == [("bending", 25, "trace", Status.MISSING)]
    assert len(asked(suite, choice)) == 1
    path = found[0].judgement.path
    assert path.parent == suite.path.parent / "frames" / "bending"
    assert path.name in ("25.trace.embree.exr", "25.trace.bvh.exr")


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (Choice(tests=("none",)), "there is no test none: it has bending, silent"),
        (Choice(ticks=(7,)), "there is no tick 7: it has 0, 25"),
        (Choice(renderers=("threejs",)), "there is no renderer threejs: it has trace, live, nobody"),
    ],
)
def test_a_choice_of_what_is_not_there_is_refused(suite: Suite, choice: Choice, message: str) -> None:
    with pytest.raises(PosedError, match=message):
        list(hold(suite, choice))


def test_a_renderer_called_as_the_trace_is_refused(suite: Suite) -> None:
    suite.path.write_text(SUITE.replace("nobody", "trace"))
    with pytest.raises(PosedError, match='a renderer is called "trace", as the trace itself is: rename it'):
        list(hold(load_suite(suite.path)))


def test_an_edited_scene_is_stale_and_shows_what_changed(suite: Suite) -> None:
    accept(list(hold(suite, TRACES)))
    model = suite.path.parent / "column.glb"
    model.write_bytes(skinned_column(width=0.5))
    found = list(hold(suite, TRACES))
    assert {one.judgement.status for one in found} == {Status.STALE}
    verdict = found[0].judgement.verdict
    assert verdict is not None
    assert verdict["silhouette"].differing > 0


def test_a_trace_is_held_to_the_bit_in_its_geometry() -> None:
    assert (TRACED.explains, TRACED.depth.relative, TRACED.normal.degrees) == (False, 0.0, 0.0)
    assert TRACED.color.max > 0.0


def test_a_frame_that_disagrees_with_the_trace_is_refused(suite: Suite, renderer: Renderer) -> None:
    text = suite.path.read_text().replace(
        "[renderers.live]", '[renderers.live]\npolicy = "blind"\n\n[policies.blind]\nbase = "exact"'
    )
    suite.path.write_text(text)
    found = list(hold(load_suite(suite.path), Choice(tests=("bending",), ticks=(25,), renderers=("live",))))
    assert found[0].judgement.status is Status.MISSING
    assert found[0].refusal, "no rasterizer is the trace to the bit"


@pytest.mark.parametrize("name", ["trace", "live"])
def test_the_golden_frames_of_this_repository_hold(name: str, request: pytest.FixtureRequest) -> None:
    if name == "live":
        request.getfixturevalue("renderer")
    found = list(hold(load_suite(ROOT / "golden" / "suite.toml"), Choice(renderers=(name,))))
    assert len(found) == 9
    wrong = [f"{one.test}, {one.name}: {one.judgement.sentence}" for one in found if one.judgement.status != "PASS"]
    assert not wrong, "\n".join(
        [*wrong, "posed golden verify --report golden.html shows them; posed golden accept --why '...' accepts them"]
    )
