"""Every mistake that is searched for, one kind or a few related ones a module.

A further one is a module with a `Family` that is added to `FAMILIES`: see docs/causes.md.
"""

from posed.verify.diagnosing.hypothesis import Family
from posed.verify.hypotheses import (
    binding,
    clips,
    fades,
    influences,
    joint_order,
    morphs,
    normals,
    playback,
    previous,
    rest,
    skinned_node,
    sprites,
    ticks,
    transposed,
    weights,
    winding,
)

FAMILIES: tuple[Family, ...] = (
    ticks.FAMILY,
    previous.FAMILY,
    *rest.FAMILIES,
    *clips.FAMILIES,
    fades.FAMILY,
    playback.FAMILY,
    binding.FAMILY,
    transposed.FAMILY,
    joint_order.FAMILY,
    skinned_node.FAMILY,
    influences.FAMILY,
    weights.FAMILY,
    *morphs.FAMILIES,
    normals.FAMILY,
    winding.FAMILY,
    *sprites.FAMILIES,
)

__all__ = ["FAMILIES"]
