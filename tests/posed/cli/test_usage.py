"""Words that commands do not take: each is told in one way, whatever is wrong, and every option takes part in it."""

from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
import pytest

from posed.cli import command
from posed.cli.kinds import Background, Memory, OneOf, Positive, Rate, Samples, Seconds, Size, Tick, Ticks, Whole
from posed.data import demo_scene
from posed.frame import Frame
from tests.posed.cli.conftest import Run

KINDS = (Background, Memory, OneOf, Positive, Rate, Samples, Seconds, Size, Tick, Ticks, Whole)
"""Whose words are ours."""


def parameters(group: click.Group = command, place: str = "posed") -> Iterator[tuple[str, click.Parameter]]:
    """Yield every parameter of every command, with its place."""
    yield from ((place, one) for one in group.params)
    for name in group.list_commands(click.Context(group)):
        below = group.get_command(click.Context(group), name)
        assert below is not None
        if isinstance(below, click.Group):
            yield from parameters(below, f"{place} {name}")
        else:
            yield from ((f"{place} {name}", one) for one in below.params)


def test_every_value_is_of_a_kind_that_says_what_it_takes() -> None:
    free = (click.Path, type(click.STRING))  # whatever is given is one; what it names is looked for later
    found = list(parameters())
    assert len(found) > 150
    strange = [
        f"{place} {one.name}: {one.type}"
        for place, one in found
        if not (isinstance(one, click.Option) and one.is_flag) and not isinstance(one.type, (*KINDS, *free))
    ]
    assert strange == []


SCENE = str(demo_scene())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("rendr", 'posed: there is no command "rendr": is render meant? (posed --help shows how)'),
        ("zzz", 'posed: there is no command "zzz": there are demo, render, live, check, '),
        ("golden foo", 'posed golden: there is no command "foo": there are accept, verify (posed golden --help shows'),
        ("--frobnicate", "posed: there is no option --frobnicate: leave it out (posed --help shows how)"),
        ("render", "posed render: SCENE is missing: expected posed render [OPTIONS] SCENE (posed render --help shows"),
        ("diverge a", "posed diverge: B is missing: expected posed diverge [OPTIONS] A B ("),
        ("live", "posed live: SCENE is missing: expected posed live [OPTIONS] SCENE ("),
        ("live a", "posed live: --output is missing: give --output FILE (walk.png, .exr, .npz; a range: frames/%04d.p"),
        ("golden accept", "posed golden accept: --why is missing: give --why TEXT (The reason, which is kept beside e"),
        ("lint a b", 'posed lint: "b" is more than it takes: leave it out, and quote a name that has blanks ('),
        ("render a --workrs 2", "posed render: there is no option --workrs: is --workers meant? (posed render --help "),
        ("render a --workers", "posed render: --workers has no value: give --workers N (posed render --help shows how"),
        ("render a -o", "posed render: -o has no value: give --output FILE (posed render --help shows how)"),
        ("render a --integrator", "posed render: --integrator has no value: give --integrator direct|path|aov ("),
        ("explain a --pixel 1", "posed explain: --pixel has fewer values than its 2: give --pixel X Y ("),
        ("render a --fresh=3", "posed render: --fresh takes no value: leave out the = and what follows it ("),
        ("check a --no-github=3", "posed check: --no-github takes no value: leave out the = and what follows it ("),
        ("check a --workers x", 'posed check: --workers: "x" is no number for it: give a whole one from 1 to 1024 ('),
        ("check a --workers 0", 'posed check: --workers: "0" is no number for it: give a whole one from 1 to 1024 ('),
        ("inspect a --scene -1", 'posed inspect: --scene: "-1" is no number for it: give a whole one from 0 to 214748'),
        ("explain a --pixel a 2", 'posed explain: --pixel: "a" is no number for it: give a whole one from 0 to 16383'),
        ("render a --backend x", 'posed render: --backend: "x" is none of its values: give embree or bvh ('),
        ("render a --size x", 'posed render: --size: "x" is no size: give WxH in pixels, up to 16384 each, such as 96'),
        ("render a --samples 0", 'posed render: --samples: "0" is no number of samples: give 1 to 65536, or center ('),
        ("render a --ticks 3", 'posed render: --ticks: "3" is no range of ticks: give A:B or A:B:STEP, such as 0:60 ('),
        ("render a --ticks 0:9:0", 'posed render: --ticks: "0:9:0" has a step of 0: give one of 1 or more ('),
        (
            "render a --ticks 0:1000000000",
            'posed render: --ticks: "0:1000000000" holds 1,000,000,000 ticks: give at most 1,000,000, or a',
        ),
        ("render a --ticks 9:3", 'posed render: --ticks: "9:3" holds no tick: give A:B with B beyond A ('),
        ("render a --tick -3", 'posed render: --tick: "-3" is no tick: give an integer from 0 to 2^53 ('),
        ("render a --time x", 'posed render: --time: "x" is no time: give seconds of 0 or more, such as 0.75 ('),
        ("render a --memory 4", 'posed render: --memory: "4" is no amount of memory: give a number and a unit, such a'),
        ("render a --background x", 'posed render: --background: "x" is no background: give environment, transparent,'),
        ("lint a --rate 0", 'posed lint: --rate: "0" is no rate: give ticks a second, such as 60 or 30000/1001 ('),
        ("conform --timeout 0", 'posed conform: --timeout: "0" is no number for it: give one above 0, up to 1,000,000'),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_what_was_given_and_what_to_give(run: Run, words: str, said: str) -> None:
    done = run(*words.split())
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(said)
    assert done.err.count("\n") == 1
    assert done.err.endswith("--help shows how)\n")


def test_a_value_from_the_environment_is_named_by_its_variable(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSED_THREADS", "many")
    done = run("render", SCENE, "-o", "a.png")
    assert done.status == 2
    assert done.err.startswith(
        'posed render: POSED_THREADS: "many" is no number for it: give a whole one from 1 to 1024 ('
    )


def test_every_command_says_in_a_line_what_it_does(run: Run) -> None:
    """Click cuts what does not fit, and ends it with dots."""
    assert "..." not in run("--help").out.split("Commands:")[1]


@pytest.mark.parametrize(
    "words",
    [
        "explain {} --pixel 1 1 --clip Jog",
        "diagnose {} --clip Jog --live live.npz",
        "check {} --clip Jog",
        "check {} --tick 1 --time 1",
        "render {} --clip Jog -o a.png",
        "render {} --clip Jog --ticks 0:2 -o %d.png",
    ],
)
def test_what_is_refused_is_refused_before_kernels_are_compiled(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Frame({"depth": np.ones((2, 2), np.float32)}, (2, 2)).save("live.npz")
    monkeypatch.setattr("posed.cli.progress.Compiling", lambda *_modes: pytest.fail("compiles"))
    outcome = run(*words.format(Path(__file__).parents[3] / "golden/scenes/walker.glb").split())
    assert outcome.status == 2
