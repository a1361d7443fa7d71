"""Notebooks: how scenes, models, rigs, clips, snapshots, frames, verdicts and explanations show themselves.

Whatever is the last value of a cell shows itself: a picture traced in well under a second, tables, curves. All of it is
HTML that holds its pictures and asks nobody for anything, so that a saved file looks the same; in a terminal it is
plain text. `play` goes further: a player that scrubs, turns and picks; `save_html` is the same in one file.
"""

from posed.notebook.bundles import mimebundle
from posed.notebook.player import play, save_html

__all__ = ["mimebundle", "play", "save_html"]
