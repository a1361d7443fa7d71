"""From an engine's answers to a result: each compared with the truth and, where it is wrong, with known mistakes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from posed.conform.engine import Answer, Engine
from posed.conform.pack import SIZE, Moment, Playing, moments
from posed.conform.result import ConformResult, MomentResult, RigResult, kind_of
from posed.conform.rig import Rig
from posed.errors import MissingError, PosedError
from posed.verify.comparing import check
from posed.verify.diagnosing import diagnose
from posed.verify.policy import POLICIES, DepthLimit, Policy, PoseLimit, VertexLimit
from posed.verify.verdict import Side, Verdict

POLICY = replace(
    POLICIES["gpu"],
    name="conform",
    edge_band=1,
    pose=PoseLimit(diagonal=1e-4),
    vertices=VertexLimit(steps=1024.0, degrees=0.5),
    depth=DepthLimit(relative=1e-3),
)
"""The limits unless others are given: a mistake moves something by a hundredth of the rig or more, an engine's own
rounding by less than a ten-thousandth. A frame has a pixel's band at edges: nobody knows how it was sampled, and WebGL
may snap vertices to sixteenths of a pixel."""

ANY = 180.0
"""Degrees by which normals may be turned in rigs that are not about them."""

UNSEEN = "a snapshot alone does not tell: answer with vertices or a frame as well"

WINDOW = 120
"""Ticks before and after the right one that an engine may show."""


def conform(
    rigs: Sequence[Rig],
    engine: Engine,
    *,
    policy: Policy = POLICY,
    backend: str | None = None,
    adapter: str | None = None,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> ConformResult:
    """Ask an engine for every moment of some rigs and judge its answers.

    Parameters
    ----------
    rigs
        Of the pack.
    engine
        Who answers.
    policy
        How strictly.
    backend, adapter
        See `posed.trace` and `posed.live.render`.
    progress
        Told how many moments are judged, and of how many.

    Raises
    ------
    MissingError
        This machine lacks the engine's program, or an adapter.
    PosedError
        The program cannot be run.
    """
    judged: list[MomentResult] = []
    with tempfile.TemporaryDirectory(prefix="posed-") as folder:
        asked = list(moments(rigs, Path(folder)))
        for answer in engine.answers(asked):
            judged.append(_judged(answer, policy, backend, adapter))
            progress(len(judged), len(asked))
    by_rig = groupby(judged, key=lambda one: one.rig.name)
    grouped = [tuple(group) for _, group in by_rig]
    return ConformResult(engine.name, tuple(RigResult(group[0].rig, group) for group in grouped))


def _judged(answer: Answer, policy: Policy, backend: str | None, adapter: str | None) -> MomentResult:
    moment = answer.moment
    if not moment.rig.normals:
        normal, vertices = replace(policy.normal, degrees=ANY), replace(policy.vertices, degrees=ANY)
        policy = replace(policy, normal=normal, vertices=vertices)
    error = answer.error or ("" if answer.side is None else _lacking(moment, answer.side))
    if error:
        return MomentResult(moment.rig, moment.tick, said=error)
    try:
        verdict = check(
            moment.scene, moment.pose, answer.side, size=SIZE, policy=policy, backend=backend, adapter=adapter
        )
    except MissingError:
        raise
    except PosedError as error:
        return MomentResult(moment.rig, moment.tick, said=f"what it answered cannot be compared: {error}")
    said, cure = ("", "") if verdict.passed else _cause(moment, verdict, policy, backend)
    found = MomentResult(moment.rig, moment.tick, verdict.without_pictures(), said, cure)
    return replace(found, said=UNSEEN) if found.word == "no answer" else found


def _lacking(moment: Moment, side: Side) -> str:
    """Say what an answer has to have and has not; empty where it has all."""
    if side.frame is not None and side.frame.size != SIZE:
        (width, height), (found_width, found_height) = SIZE, side.frame.size
        return f"its frame is {found_width}x{found_height}: {width}x{height} was asked for"
    if side.pose is None:
        return ""
    for noun in ("palettes", "morphs"):
        found = getattr(side.pose, noun)
        for name, nodes in getattr(moment.pose, noun).items():
            lacking = sorted(set(nodes) - set(found.get(name, ())))
            if lacking:
                return f'its snapshot has no {noun} of node {lacking[0]} of "{name}"'
    return ""


def _cause(moment: Moment, verdict: Verdict, policy: Policy, backend: str | None) -> tuple[str, str]:
    """Return the likeliest cause of a wrong answer and where to look for it; without one, what was found."""
    failed = verdict.first_failure
    assert failed is not None
    found_off = failed.deviations[0].sentence() if failed.deviations else failed.sentence()
    wrong = {kind_of(one.layer) for one in verdict.compared if not one.passed}
    live = verdict.live
    side = Side(
        live.origin,
        live.frame if "frame" in wrong else None,
        live.pose if "palettes" in wrong else None,
        live.vertices if "vertices" in wrong else None,
    )
    try:
        found = diagnose(
            moment.scene,
            side,
            posed=moment.pose,
            game=Playing(moment.rig),
            window=WINDOW,
            policy=policy,
            backend=backend,
        )
    except PosedError:  # a cause is told from ids, at least from color
        return found_off, ""
    if found.best is None:
        return found_off, ""
    return found.best.sentence(), found.best.hypothesis.cure
