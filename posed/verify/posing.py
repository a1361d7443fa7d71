"""How a renderer poses a part: the right way, step by step, for hypotheses about wrong ones to override."""

from __future__ import annotations

from posed.arrays import Float64
from posed.matrices import multiply
from posed.scene.description import Part
from posed.skinning import PosedVertices, posed_vertices
from posed.snapshot import Posed
from posed.stage_vertices import part_matrix, part_name


class Posing:
    """The steps from a part and a whole snapshot to vertices in the world."""

    def local(self, part: Part, posed: Posed) -> PosedVertices:
        """Return the vertices morphed and, where a palette moves them, skinned: in the object's or the node's space.

        Raises
        ------
        PoseError
            A vertex is posed to where no number is.
        """
        name, node = part.object.name, part.node
        return posed_vertices(
            part.primitive,
            palette=posed.palettes[name][node] if part.skinned else None,
            morph_weights=posed.morphs.get(name, {}).get(node, ()),
            part=part_name(part),
        )

    def placed(self, part: Part, local: PosedVertices, place: Float64) -> PosedVertices:
        """Return local vertices under the matrix of one of `places`."""
        return posed_vertices(part.primitive, base=local, matrix=place, part=part_name(part))


RIGHT = Posing()


def places(part: Part, posed: Posed) -> list[Float64]:
    """Return the world matrices, (4, 4) float64, that a part is shown under: one, or one an instance."""
    place = part_matrix(part, posed)
    return [place] if part.instances is None else [multiply(place, instance) for instance in part.instances]
