"""Variants: other materials for the same primitives, chosen by name (KHR_materials_variants)."""

from __future__ import annotations

from dataclasses import dataclass

from posed.errors import AssetError
from posed.gltf.document import Record

NAME = "KHR_materials_variants"


@dataclass(frozen=True)
class Variants:
    """The names of a file's variants, and the index of the one that is shown, or None for the materials as they are."""

    names: tuple[str, ...] = ()
    shown: int | None = None

    def material(self, primitive: Record, count: int) -> int | None:
        """Return the material, below `count`, that a primitive has in the variant shown, else its own.

        Raises
        ------
        AssetError
            A mapping names a material or a variant that is not there.
        """
        own = primitive.index("material", count, "materials")
        extension = primitive.extension(NAME)
        if extension is not None:
            for mapping in extension.records("mappings"):
                material = mapping.required_index("material", count, "materials")
                if self.shown in mapping.indices("variants", len(self.names), "variants"):
                    own = material
        return own


def read_variants(document: Record, chosen: str | None) -> Variants:
    """Return the file's variants, the one called `chosen` shown.

    Raises
    ------
    AssetError
        There is no variant of that name; the text lists what the file has.
    """
    extension = document.extension(NAME)
    names = () if extension is None else tuple(one.text("name") for one in extension.records("variants"))
    if chosen is None:
        return Variants(names)
    if chosen not in names:
        have = ", ".join(f'"{name}"' for name in names) or "none"
        place = "" if extension is None else extension.place("variants")
        raise AssetError(document.path, place, f'there is no variant "{chosen}": the file has {have}')
    return Variants(names, names.index(chosen))
