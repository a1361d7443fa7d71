"""`posed golden`: the golden frames of a suite, verified and accepted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from posed.cli.kinds import Tick
from posed.cli.options import GITHUB, JUNIT, Command, machine_options, use_machine
from posed.words import counted

if TYPE_CHECKING:
    from posed.cli.gathering import Gathering
    from posed.golden.suite import Choice, Held
    from posed.verify.report import Report

SUITE = Path("golden/suite.toml")


@click.group(short_help="Hold frames against golden ones, or accept them.")
def command() -> None:
    """Hold the frames of a suite, traced and drawn, against golden ones; or accept them as golden.

    \b
    posed golden verify
    posed golden accept golden/suite.toml --test walker --why "a longer scarf"
    """


def _choice_options(command: Command) -> Command:
    options: list[Any] = [
        click.argument("suite", type=click.Path(path_type=Path), metavar="[SUITE]", default=SUITE),
        click.option("--test", "tests", multiple=True, metavar="NAME", help="This test alone; may be repeated."),
        click.option("--tick", "ticks", multiple=True, type=Tick(), help="This tick alone; may be repeated."),
        click.option(
            "--renderer", "renderers", multiple=True, metavar="NAME", help='This renderer alone, "trace" for the trace.'
        ),
        click.option(
            "--report",
            type=click.Path(path_type=Path),
            metavar="FILE.html",
            help="Write a page of both frames.",
        ),
        click.option("--json", "as_json", is_flag=True, help="For machines."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@command.command(short_help="Hold every frame of a suite against its golden one.")
@_choice_options
@JUNIT
@GITHUB
@machine_options
def verify(
    suite: Path,
    tests: tuple[str, ...],
    ticks: tuple[int, ...],
    renderers: tuple[str, ...],
    report: Path | None,
    as_json: bool,
    junit: Path | None,
    github: bool,
    backend: str | None,
    embree: str | None,
    threads: int | None,
) -> int:
    """Hold the frames of SUITE (golden/suite.toml unless given) against the golden ones in frames/ beside it.

    Each is PASS, FAIL, MISSING (there is none) or STALE (the scene has changed since); exit status 0 where all pass.

    \b
    posed golden verify
    posed golden verify golden/suite.toml --test walker --renderer trace --report golden.html
    """
    from posed.ci import Case
    from posed.cli.reporting import relative, say_cases
    from posed.files import check_place
    from posed.golden import Status
    from posed.golden.suite import Choice

    backend = use_machine(backend, embree, threads)
    if junit is not None:
        check_place(junit)
    gathering = _held(suite, Choice(tests, ticks, renderers), report, backend, sides=("golden", "now"))
    _say(gathering.found, as_json=as_json)
    if gathering.left:
        click.echo(gathering.summary, err=True)
    _say_report(report, as_json=as_json)
    cases = [
        Case(
            group=one.test,
            name=one.name,
            status=one.judgement.status,
            passed=one.judgement.status is Status.PASS,
            sentence=one.judgement.sentence,
            file=relative(suite),
        )
        for one in gathering.found
    ]
    cases += gathering.cases(relative(suite))
    say_cases(str(suite), cases, junit=junit, github=github, as_json=as_json)
    gathering.end()
    return 0 if all(case.passed for case in cases) else 1


@command.command(short_help="Make the frames that are drawn now the golden ones.")
@_choice_options
@click.option("--why", required=True, metavar="TEXT", help="The reason, which is kept beside each frame.")
@click.option("--by", metavar="NAME", default="", help="Who accepts; by the name that git knows unless given.")
@machine_options
def accept(
    suite: Path,
    tests: tuple[str, ...],
    ticks: tuple[int, ...],
    renderers: tuple[str, ...],
    report: Path | None,
    as_json: bool,
    why: str,
    by: str,
    backend: str | None,
    embree: str | None,
    threads: int | None,
) -> int:
    """Make the frames of SUITE that are no PASS the golden ones, all of them or, where anything fails, none.

    A frame that disagrees with the trace is refused: exit status 1, and nothing is written.

    \b
    posed golden accept --why "first"
    posed golden accept golden/suite.toml --test walker --tick 42 --why "a longer scarf" --report before-after.html
    """
    from posed.golden import Golden, Sidecar, Status, acceptance, write_goldens
    from posed.golden.suite import Choice

    backend = use_machine(backend, embree, threads)
    gathering = _held(suite, Choice(tests, ticks, renderers), report, backend, sides=("before", "after"))
    gathering.end()
    found = gathering.found
    changed = [one for one in found if one.judgement.status is not Status.PASS]
    refused = [one for one in changed if one.refusal]
    _say(found, as_json=as_json)
    _say_report(report, as_json=as_json)
    for one in refused:
        click.echo(f"not accepted: {one.test}, {one.name}: {one.refusal}", err=True)
    if refused:
        click.echo("nothing was written", err=True)
        return 1
    accepted = acceptance(why, by=by)
    write_goldens(
        [
            (one.judgement.path, Golden(one.frame, Sidecar.of(one.frame, one.policy.name, accepted)))
            for one in changed
            if one.frame is not None
        ]
    )
    click.echo(f"{counted(len(changed), 'golden frame')} accepted by {accepted.by}: {why}", err=as_json)
    return 0


def _held(
    path: Path, choice: Choice, page: Path | None, backend: str | None, *, sides: tuple[str, str]
) -> Gathering[Held]:
    """Draw the chosen frames, hold each against its golden one and write a page where one is asked for."""
    from posed.cli.gathering import Asked, Gathering
    from posed.cli.progress import CHECKED, Compiling
    from posed.files import check_place
    from posed.golden.suite import asked, hold
    from posed.verify.report import Report
    from posed.verify.suite import load_suite

    if page is not None:
        check_place(page)
    suite = load_suite(path)
    choice.check(suite)
    kernels = Compiling(*CHECKED)
    report = Report("")
    gathering: Gathering[Held] = Gathering("drawing", [Asked(*one) for one in asked(suite, choice)])
    with gathering:
        kernels.wait()
        for one in hold(suite, choice, backend=backend):
            gathering.keep(one.without_pictures())
            if page is not None:
                _add(report, one, path, sides)
    if page is not None:
        report.title = gathering.title(f"{path}: golden frames")
        report.absent += gathering.lines()
        report.save(page)
    return gathering


def _add(report: Report, one: Held, suite: Path, sides: tuple[str, str]) -> None:
    """Show a frame beside its golden one; one that is the same bit by bit, or has none, beside itself."""
    from posed.cli.reporting import accept_words
    from posed.golden import Status
    from posed.verify import compare

    if one.frame is None:
        report.absent.append(f"{one.test}, {one.name}: {one.judgement.sentence}")
        return
    is_new = one.judgement.status is Status.MISSING
    verdict, run = one.judgement.verdict, f"{one.test}, {one.renderer}"
    if verdict is None:
        verdict = compare(one.frame, one.frame)
    verdict = replace(verdict, notes=(f"{one.judgement.status}: {one.judgement.sentence}", *verdict.notes))
    is_settled = one.judgement.status is Status.PASS or bool(one.refusal)
    report.add(
        verdict,
        run=f"{run}, new" if is_new else run,
        sides=(sides[1], sides[1]) if is_new else sides,
        accept="" if is_settled else accept_words(suite, one.test, one.tick, one.renderer),
    )


def _say(found: Sequence[Held], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([one.to_json() for one in found], indent=1))
        return
    from posed.cli.verdicts import show
    from posed.golden.table import held_table

    show(held_table(found))


def _say_report(page: Path | None, *, as_json: bool) -> None:
    if page is not None:
        click.echo(f"{page}: the report", err=as_json)
