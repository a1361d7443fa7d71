"""What `posed check` does: one frame, a range of ticks, or a suite, told as a table, as JSON and as a report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

from posed.ci import Case
from posed.cli.gathering import Asked, Gathering
from posed.cli.outputs import numbered
from posed.cli.progress import CHECKED, Compiling
from posed.cli.reporting import accept_words, relative, say_cases
from posed.cli.verdicts import say_results, say_verdict
from posed.errors import PosedError
from posed.farm import Checked, Series, checks, suite_series
from posed.farm.budget import fit_check
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify.comparing import check
from posed.verify.loading import load_side
from posed.verify.policy import Policy
from posed.verify.report import Report
from posed.verify.suite.command import split_command
from posed.verify.suite.description import BUILT_IN, Renderer
from posed.verify.suite.load import load_policy, load_suite
from posed.verify.suite.result import CheckResult, SuiteResult
from posed.verify.suite.run import check_renderer
from posed.verify.verdict import Verdict
from posed.world import World

COMMAND = "command"
"""What results call a renderer that is given by a command alone."""


@dataclass(frozen=True)
class Drawing:
    """Where live sides come from, a file whose name may hold the tick or a renderer, and how strictly they are held.

    `folder` is where a renderer's command runs, `memory` what a check may take, in bytes.
    """

    file: Path | None
    renderer: Renderer
    size: tuple[int, int]
    policy: Policy
    backend: str | None
    folder: Path
    memory: int

    @property
    def name(self) -> str:
        """What results call where live sides come from."""
        return "live" if self.file is not None else self.renderer.name

    def verdict(self, scene: Scene, pose: Posed) -> Verdict:
        """Return the verdict of the live side of a snapshot."""
        if self.file is not None:
            side = load_side(numbered(self.file, pose.tick))
            if side.frame is not None:
                fit_check(side.frame.size, self.memory)
            return check(scene, pose, side, policy=self.policy, backend=self.backend)
        return check_renderer(
            scene,
            pose,
            self.renderer,
            size=self.size,
            policy=self.policy,
            folder=self.folder,
            backend=self.backend,
        )

    def result(self, scene: Scene, pose: Posed) -> CheckResult:
        """Return what comes of a snapshot among others: one without a verdict does not end the others."""
        try:
            return CheckResult(scene.path.stem, pose.tick, self.name, self.verdict(scene, pose))
        except PosedError as error:
            return CheckResult(scene.path.stem, pose.tick, self.name, error=str(error))


@dataclass(frozen=True)
class Told:
    """Where results of several frames go beside the table: a page, JUnit XML, GitHub; as JSON in place of the table."""

    report: Path | None = None
    junit: Path | None = None
    github: bool = False
    as_json: bool = False


@dataclass(frozen=True)
class Crewed:
    """Who checks several frames: this process, so many of this machine, or a cluster's workers."""

    workers: int = 1
    cluster: str | None = None


def drawing(
    live: Path | None,
    live_command: str | None,
    *,
    size: tuple[int, int],
    policy: str,
    adapter: str | None,
    backend: str | None,
    memory: int,
) -> Drawing:
    """Return where live sides come from as the options say.

    Raises
    ------
    PosedError
        Two of them contradict each other, the policy cannot be read, or a check takes too much memory.
    """
    if live is not None and live_command is not None:
        raise PosedError("--live is drawn already and --live-command draws: give one")
    renderer = Renderer(BUILT_IN, adapter=adapter)
    if live_command is not None:
        renderer = Renderer(COMMAND, split_command(live_command))
    if live is None:
        fit_check(size, memory)
    return Drawing(live, renderer, size, load_policy(policy), backend, Path.cwd(), memory)


def check_one(draw: Drawing, scene: Scene, pose: Posed, told: Told) -> int:
    """Check one frame, tell what was found and return the exit status."""
    verdict = draw.verdict(scene, pose)
    say_verdict(verdict, as_json=told.as_json)
    if told.report is not None:
        verdict.save_report(told.report)
        click.echo(f"{told.report}: the report", err=told.as_json)
    case = _case(CheckResult(scene.path.stem, pose.tick, draw.name, verdict), relative(scene.path))
    say_cases(str(scene.path), [case], junit=told.junit, github=told.github, as_json=told.as_json)
    return 0 if verdict.passed else 1


def check_many(draw: Drawing, world: World, ticks: range, told: Told, crew: Crewed, kernels: Compiling) -> int:
    """Check the frames of a range of ticks as soon as `kernels` are there, tell them and return the exit status.

    Raises
    ------
    KeyboardInterrupt, PosedError
        After an interrupt, when what was found until then has been told; so with an error that ends the run.
    """
    path = world.scene.path
    asked = [Asked(path.stem, tick, draw.name) for tick in ticks]
    return _gathered(path, asked, [Series(world, ticks, [draw.result])], told, crew, kernels)


def check_suite(path: Path, told: Told, crew: Crewed, *, backend: str | None, memory: int) -> int:
    """Check all frames of a suite; see `check_many`."""
    suite = load_suite(path)
    fit_check(suite.size, memory)
    asked = [
        Asked(test.name, tick, renderer) for test in suite.tests for tick in test.ticks for renderer in test.renderers
    ]
    return _gathered(
        path, asked, suite_series(suite, backend=backend), told, crew, Compiling(*CHECKED), suite_file=path
    )


def _gathered(
    path: Path,
    asked: Sequence[Asked],
    series: Iterable[Series],
    told: Told,
    crew: Crewed,
    kernels: Compiling,
    *,
    suite_file: Path | None = None,
) -> int:
    """Let a crew check, take results as they come and tell them all; where the run ends early, also what is left."""
    page = None if told.report is None else Report(path.name)
    gathering: Gathering[CheckResult] = Gathering("checking", asked)
    with gathering:
        kernels.wait()
        found = checks(series, workers=crew.workers, cluster=crew.cluster, with_shown=page is not None)
        with closing(found):
            for one in found:
                gathering.keep(one.result)
                if page is not None:
                    _add(page, one, suite_file)
    left = [CheckResult(*one, error=gathering.why, was_checked=False) for one in gathering.left]
    result = SuiteResult(path, (*gathering.found, *left))
    if told.as_json:
        click.echo(json.dumps(result.to_json(), indent=1))
    else:
        say_results(result)
    if gathering.left:
        click.echo(gathering.summary, err=True)
    if page is not None and told.report is not None:
        page.title = gathering.title(path.name)
        page.absent += gathering.lines()
        page.save(told.report)
        click.echo(f"{told.report}: the report", err=told.as_json)
    cases = [_case(one, relative(path)) for one in gathering.found] + gathering.cases(relative(path))
    say_cases(str(path), cases, junit=told.junit, github=told.github, as_json=told.as_json)
    gathering.end()
    return 0 if result.passed else 1


def _add(page: Report, one: Checked, suite: Path | None) -> None:
    """Show a result, with the command that accepts it where it is one of a suite; one without a verdict is a line."""
    if one.shown is None:
        page.absent.append(one.result.sentence())
        return
    test, tick, renderer = one.result.test, one.result.tick, one.result.renderer
    words = "" if suite is None else accept_words(suite, test, tick, renderer)
    page.add_shown(one.shown, run=f"{test}, {renderer}", sides=("reference", renderer), accept=words)


def _case(one: CheckResult, file: Path) -> Case:
    found = one.error if one.verdict is None else one.verdict.sentence()
    status = one.outcome
    return Case(one.test, f"tick {one.tick}, {one.renderer}", status, status == "passed", found, file)
