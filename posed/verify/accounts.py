"""What accounts for pixels that differ: the staged geometry, or what the pixels around them show in the reference."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from posed.arrays import AnyArray, Bool
from posed.frame import Frame
from posed.verify.blobs import KEYED, keys_of
from posed.verify.drift import Drift, drift_of
from posed.verify.explained import ANY, Explained, explain_pixels
from posed.verify.geometry import Geometry
from posed.verify.layers import Difference, coverage
from posed.verify.past import motion_slack
from posed.verify.pixel_errors import angles, distances
from posed.verify.policy import Policy


class ByGeometry:
    """Judges from the staged geometry which answers are right at the pixels of `asked`, (H, W) bool."""

    def __init__(self, geometry: Geometry, asked: Bool, reference: Frame, live: Frame, policy: Policy) -> None:
        self._asked, self._reference, self._live, self._policy = asked, reference, live, policy
        self._geometry = geometry
        layers = {name: live[name] for name in ("object", "part", "triangle", "depth") if name in live}
        if "object" not in live:
            seen = coverage(live)
            layers["object"] = np.where(np.ones_like(asked) if seen is None else seen, ANY, np.uint32(0))
        band = policy.band + policy.edge_band
        self._found: Explained = explain_pixels(geometry, asked, layers, band=band, depth_limit=policy.depth.relative)

    def explains(self, layer: str, one: Difference) -> Bool:
        """Return which pixels of `one` two correct renderers may answer so, (H, W) bool.

        A normal and a motion are those of the triangle that was seen: where the live frame rightly sees another one, so
        are they.
        """
        found = self._found
        accounted: Bool
        if layer in ("normal", "motion"):
            assert one.measure is not None
            limit: AnyArray = self._policy.normal.degrees + found.degrees
            if layer == "motion":
                moved = one.pixels & ~self._other
                limit = np.full(one.pixels.shape, self._policy.motion.pixels)
                limit[moved] += motion_slack(self._geometry, self._reference, moved)
                limit = limit[self._asked]
            accounted = np.where(self._other[self._asked], found.triangle, one.measure[self._asked] <= limit)
        else:
            accounted = getattr(found, layer)
        return self._placed(accounted) & one.pixels

    def ties(self, layer: str) -> Bool:
        """Return where no edge explains a pixel of a layer, (H, W) bool: a tie does, or the same triangle is seen."""
        tied = self._placed(self._found.tied)
        if layer not in ("depth", "normal", "motion") or not all(name in self._live for name in ("part", "triangle")):
            return tied
        return tied | ~self._other

    @cached_property
    def _other(self) -> Bool:
        """Where the live frame shows another triangle than the reference, as far as it says which, (H, W) bool."""
        other = np.zeros_like(self._asked)
        for name in ("part", "triangle"):
            if name in self._reference and name in self._live:
                other |= self._reference[name] != self._live[name]
        return other

    def doubled(self) -> Bool:
        """Return where surfaces share a place, (H, W) bool."""
        return self._placed(self._found.doubled)

    def tied_length(self) -> float:
        """Return the length in pixels of the edges of all that the live frame shows because of ties."""
        return self._found.tied_length

    def drift(self, pixels: Bool) -> Drift:
        """Return how much the displacements of edges agree that the explained `pixels`, (H, W) bool, show.

        Ties say nothing of it.
        """
        chosen = pixels[self._asked] & ~self._found.tied
        return drift_of(self._found.offsets[chosen], self._found.edges[chosen])

    def _placed(self, values: Bool) -> Bool:
        whole = np.zeros_like(self._asked)
        whole[self._asked] = values
        return whole


class ByNeighbors:
    """Takes for explained what the reference shows within `policy.edge_band` pixels, or lies between what it shows."""

    def __init__(self, reference: Frame, live: Frame, policy: Policy) -> None:
        self._reference, self._live, self._policy = reference, live, policy

    def explains(self, layer: str, one: Difference) -> Bool:
        """Return which pixels of `one` the neighbours explain, (H, W) bool."""
        reference, live, policy = self._reference, self._live, self._policy
        here = np.nonzero(one.pixels)
        if layer in KEYED:
            expected, found = keys_of(layer, reference, live)
            near = np.any([around == found[here] for around in self._around(expected, here)], axis=0)
        elif layer in ("depth", "color"):
            limit = policy.depth.relative if layer == "depth" else policy.color.max
            near = _between(list(self._around(reference[layer], here)), live[layer][here], limit)
        else:
            measure = angles if layer == "normal" else distances
            limit = policy.normal.degrees if layer == "normal" else policy.motion.pixels
            seen, everywhere = live[layer][here][None], np.ones((1, len(here[0])), np.bool_)
            arounds = self._around(reference[layer], here)
            near = np.any([measure(around[None], seen, everywhere)[0] <= limit for around in arounds], axis=0)
        explained = np.zeros_like(one.pixels)
        explained[here] = near
        return explained

    def _around(self, layer: AnyArray, here: tuple[AnyArray, ...]) -> Iterator[AnyArray]:
        """Yield what a layer, (H, W, ...), shows beside some rows and columns, (N, ...) for each step of the band."""
        reach = range(-self._policy.edge_band, self._policy.edge_band + 1)
        for down in reach:
            for right in reach:
                rows, columns = here[0] + down, here[1] + right
                yield layer[np.clip(rows, 0, layer.shape[0] - 1), np.clip(columns, 0, layer.shape[1] - 1)]


def _between(around: list[AnyArray], found: AnyArray, limit: float) -> Bool:
    """Return where values lie between the least and the greatest of those around, (N,) bool."""
    low, high = np.min(around, axis=0), np.max(around, axis=0)
    if found.ndim == 1:
        inside = (found >= low * (1.0 - limit)) & (found <= high * (1.0 + limit))
        return np.asarray(inside)
    inside = (found >= low - limit) & (found <= high + limit)
    return np.asarray(inside[:, :3].all(axis=1))
