"""A scene made ready for rays, and kept ready while it moves: tables, adjacency and acceleration structures.

What two scenes have in common is known by identity: a scene made from another's own arrays shares them. As long as
topology and materials are shared, tables are written in place and trees are refitted; the answers are those of a scene
prepared from nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tracer import embree
from tracer.adjacency import neighbors_of, no_neighbors
from tracer.bvh import Tree, build_tree, no_tree, refitted, wear
from tracer.exact import mark_solid
from tracer.mesh_table import MeshTable
from tracer.scene import Scene
from tracer.tables import Movement, Shine, frozen, looks_of, movement_of, needs_alpha, shine_of
from tracer.texels import Texels
from tracer.visible import World

WORN: Final = 2.0
"""Wear of a refitted tree over that of a new one from which on trees are built anew: rays then take a tenth longer."""

_TOPOLOGY: Final = ("triangles", "flat", "object", "part", "triangle", "material", "uvs", "colors", "joints", "weights")
"""What two scenes share where only their vertices, materials, lights and environment differ."""


class Prepared:
    """What kernels need of a scene.

    Parameters
    ----------
    scene
        The scene.
    with_embree
        Whether Embree proposes hits; else the own tree finds them.

    Attributes
    ----------
    with_embree
        As given, unless the scene is too large or too small for Embree (`embree.holds`).
    movement, shine
        Where the vertices were, and what shines.
    """

    movement: Movement
    shine: Shine
    _world: World

    def __init__(self, scene: Scene, *, with_embree: bool) -> None:
        self.scene = scene
        self._may_use_embree = with_embree
        self.with_embree = with_embree and embree.holds(scene.positions)
        self._texels, self._table = Texels(), MeshTable(scene)
        self._structure: embree.EmbreeScene | None = None
        self._new_wear = 0.0
        self._is_solid, self._is_tested = _solid(scene), needs_alpha(scene)
        self._look(scene)
        self._build()

    def follow(self, scene: Scene) -> bool:
        """Become ready for another scene; return False, and do nothing, where it is none that this one can become."""
        before = self.scene
        if not all(getattr(scene, name) is getattr(before, name) for name in _TOPOLOGY) or (
            (scene.tangents is None) != (before.tangents is None)
        ):
            return False
        if self._may_use_embree and embree.holds(scene.positions) != self.with_embree:
            return False
        self.scene = scene
        has_same_places = self._table.move(scene)
        is_tested = self._is_tested
        if not _same(scene.materials, before.materials):
            self._table.show(scene)
            is_tested = needs_alpha(scene)
        self._look(scene)
        is_solid = _solid(scene)
        if not np.array_equal(is_solid, self._is_solid) or not np.array_equal(is_tested, self._is_tested):
            self._is_solid, self._is_tested = is_solid, is_tested
            self._build()
        else:
            self._move(has_same_places)
        return True

    def moved(self) -> World:
        """Return the world whose vertices, materials and triangles are those of the scene; it may have no trees."""
        return self._world

    def proposing(self) -> World:
        """Return the world whose hits Embree proposes, made when first asked for; without Embree, that of `decided`."""
        if not self.with_embree:
            return self.decided()
        if self._structure is None:
            scene, hittable = self.scene, np.flatnonzero(self._is_solid)
            self._structure = embree.build(scene.positions, scene.triangles[hittable], self._is_tested[hittable])
            order = hittable.astype(np.uint32)[self._structure.order]
            order.setflags(write=False)
            self._world = self._world._replace(
                scene=self._structure.handle,
                solid_count=self._structure.solid_count,
                order=order,
                neighbors=neighbors_of(self._table.mesh, hittable),
            )
        return self._world

    def decided(self) -> World:
        """Return the world with its tree, which answers in float64; built when first asked for."""
        if not len(self._world.tree.links):
            mesh = self._world.mesh
            tree = build_tree(mesh.vertices, mesh.faces, self._world.tree.triangles)
            self._new_wear = self._wear(tree)
            self._world = self._world._replace(tree=tree)
        return self._world

    def release(self) -> None:
        """Free the acceleration structure; a second call does nothing."""
        if self._structure is not None:
            self._structure.release()

    def _look(self, scene: Scene) -> None:
        """Take over materials, lights and the vertices of the snapshot before."""
        self._looks = looks_of(scene, self._texels)
        self.movement, self.shine = movement_of(scene), shine_of(scene.lights, scene.environment)

    def _build(self) -> None:
        """Begin anew, over the triangles that can be hit, without any structure."""
        self.release()
        self._structure = None
        none, tree = np.zeros(0, np.uint32), no_tree(np.flatnonzero(self._is_solid))
        self._world = World(0, 0, frozen(none), self._table.mesh, no_neighbors(), self._looks, tree)

    def _move(self, has_same_places: bool) -> None:
        """Refit the structures there are around vertices that have moved; drop them where that has worn them out.

        How worn is read off the own tree; Embree's is of the same kind.
        """
        mesh = self._table.mesh
        if self._structure is None and not len(self._world.tree.links):
            self._world = self._world._replace(looks=self._looks)
            return
        world = self.decided()
        tree = refitted(world.tree, mesh.vertices, mesh.faces)
        if self._wear(tree) > WORN * self._new_wear:
            self._build()
            return
        neighbors = world.neighbors
        if self._structure is not None:
            self._structure.move(self.scene.positions)
            if not has_same_places:
                neighbors = neighbors_of(mesh, np.flatnonzero(self._is_solid))
        self._world = world._replace(tree=tree, neighbors=neighbors, looks=self._looks)

    def _wear(self, tree: Tree) -> float:
        mesh = self._table.mesh
        return float(wear(tree, mesh.vertices, mesh.faces, np.zeros(6, np.float32)))


def _solid(scene: Scene) -> NDArray[np.bool_]:
    """Say which triangles (F,) have an area."""
    marks = np.zeros(len(scene.triangles), np.bool_)
    mark_solid(scene.positions, scene.triangles, marks)
    return marks


def _same(first: Iterable[object], second: Iterable[object]) -> bool:
    """Say whether two sequences hold the same objects."""
    one, other = list(first), list(second)
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))
