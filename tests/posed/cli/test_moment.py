"""The options that choose a moment, gathered into one value."""

from fractions import Fraction
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from posed.cli.moment import Moment
from posed.cli.options import moment_options


def read(words: list[str], *, ranges: bool) -> object:
    """What a command with these options gets."""
    got: list[Moment] = []

    @click.command()
    @moment_options(ranges=ranges)
    def command(moment: Moment) -> None:
        got.append(moment)

    outcome = CliRunner().invoke(command, words)
    return got[0] if got else outcome.output


def test_every_option_has_its_field() -> None:
    words = ["--tick", "3", "--time", "0.5", "--ticks", "0:4", "--clip", "a", "--clip", "b:2"]
    words += ["--object", "o", "--play", "m:G", "--posed", "x.json"]
    given = read(words, ranges=True)
    assert given == Moment(3, Fraction(1, 2), range(4), ("a", "b:2"), "o", "m:G", Path("x.json"))
    assert isinstance(given, Moment)
    assert given.given() == ["--tick", "--time", "--ticks", "--clip", "--object", "--play", "--posed"]


def test_nothing_given_is_nothing_chosen() -> None:
    moment = read([], ranges=False)
    assert moment == Moment()
    assert (Moment().given(), Moment().chosen, Moment().playing) == ([], False, False)


def test_without_ranges_there_are_no_ticks() -> None:
    assert "No such option" in str(read(["--ticks", "0:4"], ranges=False))


@pytest.mark.parametrize(
    ("moment", "chosen", "playing"),
    [
        (Moment(tick=0), True, False),
        (Moment(time=Fraction(0)), True, False),
        (Moment(posed=Path("x.json")), True, True),
        (Moment(clips=("a",)), False, True),
        (Moment(play="m:G"), False, True),
        (Moment(ticks=range(4)), False, False),
    ],
)
def test_what_chooses_a_moment_and_what_plays(moment: Moment, chosen: bool, playing: bool) -> None:
    """Tick 0 and second 0 are given as much as any other."""
    assert (moment.chosen, moment.playing) == (chosen, playing)
    assert len(moment.given()) == 1
