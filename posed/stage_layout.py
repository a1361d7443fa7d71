"""What of a stage does not move: topology, ids, texture coordinates, materials and textures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

import tracer
from posed.arrays import AnyArray, Bool, Float32, Float64, UInt32
from posed.gltf.material import Clearcoat, Material, Sheen, Texture
from posed.scene.description import Part, Scene
from posed.scene.lights import Environment, Light

_NO_COAT, _NO_SHEEN = Clearcoat(0.0), Sheen((0.0, 0.0, 0.0))


class Layout:
    """The arrays of some parts of a scene, in order, one after the other; a part may come more than once."""

    def __init__(self, parts: Sequence[Part], first_joints: Mapping[tuple[str, int], int]) -> None:
        self.parts = tuple(parts)
        counts = [len(part.primitive.positions) for part in parts]
        starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        faces = [part.primitive.triangles for part in parts]
        self.triangles: UInt32 = _joined(
            [face + np.uint32(start) for face, start in zip(faces, starts, strict=False)], (0, 3), np.uint32
        )
        self.object, self.part, self.material = (
            _frozen(np.repeat(np.array(ids, np.uint32), [len(face) for face in faces]))
            for ids in (
                [part.object_id for part in parts],
                [part.id for part in parts],
                [part.material_id - 1 for part in parts],
            )
        )
        self.triangle: UInt32 = _joined(
            [np.arange(1, len(face) + 1, dtype=np.uint32) for face in faces], (0,), np.uint32
        )
        is_flat = np.array([part.primitive.normals is None for part in parts], np.bool_)
        self.flat: Bool = _frozen(np.repeat(is_flat, [len(face) for face in faces]))
        self.uvs = _uvs(parts, counts)
        self.colors = _colors(parts, counts)
        self.joints, self.weights = _influences(parts, counts, first_joints)
        self.has_tangents = any(part.primitive.tangents is not None for part in parts)


def _joined(arrays: list[AnyArray], shape: tuple[int, ...], dtype: type) -> AnyArray:
    return _frozen(np.concatenate([np.empty(shape, dtype), *arrays]).astype(dtype, copy=False))


def _frozen(values: AnyArray) -> AnyArray:
    """Return the array, made read-only: the tracer knows by identity what has not changed."""
    values.flags.writeable = False
    return values


def _uvs(parts: Sequence[Part], counts: list[int]) -> Float32:
    sets = max((len(part.primitive.uvs) for part in parts), default=0)
    uvs = np.zeros((sets, sum(counts), 2), np.float32)
    start = 0
    for part, count in zip(parts, counts, strict=True):
        for number, values in enumerate(part.primitive.uvs):
            uvs[number, start : start + count] = values
        start += count
    return _frozen(uvs)


def _colors(parts: Sequence[Part], counts: list[int]) -> Float32 | None:
    if all(part.primitive.colors is None for part in parts):
        return None
    colors = np.ones((sum(counts), 4), np.float32)
    start = 0
    for part, count in zip(parts, counts, strict=True):
        if part.primitive.colors is not None:
            colors[start : start + count] = part.primitive.colors
        start += count
    return _frozen(colors)


def _influences(
    parts: Sequence[Part], counts: list[int], first_joints: Mapping[tuple[str, int], int]
) -> tuple[UInt32 | None, Float32 | None]:
    """Return joint ids and weights of every vertex, (V, K); weight 0 where nothing binds it. None without skins."""
    bound = [part.primitive.joints for part in parts if part.skinned and part.primitive.joints is not None]
    most = max((joints.shape[1] for joints in bound), default=0)
    if most == 0:
        return None, None
    joints, weights = np.zeros((sum(counts), most), np.uint32), np.zeros((sum(counts), most), np.float32)
    start = 0
    for part, count in zip(parts, counts, strict=True):
        primitive = part.primitive
        if part.skinned and primitive.joints is not None and primitive.weights is not None:
            own = slice(start, start + count), slice(0, primitive.joints.shape[1])
            joints[own] = primitive.joints + np.uint32(first_joints[part.object.name, part.node])
            weights[own] = primitive.weights
        start += count
    return _frozen(joints), _frozen(weights)


class Surfaces:
    """The scene's materials and textures in the tracer's terms; a sprite's frame is chosen by its rectangle."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._textures: list[tracer.Texture] = []
        self._numbers: dict[tuple[int, int, int, bool], int] = {}
        self._materials = [self._material(material) for material in scene.materials]
        owners = {part.material_id: part.object for part in scene.parts}
        self._sprites = {
            number - 1: owner
            for number, owner in owners.items()
            if scene.materials[number - 1].content
            and owner.animation is not None
            and owner.animation.sprite is not None
        }

    def at(
        self, frames: Mapping[str, int], shown: Sequence[Material]
    ) -> tuple[tuple[tracer.Material, ...], tuple[tracer.Texture, ...]]:
        """Return the materials `shown` and their textures, each sprite at the frame `frames[object]` of its atlas."""
        materials = [
            staged if material is own else self._material(material)
            for material, own, staged in zip(shown, self.scene.materials, self._materials, strict=True)
        ]
        textures = list(self._textures)
        for index, owner in self._sprites.items():
            slot = materials[index].color_texture
            assert slot is not None and owner.animation is not None and owner.animation.sprite is not None  # noqa: PT018 - chosen so
            u0, v0, u1, v1 = owner.animation.sprite.atlas.uv(frames[owner.name])
            textures.append(replace(textures[slot.texture], clamp=(u0, v0, u1, v1)))
            frame = tracer.TextureSlot(len(textures) - 1, slot.uv, ((u1 - u0, 0.0, u0), (0.0, v1 - v0, v0)))
            materials[index] = replace(materials[index], color_texture=frame)
        return tuple(materials) or (tracer.Material(),), tuple(textures)

    def _material(self, material: Material) -> tracer.Material:
        normal, coat, sheen = material.normal_texture, material.clearcoat or _NO_COAT, material.sheen or _NO_SHEEN
        return tracer.Material(
            base_color=material.base_color,
            metallic=material.metallic,
            roughness=material.roughness,
            emission=material.emission,
            normal_scale=1.0 if normal is None else normal.scale,
            alpha_mode=tracer.AlphaMode(int(material.alpha_mode)),
            alpha_cutoff=material.alpha_cutoff,
            double_sided=material.double_sided,
            unlit=material.unlit,
            transmission=material.transmission,
            ior=material.ior,
            specular=material.specular,
            specular_color=material.specular_color,
            clearcoat=coat.factor,
            clearcoat_roughness=coat.roughness,
            clearcoat_normal_scale=1.0 if coat.normal_texture is None else coat.normal_texture.scale,
            sheen_color=sheen.color,
            sheen_roughness=sheen.roughness,
            color_texture=self._slot(material.color_texture),
            metallic_roughness_texture=self._slot(material.metallic_roughness_texture),
            normal_texture=self._slot(normal),
            emission_texture=self._slot(material.emission_texture),
            specular_texture=self._slot(material.specular_texture),
            specular_color_texture=self._slot(material.specular_color_texture),
            transmission_texture=self._slot(material.transmission_texture),
            clearcoat_texture=self._slot(coat.factor_texture),
            clearcoat_roughness_texture=self._slot(coat.roughness_texture),
            clearcoat_normal_texture=self._slot(coat.normal_texture),
            sheen_color_texture=self._slot(sheen.color_texture),
            sheen_roughness_texture=self._slot(sheen.roughness_texture),
        )

    def _slot(self, texture: Texture | None) -> tracer.TextureSlot | None:
        if texture is None:
            return None
        key = id(texture.image), int(texture.wrap_s), int(texture.wrap_t), texture.linear
        if key not in self._numbers:
            self._numbers[key] = len(self._textures)
            self._textures.append(
                tracer.Texture(
                    texture.image.texels,
                    tracer.Wrap(int(texture.wrap_s)),
                    tracer.Wrap(int(texture.wrap_t)),
                    texture.linear,
                )
            )
        return tracer.TextureSlot(self._numbers[key], texture.uv, texture.transform)


def lights(shown: Sequence[Light], origin: Float64) -> tuple[tracer.Light, ...]:
    """Return lights in the space whose origin is `origin`."""
    from anim.scalar import cos

    return tuple(
        tracer.Light(
            kind=light.kind,
            color=light.color,
            intensity=light.intensity,
            position=_vector(part - base for part, base in zip(light.position, origin.tolist(), strict=True)),
            direction=light.direction,
            range=light.range,
            inner=float(cos(light.inner)),
            outer=float(cos(light.outer)),
            angle=light.angle,
        )
        for light in shown
    )


def environment(one: Environment) -> tracer.Environment:
    """Return the environment with its intensity applied."""
    if one.image is None:
        bottom, top = (_vector(part * one.intensity for part in color) for color in (one.bottom, one.top))
        return tracer.Environment(bottom, top)
    return tracer.Environment(image=one.radiance, irradiance=one.irradiance * one.intensity)


def _vector(numbers: Iterable[float]) -> tuple[float, float, float]:
    x, y, z = numbers
    return x, y, z
