"""The live renderer: a snapshot drawn by a graphics device through wgpu, off-screen, every layer readable."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from posed.camera import Camera
from posed.frame import Frame
from posed.live.color import Lighting
from posed.live.device import Adapter, list_adapters
from posed.live.flat import FlatScene, FlatSprites
from posed.live.instances import Instance
from posed.live.mesh_data import MeshData, SkinData
from posed.live.meshes import Mesh
from posed.live.passes import ALL_LAYERS
from posed.live.picking import Pick
from posed.live.poses import LAST, CrowdPose, InstancePose
from posed.live.renderer import Renderer
from posed.live.vertices import PosedVertices
from posed.scene.description import Scene
from posed.snapshot import Posed

__all__ = [
    "ALL_LAYERS",
    "LAST",
    "Adapter",
    "CrowdPose",
    "FlatScene",
    "FlatSprites",
    "Instance",
    "InstancePose",
    "Lighting",
    "Mesh",
    "MeshData",
    "Pick",
    "PosedVertices",
    "Renderer",
    "SkinData",
    "list_adapters",
    "read_vertices",
    "render",
]


def render(
    scene: Scene,
    pose: Posed,
    *,
    size: tuple[int, int] = (960, 540),
    camera: Camera | None = None,
    layers: Sequence[str] | None = None,
    background: str | None = None,
    flat: FlatScene | None = None,
    adapter: str | None = None,
) -> Frame:
    """Draw `pose` with the process's renderer on an adapter; see `Renderer.render` for the parameters and errors.

    Raises
    ------
    MissingError
        There is no adapter, or none with such a name.
    """
    renderer = _renderer(adapter)
    return renderer.render(scene, pose, size=size, camera=camera, layers=layers, background=background, flat=flat)


def read_vertices(scene: Scene, pose: Posed, *, adapter: str | None = None) -> dict[int, PosedVertices]:
    """Return the posed vertices of every part that is drawn; see `Renderer.vertices`.

    Raises
    ------
    MissingError
        There is no adapter, or none with such a name.
    """
    return _renderer(adapter).vertices(scene, pose)


@cache
def _renderer(adapter: str | None) -> Renderer:
    return Renderer(adapter)
