"""Scenes: the description that a scene file or a lone model gives, as checked values."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posed.scene.content import content_key as content_key
    from posed.scene.content import surface as surface

__all__ = ["content_key", "surface"]


def __getattr__(name: str) -> object:
    """Load what lies in a module of its own."""
    if name not in __all__:
        raise AttributeError(f"module 'posed.scene' has no attribute {name!r}")
    from posed.scene import content

    value: object = getattr(content, name)
    return value
