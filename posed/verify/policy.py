"""Policies: how much two sides may differ, layer by layer, before a check fails."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from posed.errors import PosedError


@dataclass(frozen=True)
class PoseLimit:
    """Of two snapshots: how far a vertex may be moved: `diagonal` as a share of the posed object's diagonal, or
    `steps` in float32 steps of the largest coordinate, whichever is more.
    """

    diagonal: float = 1e-6
    steps: float = 4.0


@dataclass(frozen=True)
class VertexLimit:
    """Of posed vertices: `steps`, float32 steps of the largest coordinate on the way, and `degrees` of a direction."""

    steps: float = 4.0
    degrees: float = 0.05


@dataclass(frozen=True)
class IdLimit:
    """Of the silhouette and the id layers: how many pixels may differ `unexplained`."""

    unexplained: int = 0


@dataclass(frozen=True)
class DepthLimit:
    """Of depth: `relative` difference of a pixel, and how many pixels may lie beyond it `unexplained`."""

    relative: float = 1e-4
    unexplained: int = 0


@dataclass(frozen=True)
class NormalLimit:
    """Of normals: `degrees` at a pixel, and how many pixels may lie beyond them `unexplained`."""

    degrees: float = 0.5
    unexplained: int = 0


@dataclass(frozen=True)
class MotionLimit:
    """Of motion vectors: distance in `pixels` at a pixel, and how many pixels may lie beyond it `unexplained`."""

    pixels: float = 1.0 / 16.0
    unexplained: int = 0


@dataclass(frozen=True)
class ColorLimit:
    """Of color.

    Attributes
    ----------
    max
        Difference of a channel, linear, at a pixel that no edge explains.
    texel
        Texels by which a texture may be read off: what that changes is allowed on top.
    unexplained
        How many pixels may lie beyond `max`.
    flip_mean, flip_high, flip_blob
        FLIP over the model's pixels: its mean, its 99.9th percentile, and its mean over any one blob.
    antialiased
        Whether the reference is to be antialiased, as other engines' frames are; else it is shaded once a pixel.
    """

    max: float = 2.0 / 255.0
    texel: float = 1.0 / 256.0
    unexplained: int = 0
    flip_mean: float = 0.02
    flip_high: float = math.inf
    flip_blob: float = 0.1
    antialiased: bool = False


@dataclass(frozen=True)
class Policy:
    """Limits of a comparison; each layer has its own, in its own unit.

    Attributes
    ----------
    name
        What reports call it.
    explains
        Whether a pixel that two correct renderers may answer differently is told from a wrong one.
    subpixel_bits
        Bits of a pixel's fraction that the live rasterizer snaps vertices to.
    edge_band
        Pixels, 0 to 4, within which a live pixel may show what its neighbours show in the reference, or lie between
        what they show: for frames of which nobody knows how they were sampled. See `edge_band`.
    pose, vertices, silhouette, object, part, triangle, depth, normal, motion, color
        The layers' limits.
    """

    name: str
    explains: bool = True
    subpixel_bits: int = 8
    edge_band: int = 0
    pose: PoseLimit = field(default_factory=PoseLimit)
    vertices: VertexLimit = field(default_factory=VertexLimit)
    silhouette: IdLimit = field(default_factory=IdLimit)
    object: IdLimit = field(default_factory=IdLimit)
    part: IdLimit = field(default_factory=IdLimit)
    triangle: IdLimit = field(default_factory=IdLimit)
    depth: DepthLimit = field(default_factory=DepthLimit)
    normal: NormalLimit = field(default_factory=NormalLimit)
    motion: MotionLimit = field(default_factory=MotionLimit)
    color: ColorLimit = field(default_factory=ColorLimit)

    @property
    def grid(self) -> float:
        """The step, in pixels, of the grid that vertices snap to: what a surface shows may lie that far beside."""
        return 2.0**-self.subpixel_bits

    @property
    def band(self) -> float:
        """How far a rasterized edge may lie from the exact one, in pixels: both of its ends snap to the grid."""
        return 2.0 * self.grid

    def unexplained(self, layer: str) -> int:
        """Return how many pixels of a frame's layer may differ unexplained."""
        allowed: int = getattr(self, layer).unexplained
        return allowed

    def to_json(self) -> dict[str, Any]:
        """Return the limits as plain values."""
        return asdict(self)


POLICIES: Mapping[str, Policy] = {
    "exact": Policy(
        "exact",
        explains=False,
        pose=PoseLimit(diagonal=0.0, steps=0.0),
        vertices=VertexLimit(steps=0.0, degrees=0.0),
        depth=DepthLimit(relative=0.0),
        normal=NormalLimit(degrees=0.0),
        motion=MotionLimit(pixels=0.0),
        color=ColorLimit(max=0.0, texel=0.0, flip_mean=0.0, flip_high=0.0, flip_blob=0.0),
    ),
    "gpu": Policy("gpu"),
    "foreign": Policy("foreign", edge_band=1, color=ColorLimit(max=8.0 / 255.0, flip_mean=0.05, antialiased=True)),
}
"""Presets by name: `exact` allows nothing, `gpu` what a correct rasterizer may do differently, `foreign` what another
engine's frame may, whose pixels nobody knows the sampling of."""


def policy_of(policy: Policy | str) -> Policy:
    """Return a preset by its name, or the policy itself.

    Raises
    ------
    PosedError
        No preset has that name.
    """
    if isinstance(policy, Policy):
        return policy
    if policy not in POLICIES:
        raise PosedError(f'there is no policy "{policy}": the presets are {", ".join(POLICIES)}')
    return POLICIES[policy]
