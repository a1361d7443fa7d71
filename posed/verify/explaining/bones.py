"""The bones of a story: the way from the root to every joint that pulls a pixel, and what moves each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.gltf.model import Model
from posed.scene.description import Part
from posed.snapshot import Posed
from posed.verify.explaining.explanation import Bone
from posed.verify.explaining.keys import moves_of
from posed.verify.played import Played

LARGEST_GAP = 1e-4
"""Share of a matrix's largest number by which the snapshot may differ from what its sources make: beyond it the two do
not belong together."""


def bones_of(part: Part, posed: Posed, played: Played | None, shares: Mapping[int, float]) -> tuple[Bone, ...]:
    """Return the nodes on the way to what pulls or places a part, parents first.

    Parameters
    ----------
    part, posed
        What is seen, and the snapshot.
    played
        What poses its object, None where that is not known: then only the ends of the way have matrices.
    shares
        How much of the pixel each joint pulls, by row of the palette; empty where the part is placed by its node.
    """
    model = part.object.model
    joints = _joint_nodes(part)
    rows = {joints[joint]: joint for joint in shares}
    pulled = {joints[joint]: share for joint, share in shares.items()} or {part.node: 1.0}
    matrices = _known(part, posed, shares) if played is None else _made(model, played)
    bones = []
    for node in _ways(model, list(pulled)):
        matrix, parent = matrices.get(node), model.nodes[node].parent
        bone = 0 if played is None else played.pose.skeleton.bone_of_node(node)
        bones.append(
            Bone(
                node=node,
                name=model.nodes[node].name,
                parent=None if parent == -1 else parent,
                joint=rows.get(node),
                share=pulled.get(node),
                matrix=None if matrix is None else tuple(matrix.T.ravel().tolist()),
                translation=None if played is None else tuple(played.pose.translations[bone].tolist()),
                rotation=None if played is None else tuple(played.pose.rotations[bone].tolist()),
                scale=None if played is None else tuple(played.pose.scales[bone].tolist()),
                moves=()
                if played is None
                else tuple(move for move in moves_of(played, node) if move.path != "weights"),
            )
        )
    return tuple(bones)


def disagreements(part: Part, posed: Posed, played: Played, shares: Mapping[int, float]) -> Iterator[str]:
    """Yield a sentence for each matrix of the snapshot that is not what its sources make."""
    model, name = part.object.model, part.object.name
    made, joints = _made(model, played), _joint_nodes(part)
    found: dict[str, tuple[Float64, AnyArray]] = {}
    if part.skinned and part.skin is not None:
        binds, palette = model.skins[part.skin].inverse_bind, posed.palettes[name][part.node]
        for joint in shares:
            what = f'joint "{model.nodes[joints[joint]].name}"'
            found[what] = np.matmul(made[joints[joint]], binds[joint]), palette[joint]
    else:
        found[f'node "{model.nodes[part.node].name}"'] = made[part.node], posed.nodes[name][part.node]
    for what, (expected, given) in found.items():
        gap = float(np.abs(expected - given).max())
        if gap > LARGEST_GAP * max(1.0, float(np.abs(expected).max())):
            yield f"the snapshot's matrix of {what} is not what its sources make: they differ by {gap:.3g}"


def _joint_nodes(part: Part) -> tuple[int, ...]:
    return part.object.model.skins[part.skin].joints if part.skinned and part.skin is not None else ()


def _made(model: Model, played: Played) -> dict[int, Float64]:
    """Return every node's global matrix in a pose."""
    transforms = played.pose.globals()
    return {node: transforms[bone] for bone, node in enumerate(model.bones)}


def _known(part: Part, posed: Posed, shares: Mapping[int, float]) -> dict[int, Float64]:
    """Return the global matrices that a snapshot tells by itself: of the placed node, or of joints by their binding."""
    name, joints = part.object.name, _joint_nodes(part)
    if part.skin is None or not part.skinned:
        return {part.node: posed.nodes[name][part.node]}
    known: dict[int, Float64] = {}
    binds, palette = part.object.model.skins[part.skin].inverse_bind, posed.palettes[name][part.node]
    for joint in shares:
        with suppress(np.linalg.LinAlgError):  # a joint that is bound by a matrix of no volume tells nothing
            known[joints[joint]] = np.matmul(palette[joint].astype(np.float64), np.linalg.inv(binds[joint]))
    return known


def _ways(model: Model, ends: Sequence[int]) -> list[int]:
    """Return some nodes and all above them, parents first."""
    on_the_way: set[int] = set()
    for end in ends:
        node = end
        while node != -1:
            on_the_way.add(node)
            node = model.nodes[node].parent
    return [node for node in model.bones if node in on_the_way]
