"""Models shown: the model at rest, its clips, skins, parts and materials."""

from __future__ import annotations

from posed.gltf.model import Model
from posed.notebook.page import Shown, figure, fold, folded_table, page, paragraph, row
from posed.notebook.pictures import traced
from posed.notebook.rigs import clip_of
from posed.scene.lone import lone_scene
from posed.still import still_posed
from posed.words import counted

CURVES = 8
"""Clips whose curves are there to be unfolded."""


def model(value: Model) -> Shown:
    """Show a model."""

    def blocks() -> list[str]:
        scene = lone_scene(value)
        names = {node.index: node.name for node in value.nodes}
        clips = [(index, clip.name, clip.duration, len(clip.channels)) for index, clip in enumerate(value.clips)]
        return [
            paragraph(model_line(value)),
            row(
                figure(traced(scene, still_posed(scene, 0), size=(360, 270)), "at rest"),
                folded_table("clip", ("", "clip", "seconds", "channels"), clips),
            ),
            folded_table(
                "joint",
                ("skin", "joint", "node", "name"),
                [
                    (skin.index, row_, joint, value.nodes[joint].name)
                    for skin in value.skins
                    for row_, joint in enumerate(skin.joints)
                ],
            ),
            folded_table(
                "part",
                ("mesh", "", "vertices", "triangles", "influences", "targets", "material"),
                [
                    (
                        mesh.name or f"mesh {mesh.index}",
                        part.index,
                        len(part.positions),
                        len(part.triangles),
                        0 if part.joints is None else part.joints.shape[1],
                        len(part.targets),
                        value.material_of(part.material).name or "unnamed",
                    )
                    for mesh in value.meshes
                    for part in mesh.primitives
                ],
            ),
            *(
                fold(f'curves of "{clip.name}"', page("", clip_of(clip, names).blocks()))
                for clip in value.clips[:CURVES]
            ),
            *(paragraph(f"note: {note}") for note in value.notes[:CURVES]),
        ]

    return Shown(repr(value), f"Model {value.path.name}", blocks)


def model_line(value: Model) -> str:
    """Say in a line what a model holds."""
    parts = [part for mesh in value.meshes for part in mesh.primitives]
    joints = sum(len(skin.joints) for skin in value.skins)
    return ", ".join(
        (
            counted(len(value.nodes), "node"),
            counted(joints, "joint"),
            counted(len(parts), "part"),
            counted(sum(len(part.positions) for part in parts), "vertex", "vertices"),
            counted(sum(len(part.triangles) for part in parts), "triangle"),
            counted(len(value.clips), "clip"),
        )
    )
