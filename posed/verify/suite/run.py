"""A suite's run: every test at every tick by every renderer, each frame against one truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from posed.errors import PosedError
from posed.frame import Frame
from posed.scene.description import Scene
from posed.scene.load import load
from posed.snapshot import Posed
from posed.verify.comparing import check
from posed.verify.policy import Policy
from posed.verify.suite.command import OUT, job, run_command
from posed.verify.suite.description import Renderer, Suite, Test
from posed.verify.suite.result import CheckResult, SuiteResult
from posed.verify.verdict import Side, Verdict
from posed.world import World


def run_suite(suite: Suite, *, backend: str | None = None) -> SuiteResult:
    """Check every frame of a suite and return what came of it, without pictures; see `results`."""
    return SuiteResult(suite.path, tuple(one.without_pictures() for one in results(suite, backend=backend)))


def results(suite: Suite, *, backend: str | None = None) -> Iterator[CheckResult]:
    """Yield what comes of each frame, test by test, tick by tick, renderer by renderer.

    A frame that a renderer does not deliver, or that cannot be compared, is a result of its own, no end of the run.

    Parameters
    ----------
    suite
        What is checked.
    backend
        See `posed.trace`.

    Raises
    ------
    PosedError
        A scene cannot be loaded or played.
    """
    for test in suite.tests:
        scene = load(test.scene)
        for pose in played(scene, test.ticks):
            for name in test.renderers:
                yield checked(suite, test, scene, pose, suite.renderers[name], backend=backend)


def played(scene: Scene, ticks: tuple[int, ...]) -> Iterator[Posed]:
    """Yield the snapshot of each tick; a world is played on as long as the ticks go on."""
    world = World(scene)
    last = 0
    for tick in ticks:
        if tick < last:
            world = World(scene)
        world.advance(tick)
        last = tick
        yield world.posed()


def checked(
    suite: Suite, test: Test, scene: Scene, pose: Posed, renderer: Renderer, *, backend: str | None = None
) -> CheckResult:
    """Return what comes of one frame of a test."""
    policy = suite.policy_for(test, renderer.name)
    try:
        verdict = check_renderer(
            scene, pose, renderer, size=suite.size, policy=policy, folder=suite.path.parent, backend=backend
        )
    except PosedError as error:
        return CheckResult(test.name, pose.tick, renderer.name, error=str(error))
    return CheckResult(test.name, pose.tick, renderer.name, tolerating(verdict, test, renderer.name))


def check_renderer(
    scene: Scene,
    pose: Posed,
    renderer: Renderer,
    *,
    size: tuple[int, int],
    policy: Policy | str,
    folder: Path,
    backend: str | None = None,
) -> Verdict:
    """Let a renderer draw one frame and check it.

    Raises
    ------
    PosedError
        It drew none, or none that can be compared.
    MissingError
        This machine lacks its program or an adapter.
    """
    if not renderer.command:
        return check(scene, pose, size=size, policy=policy, backend=backend, adapter=renderer.adapter)
    with job(scene, pose, size) as frame:
        side = run_command(renderer.command, frame, folder=folder, timeout=renderer.timeout)
    side = _with_layers(_called(side, renderer), renderer)
    if side.frame is not None and side.frame.size != tuple(size):
        raise PosedError(
            f"{renderer.name} drew {side.frame.size[0]}x{side.frame.size[1]}, it was asked for {size[0]}x{size[1]}"
        )
    return check(scene, pose, side, policy=policy, backend=backend)


def _called(side: Side, renderer: Renderer) -> Side:
    """Return a side under its renderer's name where its frame does not state one."""
    frame = side.frame
    if frame is not None and frame.provenance.renderer == OUT:
        frame = replace(frame, provenance=replace(frame.provenance, renderer=renderer.name))
        return replace(side, frame=frame, origin=renderer.name)
    return replace(side, origin=renderer.name) if frame is None else side


def _with_layers(side: Side, renderer: Renderer) -> Side:
    """Return a side whose frame has the renderer's layers and no other."""
    if not renderer.layers:
        return side
    have = side.frame or Frame({}, (0, 0))
    missing = [name for name in renderer.layers if name not in have]
    if missing or side.frame is None:
        raise PosedError(f"{renderer.name} left no {' and no '.join(missing)}: it left {', '.join(have) or 'no layer'}")
    kept = {name: side.frame[name] for name in renderer.layers}
    return replace(side, frame=replace(side.frame, layers=kept))


def tolerating(verdict: Verdict, test: Test, renderer: str) -> Verdict:
    """Return a verdict with what the test tolerates of a renderer marked; a tolerance that nothing needs is noted."""
    reasons = {one.layer: one.reason for one in test.tolerate if one.renderer == renderer}
    layers = tuple(replace(one, tolerated=reasons.get(one.layer, "")) for one in verdict.layers)
    unneeded = [one.layer for one in layers if one.tolerated and one.passed]
    notes = tuple(f"{layer} passed: the tolerance for it is no longer needed" for layer in unneeded)
    return replace(verdict, layers=layers, notes=(*verdict.notes, *notes))
