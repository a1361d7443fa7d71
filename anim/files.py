"""Skeletons and clips as bytes, for programs that play them without the file they came from.

Both formats are little-endian; u32 is an unsigned integer of 32 bits, f64 a float of 64; an *index* is a u32 that holds
the index plus one, 0 for none; a *name* is its length in bytes (u32), then UTF-8; a *matrix* is the three upper rows of
an affine 4x4, row by row (12 f64).

Skeleton, version 1: the magic `CSKL`, u32 version; u32 bones, u32 nodes, u32 joints, index of the mesh node; for each
bone: name, index of its parent, translation (3 f64), rotation (4 f64), scale (3 f64), u32 1 and a matrix where it
stands by one, else u32 0, u32 number of morph weights, those (f64); for each node: index of its bone; for each joint:
index of its bone, inverse bind matrix; matrix: the inverse of the mesh node's.

Clip, version 1: the magic `CCLP`, u32 version; name; u32 channels; for each: u32 node, u32 path (0 translation,
1 rotation, 2 scale, 3 weights), u32 interpolation (0 step, 1 linear, 2 cubic spline), u32 keys, u32 numbers a value,
times (f64), values (f64; of a spline in-tangent, value, out-tangent); u32 events; for each: name, time (f64).
"""

import numpy as np
from numpy.typing import NDArray

from anim.binary import Reader, Writer
from anim.clip import Channel, Clip, ClipEvent, Interpolation, Path
from anim.skeleton import Skeleton
from anim.transform import Transform

SKELETON_MAGIC = b"CSKL"
SKELETON_VERSION = 1
CLIP_MAGIC = b"CCLP"
CLIP_VERSION = 1

MOST_BONES = 2**20
"""Bones, nodes or joints of a skeleton file; channels or events of a clip file."""

MOST_KEYS = 2**24
"""Keys of a channel."""

MOST_WEIGHTS = 2**16
"""Morph weights of a bone; numbers of a value."""


def write_skeleton(skeleton: Skeleton) -> bytes:
    """Return a skeleton as bytes, without checking it again."""
    out = Writer(SKELETON_MAGIC, SKELETON_VERSION)
    out.count(skeleton.bone_count)
    out.count(len(skeleton.node_to_bone))
    out.count(skeleton.joint_count)
    out.index(skeleton.mesh_node)
    for bone, name in enumerate(skeleton.names):
        out.name(name)
        out.index(int(skeleton.parents[bone]))
        out.reals(skeleton.rest_translations[bone])
        out.reals(skeleton.rest_rotations[bone])
        out.reals(skeleton.rest_scales[bone])
        out.count(int(bone in skeleton.matrices))
        if bone in skeleton.matrices:
            out.reals(skeleton.matrices[bone][:3])
        weights = skeleton.rest_weights[skeleton.morph_slice(bone)]
        out.count(len(weights))
        out.reals(weights)
    for bone in skeleton.node_to_bone.tolist():
        out.index(bone)
    for bone, bind in zip(skeleton.joints.tolist(), skeleton.inverse_bind, strict=True):
        out.index(bone)
        out.reals(bind[:3])
    out.reals(skeleton.mesh_node_inverse[:3])
    return out.bytes()


def read_skeleton(data: bytes) -> Skeleton:
    """Return the skeleton that bytes hold.

    Raises
    ------
    AnimError
        For another magic or version, bytes that end early or go on past the end, numbers past the limits named here,
        and a skeleton that does not hold together.
    """
    source = Reader(data, "skeleton", SKELETON_MAGIC, SKELETON_VERSION)
    bones, nodes, joints = (source.count(f"the number of {kind}", MOST_BONES) for kind in ("bones", "nodes", "joints"))
    mesh_node = source.index("the mesh node", MOST_BONES)
    names: list[str] = []
    parents: list[int] = []
    rest: list[Transform] = []
    matrices: dict[int, NDArray[np.float64]] = {}
    morphs: dict[int, list[float]] = {}
    for bone in range(bones):
        names.append(source.name())
        parents.append(source.index("a parent", bones))
        translation, rotation, scale = (source.reals(count).tolist() for count in (3, 4, 3))
        rest.append(Transform(tuple(translation), tuple(rotation), tuple(scale)))
        if source.count("a matrix flag", 1):
            matrices[bone] = _matrix(source)
        morphs[bone] = source.reals(source.count("the number of morph weights", MOST_WEIGHTS)).tolist()
    node_to_bone = [source.index("a node's bone", bones) for _ in range(nodes)]
    rows = [(source.index("a joint's bone", bones), _matrix(source)) for _ in range(joints)]
    inverse = _matrix(source)
    source.end()
    return Skeleton(
        names,
        parents,
        rest,
        matrices=matrices,
        node_to_bone=node_to_bone,
        joints=[bone for bone, _ in rows],
        inverse_bind=np.array([bind for _, bind in rows]).reshape(joints, 4, 4),
        mesh_node=mesh_node,
        mesh_node_inverse=inverse,
        morphs=morphs,
    )


def write_clip(clip: Clip) -> bytes:
    """Return a clip as bytes."""
    out = Writer(CLIP_MAGIC, CLIP_VERSION)
    out.name(clip.name)
    out.count(len(clip.channels))
    for channel in clip.channels:
        for number in (channel.node, channel.path, channel.interpolation, len(channel.times), channel.components):
            out.count(number)
        out.reals(channel.times)
        out.reals(channel.values)
    out.count(len(clip.events))
    for event in clip.events:
        out.name(event.name)
        out.reals(np.array([event.time]))
    return out.bytes()


def read_clip(data: bytes) -> Clip:
    """Return the clip that bytes hold.

    Raises
    ------
    AnimError
        As `read_skeleton` does.
    """
    source = Reader(data, "clip", CLIP_MAGIC, CLIP_VERSION)
    name = source.name()
    channels = []
    for _ in range(source.count("the number of channels", MOST_BONES)):
        node = source.count("a node", MOST_BONES)
        path = Path(source.count("a path", max(Path)))
        interpolation = Interpolation(source.count("an interpolation", max(Interpolation)))
        keys = source.count("the number of keys", MOST_KEYS)
        components = source.count("the numbers of a value", MOST_WEIGHTS)
        times = source.reals(keys)
        rows = keys * (3 if interpolation is Interpolation.CUBICSPLINE else 1)
        channels.append(Channel(node, path, interpolation, times, source.reals(rows, components)))
    events = []
    for _ in range(source.count("the number of events", MOST_BONES)):
        event = source.name()
        events.append(ClipEvent(event, float(source.reals(1)[0])))
    source.end()
    return Clip(name, channels, events)


def _matrix(source: Reader) -> NDArray[np.float64]:
    """Return an affine matrix (4, 4) from its three upper rows."""
    return np.vstack([source.reals(3, 4), [0.0, 0.0, 0.0, 1.0]])
