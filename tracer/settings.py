"""The options of a picture, checked: each refusal says what was found and what would be right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tracer.errors import SceneError

GEOMETRY_LAYERS: Final[dict[str, tuple[tuple[int, ...], Any]]] = {
    "depth": ((), np.float32),
    "position": ((3,), np.float32),
    "normal": ((3,), np.float32),
    "geometric_normal": ((3,), np.float32),
    "albedo": ((3,), np.float32),
    "emission": ((3,), np.float32),
    "uv": ((2,), np.float32),
    "barycentric": ((2,), np.float32),
    "object": ((), np.uint32),
    "part": ((), np.uint32),
    "triangle": ((), np.uint32),
    "material": ((), np.uint32),
    "joint": ((), np.uint32),
    "motion": ((2,), np.float32),
}
"""Shape behind (H, W), and dtype, of every layer that comes from the centre ray."""

INTEGRATORS: Final = ("direct", "path", "aov")

LAYERS: Final = ("color", "variance", *GEOMETRY_LAYERS)

CENTER: Final = 0
"""In place of a number of samples: one ray through each pixel's centre."""

FILTERS: Final = ("box", "blackman-harris")

ENDLESS: Final = 2**31 - 1
"""In place of a number of bounces: chance alone ends a path."""


def checked_size(size: tuple[int, int]) -> tuple[int, int]:
    """Return width and height, each at least 1."""
    width, height = size
    if not (
        isinstance(width, int | np.integer) and isinstance(height, int | np.integer) and width >= 1 and height >= 1
    ):
        raise SceneError(f"size must be (width, height) of at least 1 pixel each, found {size!r}")
    return int(width), int(height)


def checked_rows(rows: tuple[int, int] | None, height: int) -> tuple[int, int]:
    """Return the first row and the one behind the last: all of a picture's unless some are named."""
    first, last = (0, height) if rows is None else rows
    if not 0 <= first < last <= height:
        raise SceneError(f"rows must be the first and the one behind the last of {height}, found {rows!r}")
    return int(first), int(last)


def checked_layers(layers: Sequence[str] | None, integrator: str, samples: int | str) -> list[str]:
    """Return the layers wanted, each once: all that the integrator has unless some are named."""
    if integrator not in INTEGRATORS:
        raise SceneError(f"integrator must be {', '.join(INTEGRATORS)}, found {integrator!r}")
    absent = {"aov": ("color", "variance"), "direct": ("variance",), "path": ("variance",) if samples == 1 else ()}
    possible = [name for name in LAYERS if name not in absent[integrator]]
    for name in layers or ():
        if name not in possible:
            raise SceneError(f"integrator {integrator} has no layer {name!r}: it has {', '.join(possible)}")
    return possible if layers is None else list(dict.fromkeys(layers))


def checked_samples(samples: int | str) -> int:
    """Return the samples a pixel, or `CENTER`."""
    if samples == "center":
        return CENTER
    if isinstance(samples, int | np.integer) and not isinstance(samples, bool) and samples >= 1:
        return int(samples)
    raise SceneError(f'samples must be a whole number of at least 1, or "center", found {samples!r}')


def checked_filter(filter: str, integrator: str, samples: int | str) -> str:
    """Return the filter's name; what takes no samples over a pixel's surroundings has the box alone."""
    if filter not in FILTERS:
        raise SceneError(f"filter must be {' or '.join(FILTERS)}, found {filter!r}")
    if filter != "box" and (integrator == "aov" or samples == "center"):
        what = "integrator aov takes no samples" if integrator == "aov" else 'samples "center" are one a pixel'
        raise SceneError(f"filter is {filter!r}, but {what}: leave it out or take several samples")
    return filter


def checked_bounces(bounces: int | None, integrator: str) -> int:
    """Return the reflections after which light no longer counts."""
    if bounces is None:
        return ENDLESS
    if not isinstance(bounces, int | np.integer) or isinstance(bounces, bool) or not 0 <= bounces <= ENDLESS:
        raise SceneError(f"bounces must be None or a whole number of at least 0, found {bounces!r}")
    if integrator != "path":
        raise SceneError(f"integrator {integrator} follows no light from surface to surface: bounces are of path")
    return int(bounces)


def checked_background(background: ArrayLike | str | None) -> NDArray[np.float64]:
    """Return (4,) float64: a color and 1 where it takes the environment's place, -1 where nothing does."""
    row = np.zeros(4)
    if isinstance(background, str):
        if background != "transparent":
            raise SceneError(f'background must be None, "transparent" or three numbers, found {background!r}')
        row[3] = -1.0
    elif background is not None:
        color = np.asarray(background, np.float64)
        if color.shape != (3,) or not np.isfinite(color).all():
            raise SceneError(f"a background color has three finite numbers, found {background!r}")
        row[:3], row[3] = color, 1.0
    return row
