"""The first look at a frame: hypotheses by the hundred, each held against some of the pixels that differ."""

from __future__ import annotations

import math

import numpy as np

from posed.arrays import AnyArray, Bool
from posed.camera import Camera
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify.diagnosing.diagnosis import Match
from posed.verify.diagnosing.hypothesis import Hypothesis
from posed.verify.diagnosing.quick import Asked, Drawn, Lens, Room, write_matches
from posed.verify.diagnosing.suspects import Suspects
from posed.verify.policy import Policy
from posed.verify.posing import RIGHT

SAMPLES = 2000
"""Differing pixels that are looked at, at least, where there are as many."""

LARGEST_STEP = 4
"""Pixels from one that is looked at to the next, at most."""

SLACK = 2.0
"""How many times what a policy allows still fits: a rasterizer's vertices lie on a grid."""


class FirstLook:
    """Some pixels of a frame, and what the truth shows there.

    Parameters
    ----------
    scene, truth
        What should have been drawn.
    suspects, keys
        The triangles that are drawn, and what a pixel shows that shows one of them, (F,) int64.
    asked
        What the live frame shows at every pixel, normals in the world.
    wrong
        (H, W) bool: where it differs.
    policy
        How much depth and normal may be off.
    camera
        In place of the snapshots' own.
    """

    def __init__(
        self,
        scene: Scene,
        truth: Posed,
        suspects: Suspects,
        keys: AnyArray,
        asked: Asked,
        wrong: Bool,
        policy: Policy,
        camera: Camera | None,
    ) -> None:
        self._scene, self._camera, self._suspects, self._keys = scene, camera, suspects, keys
        self._height, self._width = wrong.shape
        self._step = min(LARGEST_STEP, max(1, math.isqrt(max(1, int(wrong.sum())) // SAMPLES)))
        self._first = self._step // 2
        self._asked = Asked(*(np.ascontiguousarray(self._sampled(layer)) for layer in asked))
        self._depth_within = SLACK * policy.depth.relative
        self._least_cosine = math.cos(math.radians(SLACK * policy.normal.degrees))
        shape = self._asked.keys.shape
        self._room = Room(np.empty(shape), np.empty(shape, np.int64), np.empty(shape, np.bool_))
        agrees = self._fits(Hypothesis("", "", "", truth)).copy()
        self._wrong = self._sampled(wrong) & ~agrees
        self._right = ~self._sampled(wrong) & agrees
        self.differing = int(self._wrong.sum())

    def match(self, hypothesis: Hypothesis) -> Match:
        """Return how a hypothesis fits at the pixels that are looked at."""
        fits = self._fits(hypothesis)
        return Match(int((self._wrong & fits).sum()), int((self._right & ~fits).sum()), self.differing)

    def _fits(self, hypothesis: Hypothesis) -> Bool:
        """Return where the live frame shows what would be drawn, (R, C); valid until the next call."""
        camera = self._camera or hypothesis.posed.camera or self._scene.camera
        suspects = self._suspects
        shown = suspects.shown(hypothesis.posed, hypothesis.posing, hypothesis.objects, RIGHT, camera.matrix[:3, 3])
        drawn = Drawn(
            shown.positions,
            shown.normals,
            suspects.corners,
            shown.facing,
            suspects.two_sided,
            suspects.flat,
            suspects.plain,
            self._keys,
        )
        write_matches(self._lens(camera), drawn, self._asked, self._depth_within, self._least_cosine, self._room)
        return self._room.matches

    def _lens(self, camera: Camera) -> Lens:
        half = camera.ymag if camera.ymag is not None else math.tan((camera.yfov or 0.0) / 2.0)
        return Lens(
            axes=np.ascontiguousarray(camera.matrix[:3, :3]),
            orthographic=camera.ymag is not None,
            scale=self._height / 2.0 / half,
            middle=(self._width / 2.0, self._height / 2.0),
            cuts=(camera.znear, camera.zfar),
            first=self._first,
            step=self._step,
        )

    def _sampled(self, layer: AnyArray) -> AnyArray:
        return layer[self._first :: self._step, self._first :: self._step]
