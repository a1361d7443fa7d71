"""How many pixels at edges rounding may bring about: more than that is a finding though each of them is explained.

A rasterizer that snaps vertices to a grid of 1/256 pixel shows another answer at one pixel in a thousand along an edge,
on a coarser grid at as many more. So the number of explained pixels is bounded by the length of the edges that can be
overstepped, counted apart for two kinds:

- Edges where one surface is the nearest. The reference shows both of their sides, so their length is read from it.
- Edges of surfaces that share a place, such as coincident sheets. There the live frame may show any of them, and of
  each its own edges, which the reference does not show where another one won. So their length is that of the edges of
  all triangles that a tie brought to light. A pixel of such a sheet whose triangle covers the centre is a tie and no
  edge, however near its edge lies; one whose triangle does not, has overstepped an edge as any other has.

A shift of the whole frame oversteps edges of both kinds, so it exceeds the bounds beside ties too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from posed.arrays import Bool
from posed.frame import Frame
from posed.verify.accounts import ByGeometry
from posed.verify.results import Measure

EXPECTED = 0.256
"""Pixels that rounding explains, a pixel of edge that can be overstepped, in steps of the rasterizer's grid."""

MOST_TIMES_EXPECTED = 4.0
"""How many times the expected number may be explained before that itself is a finding."""

AT_LEAST = 8
"""Pixels that are allowed however short the edges are."""


@dataclass(frozen=True, eq=False)
class EdgeBounds:
    """What a frame's explained pixels at edges are held to.

    `doubled` (H, W) bool says where surfaces share the place; `most` is how many pixels may be explained elsewhere,
    `most_tied` how many there, 0 where no tie decides anything.
    """

    doubled: Bool
    most: int
    most_tied: int

    def measures(self, at_edges: Bool) -> list[Measure]:
        """Return the numbers of explained pixels at edges, (H, W) bool, that no tie decides, with their limits."""
        tied = int((at_edges & self.doubled).sum())
        found = [Measure("at edges", int(at_edges.sum()) - tied, self.most, "pixels")]
        if self.most_tied or tied:
            found.append(Measure("at tied edges", tied, self.most_tied or AT_LEAST, "pixels"))
        return found


def bounds_of(reference: Frame, account: ByGeometry, grid: float) -> EdgeBounds:
    """Return what explained pixels are held to beside a reference, on a rasterizer's grid of `grid` pixels.

    A straight edge of n pixels crosses the rows and columns between pixel centres 4 n / pi times on average.
    """
    crossings = 0
    if "part" in reference and "triangle" in reference:
        for layer in ("part", "triangle"):
            ids = reference[layer]
            crossings = max(crossings, int((ids[1:] != ids[:-1]).sum()) + int((ids[:, 1:] != ids[:, :-1]).sum()))
    length = account.tied_length()
    most_tied = _most(length, grid) if length else 0
    return EdgeBounds(account.doubled(), _most(crossings * math.pi / 4.0, grid), most_tied)


def _most(length: float, grid: float) -> int:
    """Return how many pixels may be explained at edges of this length in pixels."""
    return max(AT_LEAST, math.ceil(MOST_TIMES_EXPECTED * EXPECTED * grid * length))
