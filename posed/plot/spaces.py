"""Plots of blend spaces: how the weights of a tree's leaves change over its parameters, and where it stands."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import numpy as np

import anim
from posed.arrays import Float64
from posed.errors import PosedError
from posed.plot.figures import COLORS, figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Span = tuple[float, float]


def blend_space(
    tree: anim.BlendTree, x: str, y: str | None = None, *, span: Span = (-1.0, 1.0), steps: int = 61
) -> Figure:
    """Plot the weights of a tree's leaves over one parameter, as lines, or two, as an area for each leaf.

    Parameters
    ----------
    tree
        Whose parameters stay as they are.
    x, y
        Parameters; the others keep their values. A mark shows where the tree stands.
    span
        Of the parameters that is shown.
    steps
        Places along each.

    Raises
    ------
    PosedError
        The span is empty.
    AnimError
        The tree has no such parameter or cannot be evaluated.
    MissingError
        matplotlib is not installed.
    """
    if not span[0] < span[1]:
        raise PosedError(f"the span is {span}: expected one from a number to a larger one")
    places = np.linspace(*span, steps)
    names = leaf_names(tree)
    if y is None:
        weights = leaf_weights(tree, x, places)
        made, (one,) = figure(1, height=3.0)
        for number, name in enumerate(names):
            one.plot(places, weights[:, number], color=COLORS[number % len(COLORS)], label=name)
        one.axvline(tree.values[tree.names.index(x)], color="#222222", linewidth=0.8)
        one.set(xlabel=x, ylabel="weight", title="blend space")
        one.legend(fontsize=8)
        return made
    made, axes = figure(1, height=4.6)
    other = copy.deepcopy(tree)
    rows = []
    for place in places:
        other.set_parameter(y, float(place))
        rows.append(leaf_weights(other, x, places))
    weights = np.array(rows)
    chosen = [COLORS[number % len(COLORS)] for number in range(len(names))]
    tints = np.array([[int(color[at : at + 2], 16) / 255.0 for at in (1, 3, 5)] for color in chosen])
    axes[0].imshow(weights @ tints, origin="lower", extent=(*span, *span), aspect="equal")
    for number, name in enumerate(names):
        row, column = np.unravel_index(int(weights[..., number].argmax()), weights.shape[:2])
        axes[0].annotate(name, (places[column], places[row]), ha="center", color="white", weight="bold")
    axes[0].plot(*(tree.values[tree.names.index(name)] for name in (x, y)), "x", color="black")
    axes[0].set(xlabel=x, ylabel=y, title="blend space: colors mix as the leaves do")
    return made


def leaf_names(tree: anim.BlendTree) -> list[str]:
    """Return the clips' names of the tree's leaves, in the order of `leaf_weights`."""
    return [tree.rig.clips[clip].name for _, clip in tree.leaves()]


def leaf_weights(tree: anim.BlendTree, x: str, places: Float64) -> Float64:
    """Return the weights of the leaves, (N, L), with the parameter `x` at each of `places`; the tree stays as it is."""
    other = copy.deepcopy(tree)
    rows = []
    for place in places:
        other.set_parameter(x, float(place))
        rows.append(other.leaf_weights()[[leaf for leaf, _ in other.leaves()]])
    return np.array(rows, np.float64)
