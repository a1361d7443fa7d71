"""Many ticks, many processes: a job is cut into chunks, a crew renders them, the frames come back in order.

A job is a value: a world where play begins, the ticks wanted and the trace's settings. Its frames have the same bits
whoever renders them and in whatever order; `render` keeps them in a folder with a manifest, so that an interrupted run
goes on where it was.
"""

from posed.farm.job import Job
from posed.farm.rendering import Summary, frames, render

__all__ = ["Job", "Summary", "frames", "render"]
