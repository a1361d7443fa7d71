"""What `posed check` does: one frame, a range of ticks, or a suite, told as a table, as JSON and as a report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from posed.ci import Case
from posed.cli.outputs import numbered
from posed.cli.progress import Bar
from posed.cli.reporting import accept_words, relative, say_cases
from posed.cli.verdicts import say_results, say_verdict
from posed.errors import PosedError
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify.comparing import check
from posed.verify.loading import load_side
from posed.verify.policy import Policy
from posed.verify.suite.command import split_command
from posed.verify.suite.description import BUILT_IN, Renderer
from posed.verify.suite.load import load_policy, load_suite
from posed.verify.suite.result import CheckResult, SuiteResult
from posed.verify.suite.run import check_renderer, results
from posed.verify.verdict import Verdict
from posed.world import World

COMMAND = "command"
"""What results call a renderer that is given by a command alone."""


@dataclass(frozen=True)
class Drawing:
    """Where live sides come from, a file whose name may hold the tick or a renderer, and how strictly they are held."""

    file: Path | None
    renderer: Renderer
    size: tuple[int, int]
    policy: Policy
    backend: str | None

    def verdict(self, scene: Scene, pose: Posed) -> Verdict:
        """Return the verdict of the live side of a snapshot."""
        if self.file is None:
            folder = Path.cwd()
            settings = {"size": self.size, "policy": self.policy, "backend": self.backend}
            return check_renderer(scene, pose, self.renderer, folder=folder, **settings)  # type: ignore[arg-type]
        side = load_side(numbered(self.file, pose.tick))
        return check(scene, pose, side, policy=self.policy, backend=self.backend)


@dataclass(frozen=True)
class Told:
    """Where results of several frames go beside the table: a page, JUnit XML, GitHub; as JSON in place of the table."""

    report: Path | None = None
    junit: Path | None = None
    github: bool = False
    as_json: bool = False


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
    return Drawing(live, renderer, size, load_policy(policy), backend)


def check_one(draw: Drawing, scene: Scene, pose: Posed, told: Told) -> int:
    """Check one frame, tell what was found and return the exit status."""
    verdict = draw.verdict(scene, pose)
    say_verdict(verdict, as_json=told.as_json)
    if told.report is not None:
        verdict.save_report(told.report)
        click.echo(f"{told.report}: the report", err=told.as_json)
    name = "live" if draw.file is not None else draw.renderer.name
    case = _case(CheckResult(scene.path.stem, pose.tick, name, verdict), relative(scene.path))
    say_cases(str(scene.path), [case], junit=told.junit, github=told.github, as_json=told.as_json)
    return 0 if verdict.passed else 1


def check_many(draw: Drawing, world: World, ticks: range, told: Told) -> int:
    """Check the frames of a range of ticks, played through in order, tell them and return the exit status."""
    scene = world.scene
    name = "live" if draw.file is not None else draw.renderer.name

    def found() -> Iterator[CheckResult]:
        for tick in ticks:
            world.advance(tick)
            try:
                verdict = draw.verdict(scene, world.posed())
            except PosedError as error:
                yield CheckResult(scene.path.stem, tick, name, error=str(error))
            else:
                yield CheckResult(scene.path.stem, tick, name, verdict)

    return _gathered(scene.path, found(), len(ticks), told)


def check_suite(path: Path, told: Told, *, backend: str | None) -> int:
    """Check all frames of a suite; see `check_many`."""
    suite = load_suite(path)
    count = sum(len(test.ticks) * len(test.renderers) for test in suite.tests)
    return _gathered(path, results(suite, backend=backend), count, told, is_suite=True)


def _gathered(path: Path, found: Iterable[CheckResult], count: int, told: Told, *, is_suite: bool = False) -> int:
    """Take results as they come, so that no frame is kept for longer than its report needs, and tell them all."""
    from posed.verify.report import Report

    page = None if told.report is None else Report(path.name)
    kept = []
    with Bar("checking", count) as bar:
        for one in found:
            if page is not None and one.verdict is not None:
                words = accept_words(path, one.test, one.tick, one.renderer) if is_suite else ""
                run = f"{one.test}, {one.renderer}"
                page.add(one.verdict, run=run, sides=("reference", one.renderer), accept=words)
            kept.append(one.without_pictures())
            bar.show(len(kept), count)
    result = SuiteResult(path, tuple(kept))
    if told.as_json:
        click.echo(json.dumps(result.to_json(), indent=1))
    else:
        say_results(result)
    if page is not None and told.report is not None:
        page.save(told.report)
        click.echo(f"{told.report}: the report", err=told.as_json)
    cases = [_case(one, relative(path)) for one in result.results]
    say_cases(str(path), cases, junit=told.junit, github=told.github, as_json=told.as_json)
    return 0 if result.passed else 1


def _case(one: CheckResult, file: Path) -> Case:
    found = one.error if one.verdict is None else one.verdict.sentence()
    status = one.outcome
    return Case(one.test, f"tick {one.tick}, {one.renderer}", status, status == "passed", found, file)
