"""Much work, many processes: it is cut into chunks, a crew carries them out, the results come back in order.

A job is a value: a world where play begins, the ticks wanted and the trace's settings. Its frames have the same bits
whoever renders them and in whatever order; `render` keeps them in a folder with a manifest, so that an interrupted run
goes on where it was. `checks` shares out the checks of a suite or of a range of ticks in the same way.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from posed.farm.checking import Checked, Series, checks, suite_series
    from posed.farm.job import Finished, Job
    from posed.farm.rendering import Summary, frames, render

_HOMES = {
    "Checked": "checking",
    "Finished": "job",
    "Job": "job",
    "Series": "checking",
    "Summary": "rendering",
    "checks": "checking",
    "frames": "rendering",
    "render": "rendering",
    "suite_series": "checking",
}

__all__ = ["Checked", "Finished", "Job", "Series", "Summary", "checks", "frames", "render", "suite_series"]


def __getattr__(name: str) -> Any:
    """Load a name's module when it is first asked for: rendering needs nothing of what checks are made of."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"posed.farm.{_HOMES[name]}"), name)
