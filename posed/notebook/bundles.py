"""Bundles: a value's text, and where somebody can see it its HTML, by media type."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from typing import Any

import anim
from posed.errors import PosedError
from posed.frame import Frame
from posed.gltf.model import Model
from posed.notebook import frames, models, rigs, scenes, stories
from posed.notebook.page import Shown, page
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify import Explanation, Verdict

_SHOWN: tuple[tuple[type, Callable[[Any], Shown]], ...] = (
    (Scene, scenes.scene),
    (Model, models.model),
    (anim.Rig, rigs.rig),
    (anim.Clip, rigs.clip),
    (Posed, scenes.posed),
    (Frame, frames.frame),
    (Verdict, stories.verdict),
    (Explanation, stories.explanation),
)


def mimebundle(
    value: object, include: Collection[str] | None = None, exclude: Collection[str] | None = None
) -> dict[str, Any]:
    """Return what a notebook shows of a value, by media type.

    ``text/plain`` is always there; ``text/html``, and ``image/png`` of what is a picture first of all, where the front
    end may show them: a terminal is spared the trace.

    Raises
    ------
    TypeError
        The value is none that shows itself.
    """
    show = next((show for kind, show in _SHOWN if isinstance(value, kind)), None)
    if show is None:
        raise TypeError(f"{type(value).__name__} does not show itself")
    if _in_a_terminal():
        return {"text/plain": show(value).text}
    shown = show(value)
    try:
        blocks = shown.blocks()
    except PosedError as error:  # what cannot be drawn here is still told
        return {"text/plain": f"{shown.text}\n{error}"}
    bundle: dict[str, Any] = {"text/plain": shown.text, "text/html": page(shown.title, blocks)}
    if shown.picture is not None:
        bundle["image/png"] = shown.picture()
    return {
        kind: data
        for kind, data in bundle.items()
        if kind == "text/plain" or ((include is None or kind in include) and kind not in (exclude or ()))
    }


def _in_a_terminal() -> bool:
    """Say whether the running IPython, if any, is one of a terminal; without one somebody asks for a reason."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and not hasattr(shell, "kernel")
