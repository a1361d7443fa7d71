"""Frames that show nothing."""

from __future__ import annotations

from posed.verify.layers import coverage
from posed.verify.recognizing.undoing import Case
from posed.verify.results import Recognition


def blank(case: Case) -> Recognition | None:
    """Return the recognition of a frame that is the same at every pixel where the reference is not; else None."""
    names = [name for name in ("object", "depth", "color") if name in case.live and name in case.reference]
    if not names or not case.wrong:
        return None
    for name in names:
        live, reference = case.live[name], case.reference[name]
        if (live != live[0, 0]).any() or not (reference != reference[0, 0]).any():
            return None
    seen = coverage(case.live)
    shows = "nothing" if seen is not None and not seen.any() else f"one {names[-1]}"
    claim = f"the live frame is blank: it shows {shows} at all {live.shape[0] * live.shape[1]:,} pixels"
    return Recognition("blank", f"{claim}; it was read before it was drawn, or cleared after", 1.0)
