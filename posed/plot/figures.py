"""Figures without a window or a global state: matplotlib's own objects, which a notebook shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posed.errors import MissingError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLORS = ("#d9534f", "#3f9c57", "#3f76d0", "#9460c8", "#d08a2e", "#2a9d9d", "#c2588f", "#7a7f87")
"""Of x, y, z, w and what comes after them."""

WIDTH = 9.0
"""Inches."""


def figure(rows: int, *, height: float, shared: bool = True) -> tuple[Figure, list[Axes]]:
    """Return a figure of `rows` axes below each other, `height` inches each, over one x axis where `shared`.

    Raises
    ------
    MissingError
        matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingError('plots take the package matplotlib: pip install "posed[notebook]"') from None
    made = Figure(figsize=(WIDTH, 0.7 + height * rows), layout="constrained")
    axes = list(made.subplots(rows, 1, sharex=shared, squeeze=False)[:, 0])
    for one in axes:
        one.grid(alpha=0.25)
        one.spines[["top", "right"]].set_visible(False)
    return made, axes
