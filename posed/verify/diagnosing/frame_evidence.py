"""Evidence in a frame: the pixels of its geometry layers that differ from the trace of the truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from posed.arrays import AnyArray, Bool
from posed.camera import Camera
from posed.frame import Frame
from posed.scene.description import Object, Scene
from posed.snapshot import Posed
from posed.tracing import trace
from posed.verify.comparing import measured
from posed.verify.diagnosing.diagnosis import Match
from posed.verify.diagnosing.first_look import FirstLook
from posed.verify.diagnosing.hypothesis import Hypothesis
from posed.verify.diagnosing.quick import NOTHING, Asked
from posed.verify.diagnosing.suspects import Suspects
from posed.verify.diagnosing.tracing import trace_hypothesis
from posed.verify.policy import Policy
from posed.verify.recognizing.flips import unflipped
from posed.verify.recognizing.undoing import Undone
from posed.verify.verdict import Verdict

GEOMETRY = ("silhouette", "object", "part", "triangle", "depth", "normal")
"""Layers of a verdict that a pose decides; motion follows from two of them, and color from light too."""

READ = ("object", "part", "triangle", "depth", "normal")
"""Layers of a frame that they are read from."""


class FrameEvidence:
    """A live frame with ids, see `Evidence`.

    Parameters
    ----------
    scene, truth
        What should have been drawn; the snapshot is whole.
    live
        The frame; it has at least the object layer.
    policy
        What differs.
    camera, backend
        See `posed.trace`.
    verdict
        That of the frame against the truth, where it is at hand: spares the trace.
    """

    noun = "pixels"

    def __init__(
        self,
        scene: Scene,
        truth: Posed,
        live: Frame,
        *,
        policy: Policy,
        camera: Camera | None = None,
        backend: str | None = None,
        verdict: Verdict | None = None,
    ) -> None:
        self._scene, self._policy, self._camera, self._backend = scene, policy, camera, backend
        self._layers = tuple(name for name in READ if name in live)
        self._live = replace(live, layers={name: live[name] for name in self._layers})
        reference = None if verdict is None else verdict.reference.frame
        if verdict is None or reference is None or any(one.pixels is None for one in verdict.compared):
            reference = trace(
                scene,
                truth,
                size=live.size,
                integrator="aov",
                samples="center",
                layers=READ,
                camera=camera,
                backend=backend,
            )
            verdict = measured(reference, self._live, policy=policy)
        self._reference, self._wrong = reference, _unexplained(verdict)
        self.differing = int(self._wrong.sum())
        self.suspects = _suspects(scene, self._wrong, reference, live)
        suspects = Suspects(scene, truth, self.suspects)
        keys, asked = _asked(scene, self.suspects, suspects, reference, self._live)
        self._look = FirstLook(scene, truth, suspects, keys, asked, self._wrong, policy, camera)

    def look(self, hypothesis: Hypothesis) -> Match:
        """Return how a hypothesis fits at some pixel centres, by projection."""
        return self._look.match(hypothesis)

    def judge(self, hypothesis: Hypothesis) -> Match:
        """Return how a hypothesis fits, traced at every pixel."""
        frame = trace_hypothesis(
            hypothesis,
            self._scene,
            size=self._live.size,
            layers=self._layers,
            camera=self._camera,
            backend=self._backend,
        )
        wrong = _unexplained(measured(frame, replace(self._live, provenance=frame.provenance), policy=self._policy))
        return Match(int((self._wrong & ~wrong).sum()), int((wrong & ~self._wrong).sum()), self.differing)

    def undone(self) -> Iterator[tuple[Undone, Match]]:
        """Yield flips, with what agrees once each is undone; those alone that bring objects nearer to their places."""
        expected = self._reference["object"]
        before = int((self._live["object"] != expected).sum())
        for one in unflipped(self._live):
            if int((one.layers["object"] != expected).sum()) < before:
                live = replace(self._live, layers=one.layers, staged=None)
                wrong = _unexplained(measured(self._reference, live, policy=self._policy))
                yield one, Match(int((self._wrong & ~wrong).sum()), int((wrong & ~self._wrong).sum()), self.differing)


def _unexplained(verdict: Verdict) -> Bool:
    """Return where any geometry layer differs and rounding does not explain it, (H, W)."""
    assert verdict.size is not None
    wrong = np.zeros((verdict.size[1], verdict.size[0]), np.bool_)
    for one in verdict.layers:
        if one.layer in GEOMETRY and one.pixels is not None:
            wrong |= one.pixels.differing & ~one.pixels.explained
    return wrong


def _suspects(scene: Scene, wrong: Bool, reference: Frame, live: Frame) -> tuple[str, ...]:
    """Return the objects that either frame shows where they differ, the one with the most pixels first.

    Where something that can move is among them, what cannot was only covered or bared by it.
    """
    shown: Sequence[AnyArray] = [reference["object"][wrong], live["object"][wrong]]
    counts = np.zeros(len(scene.objects) + 1, np.int64)
    for ids in shown:
        known = ids[ids <= len(scene.objects)]
        counts += np.bincount(known, minlength=len(counts))
    order = [int(number) for number in np.argsort(-counts, kind="stable") if number > 0 and counts[number] > 0]
    objects = [scene.objects[number - 1] for number in order]
    movable = [one for one in objects if can_move(one)]
    return tuple(one.name for one in movable or objects)


def can_move(one: Object) -> bool:
    """Return whether anything of an object may ever move."""
    carried = one.motion is not None or one.attach is not None or one.animation is not None or one.face_camera
    return carried or bool(one.model.clips) or bool(one.model.skins)


def _asked(
    scene: Scene, names: Sequence[str], suspects: Suspects, reference: Frame, live: Frame
) -> tuple[AnyArray, Asked]:
    """Return a key for each triangle of the suspects, (F,), as fine as the live frame's ids are, and what it shows.

    What hides the suspects is taken from the frames: where either shows something else, that is how far away it is.
    """
    numbers = [number for number, one in enumerate(scene.objects, 1) if one.name in names]
    if "part" in live and "triangle" in live:
        keys = suspects.part.astype(np.int64) << 32 | suspects.triangle
        seen = live["part"].astype(np.int64) << 32 | live["triangle"]
    elif "part" in live:
        keys, seen = suspects.part.astype(np.int64), live["part"].astype(np.int64)
    else:
        keys, seen = suspects.object.astype(np.int64), live["object"].astype(np.int64)
    shows, should = (np.isin(frame["object"], numbers) for frame in (live, reference))
    shape = seen.shape
    depth = live["depth"].astype(np.float64) if "depth" in live else np.full(shape, np.nan)
    other = np.where(shows | np.isnan(depth), np.inf, depth)
    return keys, Asked(
        keys=np.where(shows, seen, NOTHING),
        depth=depth,
        normal=live["normal"].astype(np.float64) if "normal" in live else np.zeros((*shape, 3)),
        still=np.where(should, other, reference["depth"].astype(np.float64)),
    )
