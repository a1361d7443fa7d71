"""A frame against its golden one: the same, another, of another scene, or nothing to hold it against."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from posed.errors import PosedError
from posed.frame import Frame
from posed.golden.sidecar import layer_digests
from posed.golden.storing import KEPT, Golden, read_golden
from posed.verify import Policy, Verdict, compare


class Status(StrEnum):
    """What a frame is beside its golden one, or a layer beside none; only `PASS` is a pass."""

    PASS = "PASS"
    FAIL = "FAIL"
    MISSING = "MISSING"
    STALE = "STALE"


@dataclass(frozen=True)
class Judgement:
    """What was found.

    Attributes
    ----------
    path
        Where the golden frame lies or would lie.
    status
        `MISSING` without a golden frame, or where it lacks a layer of `storing.KEPT` that is drawn now; `STALE` where
        the scene has changed since it was accepted; else `PASS` or `FAIL`.
    sentence
        The same in words.
    verdict
        How the two frames compare, the golden one as reference; None where they cannot be compared or are the same bit
        by bit.
    """

    path: Path
    status: Status
    sentence: str
    verdict: Verdict | None = None


def judge(path: Path, frame: Frame, *, policy: Policy | str, staged: Any = None) -> Judgement:
    """Hold a frame against the golden one at `path`.

    Parameters
    ----------
    path
        See `storing.golden_path`.
    frame
        What was drawn now.
    policy
        How far the two may differ where they are not the same bit by bit.
    staged
        What the frame's scene was traced from (`Frame.staged`), by which pixels at edges are explained.
    """
    try:
        golden = read_golden(path)
    except PosedError as error:
        return Judgement(path, Status.FAIL, str(error))
    if golden is None:
        return Judgement(path, Status.MISSING, "there is no golden frame")
    kept = golden.sidecar
    if kept.scene != frame.provenance.scene:
        verdict = _compared(golden, frame, policy, staged)
        return Judgement(path, Status.STALE, f"the scene has changed since {_accepted(golden)}", verdict)
    if kept.posed != frame.provenance.posed:
        verdict = _compared(golden, frame, policy, staged)
        differs = "and so do its pixels" if verdict is None or not verdict.passed else "though its pixels agree"
        sentence = f"the same scene is posed otherwise than when {_accepted(golden)}, {differs}"
        return Judgement(path, Status.FAIL, sentence, verdict)
    digests = layer_digests(frame)
    same = all(digests.get(name) == known for name, known in kept.layers.items())
    verdict = None if same else _compared(golden, frame, policy, staged)
    if not same and verdict is None:
        sentence = f"it has another size or camera, or fewer layers, than when {_accepted(golden)}"
        return Judgement(path, Status.FAIL, sentence)
    if verdict is not None and not verdict.passed:
        return Judgement(path, Status.FAIL, verdict.sentence(), verdict)
    lacking = [name for name in KEPT if name in frame and name not in kept.layers]
    if lacking:
        sentence = f"the golden frame has no {' and no '.join(lacking)}: accept the frame again"
        return Judgement(path, Status.MISSING, sentence, verdict)
    return Judgement(path, Status.PASS, "the same bit by bit" if verdict is None else verdict.sentence(), verdict)


def _compared(golden: Golden, frame: Frame, policy: Policy | str, staged: Any) -> Verdict | None:
    """Return the verdict of two frames; None where they cannot be compared or the frame lacks a golden layer."""
    if not set(golden.frame) <= set(frame):
        return None
    try:
        return compare(replace(golden.frame, staged=staged), frame, policy=policy)
    except PosedError:  # another size or camera
        return None


def _accepted(golden: Golden) -> str:
    accepted = golden.sidecar.accepted
    return f"{accepted.by} accepted it on {accepted.when[:10]}"
