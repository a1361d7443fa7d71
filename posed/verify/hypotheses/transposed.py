"""The palette transposed: matrices are read row by row where they were written column by column."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posed.arrays import AnyArray
from posed.gltf.skin import Skin
from posed.scene.description import Object
from posed.verify.diagnosing.case import Case, named
from posed.verify.diagnosing.changes import is_skinned, with_palettes
from posed.verify.diagnosing.hypothesis import Family, Hypothesis

NAME = "palette transposed"

CURE = "the order of a matrix's numbers on the way to the shader: glTF and WGSL write column after column"


def propose(case: Case) -> Iterator[Hypothesis]:
    """Yield that whole matrices are transposed, which loses the translation, or only their turning part."""
    for objects in case.scopes(is_skinned):
        for whole, change in ((True, _transposed), (False, _turned_back)):
            part = "" if whole else ", their translation kept"
            yield Hypothesis(
                family=NAME,
                claim=f"{named(objects)}: the matrices of the palette are transposed{part}",
                cure=CURE,
                posed=with_palettes(case.truth, objects, change),
                objects=tuple(one.name for one in objects),
                values={"translation": not whole},
            )


def _transposed(one: Object, node: int, skin: Skin, palette: AnyArray) -> AnyArray:
    """Return the palette as a shader reads it that takes x, y and z of the product: the last row is lost."""
    changed = np.swapaxes(palette, 1, 2).copy()
    changed[:, 3] = (0.0, 0.0, 0.0, 1.0)
    return changed


def _turned_back(one: Object, node: int, skin: Skin, palette: AnyArray) -> AnyArray:
    changed = palette.copy()
    changed[:, :3, :3] = np.swapaxes(palette[:, :3, :3], 1, 2)
    return changed


FAMILY = Family(NAME, propose)
