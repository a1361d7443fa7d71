"""Plots (matplotlib, the extra `notebook`): clips, what was played, blend spaces and how two runs part.

Each function returns a `matplotlib.figure.Figure` of its own, which a notebook shows and `savefig` writes; no window
and no global state. What a plot draws is computed by functions of its module, which can be called alone.
"""

from posed.plot.clips import channels, loop_seam, rotation_speeds
from posed.plot.runs import events, joint_errors, mixes, root_path
from posed.plot.spaces import blend_space

__all__ = [
    "blend_space",
    "channels",
    "events",
    "joint_errors",
    "loop_seam",
    "mixes",
    "root_path",
    "rotation_speeds",
]
