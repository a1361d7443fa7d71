"""The static scene that is traced: triangles as flat arrays, materials, textures, lights, environment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracer.errors import SceneError
from tracer.lights import Environment, Light
from tracer.materials import Material, Texture


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Scene:
    """Triangles in one space, whatever they came from; checked when made, read-only from then on.

    Shapes: V vertices, F triangles, S sets of texture coordinates. Arrays are contiguous; a wrong dtype is an error,
    never a silent conversion. Any of V, F, S may be 0.

    Attributes
    ----------
    origin
        (3,) float64. Positions, lights and the camera are relative to it: the caller subtracted it in float64, so
        that float32 holds a scene far from the world's origin. Layers are in world space again.
    positions
        (V, 3) float32, metres, finite.
    normals
        (V, 3) float32, unit length; zeros where only flat triangles use the vertex.
    tangents
        (V, 4) float32, unit length with the bitangent's sign in w; None: normal textures are not applied.
    uvs
        (S, V, 2) float32, v down from the image's top. A slot that names a set past S reads (0, 0).
    colors
        (V, 4) float32, linear, times the material's base color; None: white.
    joints, weights
        (V, K) uint32 and float32: joint ids over the whole scene, from 1, and how much each moves the vertex; 0 and 0
        where a vertex has fewer. None: nothing is skinned. They fill the `joint` layer and move nothing.
    previous
        (V, 3) float32: where the vertices were in the snapshot before, relative to the same origin; None: where they
        are. They fill the `motion` layer.
    triangles
        (F, 3) uint32 into the vertices. One without area is never hit and keeps its ids.
    flat
        (F,) bool: shaded with the geometric normal.
    facing
        (F,) int8: +1 where the counter-clockwise side is the front, -1 where it is the back.
    object, part, triangle
        (F,) uint32 ids from 1; `triangle` is 1 + the index in its part.
    material
        (F,) uint32 index into `materials`; the `material` layer shows 1 + index.
    """

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    triangles: NDArray[np.uint32]
    flat: NDArray[np.bool_]
    facing: NDArray[np.int8]
    object: NDArray[np.uint32]
    part: NDArray[np.uint32]
    triangle: NDArray[np.uint32]
    material: NDArray[np.uint32]
    uvs: NDArray[np.float32]
    tangents: NDArray[np.float32] | None = None
    colors: NDArray[np.float32] | None = None
    joints: NDArray[np.uint32] | None = None
    weights: NDArray[np.float32] | None = None
    previous: NDArray[np.float32] | None = None
    origin: NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    materials: tuple[Material, ...] = (Material(),)
    textures: tuple[Texture, ...] = ()
    lights: tuple[Light, ...] = ()
    environment: Environment = field(default_factory=Environment)

    def __post_init__(self) -> None:
        vertices, faces = len(self.positions), len(self.triangles)
        sets, influences = len(self.uvs), 0 if self.joints is None else self.joints.shape[-1]
        for name, shape, dtype in (
            ("origin", (3,), np.float64),
            ("positions", (vertices, 3), np.float32),
            ("normals", (vertices, 3), np.float32),
            ("tangents", (vertices, 4), np.float32),
            ("uvs", (sets, vertices, 2), np.float32),
            ("colors", (vertices, 4), np.float32),
            ("joints", (vertices, influences), np.uint32),
            ("weights", (vertices, influences), np.float32),
            ("previous", (vertices, 3), np.float32),
            ("triangles", (faces, 3), np.uint32),
            ("flat", (faces,), np.bool_),
            ("facing", (faces,), np.int8),
            ("object", (faces,), np.uint32),
            ("part", (faces,), np.uint32),
            ("triangle", (faces,), np.uint32),
            ("material", (faces,), np.uint32),
        ):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _read_only(name, getattr(self, name), shape, np.dtype(dtype)))
        if (self.joints is None) != (self.weights is None):
            raise SceneError("a scene has joints and weights together: give both or neither")
        self._check_values()
        self._check_references()

    def _check_values(self) -> None:
        for name in ("origin", "positions", "normals", "tangents", "uvs", "colors", "weights", "previous"):
            values = getattr(self, name)
            if values is not None and not np.isfinite(values).all():
                place = tuple(int(i) for i in np.argwhere(~np.isfinite(values))[0])
                raise SceneError(f"scene {name} must be finite, found {values[place]} at {list(place)}")
        if len(self.facing) and not (np.abs(self.facing) == 1).all():
            raise SceneError(f"scene facing must be +1 or -1, found {sorted(set(self.facing.tolist()))}")

    def _check_references(self) -> None:
        for name, index, bound, what in (
            ("triangles", self.triangles, len(self.positions), "vertices"),
            ("material", self.material, len(self.materials), "materials"),
        ):
            if index.size and int(index.max()) >= bound:
                raise SceneError(f"scene {name} refers to index {int(index.max())}, but there are {bound} {what}")
        for number, material in enumerate(self.materials):
            for slot in material.slots():
                if slot is None:
                    continue
                if not 0 <= slot.texture < len(self.textures):
                    raise SceneError(
                        f"material {number} refers to texture {slot.texture}, but there are {len(self.textures)}"
                    )
                if slot.uv < 0:
                    raise SceneError(f"material {number} refers to texture coordinates {slot.uv}; sets count from 0")


def _read_only(name: str, values: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    if not isinstance(values, np.ndarray) or values.dtype != dtype or values.shape != shape:
        found = f"{values.dtype} {values.shape}" if isinstance(values, np.ndarray) else type(values).__name__
        raise SceneError(f"scene {name} must be {dtype} {shape}, found {found}")
    if values.flags.c_contiguous and not values.flags.writeable:
        return values  # the same object, by which a tracer knows what has not changed
    view = np.ascontiguousarray(values).view()
    view.setflags(write=False)
    return view
