"""Notebooks: how scenes, models, rigs, clips, snapshots, frames, verdicts and explanations show themselves.

Whatever is the last value of a cell shows itself: a picture traced in well under a second, tables, curves. All of it is
HTML that holds its pictures and asks nobody for anything, so that a saved file looks the same; in a terminal it is
plain text.
"""

from posed.notebook.bundles import mimebundle

__all__ = ["mimebundle"]
