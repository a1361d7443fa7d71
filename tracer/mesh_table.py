"""A scene's geometry in the table that kernels read: laid out once, moved in place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tracer.adjacency import places_of
from tracer.materials import AlphaMode
from tracer.scene import Scene
from tracer.tables import (
    COLOR,
    FACE_COLUMNS,
    IS_FLAT,
    IS_PLAIN,
    IS_SWAPPED,
    MATERIAL,
    NORMAL,
    PART,
    PLACE,
    RANK,
    TANGENT,
    VERTEX_COLUMNS,
    Mesh,
    frozen,
)


class MeshTable:
    """The geometry of a scene as kernels read it; what moves is written in place.

    `mesh` is what kernels take; `places` are those of the vertices, (V,).
    """

    def __init__(self, scene: Scene) -> None:
        self._vertices = np.zeros((len(scene.positions), VERTEX_COLUMNS), np.float32)
        self._vertices[:, COLOR:] = 1.0 if scene.colors is None else scene.colors
        self._faces = np.zeros((len(scene.triangles), FACE_COLUMNS), np.uint32)
        self._faces[:, :PLACE] = scene.triangles
        self._faces[:, MATERIAL] = scene.material
        self._faces[:, IS_FLAT] = scene.flat
        self._faces[:, RANK] = _ranks(scene.object, scene.part, scene.triangle)
        self._faces[:, PART] = scene.part
        self.mesh = Mesh(frozen(self._vertices), scene.uvs, frozen(self._faces))
        self.places: NDArray[np.uint32] | None = None
        self.show(scene)
        self.move(scene)

    def show(self, scene: Scene) -> None:
        """Take over what the scene's materials say of its triangles."""
        is_plain = [m.double_sided and m.alpha_mode == AlphaMode.OPAQUE for m in scene.materials]
        self._faces[:, IS_PLAIN] = np.array(is_plain, np.uint32)[scene.material]

    def move(self, scene: Scene) -> bool:
        """Take over where the scene's vertices are; return whether the same of them lie at one place as before."""
        self._vertices[:, :NORMAL] = scene.positions
        self._vertices[:, NORMAL:TANGENT] = scene.normals
        if scene.tangents is not None:
            self._vertices[:, TANGENT:COLOR] = scene.tangents
        self._faces[:, IS_SWAPPED] = scene.facing < 0
        places = places_of(scene.positions)
        if self.places is not None and np.array_equal(places, self.places):
            return True
        self.places = places
        self._faces[:, PLACE:MATERIAL] = places[scene.triangles]
        return False


def mesh_of(scene: Scene) -> Mesh:
    """Give the geometry of a scene that stays as it is."""
    return MeshTable(scene).mesh


def _ranks(*ids: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Give each triangle's place in the order of its ids, the first of them first."""
    ranks = np.arange(len(ids[0]), dtype=np.uint32)
    is_in_order = np.ones(max(len(ranks) - 1, 0), np.bool_)
    for values in ids[::-1]:
        is_in_order = (values[:-1] < values[1:]) | ((values[:-1] == values[1:]) & is_in_order)
    if not is_in_order.all():
        ranks[np.lexsort(ids[::-1])] = np.arange(len(ranks), dtype=np.uint32)
    return ranks
