"""Two sides into a verdict, and the whole check: pose, trace, draw, compare."""

from __future__ import annotations

from dataclasses import replace

from posed.camera import Camera
from posed.errors import PosedError
from posed.frame import Frame
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify.frame_layers import compare_frames
from posed.verify.geometry import Geometry, geometry_of
from posed.verify.object_vertices import drawn_vertices
from posed.verify.policy import Policy, policy_of
from posed.verify.pose_states import same_camera
from posed.verify.poses import compare_poses
from posed.verify.results import NEITHER, LayerResult
from posed.verify.sides import Compared, expected_side, side_of
from posed.verify.verdict import Side, Verdict
from posed.verify.vertex_layer import compare_vertices
from posed.verify.vertices import PartVertices, Place, Vertices

DRAWN = ("color", "object", "part", "triangle", "depth", "normal", "motion", "joint")
"""Layers of the built-in live renderer that a check compares; the joint only names where blobs lie."""


def compare(
    reference: Compared,
    live: Compared,
    *,
    policy: Policy | str = "gpu",
    scene: Scene | None = None,
    geometry: Geometry | None = None,
) -> Verdict:
    """Compare a live side with its reference, layer by layer, and where a layer fails look for classic mistakes.

    Parameters
    ----------
    reference, live
        Two of a kind: frames, snapshots or vertices; or sides that hold several of these. What only one side has is not
        compared.
    policy
        A preset's name, ``"gpu"``, ``"foreign"`` or ``"exact"``, or limits of one's own.
    scene
        What both sides show, where it is at hand: it names joints and knows how large what they move is.
    geometry
        The staged geometry from which pixels at edges are explained; the reference's own unless given. A reference
        that was read from a file has none: then only what its pixels themselves show is explained.

    Raises
    ------
    PosedError
        The sides have nothing in common to compare; another size, tick or camera than the reference's; or no such
        policy.
    PoseError
        A snapshot or vertices that do not fit the scene.
    """
    verdict = measured(reference, live, policy=policy, scene=scene, geometry=geometry)
    one, other = verdict.reference.frame, verdict.live.frame
    if verdict.first_failure is None or one is None or other is None:
        return verdict
    from posed.verify.recognizing import recognize

    geometry = geometry or _geometry(one)
    return replace(verdict, recognitions=recognize(one, other, verdict.policy, verdict.layers, geometry))


def measured(
    reference: Compared,
    live: Compared,
    *,
    policy: Policy | str,
    scene: Scene | None = None,
    geometry: Geometry | None = None,
) -> Verdict:
    """Return what `compare` finds, without a look at classic mistakes."""
    policy = policy_of(policy)
    one, other = side_of(reference), side_of(live)
    if not any(_both(one, other, kind) for kind in ("frame", "pose", "vertices")):
        raise PosedError(f"{_held(one)} and {_held(other)} cannot be compared: give two of a kind")
    layers = [_pose_layer(one, other, policy, scene), _vertex_layer(one, other, policy)]
    notes: list[str] = []
    if one.frame is not None or other.frame is not None:
        layers += _frame_layers(one, other, policy, geometry, notes)
    return Verdict(
        layers=tuple(layers),
        policy=policy,
        size=None if one.frame is None else one.frame.size,
        tick=next((side.tick for side in (one, other) if side.tick is not None), None),
        reference=one,
        live=other,
        notes=tuple(notes),
        scene=scene,
    )


def check(
    scene: Scene,
    pose: Posed,
    live: Compared | None = None,
    *,
    size: tuple[int, int] = (960, 540),
    policy: Policy | str = "gpu",
    camera: Camera | None = None,
    backend: str | None = None,
    adapter: str | None = None,
) -> Verdict:
    """Pose and trace what `pose` freezes, draw it live unless a live side is given, and compare the two.

    Parameters
    ----------
    scene, pose
        What is seen.
    live
        A frame, a snapshot or vertices of any renderer, or a side with several of these; a frame's size goes before
        `size`. Only what it has is posed or traced.
    size, camera
        The picture, and what looks in place of the snapshot's camera.
    policy
        See `compare`.
    backend, adapter
        See `posed.trace` and `posed.live.render`.

    Raises
    ------
    PosedError
        As in `compare`.
    MissingError
        Nothing on this machine traces or draws.
    """
    policy = policy_of(policy)
    side = _drawn(scene, pose, size, camera, adapter) if live is None else side_of(live)
    reference = expected_side(scene, pose, side, policy=policy, camera=camera, backend=backend)
    if live is None and side.vertices is not None:
        reference = replace(reference, vertices=drawn_vertices(scene, pose))
    return compare(reference, side, policy=policy, scene=scene)


def _drawn(scene: Scene, pose: Posed, size: tuple[int, int], camera: Camera | None, adapter: str | None) -> Side:
    """Return what the built-in live renderer makes of a snapshot: a frame, and the vertices that its device poses."""
    from posed.live import read_vertices, render

    frame = render(scene, pose, size=size, camera=camera, layers=DRAWN, adapter=adapter)
    parts = {}
    for number, found in read_vertices(scene, pose, adapter=adapter).items():
        part = scene.parts[number - 1]
        if part.skinned:
            normals = None if part.primitive.normals is None else found.normals
            tangents = None if part.primitive.tangents is None else found.tangents
            place = Place(part.object.name, part.node, part.primitive.index)
            parts[place] = PartVertices(found.positions, normals, tangents)
    vertices = Vertices(parts, pose.tick, frame.provenance.renderer) if parts else None
    return replace(side_of(frame), vertices=vertices)


def _both(one: Side, other: Side, kind: str) -> bool:
    return getattr(one, kind) is not None and getattr(other, kind) is not None


def _held(side: Side) -> str:
    kinds = {"frame": "a frame", "pose": "a snapshot", "vertices": "vertices"}
    return " and ".join(word for kind, word in kinds.items() if getattr(side, kind) is not None) or "nothing"


def _pose_layer(one: Side, other: Side, policy: Policy, scene: Scene | None) -> LayerResult:
    if one.pose is not None and other.pose is not None:
        return compare_poses(one.pose, other.pose, limit=policy.pose, scene=scene)
    return LayerResult("pose", note=_lacking(one.pose, other.pose, "snapshot"))


def _vertex_layer(one: Side, other: Side, policy: Policy) -> LayerResult:
    if one.vertices is not None and other.vertices is not None:
        return compare_vertices(one.vertices, other.vertices, limit=policy.vertices)
    return LayerResult("vertices", note=_lacking(one.vertices, other.vertices, "vertices"))


def _lacking(one: object, other: object, noun: str) -> str:
    if one is None and other is None:
        return NEITHER
    return f"{'the live side' if other is None else 'the reference'} has no {noun}"


def _frame_layers(
    one: Side, other: Side, policy: Policy, geometry: Geometry | None, notes: list[str]
) -> list[LayerResult]:
    """Return the layers of two frames, none where only one side has a frame; adds to `notes`."""
    reference, live = one.frame, other.frame
    if reference is None or live is None:
        notes.append(
            f"only {'the live side' if reference is None else 'the reference'} has a frame: no pixel is compared"
        )
        return []
    _same_picture(reference, live, notes)
    return list(compare_frames(reference, live, policy=policy, geometry=geometry or _geometry(reference)))


def _geometry(reference: Frame) -> Geometry | None:
    """Return the staged geometry of a traced frame; None for one from a file."""
    if reference.staged is None:
        return None
    scene, camera = reference.staged
    return geometry_of(scene, camera, reference.size)


def _same_picture(reference: Frame, live: Frame, notes: list[str]) -> None:
    """Refuse frames of another size, tick or camera; note those of another snapshot or scene."""
    if live.size != reference.size:
        raise PosedError(
            f"the live frame is {live.size[0]}x{live.size[1]} and its reference "
            f"{reference.size[0]}x{reference.size[1]}: draw both at one size"
        )
    stated, expected = live.provenance, reference.provenance
    if None not in (stated.tick, expected.tick) and stated.tick != expected.tick:
        raise PosedError(
            f"the live frame is of tick {stated.tick} and its reference of tick {expected.tick}: pose both "
            "alike, or let posed diagnose say which tick it shows"
        )
    if reference.camera is not None and live.camera is not None and not same_camera(reference.camera, live.camera):
        raise PosedError("the live frame was taken by another camera than its reference: give both the same one")
    for noun, one, other in (
        ("snapshot", stated.posed, expected.posed),
        ("scene", stated.scene, expected.scene),
    ):
        if one and other and one != other:
            notes.append(f"the live frame states another {noun} than its reference: {one}, not {other}")
