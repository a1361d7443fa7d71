"""`diagnose`: every hypothesis held against the live side, the likeliest looked at closely."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from posed.camera import Camera
from posed.errors import PosedError, PoseError
from posed.fitting import fit
from posed.game import Game
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify.diagnosing.case import Case
from posed.verify.diagnosing.diagnosis import AS_GOOD, ENOUGH, Diagnosis, Finding
from posed.verify.diagnosing.evidence import Evidence
from posed.verify.diagnosing.frame_evidence import FrameEvidence
from posed.verify.diagnosing.hypothesis import Family, Hypothesis
from posed.verify.diagnosing.picture_evidence import PictureEvidence
from posed.verify.diagnosing.pose_evidence import PoseEvidence
from posed.verify.diagnosing.replay import Replay, same_pose
from posed.verify.diagnosing.vertex_evidence import VertexEvidence
from posed.verify.policy import Policy, policy_of
from posed.verify.sides import Compared, side_of
from posed.verify.verdict import Side, Verdict

WINDOW = 300
"""Ticks before and after the truth's that the live side may show."""

FINALISTS = 4
"""Hypotheses that are looked at closely."""

PLAINER = 2
"""Of the likeliest one's family, what was found before refining and is looked at closely too."""

UNTOLD = 12
"""The same where a first look tells nothing, as of what moves within an outline in a picture without ids."""

SHADING = 6
"""Of those that a first look cannot tell, as many more."""

KEPT = 8
"""Findings of each family that are kept."""

MOST_ROUNDS = 5
"""How often a family's best are refined."""


def diagnose(
    scene: Scene,
    live: Compared,
    *,
    tick: int | None = None,
    posed: Posed | None = None,
    game: Game | None = None,
    inputs: Sequence[Any] | Mapping[int, Any] | None = None,
    window: int = WINDOW,
    policy: Policy | str = "gpu",
    camera: Camera | None = None,
    backend: str | None = None,
    verdict: Verdict | None = None,
    families: Sequence[Family] | None = None,
) -> Diagnosis:
    """Search for the mistake that makes the live side differ from the truth.

    Parameters
    ----------
    scene
        What is drawn.
    live
        What the engine made of it: a frame, at best with the layers object, part, triangle, depth and normal; a
        snapshot that it dumped; its posed vertices; or a side with several of these, of which the first that differs
        counts, in the order snapshot, vertices, frame.
    tick
        The tick that it should show; the one that it states unless given. Where it states another, that is noted: an
        engine may know that it is late.
    posed
        The snapshot that it should show, in place of a tick.
    game, inputs
        What plays the scene, see `posed.play`; without them, what the scene file says.
    window
        Ticks before and after that are tried.
    policy
        What differs; see `posed.compare`.
    camera, backend
        See `posed.trace`.
    verdict
        That of the live side against the truth, where it is at hand: spares tracing the truth again.
    families
        What is tried; `posed.verify.hypotheses.FAMILIES` unless given.

    Raises
    ------
    PoseError
        No tick is given or stated, or the snapshot does not fit the scene.
    PosedError
        The frame cannot be compared: see `posed.compare`.
    """
    side, replay = side_of(live), Replay(scene, game, inputs)
    truth = _truth(scene, side, tick, posed, replay)
    evidence = _evidence(
        scene, truth, _restated(side, truth), policy=policy_of(policy), camera=camera, backend=backend, verdict=verdict
    )
    case = Case(
        scene=scene,
        truth=truth,
        suspects=evidence.suspects,
        window=range(max(0, truth.tick - window), truth.tick + window),
        replay=replay if evidence.differing and (posed is None or replay.shows(truth)) else None,
    )
    if side.tick not in (None, truth.tick):
        case.note(f"the live side states tick {side.tick}; it is held against tick {truth.tick}")
    ranked = _searched(case, evidence, _families(families)) if evidence.differing else []
    if evidence.differing and not (ranked and ranked[0].share >= ENOUGH) and isinstance(evidence, PoseEvidence):
        case.note(evidence.farthest())
    return Diagnosis(evidence.differing, evidence.noun, tuple(ranked), truth.tick, tuple(case.notes))


def _evidence(
    scene: Scene,
    truth: Posed,
    side: Side,
    *,
    policy: Policy,
    camera: Camera | None,
    backend: str | None,
    verdict: Verdict | None,
) -> Evidence:
    """Return the evidence in the first that differs of what a side holds, in the last where nothing does."""
    evidence: Evidence | None = None
    if side.pose is not None:
        evidence = PoseEvidence(scene, truth, side.pose)
    if side.vertices is not None and not (evidence is not None and evidence.differing):
        evidence = VertexEvidence(scene, truth, side.vertices, policy=policy)
    if side.frame is not None and not (evidence is not None and evidence.differing):
        options: dict[str, Any] = {"policy": policy, "camera": camera, "backend": backend}
        if "object" in side.frame:
            evidence = FrameEvidence(scene, truth, side.frame, verdict=verdict, **options)
        elif "color" in side.frame:
            evidence = PictureEvidence(scene, truth, side.frame, **options)
        else:
            have = ", ".join(side.frame) or "no layers"
            raise PosedError(f"the live frame has {have}: a cause is told from object ids, at least from color")
    if evidence is None:
        raise PosedError("the live side holds nothing: give a frame, a snapshot or vertices")
    return evidence


def _restated(side: Side, truth: Posed) -> Side:
    """Return a side that claims to show the truth's moment, whatever it states: which one it shows is asked."""
    if side.tick in (None, truth.tick):
        return side
    frame, pose, vertices = side.frame, side.pose, side.vertices
    return replace(
        side,
        frame=None if frame is None else replace(frame, provenance=replace(frame.provenance, tick=truth.tick)),
        pose=None if pose is None else replace(pose, tick=truth.tick, alpha=truth.alpha),
        vertices=None if vertices is None else replace(vertices, tick=truth.tick),
    )


def _families(given: Sequence[Family] | None) -> Sequence[Family]:
    if given is not None:
        return given
    from posed.verify.hypotheses import FAMILIES

    return FAMILIES


def _truth(scene: Scene, side: Side, tick: int | None, posed: Posed | None, replay: Replay) -> Posed:
    if posed is not None:
        if tick is not None and tick != posed.tick:
            raise PoseError(f"the snapshot is of tick {posed.tick} and the tick asked for is {tick}: give one of them")
        tick = posed.tick
    asked = side.tick if tick is None else tick
    if asked is None:
        raise PoseError("the live side does not state its tick: say which one it should show")
    return fit(scene, replay.at(asked) if posed is None else posed)


def _searched(case: Case, evidence: Evidence, families: Sequence[Family]) -> list[Finding]:
    """Return the findings that explain anything, the best first."""
    found: list[Finding] = []
    plain: dict[str, list[Finding]] = {}
    for family in families:
        own = _looked_at(evidence, family.propose(case))
        plain[family.name] = own[:PLAINER]
        for _ in range(MOST_ROUNDS if family.refine is not None else 0):
            assert family.refine is not None
            before, finer = own[:1], _looked_at(evidence, family.refine(case, own))
            own = _ordered([*own, *finer])[:KEPT]
            if not finer or own[:1] == before:
                break
        found += own[:KEPT]
    found = _distinct(_ordered(found))
    judged = _judged(evidence, found, plain[found[0].family] if found and found[0].share > 0.0 else ())
    judged += _of_the_picture(case, evidence)
    closely = {id(one.hypothesis) for one in judged}
    rest = [one for one in found if id(one.hypothesis) not in closely]
    return [one for one in (*_ordered(judged), *rest) if one.share > 0.0]


def _of_the_picture(case: Case, evidence: Evidence) -> list[Finding]:
    """Return a finding for each mistake of the picture as a whole."""
    return [
        Finding(Hypothesis("picture", one.claim, one.cure, case.truth), match, evidence.noun, traced=True)
        for one, match in evidence.undone()
    ]


def _distinct(found: Sequence[Finding]) -> list[Finding]:
    """Return findings without those that say the same pose of the same objects as a likelier one: a loop later, say."""
    kept: list[Finding] = []
    for one in found:
        own = one.hypothesis
        same = (
            other.family == own.family
            and other.objects == own.objects
            and other.posing is own.posing
            and other.scene is own.scene
            and same_pose(other.posed, own.posed)
            for other in (each.hypothesis for each in kept)
        )
        if not any(same):
            kept.append(one)
    return kept


def _looked_at(evidence: Evidence, hypotheses: Iterable[Hypothesis]) -> list[Finding]:
    """Return a finding for each hypothesis that poses all vertices somewhere, the best first."""
    found = []
    for one in hypotheses:
        try:
            found.append(Finding(one, evidence.look(one), evidence.noun))
        except PoseError:  # the mistake would put a vertex where no number is: nobody drew that
            continue
    return _ordered(found)


def _judged(evidence: Evidence, found: Sequence[Finding], plainer: Sequence[Finding]) -> list[Finding]:
    """Return the likeliest findings as a closer look has them; none where the first look has told all.

    `plainer` are looked at whatever the first look says of them: in a picture without ids its noise may prefer what is
    more intricate.
    """
    told = bool(found) and found[0].share > 0.0
    shading = [one for one in found if one.hypothesis.shades][:SHADING]
    others = [one for one in found if not one.hypothesis.shades]
    likely = others[:FINALISTS] if told else sorted(others, key=lambda one: one.hypothesis.surprise)[:UNTOLD]
    judged: list[Finding] = []
    best, surprise = 0.0, 0.0
    for one in (*shading, *plainer, *(one for one in likely if one not in plainer)):
        if not one.hypothesis.shades and one not in plainer:
            as_likely = one.share >= found[0].share - AS_GOOD if told else one.hypothesis.surprise <= surprise
            if best >= ENOUGH and not as_likely:
                break
            surprise = one.hypothesis.surprise
        match = evidence.judge(one.hypothesis)
        if match is None:
            break
        judged.append(Finding(one.hypothesis, match, one.noun, traced=True))
        best = max(best, match.share)
    return judged


def _ordered(found: Sequence[Finding]) -> list[Finding]:
    """Return findings, the one that explains most first; of those that explain as much, the least surprising.

    Of those that explain nothing the nearest comes first, and of those as near the least surprising.
    """
    ranked = sorted(found, key=lambda one: (-one.share, one.match.gap, one.hypothesis.surprise))
    if not ranked or ranked[0].share == 0.0:
        return ranked
    level = sum(one.share >= ranked[0].share - AS_GOOD for one in ranked)
    return sorted(ranked[:level], key=lambda one: one.hypothesis.surprise) + ranked[level:]
