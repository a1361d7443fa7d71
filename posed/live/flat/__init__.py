"""Flat drawing: shapes and sprites in the picture's own pixels, drawn last, over all that has depth.

A pixel at column x and row y has its centre at (x + 0.5, y + 0.5), y down, and shows what covers its centre; nothing is
antialiased. Each draw lies over those before it, blended in linear light. The device and the CPU twin, `rasterize`,
follow the same rules.
"""

from posed.live.flat.draws import Draw, FlatScene, FlatSprites
from posed.live.flat.fills import Color, Fill, Image
from posed.live.flat.rasterizer import composite, rasterize

__all__ = ["Color", "Draw", "Fill", "FlatScene", "FlatSprites", "Image", "composite", "rasterize"]
