"""A hypothesis: one thing that may have gone wrong on the live side, and what would then be drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify.posing import RIGHT, Posing

if TYPE_CHECKING:
    from posed.verify.diagnosing.case import Case
    from posed.verify.diagnosing.diagnosis import Finding

USUAL = 1.0
"""The surprise of a mistake that is as likely as any."""


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """What the live side would draw if one certain thing were wrong with it.

    Attributes
    ----------
    family
        The name of the kind of mistake.
    claim
        What is wrong, as a sentence without a full stop: "the live frame is tick 41, not 42".
    cure
        Where to look in the engine, likewise.
    posed
        The snapshot that would be drawn, whole.
    posing
        How its parts would be posed.
    scene
        What would be drawn, None for the scene itself.
    objects
        The objects that it changes.
    values
        The claim's numbers and names, for machines.
    surprise
        Between hypotheses that explain as much the less surprising comes first; see `USUAL`.
    shades
        Whether it changes what surfaces look like, holes included: only rays tell that.
    """

    family: str
    claim: str
    cure: str
    posed: Posed
    posing: Posing = RIGHT
    scene: Scene | None = None
    objects: tuple[str, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)
    surprise: float = USUAL
    shades: bool = False


@dataclass(frozen=True)
class Family:
    """A kind of mistake.

    Attributes
    ----------
    name
        In words, and as machines know it.
    propose
        Yields the hypotheses of this kind that say something about a case; those that would change nothing are left
        out.
    refine
        Yields finer ones around the best findings of this family so far, best first; None where there are none.
    """

    name: str
    propose: Callable[[Case], Iterable[Hypothesis]]
    refine: Callable[[Case, Sequence[Finding]], Iterable[Hypothesis]] | None = None
