"""The stage: a scene and a snapshot as the static triangles that the tracer sees.

Topology, texture coordinates, materials and textures are laid out once; each snapshot brings positions, normals and
tangents, skinned on the CPU. The tracer's space has its origin near the camera, so that float32 holds a scene that
stands far from the world's origin.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

import tracer
from anim.rational import Number
from posed.arrays import AnyArray, Float32, Float64
from posed.camera import Camera
from posed.errors import PoseError
from posed.fitting import fit
from posed.matrices import moved, multiply
from posed.properties import shown_lights, shown_materials, shown_parts
from posed.scene.description import Part, Scene
from posed.skinning import PosedVertices, posed_vertices
from posed.snapshot import Posed
from posed.stage_layout import Layout, Surfaces, environment, lights


def stage(scene: Scene, posed: Posed, camera: Camera | None = None) -> tracer.Scene:
    """Return `scene` as `posed` freezes it, with its origin near `camera` (the snapshot's own unless given).

    Raises
    ------
    PoseError
        The snapshot does not fit the scene, or a vertex is posed to where no number is.
    """
    return Stage(scene).at(posed, camera)


def stage_camera(camera: Camera, origin: Float64) -> tracer.Camera:
    """Return `camera` in the space of a stage with `origin`."""
    return tracer.Camera(moved(camera.matrix, origin), camera.yfov, camera.ymag, camera.znear, camera.zfar)


class Staged(NamedTuple):
    """A scene and the camera it is seen by, in the tracer's terms, and the picture's width over its height."""

    scene: tracer.Scene
    camera: tracer.Camera
    aspect: float


def scene_posed(scene: Scene, aspect: float, posed: Posed) -> Staged:
    """Return `scene` as `posed` freezes it, seen by the snapshot's camera; what the snapshot leaves out is filled in.

    Raises
    ------
    PoseError
        As `stage`, or `aspect` is not above 0.
    """
    if not 0.0 < aspect < math.inf:
        raise PoseError(f"the aspect is {aspect}: expected width over height, above 0")
    whole = fit(scene, posed)
    camera = whole.camera or scene.camera
    staged = stage(scene, whole, camera)
    return Staged(staged, stage_camera(camera, staged.origin), float(aspect))


def scene_at(scene: Scene, aspect: float, time: Number) -> Staged:
    """Return `scene` at a time in seconds with nothing playing but its movers; see `scene_posed`."""
    return scene_posed(scene, aspect, Posed.at(time, rate=scene.rate))


def part_matrices(scene: Scene, posed: Posed) -> list[Float64]:
    """Return the world matrix of each part in id order: of its node where it is placed, of its object where skinned.

    Instances of a part lie under this matrix times their own.
    """
    posed = fit(scene, posed)
    return [_matrix(part, posed) for part in scene.parts]


class Stage:
    """A scene laid out for the tracer, posed again and again."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._surfaces = Surfaces(scene)
        self._first_joints = scene.ids.first_joints()
        self._layouts: dict[tuple[int, ...], Layout] = {}

    def at(self, posed: Posed, camera: Camera | None = None, *, motion: bool = True) -> tracer.Scene:
        """Return the scene as `posed` freezes it; see `stage`. `motion`: with the vertices of the snapshot before."""
        posed = fit(self.scene, posed)
        camera = camera or posed.camera or self.scene.camera
        layout = self._layout(posed)
        local = {part.id: _local(part, posed) for part in dict.fromkeys(layout.parts)}
        placed = [(part, matrix) for part in dict.fromkeys(layout.parts) for matrix in _places(part, posed)]
        origin = _origin(camera, _diagonal(placed, local))
        vertices = [
            posed_vertices(part.primitive, base=local[part.id], matrix=moved(matrix, origin), part=_name(part))
            for part, matrix in placed
        ]
        previous = self._previous(posed, layout, origin) if motion else None
        materials, textures = self._surfaces.at(posed.sprites, shown_materials(self.scene, posed))
        return tracer.Scene(
            positions=_joined([one.positions for one in vertices], 3, np.float32),
            normals=_joined([_or_zeros(one.normals, one, 3) for one in vertices], 3, np.float32),
            tangents=(
                _joined([_or_zeros(one.tangents, one, 4) for one in vertices], 4, np.float32)
                if layout.has_tangents
                else None
            ),
            facing=np.concatenate([np.empty(0, np.int8), *[one.facing for one in vertices]]),
            triangles=layout.triangles,
            flat=layout.flat,
            object=layout.object,
            part=layout.part,
            triangle=layout.triangle,
            material=layout.material,
            uvs=layout.uvs,
            colors=layout.colors,
            joints=layout.joints,
            weights=layout.weights,
            previous=previous,
            origin=origin,
            materials=materials,
            textures=textures,
            lights=lights(shown_lights(self.scene, posed), origin),
            environment=environment(self.scene.environment),
        )

    def _previous(self, posed: Posed, layout: Layout, origin: Float64) -> Float32 | None:
        """Return where the vertices were in the snapshot before, None where there was none: nothing has moved then."""
        if posed.previous is None:
            return None
        before = fit(self.scene, posed.previous)
        positions = []
        for part in dict.fromkeys(layout.parts):
            local = _local(part, before)
            for matrix in _places(part, before):
                vertices = posed_vertices(part.primitive, base=local, matrix=moved(matrix, origin), part=_name(part))
                positions.append(vertices.positions)
        return _joined(positions, 3, np.float32)

    def _layout(self, posed: Posed) -> Layout:
        parts = shown_parts(self.scene, posed)
        key = tuple(part.id for part in parts)
        if key not in self._layouts:
            self._layouts[key] = Layout([part for part in parts for _ in range(part.copies)], self._first_joints)
        return self._layouts[key]


def _matrix(part: Part, posed: Posed) -> Float64:
    model = posed.models[part.object.name]
    return model if part.skinned else multiply(model, posed.nodes[part.object.name][part.node])


def _places(part: Part, posed: Posed) -> list[Float64]:
    """Return the world matrices that a part is shown under: one, or one an instance."""
    place = _matrix(part, posed)
    return [place] if part.instances is None else [multiply(place, instance) for instance in part.instances]


def _local(part: Part, posed: Posed) -> PosedVertices:
    """Return a part's vertices morphed and, where a palette moves it, skinned: in its object's or its node's space."""
    name, node = part.object.name, part.node
    return posed_vertices(
        part.primitive,
        palette=posed.palettes[name][node] if part.skinned else None,
        morph_weights=posed.morphs.get(name, {}).get(node, ()),
        part=_name(part),
    )


def _name(part: Part) -> str:
    mesh = part.object.model.nodes[part.node].mesh
    assert mesh is not None
    return (
        f'object "{part.object.name}", mesh "{part.object.model.meshes[mesh].name}", primitive {part.primitive.index}'
    )


def _diagonal(placed: Sequence[tuple[Part, Float64]], local: Mapping[int, PosedVertices]) -> float:
    """Return the diagonal of the parts' bounds in the world: of boxes around them, so an upper bound."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for part, matrix in placed:
        positions = local[part.id].positions if part.skinned else part.primitive.positions
        if len(positions) == 0:
            continue
        least, most = positions.min(axis=0).tolist(), positions.max(axis=0).tolist()
        for corner in range(8):
            point = [most[axis] if corner >> axis & 1 else least[axis] for axis in range(3)]
            world = matrix[:3, 0] * point[0] + matrix[:3, 1] * point[1] + matrix[:3, 2] * point[2] + matrix[:3, 3]
            low, high = np.minimum(low, world), np.maximum(high, world)
    x, y, z = (high - low).tolist()
    return math.sqrt(x * x + y * y + z * z) if math.isfinite(x) else 1.0


def _origin(camera: Camera, diagonal: float) -> Float64:
    """Return the camera's position rounded to a multiple of the power of two above `diagonal`: it stays put while the
    camera moves a little, and float32 steps around it are small against the scene.
    """
    step = math.ldexp(1.0, math.frexp(diagonal)[1]) if diagonal > 0.0 else 1.0
    rounded: Float64 = np.floor(camera.matrix[:3, 3] / step + 0.5) * step
    return rounded


def _joined(arrays: Sequence[AnyArray], width: int, dtype: type) -> AnyArray:
    return np.concatenate([np.empty((0, width), dtype), *arrays])


def _or_zeros(values: AnyArray | None, one: PosedVertices, width: int) -> AnyArray:
    return np.zeros((len(one.positions), width), np.float32) if values is None else values
