"""Finding a clip by its name, its index or itself, for rigs and for sprite sheets."""

from collections.abc import Sequence
from typing import Protocol

from anim.errors import AnimError


class Named(Protocol):
    """What has a name."""

    @property
    def name(self) -> str:
        """Its name; others may have the same."""


def find_clip(clips: Sequence[Named], clip: str | int | Named, owner: str) -> int:
    """Return the index of a clip.

    Raises
    ------
    AnimError
        Where the owner has no such clip, or several of the name; the message lists what it has.
    """
    if isinstance(clip, str):
        found = [index for index, other in enumerate(clips) if other.name == clip]
        if len(found) > 1:
            raise AnimError(f"{len(found)} clips are named {clip!r}; choose one by its index: {found}")
    elif isinstance(clip, int):
        found = [clip] if 0 <= clip < len(clips) else []
    else:
        found = [index for index, other in enumerate(clips) if other is clip]
    if not found:
        asked = repr(clip) if isinstance(clip, str | int) else repr(clip.name)
        names = ", ".join(repr(other.name) for other in clips) or "none"
        raise AnimError(f"the {owner} has no clip {asked}; it has {names}")
    return found[0]
