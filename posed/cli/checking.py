"""What `posed check` does: one frame, a range of ticks, or a suite, told as a table, as JSON and as a report."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import click

from posed.ci import Case
from posed.cli.outputs import numbered
from posed.cli.progress import CHECKED, Bar, Compiling
from posed.cli.reporting import accept_words, relative, say_cases
from posed.cli.verdicts import say_results, say_verdict
from posed.errors import PosedError
from posed.farm import Checked, Series, checks, suite_series
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

    `folder` is where a renderer's command runs.
    """

    file: Path | None
    renderer: Renderer
    size: tuple[int, int]
    policy: Policy
    backend: str | None
    folder: Path

    @property
    def name(self) -> str:
        """What results call where live sides come from."""
        return "live" if self.file is not None else self.renderer.name

    def verdict(self, scene: Scene, pose: Posed) -> Verdict:
        """Return the verdict of the live side of a snapshot."""
        if self.file is not None:
            side = load_side(numbered(self.file, pose.tick))
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
) -> Drawing:
    """Return where live sides come from as the options say.

    Raises
    ------
    PosedError
        Two of them contradict each other, or the policy cannot be read.
    """
    if live is not None and live_command is not None:
        raise PosedError("--live is drawn already and --live-command draws: give one")
    renderer = Renderer(BUILT_IN, adapter=adapter)
    if live_command is not None:
        renderer = Renderer(COMMAND, split_command(live_command))
    return Drawing(live, renderer, size, load_policy(policy), backend, Path.cwd())


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


def check_many(draw: Drawing, world: World, ticks: range, told: Told, crew: Crewed) -> int:
    """Check the frames of a range of ticks, tell them and return the exit status.

    Raises
    ------
    KeyboardInterrupt, PosedError
        After an interrupt, when what was found until then has been told; so with an error that ends the run.
    """
    series = Series(world, ticks, [draw.result])
    return _gathered(world.scene.path, [series], len(ticks), told, crew)


def check_suite(path: Path, told: Told, crew: Crewed, *, backend: str | None) -> int:
    """Check all frames of a suite; see `check_many`."""
    suite = load_suite(path)
    Compiling(*CHECKED).wait()
    count = sum(len(test.ticks) * len(test.renderers) for test in suite.tests)
    return _gathered(path, suite_series(suite, backend=backend), count, told, crew, is_suite=True)


def _gathered(
    path: Path, series: Iterable[Series], count: int, told: Told, crew: Crewed, *, is_suite: bool = False
) -> int:
    """Let a crew check, take results as they come and tell them all; where the run ends early, those before its end."""
    page = None if told.report is None else Report(path.name)
    kept: list[CheckResult] = []
    ended: BaseException | None = None
    with Bar("checking", count) as bar:
        found = checks(series, workers=crew.workers, cluster=crew.cluster, with_shown=page is not None)
        try:
            for one in found:
                if page is not None:
                    _add(page, one, path if is_suite else None)
                kept.append(one.result)
                bar.show(len(kept), count)
        except (KeyboardInterrupt, PosedError) as error:
            found.close()
            if not kept:
                raise
            ended = error
    result = SuiteResult(path, tuple(kept), count)
    if told.as_json:
        click.echo(json.dumps(result.to_json(), indent=1))
    else:
        say_results(result)
    cases = [_case(one, relative(path)) for one in result.results]
    if result.missing:
        missing = f"{result.missing} of {count} frames were not checked: the run ended early"
        cases.append(Case(path.stem, "the whole run", "ended early", False, missing, relative(path)))
        click.echo(missing, err=True)
    if page is not None and told.report is not None:
        if result.missing:
            page.title = f"{path.name}: ended early, after {len(kept)} of {count} frames"
        page.save(told.report)
        click.echo(f"{told.report}: the report", err=told.as_json)
    say_cases(str(path), cases, junit=told.junit, github=told.github, as_json=told.as_json)
    if ended is not None:
        raise ended
    return 0 if result.passed else 1


def _add(page: Report, one: Checked, suite: Path | None) -> None:
    """Show a result that has a verdict, with the command that accepts it where it is one of a suite."""
    if one.shown is None:
        return
    test, tick, renderer = one.result.test, one.result.tick, one.result.renderer
    words = "" if suite is None else accept_words(suite, test, tick, renderer)
    page.add_shown(one.shown, run=f"{test}, {renderer}", sides=("reference", renderer), accept=words)


def _case(one: CheckResult, file: Path) -> Case:
    found = one.error if one.verdict is None else one.verdict.sentence()
    status = one.outcome
    return Case(one.test, f"tick {one.tick}, {one.renderer}", status, status == "passed", found, file)
