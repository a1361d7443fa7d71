"""A classic mistake undone: the live frame as it would be without it, and how much of what differs then agrees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from posed.arrays import AnyArray, Bool
from posed.frame import Frame
from posed.verify.accounts import ByNeighbors
from posed.verify.layers import differences, missing_layers
from posed.verify.policy import Policy
from posed.verify.results import LayerResult, Recognition

ENOUGH = 0.9
"""Share of the differing pixels that must agree once a mistake is undone: edges may lack a tenth."""

PROMISING = 0.75
"""The same of a few of the wrong pixels, from which all are looked at."""

FEW = 4096
"""Wrong pixels that are looked at first, at least, where a mistake is one of each pixel by itself."""

LIKELIER = 0.02
"""By how much a mistake must explain more than one that is tried before it, to be told in its place."""


@dataclass(frozen=True, eq=False)
class Undone:
    """What a live frame would show without a mistake.

    Attributes
    ----------
    code
        The mistake's short name.
    claim
        What is wrong with the live frame, as the beginning of a sentence: "the live frame is flipped in y".
    undoing
        What was done to it, as in "turned over".
    cure
        Where such a mistake comes from, or what to do.
    layers
        The layers that it changes, as they would be.
    judged
        The layers of a verdict that tell.
    known
        (H, W) bool: pixels that the live frame tells anything about; None for all.
    within
        Pixels within which the reference must show the same: 0, or 1 where the undone layers had to be read between
        pixels.
    """

    code: str
    claim: str
    undoing: str
    cure: str
    layers: Mapping[str, AnyArray]
    judged: Sequence[str]
    known: Bool | None = None
    within: int = 0


@dataclass(frozen=True, eq=False)
class Case:
    """Two frames, and what was found: `wrong` holds for each failed layer its unexplained pixels, (H, W) bool.

    `enough` is the share of the differing pixels that must agree once a mistake is undone.
    """

    reference: Frame
    live: Frame
    policy: Policy
    wrong: Mapping[str, Bool]
    enough: float = ENOUGH

    @classmethod
    def of(cls, reference: Frame, live: Frame, policy: Policy, layers: Sequence[LayerResult]) -> Case:
        """Return the case that a verdict's layers make."""
        wrong = {
            one.layer: one.pixels.differing & ~one.pixels.explained
            for one in layers
            if one.compared and not one.passed and one.pixels is not None
        }
        return cls(reference, live, policy, {layer: pixels for layer, pixels in wrong.items() if pixels.any()})

    def fails(self, *layers: str) -> bool:
        """Say whether any of some layers has wrong pixels."""
        return any(layer in self.wrong for layer in layers)

    def few(self, layer: str) -> Case | None:
        """Return the case of some of a layer's wrong pixels, in one row; None where all are hardly more."""
        places = np.flatnonzero(self.wrong[layer])
        if len(places) <= 2 * FEW:
            return None
        chosen = np.unravel_index(places[:: len(places) // FEW], self.wrong[layer].shape)
        size = len(chosen[0]), 1
        reference, live = (
            replace(
                frame, layers={name: one[chosen][None] for name, one in frame.layers.items()}, size=size, staged=None
            )
            for frame in (self.reference, self.live)
        )
        return replace(
            self,
            reference=reference,
            live=live,
            wrong={name: pixels[chosen][None] for name, pixels in self.wrong.items()},
            enough=PROMISING,
        )


def in_single_pixels(case: Case, layer: str, recognize: Callable[[Case], Recognition | None]) -> Recognition | None:
    """Return what is recognized of a mistake of each pixel by itself: in all, where a few of the wrong promise it."""
    few = case.few(layer)
    return None if few is not None and recognize(few) is None else recognize(case)


def recognition(case: Case, one: Undone) -> Recognition | None:
    """Return what undoing a mistake explains, None where it leaves too much of what differs.

    Pixels that agreed and would not any more count against it.
    """
    before, broken, agreeing = 0, 0, 0
    live = replace(case.live, layers={**case.live.layers, **one.layers}, staged=None)
    known = np.ones((live.size[1], live.size[0]), np.bool_) if one.known is None else one.known
    wrong, still = np.zeros_like(known), np.zeros_like(known)
    for layer in one.judged:
        if layer in case.wrong and not missing_layers(layer, live):
            wrong |= case.wrong[layer]
            left = differences((layer,), case.reference, live, case.policy)[layer]
            around = ByNeighbors(case.reference, live, replace(case.policy, edge_band=one.within))
            still |= left.pixels & ~around.explains(layer, left) if one.within else left.pixels
    wrong &= known
    before, agreeing = int(wrong.sum()), int((wrong & ~still).sum())
    if before == 0:
        return None
    broken = int((still & ~wrong & known).sum())
    share = max(0, agreeing - broken) / before
    return told(one, agreeing, before, share) if share >= case.enough else None


def told(one: Undone, agreeing: int, before: int, share: float) -> Recognition:
    """Return a recognition with its evidence in words."""
    noun = "pixel agrees" if before == 1 else "pixels agree"
    evidence = f"{one.undoing}, {agreeing:,} of {before:,} differing {noun}"
    return Recognition(one.code, f"{one.claim}: {evidence}; {one.cure}", share)


def likeliest(found: Sequence[Recognition | None]) -> Recognition | None:
    """Return the recognition that explains most, an earlier one where two explain about as much."""
    best: Recognition | None = None
    for one in found:
        if one is not None and (best is None or one.share > best.share + LIKELIER):
            best = one
    return best
