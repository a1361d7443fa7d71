"""What a shading pipeline is made for: drivers make shorter code of what is known beforehand."""

from __future__ import annotations

from typing import NamedTuple

from posed.arrays import AnyArray
from posed.live.materials import Look

MOST_UNROLLED = 4
"""Shadow maps of all lights together for which pipelines are made; with more, they loop over what there is."""

ANY = -1
"""A count that a pipeline reads from the frame."""


class Counts(NamedTuple):
    """What is known of a frame's light: how many lights, how many shadow maps each has, or `ANY` both; whether some are
    no suns; whether an image is around."""

    lights: int
    maps: int
    lamps: bool
    panorama: bool

    @classmethod
    def of(cls, shine: AnyArray) -> Counts:
        """Return what is known of a (1,) `layout.SHINE`."""
        count = int(shine["lights"][0])
        lights = shine["light"][0][:count]
        maps = set(lights["maps"].tolist())
        lamps, panorama = bool(lights["kind"].any()), bool(shine["has_panorama"][0])
        if count == 0:
            return cls(0, ANY, lamps, panorama)
        if len(maps) > 1 or not 0 < count * min(maps) <= MOST_UNROLLED:
            return cls(ANY, ANY, lamps, panorama)
        return cls(count, min(maps), lamps, panorama)


class Shading(NamedTuple):
    """The overridable constants of color.wgsl, reflect.wgsl and light.wgsl."""

    textured: bool
    layered: bool
    cut: bool
    unlit: bool
    lights: int
    maps: int
    lamps: bool
    panorama: bool

    @classmethod
    def of(cls, look: Look, counts: Counts) -> Shading:
        """Return what draws a look in a light."""
        return cls(look.textured, look.layered, look.cut, look.unlit, *counts)

    @property
    def constants(self) -> dict[str, float]:
        """The constants by name."""
        return {name.upper(): float(value) for name, value in zip(self._fields, self, strict=True)}
