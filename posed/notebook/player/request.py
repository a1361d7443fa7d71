"""What a player's front end asks for, and what it is answered: a picture, its label, and what was picked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from posed.errors import PosedError
from posed.viewer.look import LAYERS

LAST_TICK = 2**53

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Step = Annotated[float, Field(ge=-1e3, le=1e3, allow_inf_nan=False)]


class _Checked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Plays(_Checked):
    """What an object plays: clips by index, None for no clip of its own; the second one counts by `weight`."""

    clip: int | None = None
    blended: int | None = None
    weight: Share = 0.5


class Request(_Checked):
    """One picture that is wanted.

    Attributes
    ----------
    view, number
        Who asks, and how often it has asked: the answer repeats both.
    tick
        Of the snapshot.
    object
        The one whose clips are chosen, and about which the camera turns.
    plays
        By object; one that is not named plays what the scene says.
    layer, overlays, renderer
        How it is shown.
    quality
        0 while something moves, then 1 and 2 as it comes to rest.
    coarse
        By what number the sides of the picture are divided.
    moves
        Of the camera since the last request: ``turn`` and ``shift`` by shares of the picture's height, ``near`` by the
        logarithm of the distance, ``reset``.
    pick
        A place in the picture to tell about, in shares of its width and height.
    """

    view: str = Field(max_length=64)
    number: int = 0
    tick: int = Field(ge=0, le=LAST_TICK)
    object: str | None = None
    plays: dict[str, Plays] = {}
    layer: Literal[LAYERS] = "color"  # type: ignore[valid-type]
    overlays: tuple[str, ...] = ()
    renderer: Literal["trace", "live"] = "trace"
    quality: Literal[0, 1, 2] = 0
    coarse: Literal[1, 2] = 1
    moves: tuple[tuple[Literal["turn", "shift", "near", "reset"], Step, Step], ...] = ()
    pick: tuple[Share, Share] | None = None


def read_request(message: Any) -> Request:
    """Return the request that a message is.

    Raises
    ------
    PosedError
        It is none; the text says which part of it is wrong.
    """
    try:
        return Request.model_validate(message)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the message"
        raise PosedError(f"the player cannot draw this: {place}: {first['msg']}") from error


@dataclass(frozen=True)
class Answer:
    """A picture as the content of a file of the kind `media`, and what is said of it.

    `refines`: the same picture can be had finer. `length`: ticks of the time line. `picked`: what is seen at the place
    that was asked about, as plain values.
    """

    picture: bytes
    media: str
    label: str
    refines: bool
    length: int
    picked: dict[str, Any] | None

    def message(self) -> dict[str, Any]:
        """Return all but the picture, ready for JSON."""
        return {name: value for name, value in vars(self).items() if name != "picture"}
