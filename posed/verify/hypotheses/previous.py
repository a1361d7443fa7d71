"""Last frame's palette: skinned objects are drawn with the matrices of the tick before, all else with this tick's."""

from __future__ import annotations

from collections.abc import Iterator

from posed.fitting import fit
from posed.verify.diagnosing.case import Case, named
from posed.verify.diagnosing.changes import is_skinned, with_values
from posed.verify.diagnosing.hypothesis import Family, Hypothesis

NAME = "last frame's palette"

CURE = "whether the palette is uploaded before the draw that reads it, and which of two buffers that draw binds"


def propose(case: Case) -> Iterator[Hypothesis]:
    """Yield that skinned objects lag behind everything else by a tick."""
    if case.truth.previous is None:
        case.note("last frame's palette was not tried: the snapshot does not have the tick before")
        return
    before = fit(case.scene, case.truth.previous)
    for objects in case.scopes(is_skinned):
        palettes = {one.name: before.palettes[one.name] for one in objects}
        yield Hypothesis(
            family=NAME,
            claim=f"{named(objects)}: drawn with last frame's palette",
            cure=CURE,
            posed=with_values(case.truth, palettes=palettes),
            objects=tuple(one.name for one in objects),
        )


FAMILY = Family(NAME, propose)
