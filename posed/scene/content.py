"""What an object shows: the picture of its content material, whole or one frame of an atlas."""

from __future__ import annotations

from posed.digest import digest
from posed.gltf.image import Image
from posed.gltf.material import Texture, Wrap
from posed.scene.description import Animation, Object


def content_of(one: Object) -> Image | None:
    """Return the picture that the object's content material shows, None where it shows none."""
    if one.content is not None:
        return one.content
    return None if one.animation is None else one.animation.image


def content_key(one: Object) -> str | None:
    """Return a key of the picture that the object shows, equal for equal pictures; None where it shows none."""
    image = content_of(one)
    return None if image is None else digest(image.data)


def surface(animation: Animation, frame: int) -> Texture:
    """Return the texture by which a sprite shows `frame` of its atlas on a card with coordinates 0 to 1.

    Raises
    ------
    ValueError
        The animation is no sprite's.
    AnimError
        The atlas has no such frame.
    """
    if animation.sprite is None or animation.image is None:
        raise ValueError("only a sprite's animation has frames of an atlas")
    u0, v0, u1, v1 = animation.sprite.atlas.uv(frame)
    transform = ((u1 - u0, 0.0, u0), (0.0, v1 - v0, v0))
    return Texture(animation.image, wrap_s=Wrap.CLAMP, wrap_t=Wrap.CLAMP, transform=transform)
