"""Policies: how much two frames may differ, layer by layer, before a check fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from posed.errors import PosedError


@dataclass(frozen=True)
class Policy:
    """Limits of a comparison.

    Attributes
    ----------
    name
        What reports call it.
    explains
        Whether a pixel that two correct renderers may answer differently is told from a wrong one.
    subpixel_bits
        Bits of a pixel's fraction that the live rasterizer snaps vertices to.
    pixels
        Unexplained pixels that the silhouette and each id layer may have.
    depth
        Relative difference of depth.
    normal
        Angle between normals in degrees.
    motion
        Distance between motion vectors in pixels.
    """

    name: str
    explains: bool = True
    subpixel_bits: int = 8
    pixels: int = 0
    depth: float = 1e-4
    normal: float = 0.5
    motion: float = 1.0 / 16.0

    @property
    def band(self) -> float:
        """How far a rasterized edge may lie from the exact one, in pixels: both of its ends snap to the grid."""
        return 2.0 ** -(self.subpixel_bits - 1)


POLICIES: Mapping[str, Policy] = {
    "exact": Policy("exact", explains=False, depth=0.0, normal=0.0, motion=0.0),
    "gpu": Policy("gpu"),
}
"""Presets by name: `exact` allows nothing, `gpu` what a correct rasterizer may do differently."""


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
