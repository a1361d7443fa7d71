"""The model: everything that one glTF file brings, checked and ready to be played."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import anim
from posed.gltf.camera import FileCamera
from posed.gltf.light import FileLight
from posed.gltf.material import DEFAULT_MATERIAL, Material
from posed.gltf.mesh import Mesh
from posed.gltf.node import Node
from posed.gltf.skin import Skin


@dataclass(frozen=True, eq=False)
class Model:
    """A glTF file as a value.

    `nodes`, `meshes`, `skins`, `clips`, `materials`, `cameras` and `lights` are in the file's order; `roots` are the
    root nodes of the scene that is shown. `digest` identifies the content, buffers and images included. `notes` are
    sentences on what was read with a reservation, such as channels without a target.
    """

    path: Path
    name: str
    nodes: tuple[Node, ...]
    roots: tuple[int, ...]
    meshes: tuple[Mesh, ...]
    skins: tuple[Skin, ...]
    clips: tuple[anim.Clip, ...]
    materials: tuple[Material, ...]
    cameras: tuple[FileCamera, ...] = ()
    lights: tuple[FileLight, ...] = ()
    digest: str = ""
    notes: tuple[str, ...] = ()

    @cached_property
    def walked(self) -> tuple[int, ...]:
        """The nodes of the scene, parents first, siblings in the file's order."""
        order: list[int] = []
        waiting = list(reversed(self.roots))
        while waiting:
            node = waiting.pop()
            order.append(node)
            waiting.extend(reversed(self.nodes[node].children))
        return tuple(order)

    @cached_property
    def mesh_nodes(self) -> tuple[int, ...]:
        """The walked nodes that carry a mesh, by index."""
        return tuple(sorted(node for node in self.walked if self.nodes[node].mesh is not None))

    def material_of(self, index: int | None) -> Material:
        """Return the material at `index`, the default one for None."""
        return DEFAULT_MATERIAL if index is None else self.materials[index]
