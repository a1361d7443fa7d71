"""Inverse bind matrices: left out of the palette, or applied twice."""

from __future__ import annotations

from collections.abc import Iterator

from posed.arrays import AnyArray
from posed.gltf.skin import Skin
from posed.scene.description import Object
from posed.verify.diagnosing.case import Case, named
from posed.verify.diagnosing.changes import inverses, is_skinned, products, with_palettes
from posed.verify.diagnosing.hypothesis import Family, Hypothesis

NAME = "inverse bind matrices"

CURE = "the palette: each joint's global matrix times its inverse bind matrix, once"


def propose(case: Case) -> Iterator[Hypothesis]:
    """Yield that the palette holds the joints' global matrices alone, or the inverse bind matrices twice."""
    for objects in case.scopes(is_skinned):
        for word, change in (("missing", _without), ("applied twice", _twice)):
            yield Hypothesis(
                family=NAME,
                claim=f"{named(objects)}: the inverse bind matrices are {word}",
                cure=CURE,
                posed=with_palettes(case.truth, objects, change),
                objects=tuple(one.name for one in objects),
                values={"applied": 0 if word == "missing" else 2},
            )


def _without(one: Object, node: int, skin: Skin, palette: AnyArray) -> AnyArray:
    """Return the joints' globals; a skin with a bind matrix of no volume keeps its palette, as they cannot be told."""
    binds = inverses(skin.inverse_bind)
    return palette if binds is None else products(palette, binds)


def _twice(one: Object, node: int, skin: Skin, palette: AnyArray) -> AnyArray:
    return products(palette, skin.inverse_bind)


FAMILY = Family(NAME, propose)
