"""The model: everything that one glTF file brings, checked and ready to be played."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import overload

import numpy as np

import anim
from posed.errors import AssetError
from posed.gltf.camera import FileCamera
from posed.gltf.light import FileLight
from posed.gltf.material import DEFAULT_MATERIAL, Material
from posed.gltf.mesh import Mesh
from posed.gltf.node import Node
from posed.gltf.pointer import Property
from posed.gltf.skin import Skin
from posed.showing import ShowsItself
from posed.words import counted


@dataclass(frozen=True, eq=False)
class SkinRig:
    """A rig with the palette of one skin, and the skin's joints as nodes of the file, in its order."""

    rig: anim.Rig
    joints: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Model(ShowsItself):
    """A glTF file as a value.

    `nodes`, `meshes`, `skins`, `clips`, `materials`, `cameras` and `lights` are in the file's order. `scene` is the
    index of the scene that is shown, None where the file has none, and `roots` are its root nodes. `properties` are
    what clips move by pointer, `variants` the names of other choices of materials. `digest` identifies the content,
    buffers and images included. `notes` are sentences on what was read with a reservation, such as channels without a
    target.
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
    properties: tuple[Property, ...] = ()
    variants: tuple[str, ...] = ()
    scene: int | None = None
    digest: str = ""
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        joints = sum(len(skin.joints) for skin in self.skins)
        what = f"{counted(len(self.nodes), 'node')}, {counted(joints, 'joint')}, {counted(len(self.clips), 'clip')}"
        return f"Model {self.path.name}: {what}"

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
        """The walked nodes that carry a mesh and are seen, or may be while a clip plays, by index."""
        return tuple(sorted(node for node in self.walked if self.nodes[node].mesh is not None and self._seen[node]))

    @cached_property
    def bones(self) -> tuple[int, ...]:
        """All nodes of the file, parents first, siblings in the file's order: entry b is the node of bone b."""
        order: list[int] = []
        waiting = [node.index for node in reversed(self.nodes) if node.parent == -1]
        while waiting:
            node = waiting.pop()
            order.append(node)
            waiting.extend(reversed(self.nodes[node].children))
        return tuple(order)

    def morph_weights(self, node: int) -> tuple[float, ...]:
        """Return the weights at rest of the morph targets that `node` shows, one a target.

        They are the node's own, else its mesh's, else 0; missing ones are 0 and superfluous ones are dropped.
        """
        index = self.nodes[node].mesh
        if index is None:
            return ()
        mesh = self.meshes[index]
        own = self.nodes[node].weights
        given = mesh.weights if own is None else own
        return (*given, *(0.0 for _ in range(len(given), mesh.morph_count)))[: mesh.morph_count]

    def node_rig(self) -> anim.Rig:
        """Return the rig of all nodes, bone b being node `bones[b]`, with the file's clips; made once.

        After them comes a bone for each of `properties`, whose morph weights are the property's numbers.
        """
        return self._node_rig

    def rig(self, skin: int) -> SkinRig:
        """Return the rig whose palette is that of skin `skin`.

        Raises
        ------
        AssetError
            The file has no such skin.
        """
        return SkinRig(anim.Rig(self.skeleton(skin), self.clips), self._skin(skin).joints)

    def skeleton(self, skin: int) -> anim.Skeleton:
        """Return the skeleton of all nodes with the joints of skin `skin`; its mesh node is the first that uses it.

        Raises
        ------
        AssetError
            The file has no such skin.
        """
        return self._skeleton(self._skin(skin))

    @overload
    def clip(self, selector: str | int) -> int: ...

    @overload
    def clip(self, selector: None) -> None: ...

    def clip(self, selector: str | int | None) -> int | None:
        """Return the index of the clip with a name or an index; None, which means the rest pose, is None.

        Raises
        ------
        AssetError
            There is no such clip, or several have the name; the text lists what the file has.
        """
        if selector is None:
            return None
        if isinstance(selector, str):
            found = [index for index, clip in enumerate(self.clips) if clip.name == selector]
            if len(found) > 1:
                indices = ", ".join(map(str, found))
                raise AssetError(
                    self.path, "/animations", f'the clips {indices} are all called "{selector}": choose one by index'
                )
            if found:
                return found[0]
        elif 0 <= selector < len(self.clips):
            return selector
        have = ", ".join(f'{index} "{clip.name}"' for index, clip in enumerate(self.clips)) or "none"
        asked = f'"{selector}"' if isinstance(selector, str) else selector
        raise AssetError(self.path, "/animations", f"there is no clip {asked}: the file has {have}")

    def material_of(self, index: int | None) -> Material:
        """Return the material at `index`, the default one for None."""
        return DEFAULT_MATERIAL if index is None else self.materials[index]

    @cached_property
    def _seen(self) -> list[bool]:
        """Whether each node and all above it are visible, or may become so."""
        moved = {one.pointer for one in self.properties}
        seen = [
            node.visible or f"/nodes/{node.index}/extensions/KHR_node_visibility/visible" in moved
            for node in self.nodes
        ]
        for node in self.bones:
            parent = self.nodes[node].parent
            seen[node] = seen[node] and (parent == -1 or seen[parent])
        return seen

    @cached_property
    def _node_rig(self) -> anim.Rig:
        return anim.Rig(self._skeleton(None), self.clips)

    def _skin(self, index: int) -> Skin:
        if not 0 <= index < len(self.skins):
            raise AssetError(self.path, "/skins", f"there is no skin {index}: the file has {len(self.skins)}")
        return self.skins[index]

    def _skeleton(self, skin: Skin | None) -> anim.Skeleton:
        nodes = [self.nodes[node] for node in self.bones]
        count = len(nodes) + len(self.properties)
        node_to_bone = np.arange(count, dtype=np.int32)
        node_to_bone[list(self.bones)] = np.arange(len(nodes), dtype=np.int32)
        parents = [-1 if node.parent == -1 else int(node_to_bone[node.parent]) for node in nodes]
        users = [] if skin is None else [node.index for node in self.nodes if node.skin == skin.index]
        morphs = {bone: self.morph_weights(node.index) for bone, node in enumerate(nodes) if node.mesh is not None}
        morphs |= {len(nodes) + index: one.rest for index, one in enumerate(self.properties)}
        return anim.Skeleton(
            [*(node.name for node in nodes), *(one.pointer for one in self.properties)],
            [*parents, *(-1 for _ in self.properties)],
            [
                *(anim.Transform(node.translation, node.rotation, node.scale) for node in nodes),
                *(anim.Transform() for _ in self.properties),
            ],
            matrices={bone: node.matrix for bone, node in enumerate(nodes) if node.matrix is not None},
            node_to_bone=node_to_bone,
            joints=() if skin is None else node_to_bone[list(skin.joints)],
            inverse_bind=None if skin is None else skin.inverse_bind,
            mesh_node=users[0] if users else -1,
            morphs=morphs,
        )
