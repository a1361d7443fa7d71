"""Which layers catch an amount, and by bisection the least amount that each catches."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

import posed
from posed.color import decode_srgb, encode_srgb
from posed.frame import Frame
from posed.live import render
from posed.snapshot import Posed
from posed.verify import Side, compare, expected_vertices
from posed.verify.policy import POLICIES
from tests.detection.moving import MOVES, Subject

LAYERS = ("pose", "vertices", "silhouette", "object", "part", "triangle", "depth", "normal", "motion", "color")

GEOMETRY = ("object", "part", "triangle", "depth", "normal", "motion", "joint")

RATIO = 1.25
"""Between two amounts that are told apart."""

LEAST, MOST = 1e-7, 40.0
"""Amounts between which the floor is looked for, degrees or shares of the diagonal."""

STEPS = math.ceil(math.log(MOST / LEAST, RATIO))

SAMPLES = 4
"""Samples along a pixel's side of a foreign engine's antialiased color."""

REFERENCE_SAMPLES = 64
"""Samples a pixel of the trace that it is held against, so that no highlight is missed by chance."""


@dataclass(frozen=True, eq=False)
class Case:
    """A subject moved in one way, judged with one preset in a picture of `size` pixels.

    `exact` holds the trace against the trace, as golden frames are; `gpu` the built-in renderer; `foreign` the same,
    with the color of a PNG that is antialiased and says nothing of its shadows, as another engine's.
    """

    subject: Subject
    move: str
    policy: str
    size: tuple[int, int]

    def catches(self, amount: float, *, shaded: bool) -> dict[str, bool]:
        """Return for each layer that was compared whether it fails; color alone where `shaded`, else all others."""
        pose = MOVES[self.move](self.subject, amount) if amount else self.subject.truth
        if shaded:
            sides = self._shaded, Side(frame=self._shade(pose))
        else:
            sides = self._plain, Side(frame=self._draw(pose), pose=pose, vertices=expected_vertices(self._scene, pose))
        verdict = compare(*sides, policy=self.policy, scene=self._scene)
        return {one.layer: not one.passed for one in verdict.compared if (one.layer == "color") == shaded}

    def floors(self) -> dict[str, float]:
        """Return the least amount that each layer catches, to within `RATIO`; infinite where it catches none.

        Bisection takes for granted that what catches an amount catches a larger one.
        """
        known: dict[tuple[int, bool], dict[str, bool]] = {}
        found = {}
        for layer in LAYERS:
            shaded = layer == "color"
            low, high = -1, STEPS
            while high - low > 1:
                middle = (low + high) // 2
                if (middle, shaded) not in known:
                    known[middle, shaded] = self.catches(LEAST * RATIO**middle, shaded=shaded)
                low, high = (low, middle) if known[middle, shaded][layer] else (middle, high)
            found[layer] = LEAST * RATIO**high if high < STEPS else math.inf
        return found

    @property
    def _scene(self) -> posed.Scene:
        return self.subject.scene

    @cached_property
    def _plain(self) -> Side:
        frame = self._trace(self.subject.truth, "aov")
        return Side("", frame, self.subject.truth, expected_vertices(self._scene, self.subject.truth))

    @cached_property
    def _shaded(self) -> Side:
        return Side(frame=self._trace(self.subject.truth, "direct"))

    def _trace(self, pose: Posed, integrator: str) -> Frame:
        antialiased = integrator == "direct" and POLICIES[self.policy].color.antialiased
        samples = REFERENCE_SAMPLES if antialiased else "center"
        return posed.trace(self._scene, pose, size=self.size, integrator=integrator, samples=samples)

    def _draw(self, pose: Posed) -> Frame:
        if self.policy == "exact":
            return self._trace(pose, "aov")
        return render(self._scene, pose, size=self.size, layers=GEOMETRY)

    def _shade(self, pose: Posed) -> Frame:
        match self.policy:
            case "exact":
                return self._trace(pose, "direct")
            case "gpu":
                return render(self._scene, pose, size=self.size, layers=("color", *GEOMETRY))
        width, height = self.size
        fine = render(self._scene, pose, size=(width * SAMPLES, height * SAMPLES), layers=("color",))
        color = fine["color"].reshape(height, SAMPLES, width, SAMPLES, 4).mean(axis=(1, 3), dtype=np.float32)
        plain = self._draw(pose)
        return replace(plain, layers={**plain.layers, "color": decode_srgb(encode_srgb(color))})
