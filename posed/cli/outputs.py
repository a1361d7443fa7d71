"""Where frames go: names with a place for the tick, and the layers that a kind of file takes."""

from __future__ import annotations

import re
from pathlib import Path

from posed.cli.moment import Moment
from posed.errors import PosedError
from posed.files import no_suffix
from posed.frame import FORMATS, LAYERS

PLACE = re.compile(r"%(0[0-9]{1,2})?d")
"""Where the tick stands in a name."""

ANIMATED = ".webp"
"""A range of ticks in one file."""


def check_output(output: Path, ticks: range | None) -> bool:
    """Refuse an output that does not fit what is asked for; return whether it is an animation."""
    suffix = output.suffix.lower()
    places = len(PLACE.findall(output.name))
    if suffix == ANIMATED and ticks is not None and not places:
        return True
    if suffix not in FORMATS:
        expected = ", ".join((*FORMATS, ANIMATED) if ticks is not None else FORMATS)
        raise PosedError(f"{output}: a frame is saved as one of {expected}, {no_suffix(output)}")
    if ticks is not None and places != 1:
        raise PosedError(f"{output}: a range of ticks needs one place for the number, as frames/%04d.png has, or .webp")
    if ticks is None and places:
        raise PosedError(f"{output}: the name has a place for a number: give --ticks A:B")
    return False


def check_ticks_alone(moment: Moment) -> None:
    """Refuse what else chooses a moment beside `--ticks`."""
    if moment.chosen:
        raise PosedError("--ticks chooses the moments: leave out --tick, --time and --posed")


def chosen_layers(text: str | None, output: Path, *, color: bool = True) -> tuple[str, ...] | None:
    """Return the layers asked for; a picture for people needs its color alone, which `color` says there is."""
    named = None if text is None else tuple(text.split(","))
    if output.suffix.lower() not in (".png", ANIMATED):
        return named
    without = named is not None and "color" not in named and set(named) <= set(LAYERS)
    if not color or without:
        raise PosedError(f"{output}: a {output.suffix[1:]} shows color alone: save other layers as .exr or .npz")
    return named or ("color",)


def numbered(output: Path, tick: int) -> Path:
    """Return `output` with its %d or %04d as the tick; every other % of the name stays."""
    return output.with_name(PLACE.sub(lambda place: str(tick).zfill(int(place[1] or 0)), output.name))
