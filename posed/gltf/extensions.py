"""Extensions: which ones are applied, which are refused, and which are only noted."""

from __future__ import annotations

from posed.gltf.document import Record

APPLIED = frozenset(
    {
        "EXT_mesh_gpu_instancing",
        "EXT_meshopt_compression",
        "EXT_texture_webp",
        "KHR_animation_pointer",
        "KHR_draco_mesh_compression",
        "KHR_lights_punctual",
        "KHR_materials_clearcoat",
        "KHR_materials_emissive_strength",
        "KHR_materials_ior",
        "KHR_materials_sheen",
        "KHR_materials_specular",
        "KHR_materials_transmission",
        "KHR_materials_unlit",
        "KHR_materials_variants",
        "KHR_mesh_quantization",
        "KHR_meshopt_compression",
        "KHR_node_visibility",
        "KHR_texture_transform",
    }
)
"""Extensions whose meaning a `Model` carries."""


def check_extensions(document: Record, notes: list[str]) -> None:
    """Refuse extensions that the file requires and that are not applied; note those that it merely uses.

    Raises
    ------
    AssetError
        The file requires an extension that is not applied.
    """
    for position, name in enumerate(document.texts("extensionsRequired")):
        if name not in APPLIED:
            raise document.error(
                f'the file requires the extension "{name}", which is not applied: export it without',
                "extensionsRequired",
                position,
            )
    for position, name in enumerate(document.texts("extensionsUsed")):
        if name not in APPLIED:
            notes.append(f'/extensionsUsed/{position}: the extension "{name}" is not applied')
