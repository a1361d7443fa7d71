"""A bake as a binary glTF that other tools open: a node for each mesh, and the model's materials and textures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from posed.baking import BakedMesh
from posed.fixtures.glb import GlbWriter
from posed.gltf.image import Image
from posed.gltf.material import AlphaMode, Clearcoat, Material, Sheen, Texture, Wrap
from posed.gltf.model import Model

_WRAPS = {Wrap.REPEAT: 10497, Wrap.MIRROR: 33648, Wrap.CLAMP: 33071}
_NEAREST, _LINEAR = 9728, 9729
_SIGNATURES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp"}


def baked_glb(meshes: Sequence[BakedMesh], model: Model | None) -> bytes:
    """Return the file; meshes without vertices are left out, those without triangles are drawn as points."""
    writer = GlbWriter("posed")
    materials = _Materials(writer, model)
    nodes: list[int] = []
    for mesh in meshes:
        if not len(mesh.positions):
            continue
        primitive: dict[str, Any] = {"attributes": _attributes(writer, mesh)}
        if len(mesh.triangles):
            primitive["indices"] = writer.indices(mesh.triangles)
        else:
            primitive["mode"] = 0
        if mesh.material is not None and model is not None:
            primitive["material"] = materials.index(mesh.material)
        name = f"node{mesh.node}_primitive{mesh.primitive}_instance{mesh.instance}"
        nodes.append(writer.add("nodes", {"name": name, "mesh": writer.add("meshes", {"primitives": [primitive]})}))
    writer.document["scene"] = writer.add("scenes", {"nodes": nodes} if nodes else {})
    materials.declare_extensions()
    return writer.to_bytes()


def _attributes(writer: GlbWriter, mesh: BakedMesh) -> dict[str, int]:
    attributes = {"POSITION": writer.attribute(mesh.positions.astype(np.float32), bounds=True)}
    if mesh.normals is not None:
        attributes["NORMAL"] = writer.attribute(mesh.normals.astype(np.float32))
    if mesh.tangents is not None:
        attributes["TANGENT"] = writer.attribute(mesh.tangents.astype(np.float32))
    for number, uvs in enumerate(mesh.uvs):
        attributes[f"TEXCOORD_{number}"] = writer.attribute(uvs)
    if mesh.colors is not None:
        attributes["COLOR_0"] = writer.attribute(mesh.colors)
    return attributes


class _Materials:
    """Writes the materials that are used, each once, and their images likewise."""

    def __init__(self, writer: GlbWriter, model: Model | None) -> None:
        self._writer, self._model = writer, model
        self._written: dict[int, int] = {}
        self._images: dict[int, int] = {}
        self._extensions: set[str] = set()
        self._required: set[str] = set()

    def index(self, material: int) -> int:
        """Return the index in the file of the model's material."""
        assert self._model is not None
        if material not in self._written:
            self._written[material] = self._writer.add("materials", self._material(self._model.materials[material]))
        return self._written[material]

    def declare_extensions(self) -> None:
        """List what the materials use at the head of the file."""
        if self._extensions:
            self._writer.document["extensionsUsed"] = sorted(self._extensions)
        if self._required:
            self._writer.document["extensionsRequired"] = sorted(self._required)

    def _material(self, material: Material) -> dict[str, Any]:
        strength = max(1.0, *material.emission)
        surface: dict[str, Any] = {
            "baseColorFactor": list(material.base_color),
            "metallicFactor": material.metallic,
            "roughnessFactor": material.roughness,
        }
        written: dict[str, Any] = {
            "name": material.name,
            "pbrMetallicRoughness": surface,
            "emissiveFactor": [value / strength for value in material.emission],
            "alphaMode": material.alpha_mode.name,
            "doubleSided": material.double_sided,
        }
        if material.alpha_mode is AlphaMode.MASK:
            written["alphaCutoff"] = material.alpha_cutoff
        self._texture(surface, "baseColorTexture", material.color_texture)
        self._texture(surface, "metallicRoughnessTexture", material.metallic_roughness_texture)
        self._texture(written, "normalTexture", material.normal_texture)
        self._texture(written, "emissiveTexture", material.emission_texture)
        self._extend(written, "KHR_materials_unlit", {} if material.unlit else None)
        self._extend(
            written, "KHR_materials_emissive_strength", {"emissiveStrength": strength} if strength > 1.0 else None
        )
        self._extend(written, "KHR_materials_ior", {"ior": material.ior} if material.ior != 1.5 else None)
        self._extend(written, "KHR_materials_specular", self._specular(material))
        transmission = {"transmissionFactor": material.transmission} if material.transmission > 0.0 else None
        if transmission is not None:
            self._texture(transmission, "transmissionTexture", material.transmission_texture)
        self._extend(written, "KHR_materials_transmission", transmission)
        if material.clearcoat is not None:
            self._extend(written, "KHR_materials_clearcoat", self._clearcoat(material.clearcoat))
        if material.sheen is not None:
            self._extend(written, "KHR_materials_sheen", self._sheen(material.sheen))
        return written

    def _specular(self, material: Material) -> dict[str, Any] | None:
        written: dict[str, Any] = {}
        if material.specular != 1.0:
            written["specularFactor"] = material.specular
        if material.specular_color != (1.0, 1.0, 1.0):
            written["specularColorFactor"] = list(material.specular_color)
        self._texture(written, "specularTexture", material.specular_texture)
        self._texture(written, "specularColorTexture", material.specular_color_texture)
        return written or None

    def _clearcoat(self, coat: Clearcoat) -> dict[str, Any]:
        written: dict[str, Any] = {"clearcoatFactor": coat.factor, "clearcoatRoughnessFactor": coat.roughness}
        self._texture(written, "clearcoatTexture", coat.factor_texture)
        self._texture(written, "clearcoatRoughnessTexture", coat.roughness_texture)
        self._texture(written, "clearcoatNormalTexture", coat.normal_texture)
        return written

    def _sheen(self, sheen: Sheen) -> dict[str, Any]:
        written: dict[str, Any] = {"sheenColorFactor": list(sheen.color), "sheenRoughnessFactor": sheen.roughness}
        self._texture(written, "sheenColorTexture", sheen.color_texture)
        self._texture(written, "sheenRoughnessTexture", sheen.roughness_texture)
        return written

    def _texture(self, user: dict[str, Any], key: str, texture: Texture | None) -> None:
        if texture is None:
            return
        kind = next((kind for start, kind in _SIGNATURES.items() if texture.image.data.startswith(start)), "image/png")
        image = self._image(texture.image, kind)
        sampler = {
            "wrapS": _WRAPS[texture.wrap_s],
            "wrapT": _WRAPS[texture.wrap_t],
            "magFilter": _LINEAR if texture.linear else _NEAREST,
        }
        item: dict[str, Any] = {"sampler": self._writer.add("samplers", sampler)}
        if kind == "image/webp":
            item["extensions"] = {"EXT_texture_webp": {"source": image}}
            self._extensions.add("EXT_texture_webp")
            self._required.add("EXT_texture_webp")
        else:
            item["source"] = image
        info: dict[str, Any] = {"index": self._writer.add("textures", item), "texCoord": texture.uv}
        if key in ("normalTexture", "clearcoatNormalTexture"):
            info["scale"] = texture.scale
        self._extend(info, "KHR_texture_transform", _transform(texture))
        user[key] = info

    def _image(self, image: Image, kind: str) -> int:
        if id(image) not in self._images:
            index = self._writer.image(image.name, image.data)
            self._writer.document["images"][index]["mimeType"] = kind
            self._images[id(image)] = index
        return self._images[id(image)]

    def _extend(self, user: dict[str, Any], name: str, content: dict[str, Any] | None) -> None:
        if content is not None:
            user.setdefault("extensions", {})[name] = content
            self._extensions.add(name)


def _transform(texture: Texture) -> dict[str, Any] | None:
    """Return offset, turn and scale whose product is the texture's affine map, or None for no map at all."""
    (a, b, du), (c, d, dv) = texture.transform
    if (a, b, du, c, d, dv) == (1.0, 0.0, 0.0, 0.0, 1.0, 0.0):
        return None
    # The first column is (cos, -sin) times the scale of u, the second (sin, cos) times that of v.
    angle = float(np.arctan2(-c, a)) if (a, c) != (0.0, 0.0) else float(np.arctan2(b, d))
    scale_v = b * np.sin(angle) + d * np.cos(angle)
    return {"offset": [du, dv], "rotation": angle, "scale": [float(np.hypot(a, c)), float(scale_v)]}
