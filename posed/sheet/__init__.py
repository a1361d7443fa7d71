"""Sprite sheets: a clip of a model as an atlas of traced cells, with the scene file that plays it."""

from posed.sheet.rendering import Sheet, SheetRenderer
from posed.sheet.scene_text import scene_text

__all__ = ["Sheet", "SheetRenderer", "scene_text"]
