"""Overlays: what explains a posed scene, drawn into its traced frame and hidden by what stands before it.

``posed.trace(scene, pose, overlays=["bones", posed.overlay.weights("hand_R")])`` draws them. A name alone, one of
`NAMES`, means an overlay's defaults; ``"weights:hand_R"`` that of a joint. Colors of surfaces come first, then lines,
each in the order given. What an overlay has painted over is no reference any more, so such a frame's color is compared
with nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from posed.overlay.base import Overlay
from posed.overlay.choosing import NAMES, overlay
from posed.overlay.skeletons import Bones, Footprints, Trail
from posed.overlay.surfaces import Displacement, DominantJoints, OnionSkin, Weights, Wireframe
from posed.overlay.vectors import Boxes, Normals, Tangents

if TYPE_CHECKING:
    from posed.events import AnimationEvent
    from posed.snapshot import Posed

__all__ = [
    "NAMES",
    "Overlay",
    "bones",
    "boxes",
    "displacement",
    "dominant_joints",
    "footprints",
    "normals",
    "onion_skin",
    "overlay",
    "tangents",
    "trail",
    "weights",
    "wireframe",
]


def bones(object: str | None = None, *, names: bool = True, axes: bool = True, see_through: bool = True) -> Overlay:
    """Return an overlay of bones, each from its joint to the next, with the joints' names and axes.

    Parameters
    ----------
    object
        The object whose joints are shown; all unless named. Of one without skins, the nodes that place its meshes.
    names, axes
        Whether joints bear their names and their axes: x red, y green, z blue.
    see_through
        Whether bones are seen within the body too, a little fainter.
    """
    return Bones(object, names, axes, see_through)


def weights(joint: str) -> Overlay:
    """Return an overlay of the weight of `joint`, "hand_R" or "walker/hand_R": gray for 0, blue over yellow to red."""
    return Weights(joint)


def dominant_joints(*, names: bool = True) -> Overlay:
    """Return an overlay of the joint that pulls most at each point, in a color of its own, with names that fit."""
    return DominantJoints(names)


def wireframe(*, width: float = 1.0, alpha: float = 0.8) -> Overlay:
    """Return an overlay of the edges of the triangles that are seen, `width` pixels wide in a picture of 540 rows."""
    return Wireframe(width, alpha)


def normals(*, length: float | None = None) -> Overlay:
    """Return an overlay of posed normals; `length` in metres, of even size in the picture unless given."""
    return Normals(length)


def tangents(*, length: float | None = None) -> Overlay:
    """Return an overlay of posed tangents, red, and bitangents, green, where vertices have them; `length` in metres."""
    return Tangents(length)


def boxes(object: str | None = None, *, names: bool = True, see_through: bool = True) -> Overlay:
    """Return an overlay of the box along the world's axes around each object's posed vertices, with its size."""
    return Boxes(object, names, see_through)


def onion_skin(poses: Sequence[Posed], *, alpha: float = 0.6, over: bool = False, see_through: bool = True) -> Overlay:
    """Return an overlay of other snapshots as ghosts: blue before this tick, orange after, fainter farther off.

    An object's ghosts stand behind the object as it is now, unless `over`. Where other things hide them they show
    through faintly if `see_through`.
    """
    return OnionSkin(tuple(poses), alpha, over, see_through)


def trail(joint: str, poses: Sequence[Posed], *, see_through: bool = True) -> Overlay:
    """Return an overlay of the way of `joint` over snapshots, fainter the longer ago, with a dot at each."""
    return Trail(joint, tuple(poses), see_through)


def footprints(
    events: Sequence[AnimationEvent],
    poses: Sequence[Posed],
    joints: Mapping[str, str],
    *,
    radius: float = 0.09,
    see_through: bool = False,
) -> Overlay:
    """Return an overlay of rings where joints were when their events fired.

    Parameters
    ----------
    events
        From `World.advance`.
    poses
        Snapshots, among them those of the events' ticks.
    joints
        An event's name to the joint it is the mark of; other events are left out.
    radius
        Metres.
    see_through
        Whether what stands before a ring leaves it faintly seen.
    """
    return Footprints(tuple(events), tuple(poses), dict(joints), radius, see_through)


def displacement(other: Posed, *, most: float | None = None) -> Overlay:
    """Return an overlay of how far each point is from where the snapshot `other` has it, in millimetres.

    `most` is what the brightest color means; the largest distance in the picture unless given.
    """
    return Displacement(other, most)
