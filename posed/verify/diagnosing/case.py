"""A case: what a search for the cause knows before it begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import anim
from posed.errors import PoseError
from posed.scene.description import Object, Scene
from posed.snapshot import Posed
from posed.verify.diagnosing.changes import reposed
from posed.verify.diagnosing.replay import Replay
from posed.verify.played import Played, played_of

MOST_ALONE = 8
"""Differing objects that are also tried one by one."""


@dataclass(eq=False)
class Case:
    """What differs from which truth.

    Attributes
    ----------
    scene, truth
        What should have been drawn; the snapshot is whole.
    suspects
        The objects that differ, the one with the most first.
    window
        The ticks that the live side may show in place of the truth's.
    replay
        What plays the scene again; None where the truth is not what it plays.
    notes
        What could not be tried: families add to it.
    """

    scene: Scene
    truth: Posed
    suspects: tuple[str, ...]
    window: range
    replay: Replay | None
    notes: list[str] = field(default_factory=list)

    def scopes(self, fits: Callable[[Object], bool]) -> Iterator[tuple[Object, ...]]:
        """Yield the groups of suspects to which a mistake may apply: all that it fits, then each of several alone."""
        found = tuple(one for one in map(self.scene.object, self.suspects) if fits(one))
        if found:
            yield found
        if len(found) > 1:
            yield from ((one,) for one in found[:MOST_ALONE])

    def played(self, one: Object) -> Played | None:
        """Return what poses an object in the truth, None where nothing plays or the truth does not say."""
        try:
            return played_of(self.truth, one)
        except PoseError as error:
            self.note(str(error))
            return None

    def reposed(self, mixes: Mapping[str, Sequence[anim.PlayedMix]]) -> Posed | None:
        """Return the truth with other mixes played on some objects; None, with a note, where they cannot be."""
        try:
            poses = {name: played_of(self.truth, self.scene.object(name), own) for name, own in mixes.items()}
        except PoseError as error:
            self.note(str(error))
            return None
        return reposed(self.scene, self.truth, {name: one for name, one in poses.items() if one is not None})

    def note(self, text: str) -> None:
        """Add a note, once."""
        if text not in self.notes:
            self.notes.append(text)

    @property
    def seconds(self) -> Fraction:
        """The truth's moment in seconds from tick 0."""
        return (self.truth.tick + Fraction(self.truth.alpha)) / self.scene.rate


def named(objects: tuple[Object, ...]) -> str:
    """Return objects as a claim begins with them."""
    if len(objects) == 1:
        return f'object "{objects[0].name}"'
    return "objects " + ", ".join(f'"{one.name}"' for one in objects[:-1]) + f' and "{objects[-1].name}"'


def agreed(objects: tuple[Object, ...], one: str, several: str) -> str:
    """Return the word that goes with a number of objects."""
    return one if len(objects) == 1 else several
