"""The golden frames of a suite: every test at every tick, traced and by each of its renderers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from posed.errors import MissingError, PosedError
from posed.frame import Frame
from posed.golden.judging import Judgement, Status, judge
from posed.golden.storing import KEPT, golden_path, stamped
from posed.scene.description import Scene
from posed.scene.load import load
from posed.snapshot import Posed
from posed.verify import POLICIES, Policy
from posed.verify.suite.description import Suite, Test
from posed.verify.suite.run import check_renderer, played, tolerating

TRACE = "trace"
"""What the trace is called among the renderers."""

TRACED = replace(POLICIES["exact"], name="trace", color=POLICIES["gpu"].color)
"""Limits of a trace: geometry layers are the same bits everywhere, colors go through each machine's libraries."""

FRAMES = "frames"
"""The folder of golden frames beside the suite's file."""


@dataclass(frozen=True, eq=False)
class Held:
    """One frame of a suite beside its golden one.

    `frame` is what is drawn now, None where there is none, and `refusal` says why it cannot be accepted, empty where it
    can; `policy` holds between it and the golden one.
    """

    test: str
    tick: int
    renderer: str
    policy: Policy
    judgement: Judgement
    frame: Frame | None = None
    refusal: str = ""

    @property
    def name(self) -> str:
        """Which frame of its test it is."""
        return f"tick {self.tick}, {self.renderer}"


@dataclass(frozen=True)
class Choice:
    """Which frames of a suite are meant: the tests, ticks and renderers named, all of them where none is."""

    tests: Sequence[str] = ()
    ticks: Sequence[int] = ()
    renderers: Sequence[str] = ()

    def check(self, suite: Suite) -> None:
        """Refuse a choice of what is not there.

        Raises
        ------
        PosedError
            A test, tick or renderer is not in the suite.
        """
        there = {
            "test": [test.name for test in suite.tests],
            "tick": sorted({tick for test in suite.tests for tick in test.ticks}),
            "renderer": [TRACE, *dict.fromkeys(name for test in suite.tests for name in test.renderers)],
        }
        for kind, named in (("test", self.tests), ("tick", self.ticks), ("renderer", self.renderers)):
            for one in named:
                if one not in there[kind]:
                    raise PosedError(f"{suite.path}: no {kind} {one}: it has {', '.join(map(str, there[kind]))}")

    def takes(self, kind: Sequence[object], one: object) -> bool:
        """Say whether `one` is among those named, or none is."""
        return not kind or one in kind


def hold(suite: Suite, choice: Choice = Choice(), *, backend: str | None = None) -> Iterator[Held]:  # noqa: B008 - a value
    """Draw the chosen frames of a suite and yield each beside its golden one, test by test and tick by tick.

    Parameters
    ----------
    suite
        Its golden frames lie in `FRAMES` beside its file.
    choice
        Which of them.
    backend
        See `posed.trace`.

    Raises
    ------
    PosedError
        A scene cannot be loaded or played, or the choice names what is not there.
    MissingError
        Nothing on this machine traces or draws.
    """
    choice.check(suite)
    for test in suite.tests:
        ticks = tuple(tick for tick in test.ticks if choice.takes(choice.ticks, tick))
        if not choice.takes(choice.tests, test.name) or not ticks:
            continue
        scene = load(test.scene)
        for pose in played(scene, ticks):
            yield from _held(suite, test, scene, pose, choice, backend)


def count(suite: Suite, choice: Choice) -> int:
    """Return how many frames `hold` yields."""
    return sum(
        choice.takes(choice.tests, test.name) and choice.takes(choice.ticks, tick) and choice.takes(choice.renderers, name)
        for test in suite.tests
        for tick in test.ticks
        for name in (TRACE, *test.renderers)
    )


def _held(
    suite: Suite, test: Test, scene: Scene, pose: Posed, choice: Choice, backend: str | None
) -> Iterator[Held]:
    from posed.tracing import trace

    folder = suite.path.parent / FRAMES
    traced = trace(scene, pose, size=suite.size, integrator="direct", samples="center", layers=KEPT, backend=backend)
    if choice.takes(choice.renderers, TRACE):
        yield _beside(folder, test, TRACE, TRACED, traced, scene, pose, traced)
    for name in test.renderers:
        if not choice.takes(choice.renderers, name):
            continue
        policy = suite.policy_for(test, name)
        try:
            verdict = check_renderer(
                scene, pose, suite.renderers[name], size=suite.size, policy=policy, folder=suite.path.parent, backend=backend
            )
        except MissingError:
            raise
        except PosedError as error:
            path = golden_path(folder, test.name, pose.tick, name, "")
            yield Held(test.name, pose.tick, name, policy, Judgement(path, Status.FAIL, f"there is no frame: {error}"))
            continue
        verdict = tolerating(verdict, test, name)
        frame = verdict.live.frame
        if frame is None:
            path = golden_path(folder, test.name, pose.tick, name, "")
            yield Held(test.name, pose.tick, name, policy, Judgement(path, Status.FAIL, "it left no frame"))
            continue
        held = _beside(folder, test, name, policy, frame, scene, pose, traced)
        yield held if verdict.passed else replace(held, refusal=f"it disagrees with the trace: {verdict.sentence()}")


def _beside(
    folder: Path, test: Test, renderer: str, policy: Policy, frame: Frame, scene: Scene, pose: Posed, traced: Frame
) -> Held:
    kept = stamped(frame, scene, pose)
    path = golden_path(folder, test.name, pose.tick, renderer, kept.provenance.backend)
    found = judge(path, kept, policy=policy, staged=traced.staged)
    return Held(test.name, pose.tick, renderer, policy, found, kept)
