"""`Clip`: keyed channels that move nodes of a file, and events along the way."""

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anim.description import Description, read_only
from anim.errors import AnimError
from anim.transform import UNIT_WITHIN


class Path(enum.IntEnum):
    """The property of a node that a channel moves."""

    TRANSLATION = 0
    ROTATION = 1
    SCALE = 2
    WEIGHTS = 3


class Interpolation(enum.IntEnum):
    """How a channel goes from key to key (glTF 2.0, appendix C)."""

    STEP = 0
    LINEAR = 1
    CUBICSPLINE = 2


_COMPONENTS = {Path.TRANSLATION: 3, Path.ROTATION: 4, Path.SCALE: 3}


@dataclass(frozen=True, eq=False, init=False)
class Channel(Description):
    """The keys of one property of one node.

    Attributes
    ----------
    node : int
        Node of the file, 0 or more.
    path : Path
    interpolation : Interpolation
    times : (T,) float64
        Seconds, at least one, rising. They may be given with repetitions: of keys at one time the last is kept.
    values : (T, C) or (3 T, C) float64
        C is 3 for translation and scale, 4 for rotation, the number of morph targets for weights. A cubic spline has
        in-tangent, value and out-tangent of each key in turn, tangents per second. Rotations are brought to unit length
        (of a spline the values, not the tangents).

    Raises
    ------
    AnimError
        Where a shape disagrees, a number is not finite, times go back, or a rotation has length 0.
    """

    node: int
    path: Path
    interpolation: Interpolation
    times: NDArray[np.float64]
    values: NDArray[np.float64]

    def __init__(
        self, node: int, path: Path, interpolation: Interpolation, times: ArrayLike, values: ArrayLike
    ) -> None:
        place = _place(node, Path(path))
        keys = read_only(f"{place}: times", times, np.float64, (None,))
        if len(keys) == 0:
            raise AnimError(f"{place}: has no keys; expected at least one")
        last = np.append(keys[1:] > keys[:-1], True)
        if last.all():
            self._fill(node, Path(path), Interpolation(interpolation), keys, values)
            return
        _refuse_going_back(place, keys)
        rows = len(keys) * (3 if interpolation == Interpolation.CUBICSPLINE else 1)
        data = read_only(f"{place}: values", values, np.float64, (rows, _COMPONENTS.get(Path(path))))
        kept = data.reshape(len(last), -1)[last].reshape(-1, data.shape[1])
        self._fill(
            node, Path(path), Interpolation(interpolation), read_only("times", keys[last], np.float64, (None,)), kept
        )

    def beside(self, node: int, path: Path, interpolation: Interpolation, values: ArrayLike) -> "Channel":
        """Return a channel with the key times of this one, shared and not checked again; `values` as of `Channel`.

        Raises
        ------
        AnimError
            As when one is made, of what is given here.
        """
        channel: Channel = object.__new__(Channel)
        channel._fill(node, path, interpolation, self.times, values)
        return channel

    def _fill(
        self, node: int, path: Path, interpolation: Interpolation, keys: NDArray[np.float64], values: ArrayLike
    ) -> None:
        """Check the values at keys that rise, and set everything."""
        place = _place(node, path)
        if node < 0:
            raise AnimError(f"{place}: the node is negative; expected a node of the file")
        rows = len(keys) * (3 if interpolation is Interpolation.CUBICSPLINE else 1)
        data = read_only(f"{place}: values", values, np.float64, (rows, _COMPONENTS.get(path)))
        if path is Path.ROTATION:
            data = _unit_rotations(place, data, interpolation)
        self._set(node=int(node), path=path, interpolation=interpolation, times=keys, values=data)

    @property
    def components(self) -> int:
        """Numbers a value has, C."""
        return int(self.values.shape[1])


@dataclass(frozen=True)
class ClipEvent:
    """A named mark on a clip's time line.

    Attributes
    ----------
    name
    time
        Seconds from the clip's start, 0 or more. A mark past the clip's end never comes.

    Raises
    ------
    AnimError
        For a time that is negative or not finite.
    """

    name: str
    time: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", float(self.time))
        if not 0.0 <= self.time < float("inf"):
            raise AnimError(f"event {self.name!r} is at {self.time} s; expected a finite time, 0 or more")


@dataclass(frozen=True, eq=False, init=False)
class Clip(Description):
    """Channels that play together.

    Attributes
    ----------
    name : str
        Need not be unique in a rig.
    channels : tuple of Channel
        No two move one property of one node.
    events : tuple of ClipEvent
        In the order given.

    Raises
    ------
    AnimError
        Where two channels move the same property.
    """

    name: str
    channels: tuple[Channel, ...]
    events: tuple[ClipEvent, ...]

    def __init__(self, name: str, channels: Iterable[Channel], events: Iterable[ClipEvent] = ()) -> None:
        self._set(name=str(name), channels=tuple(channels), events=tuple(events))
        first: dict[tuple[int, Path], int] = {}
        for index, channel in enumerate(self.channels):
            other = first.setdefault((channel.node, channel.path), index)
            if other != index:
                raise AnimError(
                    f"clip {self.name!r}: channels {other} and {index} both move the {channel.path.name.lower()} of "
                    f"node {channel.node}; expected one"
                )

    @cached_property
    def duration(self) -> float:
        """Seconds from 0 to the last key of any channel; 0 without channels."""
        return max((0.0, *(float(channel.times[-1]) for channel in self.channels)))

    def with_events(self, events: Iterable[ClipEvent]) -> "Clip":
        """Return the clip with these events after its own."""
        return Clip(self.name, self.channels, (*self.events, *events))


def _place(node: int, path: Path) -> str:
    return f"channel of node {node}, {path.name.lower()}"


def _refuse_going_back(place: str, keys: NDArray[np.float64]) -> None:
    back = np.flatnonzero(keys[1:] < keys[:-1])
    if len(back):
        key = int(back[0]) + 1
        raise AnimError(f"{place}: key {key} is at {keys[key]} s, before key {key - 1} at {keys[key - 1]} s")


def _unit_rotations(place: str, values: NDArray[np.float64], interpolation: Interpolation) -> NDArray[np.float64]:
    """Return the values with every rotation at unit length; those that are, within rounding, keep their bits."""
    step, first = (3, 1) if interpolation is Interpolation.CUBICSPLINE else (1, 0)
    rotations = values[first::step]
    squares = rotations * rotations
    square = squares[:, 0] + squares[:, 1] + squares[:, 2] + squares[:, 3]
    if not square.all():
        key = int(np.flatnonzero(square == 0.0)[0])
        raise AnimError(f"{place}: rotation of key {key} has length 0; no turn is (0, 0, 0, 1)")
    off = abs(square - 1.0) > UNIT_WITHIN
    if not off.any():
        return values
    length = np.where(off, np.sqrt(square), 1.0)
    out = values.copy()
    out[first::step] /= length[:, None]
    out.flags.writeable = False
    return out
