"""The renderer's WGSL, one concept a file; a shader module is a list of files, read in order."""

from __future__ import annotations

from importlib.resources import files

SHADING = ("frame", "geometry", "skinning", "material", "seen", "surface", "light", "reflect", "sheen", "color")
"""What every shader that shades surfaces begins with."""


def source(*names: str) -> str:
    """Return the text of the named files (without ``.wgsl``), joined; the first line enables what they need."""
    folder = files(__name__)
    text = "\n".join((folder / f"{name}.wgsl").read_text(encoding="utf-8") for name in names)
    return f"enable primitive_index;\n{text}" if "@builtin(primitive_index)" in text else text
