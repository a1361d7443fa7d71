"""Names that overlays take: a joint or an object of the scene, and what is said where there is none."""

from __future__ import annotations

import difflib

from posed.errors import PosedError
from posed.scene.description import Scene
from posed.scene.ids import JointId

LISTED = 12


def joints_called(scene: Scene, name: str) -> tuple[JointId, ...]:
    """Return the joints that `name` means, "hand_R" or "walker/hand_R": one for each mesh node whose skin has it.

    Raises
    ------
    PosedError
        No joint is called so; the text lists those that are.
    """
    object_name, _, joint_name = name.rpartition("/")
    found = tuple(
        joint
        for joint in scene.ids.joints
        if joint.name == name or (joint.name == joint_name and joint.object == object_name)
    )
    if found:
        return found
    names = sorted({joint.name for joint in scene.ids.joints if joint.name})
    near = difflib.get_close_matches(joint_name, names, 1)
    have = ", ".join(names[:LISTED]) + (", ..." if len(names) > LISTED else "") if names else "none"
    cure = f'did you mean "{near[0]}"?' if near else f"the scene has {have}"
    raise PosedError(f'no joint is called "{name}": {cure}')


def chosen_objects(scene: Scene, name: str | None) -> frozenset[str]:
    """Return the object called `name`, or all of them where none is named.

    Raises
    ------
    PosedError
        There is no such object.
    """
    names = [one.name for one in scene.objects]
    if name is None:
        return frozenset(names)
    if name not in names:
        raise PosedError(f'there is no object "{name}": the scene has {", ".join(names) or "none"}')
    return frozenset([name])
