"""Classic mistakes of frames, each undone to see whether nearly all of what differs then agrees.

One kind a module. They are tried only where a layer fails.
"""

from __future__ import annotations

from collections.abc import Sequence

from posed.frame import Frame
from posed.verify.geometry import Geometry
from posed.verify.policy import Policy
from posed.verify.recognizing.axes import turned
from posed.verify.recognizing.blanks import blank
from posed.verify.recognizing.depths import measured
from posed.verify.recognizing.flips import flipped
from posed.verify.recognizing.lenses import refocused
from posed.verify.recognizing.shifts import displaced
from posed.verify.recognizing.tones import toned
from posed.verify.recognizing.undoing import Case
from posed.verify.results import LayerResult, Recognition

__all__ = ["recognize"]


def recognize(
    reference: Frame, live: Frame, policy: Policy, layers: Sequence[LayerResult], geometry: Geometry | None
) -> tuple[Recognition, ...]:
    """Return the classic mistakes that explain nearly all of what differs, the one that explains most first.

    Parameters
    ----------
    reference, live
        Frames of one size.
    policy
        What differs.
    layers
        What was found; only layers that failed are looked at.
    geometry
        The staged geometry of the reference, where it is at hand: it tells half pixels.
    """
    case = Case.of(reference, live, policy, layers)
    if not case.wrong:
        return ()
    nothing = blank(case)
    if nothing is not None:
        return (nothing,)
    found = [flipped(case), toned(case)]
    if found == [None, None]:  # else what is left in pixels beside their place says nothing
        found = [displaced(case, geometry), refocused(case)]
    found += [measured(case), turned(case)]
    return tuple(sorted((one for one in found if one is not None), key=lambda one: -one.share))
