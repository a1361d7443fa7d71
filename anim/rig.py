"""`Rig`: a skeleton with its clips, laid out flat for the kernels."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from anim.clip import Channel, Clip, Path
from anim.description import Description, read_only
from anim.errors import AnimError
from anim.lookup import find_clip
from anim.skeleton import Skeleton


class ClipTables(NamedTuple):
    """The clips of a rig as kernels read them.

    B bones, C clips, K channels, L timelines (distinct rows of key times).
    """

    place_of: NDArray[np.int32]
    """(C, B, 4).

    Where, among a clip's sampled numbers, those for a path of a bone begin; -1 where it does not move it.
    """
    clip_samples: NDArray[np.int64]
    """(C,): how many numbers sampling a clip gives."""
    clip_timelines: NDArray[np.int64]
    """(C + 1,): where each clip's timelines begin."""
    timeline_channels: NDArray[np.int64]
    """(L + 1,): where each timeline's channels begin."""
    timeline_keys: NDArray[np.int64]
    """(L + 1,): where each timeline's keys begin."""
    times: NDArray[np.float64]
    """All timelines' keys, one after the other, in seconds."""
    channel_values: NDArray[np.int64]
    """(K,): where each channel's values begin. Channels lie clip by clip, in each timeline by timeline."""
    channel_interpolation: NDArray[np.int64]
    """(K,)."""
    channel_components: NDArray[np.int64]
    """(K,): numbers a value has."""
    channel_rotates: NDArray[np.bool_]
    """(K,)."""
    values: NDArray[np.float64]
    """All channels' values, one after the other."""


class RestTables(NamedTuple):
    """The rest pose of a rig as kernels read it, and where each bone's numbers lie in the flat form of a pose."""

    translations: NDArray[np.float64]
    """(B, 3)."""
    rotations: NDArray[np.float64]
    """(B, 4)."""
    scales: NDArray[np.float64]
    """(B, 3)."""
    weights: NDArray[np.float64]
    """(W,)."""
    triples: NDArray[np.int32]
    """(B + 1,): where the three numbers of each bone's translation or scale begin."""
    morphs: NDArray[np.int32]
    """(B + 1,): where each bone's morph weights begin."""


@dataclass(frozen=True, eq=False, init=False)
class Rig(Description):
    """A skeleton and the clips that may play on it.

    Attributes
    ----------
    skeleton : Skeleton
    clips : tuple of Clip
        Their channels are bound to bones by the file's node index; those of other nodes are ignored.

    Raises
    ------
    AnimError
        Where a channel has another count of morph weights than its bone.
    """

    skeleton: Skeleton
    clips: tuple[Clip, ...]

    def __init__(self, skeleton: Skeleton, clips: Iterable[Clip] = ()) -> None:
        self._set(skeleton=skeleton, clips=tuple(clips))
        for clip in self.clips:
            for index, channel in enumerate(clip.channels):
                self._check_weights(clip, index, channel)

    def clip_index(self, clip: str | int | Clip) -> int:
        """Return the index of a clip given by its name, its index or itself.

        Raises
        ------
        AnimError
            Where the rig has no such clip, or several of the name; the message lists what it has.
        """
        return find_clip(self.clips, clip, "rig")

    @cached_property
    def clip_tables(self) -> ClipTables:
        """The clips as kernels read them, laid out when first asked for."""
        return _lay_out(self.skeleton, self.clips)

    @cached_property
    def rest_tables(self) -> RestTables:
        """The rest pose as kernels read it."""
        skeleton = self.skeleton
        return RestTables(
            skeleton.rest_translations,
            skeleton.rest_rotations,
            skeleton.rest_scales,
            skeleton.rest_weights,
            read_only("triples", np.arange(0, 3 * skeleton.bone_count + 1, 3), np.int32, (None,)),
            skeleton.morph_offsets,
        )

    def _check_weights(self, clip: Clip, index: int, channel: Channel) -> None:
        bone = self.skeleton.bone_of_node(channel.node)
        if bone < 0 or channel.path is not Path.WEIGHTS:
            return
        where = self.skeleton.morph_slice(bone)
        if channel.components != where.stop - where.start:
            raise AnimError(
                f"clip {clip.name!r}, channel {index}: has {channel.components} weights a key for node {channel.node} "
                f"({self.skeleton.names[bone]!r}), which has {where.stop - where.start} morph targets"
            )

    def __getstate__(self) -> dict[str, Any]:
        return {"skeleton": self.skeleton, "clips": self.clips}


def _lay_out(skeleton: Skeleton, clips: tuple[Clip, ...]) -> ClipTables:
    """Lay the clips' channels out flat; channels of a clip with equal key times share a timeline."""
    place_of = np.full((len(clips), skeleton.bone_count, len(Path)), -1, dtype=np.int32)
    channels: list[Channel] = []
    timelines: list[NDArray[np.float64]] = []
    clip_timelines, clip_samples, timeline_channels = [0], [], [0]
    for c, clip in enumerate(clips):
        together: dict[bytes, list[tuple[int, Channel]]] = {}
        for channel in clip.channels:
            bone = skeleton.bone_of_node(channel.node)
            if bone >= 0:
                together.setdefault(channel.times.tobytes(), []).append((bone, channel))
        place = 0
        for group in together.values():
            timelines.append(group[0][1].times)
            for bone, channel in group:
                place_of[c, bone, channel.path] = place
                place += channel.components
                channels.append(channel)
            timeline_channels.append(len(channels))
        clip_timelines.append(len(timelines))
        clip_samples.append(place)
    tables = ClipTables(
        place_of,
        np.array(clip_samples, dtype=np.int64),
        np.array(clip_timelines, dtype=np.int64),
        np.array(timeline_channels, dtype=np.int64),
        _starts([len(times) for times in timelines]),
        np.concatenate([np.empty(0), *timelines]),
        _starts([channel.values.size for channel in channels])[:-1].copy(),
        np.array([channel.interpolation for channel in channels], dtype=np.int64),
        np.array([channel.components for channel in channels], dtype=np.int64),
        np.array([channel.path is Path.ROTATION for channel in channels], dtype=np.bool_),
        np.concatenate([np.empty(0), *(channel.values.ravel() for channel in channels)]),
    )
    for table in tables:
        table.flags.writeable = False
    return tables


def _starts(sizes: list[int]) -> NDArray[np.int64]:
    """Return where each of several rows laid end to end begins, and where the last one ends."""
    return np.cumsum([0, *sizes], dtype=np.int64)
