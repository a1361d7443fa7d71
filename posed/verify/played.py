"""Poses made again from what a snapshot says of its sources, as they are or changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import anim
from anim.root_motion import RootTrack
from posed.actor import root_bone
from posed.errors import PoseError
from posed.scene.description import Object
from posed.snapshot import Posed
from posed.sources import mixes_of


@dataclass(frozen=True, eq=False)
class Played:
    """What an object plays at one moment: mixes on its rig, oldest first, and the pose that they make."""

    rig: anim.Rig
    mixes: tuple[anim.PlayedMix, ...]
    pose: anim.Pose


def played_of(posed: Posed, one: Object, mixes: Sequence[anim.PlayedMix] | None = None) -> Played | None:
    """Return what poses an object, from a snapshot's sources; None where they do not say.

    `mixes` take the place of those of the sources. Where root motion moves the object, its root stays over its rest
    place.

    Raises
    ------
    PoseError
        The sources cannot be read, name clips that the object has not, or have a number out of its range.
    """
    source = posed.sources.get(one.name)
    animation = one.animation
    rig = animation.rig if animation is not None and animation.rig is not None else one.model.node_rig()
    try:
        own = mixes_of(source)
        chosen = own if mixes is None else tuple(mixes)
        if own is None or chosen is None:
            return None
        pose = anim.mixed(rig, chosen)
    except (PoseError, anim.AnimError) as error:
        raise PoseError(f'sources: object "{one.name}": {error}') from error
    if isinstance(source, dict) and source.get("root_motion"):
        RootTrack(rig, root_bone(one.model), yaw=False).take_out(pose)
    return Played(rig, chosen, pose)
