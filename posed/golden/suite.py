"""The golden frames of a suite: every test at every tick, traced and by each of its renderers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

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

    `frame` is what is drawn now, None where there is none; `policy` holds between it and the golden one. `refusal` says
    why it cannot be accepted, because it disagrees with the trace or there is none; empty where it can.
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

    def without_pictures(self) -> Held:
        """Return the same without what only reports need and takes memory."""
        verdict = self.judgement.verdict
        if verdict is None:
            return self
        return replace(self, judgement=replace(self.judgement, verdict=verdict.without_pictures()))

    def to_json(self) -> dict[str, object]:
        """Return what was found as plain values."""
        verdict = self.judgement.verdict
        return {
            "test": self.test,
            "tick": self.tick,
            "renderer": self.renderer,
            "status": self.judgement.status,
            "sentence": self.judgement.sentence,
            "golden": str(self.judgement.path),
            "refusal": self.refusal,
            "verdict": None if verdict is None else verdict.to_json(),
        }


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
            A test, tick or renderer is not in the suite, or a renderer of the suite is called as the trace is.
        """
        if any(TRACE in test.renderers for test in suite.tests):
            raise PosedError(f'{suite.path}: a renderer is called "{TRACE}", as the trace itself is: rename it')
        ticks = sorted({tick for test in suite.tests for tick in test.ticks})
        renderers = dict.fromkeys(name for test in suite.tests for name in test.renderers)
        _check_named(suite, "test", self.tests, [test.name for test in suite.tests])
        _check_named(suite, "tick", self.ticks, ticks)
        _check_named(suite, "renderer", self.renderers, [TRACE, *renderers])

    def takes(self, test: str, tick: int, renderer: str) -> bool:
        """Say whether a frame is among those meant."""
        return (
            (not self.tests or test in self.tests)
            and (not self.ticks or tick in self.ticks)
            and (not self.renderers or renderer in self.renderers)
        )


def hold(suite: Suite, choice: Choice = Choice(), *, backend: str | None = None) -> Iterator[Held]:
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
        frames = {tick: chosen for tick in test.ticks if (chosen := _renderers(test, tick, choice))}
        if frames:
            scene = load(test.scene)
            for pose in played(scene, tuple(frames)):
                yield from _held(suite, test, scene, pose, frames[pose.tick], backend)


def asked(suite: Suite, choice: Choice) -> list[tuple[str, int, str]]:
    """Return test, tick and renderer of each frame that `hold` yields, in its order."""
    return [
        (test.name, tick, name)
        for test in suite.tests
        for tick in test.ticks
        for name in _renderers(test, tick, choice)
    ]


def _renderers(test: Test, tick: int, choice: Choice) -> list[str]:
    """Return which of the trace and the test's renderers are meant at a tick."""
    return [name for name in (TRACE, *test.renderers) if choice.takes(test.name, tick, name)]


def _check_named(suite: Suite, kind: str, named: Sequence[object], there: Sequence[object]) -> None:
    for one in named:
        if one not in there:
            raise PosedError(f"{suite.path}: there is no {kind} {one}: it has {', '.join(map(str, there))}")


def _held(
    suite: Suite, test: Test, scene: Scene, pose: Posed, renderers: Sequence[str], backend: str | None
) -> Iterator[Held]:
    from posed.tracing import trace

    traced = trace(scene, pose, size=suite.size, integrator="direct", samples="center", layers=KEPT, backend=backend)
    for name in renderers:
        if name == TRACE:
            yield _beside(suite, test, name, TRACED, stamped(traced, scene, pose), traced)
            continue
        policy = suite.policy_for(test, name)
        options: dict[str, Any] = {"size": suite.size, "policy": policy, "folder": suite.path.parent}
        try:
            verdict = check_renderer(scene, pose, suite.renderers[name], backend=backend, **options)
        except MissingError:
            raise
        except PosedError as error:
            yield _without(suite, test, pose, name, policy, f"there is no frame: {error}")
            continue
        frame = verdict.live.frame
        if frame is None:
            yield _without(suite, test, pose, name, policy, "there is no frame, only a snapshot or vertices")
            continue
        verdict = tolerating(verdict, test, name)
        held = _beside(suite, test, name, policy, stamped(frame, scene, pose), traced)
        yield held if verdict.passed else replace(held, refusal=verdict.sentence())


def _beside(suite: Suite, test: Test, renderer: str, policy: Policy, frame: Frame, traced: Frame) -> Held:
    """Hold a frame, marked as one of its scene and snapshot, against its golden one."""
    origin = frame.provenance
    assert origin.tick is not None
    path = golden_path(suite.path.parent / FRAMES, test.name, origin.tick, renderer, origin.backend)
    found = judge(path, frame, policy=policy, staged=traced.staged)
    return Held(test.name, origin.tick, renderer, policy, found, frame)


def _without(suite: Suite, test: Test, pose: Posed, renderer: str, policy: Policy, sentence: str) -> Held:
    path = golden_path(suite.path.parent / FRAMES, test.name, pose.tick, renderer, "")
    return Held(test.name, pose.tick, renderer, policy, Judgement(path, Status.FAIL, sentence), refusal=sentence)
