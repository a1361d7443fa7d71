"""The edge band: how large the blobs may be that come of nobody knowing how a frame's pixels were sampled.

A frame that is sampled elsewhere in its pixels than the reference, or averaged otherwise, differs along edges. What the
pixels around show explains nearly all of that: the reference has the same there, or values on both sides of it. What
is left near an edge may still be right, as where something is narrower than a pixel; but it comes in single pixels. A
blob of such pixels is something that was moved, is missing, or has another color, be it explained pixel by pixel.
"""

from __future__ import annotations

from posed.arrays import Bool
from posed.verify.policy import Policy
from posed.verify.results import Measure

OUTLINED = ("silhouette", "object", "part", "color")
"""Layers in which what an edge bounds is wider than the band, as a rule. Triangles need not be."""


def blob_measures(layer: str, differing: Bool, policy: Policy) -> list[Measure]:
    """Return how large the largest blob is, with what an edge band of the policy's width can make.

    Parameters
    ----------
    layer
        The layer in which they lie.
    differing
        (H, W) bool: pixels that differ and show what none within the band shows, explained or not.
    policy
        Its edge band is not 0.
    """
    if layer not in OUTLINED or not differing.any():
        return []
    import numpy as np
    from scipy import ndimage

    blobs, _ = ndimage.label(differing, np.ones((3, 3), np.int8))
    largest = int(np.bincount(blobs.ravel())[1:].max())
    return [Measure("largest blob", largest, (2 * policy.edge_band + 1) ** 2, "pixels")]
