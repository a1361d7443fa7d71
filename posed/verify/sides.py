"""The two sides of a comparison: what is held of each, and the truth made of a scene and a snapshot."""

from __future__ import annotations

from posed.camera import Camera
from posed.errors import PosedError
from posed.fitting import fit
from posed.frame import Frame, Provenance
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify.object_vertices import expected_vertices
from posed.verify.policy import Policy
from posed.verify.verdict import Side
from posed.verify.vertices import Vertices

Compared = Frame | Posed | Vertices | Side
"""What can be compared with another of its kind."""


ANTIALIASED = 16
"""Samples a pixel of a reference for frames that nobody knows the sampling of."""


def side_of(held: Compared) -> Side:
    """Return a side that holds a frame, a snapshot or vertices; a side as it is.

    Raises
    ------
    PosedError
        It is none of these.
    """
    match held:
        case Side():
            return held
        case Frame():
            return Side(origin_of(held.provenance), frame=held)
        case Posed():
            return Side("a snapshot", pose=held)
        case Vertices():
            return Side(held.origin, vertices=held)
    raise PosedError(f"a {type(held).__name__} cannot be compared: give a frame, a snapshot or vertices")


def expected_side(
    scene: Scene,
    pose: Posed,
    live: Side,
    *,
    policy: Policy,
    camera: Camera | None,
    backend: str | None,
) -> Side:
    """Return the truth for what a live side holds: the snapshot, and as needed its vertices and its trace.

    Raises
    ------
    PoseError
        The snapshot does not fit the scene.
    MissingError
        Nothing on this machine traces.
    """
    fit(scene, pose)
    vertices = None if live.vertices is None else expected_vertices(scene, pose)
    if live.frame is None:
        return Side("posed on the CPU", pose=pose, vertices=vertices)
    frame = _traced(scene, pose, live.frame, policy, camera, backend)
    return Side(origin_of(frame.provenance), frame, pose, vertices)


def _traced(
    scene: Scene, pose: Posed, live: Frame, policy: Policy, camera: Camera | None, backend: str | None
) -> Frame:
    """Return the trace that `live` is compared with."""
    from posed.tracing import trace

    shaded = "color" in live
    return trace(
        scene,
        pose,
        size=live.size,
        integrator="direct" if shaded else "aov",
        samples=ANTIALIASED if shaded and policy.color.antialiased else "center",
        camera=camera,
        background="transparent" if live.provenance.background == "transparent" else None,
        backend=backend,
    )


def origin_of(one: Provenance) -> str:
    """Return in a line where a frame came from."""
    return ", ".join(fact for fact in (one.renderer, one.backend, one.adapter, one.driver) if fact) or "not stated"
