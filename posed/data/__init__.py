"""Files that come with the package: the walker's scene."""

from __future__ import annotations

from pathlib import Path


def demo_scene() -> Path:
    """Return the path of the walker's scene file: in the installed package, or in the checkout it is run from."""
    installed = Path(__file__).parent / "walker.toml"
    return installed if installed.exists() else Path(__file__).parents[2] / "golden/scenes/walker.toml"
