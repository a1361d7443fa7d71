"""glTF files: bytes in, a checked `Model` out; one glTF noun a module."""

from posed.gltf.loader import load as load
from posed.gltf.model import Model as Model

__all__ = ["Model", "load"]
