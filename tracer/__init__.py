"""Rays, materials, light and film: static triangles in, layers out. Knows no rigs."""

from tracer.camera import Camera
from tracer.color_range import color_range
from tracer.errors import BackendError, SceneError
from tracer.lights import Environment, Light
from tracer.materials import AlphaMode, Material, Texture, TextureSlot, Wrap
from tracer.scene import Scene
from tracer.settings import LAYERS
from tracer.shadow_slack import ShadowSlack
from tracer.trace import Tracer, trace

__all__ = [
    "LAYERS",
    "AlphaMode",
    "BackendError",
    "Camera",
    "Environment",
    "Light",
    "Material",
    "Scene",
    "SceneError",
    "ShadowSlack",
    "Texture",
    "TextureSlot",
    "Tracer",
    "Wrap",
    "color_range",
    "trace",
]
