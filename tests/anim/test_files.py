"""Skeleton and clip files: nothing is lost, and bytes that are no such file are told apart."""

import struct

import numpy as np
import pytest

from anim import (
    CLIP_MAGIC,
    CLIP_VERSION,
    SKELETON_MAGIC,
    SKELETON_VERSION,
    AnimError,
    ClipEvent,
    Skeleton,
    Transform,
    read_clip,
    read_skeleton,
    write_clip,
    write_skeleton,
)
from tests.anim import scripted
from tests.rigs import chain, two_bone


def test_a_small_skeleton_byte_by_byte() -> None:
    skeleton = Skeleton(["é"], [-1], [Transform((1.0, 2.0, 3.0))], node_to_bone=[-1, 0], mesh_node=1)
    numbers = [1, 2, 3, 0, 0, 0, 1, 1, 1, 1]
    identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
    expected = (
        b"CSKL"
        + struct.pack("<5I", 1, 1, 2, 0, 2)
        + struct.pack("<I", 2)
        + "é".encode()
        + struct.pack("<I10d2I", 0, *numbers, 0, 0)
        + struct.pack("<2I", 0, 1)
        + struct.pack("<12d", *identity)
    )
    assert write_skeleton(skeleton) == expected


@pytest.mark.parametrize("skeleton", [two_bone(), chain(40), scripted.rig().skeleton], ids=["two", "chain", "scripted"])
def test_skeletons_come_back_whole(skeleton: Skeleton) -> None:
    data = write_skeleton(skeleton)
    copy = read_skeleton(data)
    assert write_skeleton(copy) == data
    assert copy.names == skeleton.names
    assert copy.rest == skeleton.rest
    assert copy.mesh_node == skeleton.mesh_node
    for name in (
        "parents",
        "node_to_bone",
        "joints",
        "inverse_bind",
        "mesh_node_inverse",
        "morph_offsets",
        "rest_weights",
    ):
        assert np.array_equal(getattr(copy, name), getattr(skeleton, name)), name
    assert np.array_equal(copy.palette(), skeleton.palette())


def test_clips_come_back_whole() -> None:
    for clip in scripted.rig().clips:
        data = write_clip(clip)
        copy = read_clip(data)
        assert write_clip(copy) == data
        assert copy.events == clip.events
        assert copy.duration == clip.duration
    named = scripted.rig().clips[0].with_events([ClipEvent("later", 0.5)])
    assert read_clip(write_clip(named)).events[-1] == ClipEvent("later", 0.5)


SKELETON, CLIP = write_skeleton(two_bone()), write_clip(scripted.rig().clips[1])


@pytest.mark.parametrize(("data", "read", "kind"), [(SKELETON, read_skeleton, "skeleton"), (CLIP, read_clip, "clip")])
def test_bytes_that_are_no_such_file_are_refused(data: bytes, read: object, kind: str) -> None:
    with pytest.raises(AnimError, match=f"not a {kind} file: it begins with b'NOPE'"):
        read(b"NOPE" + data[4:])
    with pytest.raises(AnimError, match=f"the {kind} file has version 2; expected 1"):
        read(data[:4] + struct.pack("<I", 2) + data[8:])
    with pytest.raises(AnimError, match=f"the {kind} file has 1 bytes after its end"):
        read(data + b"\0")
    for end in range(len(data)):
        with pytest.raises(AnimError, match="ends after"):
            read(data[:end])


def test_numbers_past_the_limits_are_refused() -> None:
    with pytest.raises(AnimError, match="the number of bones is 4294967295; expected at most 1048576"):
        read_skeleton(SKELETON[:8] + struct.pack("<I", 2**32 - 1) + SKELETON[12:])
    with pytest.raises(AnimError, match="the length of a name is 9999; expected at most 4096"):
        read_clip(CLIP[:8] + struct.pack("<I", 9999) + CLIP[12:])
    with pytest.raises(AnimError, match="a name that is no UTF-8"):
        read_clip(CLIP[:12] + b"\xff" + CLIP[13:])


def test_reading_validates() -> None:
    # The parent of the first bone, stored plus one after magic, five counts and the name, becomes bone 1.
    at = 4 + 5 * 4 + 4 + len("upper")
    with pytest.raises(AnimError, match=r"bone 0 \('upper'\) has parent 1"):
        read_skeleton(SKELETON[:at] + struct.pack("<I", 2) + SKELETON[at + 4 :])


def test_the_constants() -> None:
    assert (SKELETON_MAGIC, SKELETON_VERSION, CLIP_MAGIC, CLIP_VERSION) == (b"CSKL", 1, b"CCLP", 1)
