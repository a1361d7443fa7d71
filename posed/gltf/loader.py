"""The loader: one glTF file from bytes to a checked `Model`."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from posed.digest import digest
from posed.gltf.accessor import Accessors
from posed.gltf.buffer import Buffers
from posed.gltf.camera import read_cameras
from posed.gltf.clip import read_clips
from posed.gltf.container import read_container
from posed.gltf.document import Record, parse_document
from posed.gltf.extensions import check_extensions
from posed.gltf.images import Images
from posed.gltf.light import read_lights
from posed.gltf.material import read_materials
from posed.gltf.mesh import Mesh, read_meshes
from posed.gltf.model import Model
from posed.gltf.node import Counts, Node, read_nodes
from posed.gltf.pointer import read_properties
from posed.gltf.skin import Skin, read_skins
from posed.gltf.variants import read_variants
from posed.words import counted

LARGEST_SHOWN = 1 << 26
"""Vertices that a scene shows, instances counted: a small file can repeat a mesh without end."""


def load(path: str | PathLike[str], *, scene: int | None = None, variant: str | None = None) -> Model:
    """Return the model in a ``.glb`` or ``.gltf`` file; which of the two it is, its content decides.

    Parameters
    ----------
    path
        The file. What it names by URI must lie in its folder.
    scene
        The scene to show; by default the file's own choice, else its first one, else all nodes without a parent.
    variant
        Name of the material variant to show; by default the materials as the file has them.

    Raises
    ------
    AssetError
        The file cannot be read, breaks the specification where it matters, or requires an extension that is not
        applied. The text names file, JSON pointer, what was found, what was expected and the cure.
    """
    path = Path(path)
    container = read_container(path)
    document = parse_document(path, container.json)
    notes: list[str] = []
    check_extensions(document, notes)
    buffers = Buffers(document, container.binary)
    accessors = Accessors(document, buffers)
    images = Images(document, buffers, accessors)
    lights, cameras = read_lights(document), read_cameras(document)
    counts = Counts(len(document.records("meshes")), len(document.records("skins")), len(cameras), len(lights))
    nodes = read_nodes(document, accessors, counts, notes)
    materials = read_materials(document, images, notes)
    variants = read_variants(document, variant)
    meshes = read_meshes(document, accessors, len(materials), variants, notes)
    skins = read_skins(document, accessors, len(nodes))
    properties = read_properties(document)
    _check_joints(document, nodes, meshes, skins)
    _note_weights(nodes, meshes, notes)
    _note_instances(nodes, notes)
    chosen = _chosen_scene(document, scene)
    model = Model(
        path=path,
        name=path.stem,
        nodes=nodes,
        roots=_shown_roots(document, nodes, chosen, notes),
        meshes=meshes,
        skins=skins,
        clips=read_clips(document, accessors, nodes, meshes, properties, notes),
        properties=properties,
        materials=materials,
        cameras=cameras,
        lights=lights,
        variants=variants.names,
        scene=chosen,
        digest=digest(
            [
                container.json,
                buffers.digests(),
                [image.data for image in images.used()],
                scene,
                *(() if variant is None else (variant,)),
            ]
        ),
        notes=tuple(notes),
    )
    _check_shown(document, model)
    return model


def _chosen_scene(document: Record, asked: int | None) -> int | None:
    """Return the index of the scene to show, None where the file has none."""
    count = len(document.records("scenes"))
    if asked is None:
        chosen = document.index("scene", count, "scenes")
        return chosen if chosen is not None or count == 0 else 0
    if not 0 <= asked < count:
        cure = "choose another" if count else "the file has none, leave the choice out"
        raise document.error(f"expected a scene below {count}, asked for {asked}: {cure}", "scenes")
    return asked


def _shown_roots(document: Record, nodes: Sequence[Node], chosen: int | None, notes: list[str]) -> tuple[int, ...]:
    """Return the root nodes of the scene to show; one that lies below another is reached from there."""
    if chosen is None:
        return tuple(node.index for node in nodes if node.parent == -1)
    record = document.records("scenes")[chosen]
    listed = dict.fromkeys(record.indices("nodes", len(nodes), "nodes"))
    roots: list[int] = []
    for node in listed:
        above = nodes[node].parent
        if above != -1:
            notes.append(f"{record.place('nodes')}: node {node} of the scene has the parent {above}")
        while above not in {-1, *listed}:
            above = nodes[above].parent
        if above == -1:
            roots.append(node)
    return tuple(roots)


def _check_shown(document: Record, model: Model) -> None:
    """Refuse a scene that repeats its meshes until no memory holds them."""
    total = 0
    for index in model.mesh_nodes:
        node = model.nodes[index]
        assert node.mesh is not None
        copies = 1 if node.instances is None else len(node.instances)
        total += copies * sum(len(primitive.positions) for primitive in model.meshes[node.mesh].primitives)
        if total > LARGEST_SHOWN:
            raise document.records("nodes")[index].error(
                f"expected a scene of at most {LARGEST_SHOWN} vertices, instances counted, found {total} up to this "
                "node: part the scene"
            )


def _check_joints(document: Record, nodes: Sequence[Node], meshes: Sequence[Mesh], skins: Sequence[Skin]) -> None:
    """Refuse a mesh whose vertices name joints that a skin it is used under has not."""
    records = document.records("meshes")
    pairs = {(node.mesh, node.skin): None for node in nodes if node.mesh is not None and node.skin is not None}
    for mesh, skin in pairs:
        assert mesh is not None
        assert skin is not None
        count = len(skins[skin].joints)
        for primitive in meshes[mesh].primitives:
            if primitive.joints is None or not len(primitive.joints) or int(primitive.joints.max()) < count:
                continue
            vertex, influence = divmod(int((primitive.joints >= count).argmax()), primitive.joints.shape[1])
            raise records[mesh].error(
                f'vertex {vertex} of mesh {mesh} "{meshes[mesh].name}", primitive {primitive.index}: expected joints '
                f"below {count}, the number that skin {skin} has, found {primitive.joints[vertex, influence]}: "
                "bind the mesh to that skin again",
                "primitives",
                primitive.index,
                "attributes",
                f"JOINTS_{influence // 4}",
            )


def _note_weights(nodes: Sequence[Node], meshes: Sequence[Mesh], notes: list[str]) -> None:
    for mesh in meshes:
        if mesh.weights and len(mesh.weights) != mesh.morph_count:
            notes.append(f"/meshes/{mesh.index}/weights: {_for_targets(mesh.weights, mesh.morph_count)}")
    for node in nodes:
        if node.mesh is not None and node.weights is not None and len(node.weights) != meshes[node.mesh].morph_count:
            count = meshes[node.mesh].morph_count
            notes.append(f"/nodes/{node.index}/weights: {_for_targets(node.weights, count)}")


def _note_instances(nodes: Sequence[Node], notes: list[str]) -> None:
    for node in nodes:
        if node.skin is not None and node.instances is not None:
            place = f"/nodes/{node.index}/extensions/EXT_mesh_gpu_instancing"
            notes.append(f"{place}: the node is skinned, its joints alone place it: it is shown once")


def _for_targets(weights: Sequence[float], count: int) -> str:
    return f"{counted(len(weights), 'weight')} for {counted(count, 'target')}"
