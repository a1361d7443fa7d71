"""The first look at a frame: hypotheses by the hundred, each held against some of the pixels that differ."""

from __future__ import annotations

import math

import numpy as np

from posed.arrays import AnyArray, Bool, Float64
from posed.camera import Camera
from posed.frame import Frame
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify.diagnosing.diagnosis import Match
from posed.verify.diagnosing.hypothesis import Hypothesis
from posed.verify.diagnosing.quick import NOTHING, Asked, Drawn, Lens, write_matches
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

    Only the suspects are drawn; what hides them is taken from the frames: where either shows something else, that is
    how far away it is.

    Parameters
    ----------
    scene, truth, suspects
        What should have been drawn, and the objects that differ.
    reference, live
        The two frames. Of the reference, `object` and `depth` are read; of the live one, what it has of `object`,
        `part`, `triangle`, `depth` and `normal`.
    wrong
        (H, W) bool: where they differ.
    policy
        How much depth and normal may be off.
    camera
        In place of the snapshots' own.
    """

    def __init__(
        self,
        scene: Scene,
        truth: Posed,
        suspects: tuple[str, ...],
        reference: Frame,
        live: Frame,
        wrong: Bool,
        policy: Policy,
        camera: Camera | None,
    ) -> None:
        self._scene, self._truth, self._camera, self._height = scene, truth, camera, live.size[1]
        self._width = live.size[0]
        self._step = min(LARGEST_STEP, max(1, math.isqrt(max(1, int(wrong.sum())) // SAMPLES)))
        self._first = self._step // 2
        self._suspects = Suspects(scene, truth, suspects)
        numbers = [number for number, one in enumerate(scene.objects, 1) if one.name in suspects]
        self._keys, keys = self._keyed(live, numbers)
        shown = {name: self._sampled(live[name]) for name in ("object", "depth", "normal") if name in live}
        expected = {name: self._sampled(reference[name]) for name in ("object", "depth")}
        shape = keys.shape
        self._still = _still(expected, shown, numbers)
        self._depth = shown["depth"].astype(np.float64) if "depth" in shown else np.full(shape, np.nan)
        self._normal = shown["normal"].astype(np.float64) if "normal" in shown else np.zeros((*shape, 3))
        self._asked_keys = keys
        self._depth_within = SLACK * policy.depth.relative
        self._least_cosine = math.cos(math.radians(SLACK * policy.normal.degrees))
        self._room = np.empty(shape), np.empty(shape, np.int64), np.empty(shape, np.bool_)
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
        axes, place = camera.matrix[:3, :3], camera.matrix[:3, 3]
        shown = self._suspects.shown(hypothesis.posed, hypothesis.posing, hypothesis.objects, RIGHT, place)
        suspects = self._suspects
        drawn = Drawn(
            _along(shown.positions, axes),
            _along(shown.normals, axes),
            suspects.corners,
            shown.facing,
            suspects.two_sided,
            suspects.flat,
            suspects.plain,
            self._keys,
        )
        asked = Asked(self._asked_keys, self._depth, _along(self._normal.reshape(-1, 3), axes), self._still)
        asked = asked._replace(normal=asked.normal.reshape(self._normal.shape))
        nearest, owner, matches = self._room
        write_matches(self._lens(camera), drawn, asked, self._depth_within, self._least_cosine, nearest, owner, matches)
        return matches

    def _lens(self, camera: Camera) -> Lens:
        half = camera.ymag if camera.ymag is not None else math.tan((camera.yfov or 0.0) / 2.0)
        return Lens(
            orthographic=camera.ymag is not None,
            scale=self._height / 2.0 / half,
            middle=(self._width / 2.0, self._height / 2.0),
            cuts=(camera.znear, camera.zfar),
            first=self._first,
            step=self._step,
        )

    def _sampled(self, layer: AnyArray) -> AnyArray:
        return layer[self._first :: self._step, self._first :: self._step]

    def _keyed(self, live: Frame, numbers: list[int]) -> tuple[AnyArray, AnyArray]:
        """Return a key for each triangle, (F,), and the live frame's at the pixels, (R, C), as fine as its ids are."""
        suspects = self._suspects
        if "part" in live and "triangle" in live:
            own = suspects.part.astype(np.int64) << 32 | suspects.triangle
            seen = self._sampled(live["part"]).astype(np.int64) << 32 | self._sampled(live["triangle"])
        elif "part" in live:
            own, seen = suspects.part.astype(np.int64), self._sampled(live["part"]).astype(np.int64)
        else:
            own, seen = suspects.object.astype(np.int64), self._sampled(live["object"]).astype(np.int64)
        return own, np.where(np.isin(self._sampled(live["object"]), numbers), seen, NOTHING)


def _still(expected: dict[str, AnyArray], shown: dict[str, AnyArray], numbers: list[int]) -> Float64:
    """Return how far away what is no suspect hides the suspects, (R, C) metres, infinite where nothing is known to."""
    still = np.full(expected["depth"].shape, np.inf)
    if "depth" in shown:
        still = np.where(np.isin(shown["object"], numbers), np.inf, shown["depth"].astype(np.float64))
    return np.where(np.isin(expected["object"], numbers), still, expected["depth"].astype(np.float64))


def _along(vectors: AnyArray, axes: Float64) -> Float64:
    """Return vectors (N, 3) along a camera's right, up and forward axes, given its axes as columns (3, 3)."""
    wide = vectors.astype(np.float64)
    along: Float64 = np.stack(
        [wide[:, 0] * a[0] + wide[:, 1] * a[1] + wide[:, 2] * a[2] for a in (axes[:, 0], axes[:, 1], -axes[:, 2])],
        axis=1,
    )
    return along
