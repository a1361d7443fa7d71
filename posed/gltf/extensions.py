"""Extensions: which ones are applied, which are refused, and which are only noted."""

from __future__ import annotations

from posed.gltf.document import Record

APPLIED = frozenset(
    {
        "EXT_mesh_gpu_instancing",
        "EXT_texture_webp",
        "KHR_lights_punctual",
        "KHR_materials_emissive_strength",
        "KHR_materials_ior",
        "KHR_materials_specular",
        "KHR_materials_transmission",
        "KHR_materials_unlit",
        "KHR_mesh_quantization",
        "KHR_node_visibility",
        "KHR_texture_transform",
    }
)
"""Extensions whose meaning a `Model` carries."""

COMPRESSION = {
    "EXT_meshopt_compression": "gltfpack without -c",
    "KHR_meshopt_compression": "gltfpack without -c",
    "KHR_draco_mesh_compression": "gltf-transform copy",
}
"""Extensions that hide the data itself, each with what writes the file without it."""


def check_extensions(document: Record, notes: list[str]) -> None:
    """Refuse extensions that the file requires and that are not applied; note those that it merely uses.

    Raises
    ------
    AssetError
        The file requires an extension that is not applied.
    """
    for position, name in enumerate(document.texts("extensionsRequired")):
        if name in COMPRESSION:
            raise document.error(compressed(name), "extensionsRequired", position)
        if name not in APPLIED:
            raise document.error(
                f'the file requires the extension "{name}", which is not applied: export it without',
                "extensionsRequired",
                position,
            )
    for position, name in enumerate(document.texts("extensionsUsed")):
        if name not in APPLIED and name not in COMPRESSION:
            notes.append(f'/extensionsUsed/{position}: the extension "{name}" is not applied')


def compressed(name: str) -> str:
    """Return the refusal of a file that is compressed by the extension `name`."""
    return f'the file is compressed by the extension "{name}", which is not read: write it with {COMPRESSION[name]}'
