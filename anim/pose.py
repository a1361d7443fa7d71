"""`Pose`: one moment of a skeleton, as local transforms and morph weights."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from anim.errors import AnimError

if TYPE_CHECKING:
    from anim.skeleton import Skeleton, Space


class Pose:
    """Local transforms of every bone, and the morph weights; made at rest.

    Attributes
    ----------
    skeleton : Skeleton
    translations : (B, 3) float64
        Metres in the parent's space.
    rotations : (B, 4) float64
        Unit quaternions `x, y, z, w`.
    scales : (B, 3) float64
    weights : (W,) float64
        Morph weights of all bones, laid out by `skeleton.morph_offsets`.

    The arrays may be written to.
    """

    __slots__ = ("rotations", "scales", "skeleton", "translations", "weights")

    def __init__(self, skeleton: "Skeleton") -> None:
        self.skeleton = skeleton
        self.translations: NDArray[np.float64] = skeleton.rest_translations.copy()
        self.rotations: NDArray[np.float64] = skeleton.rest_rotations.copy()
        self.scales: NDArray[np.float64] = skeleton.rest_scales.copy()
        self.weights: NDArray[np.float64] = skeleton.rest_weights.copy()

    def reset(self) -> None:
        """Put every bone and weight back to rest."""
        self.translations[:] = self.skeleton.rest_translations
        self.rotations[:] = self.skeleton.rest_rotations
        self.scales[:] = self.skeleton.rest_scales
        self.weights[:] = self.skeleton.rest_weights

    def copy_from(self, other: "Pose") -> None:
        """Take every number of another pose of a skeleton with as many bones and weights.

        Raises
        ------
        AnimError
            Where the counts differ.
        """
        self._check_like(other)
        self.translations[:] = other.translations
        self.rotations[:] = other.rotations
        self.scales[:] = other.scales
        self.weights[:] = other.weights

    def copy(self) -> "Pose":
        """Return a pose of the same skeleton with the same numbers and its own arrays."""
        out = Pose(self.skeleton)
        out.copy_from(self)
        return out

    def blend_with(self, other: "Pose", weight: float) -> None:
        """Move toward another pose by a weight in [0, 1]: 0 changes nothing, 1 is the other pose.

        Translations, scales and morph weights are interpolated linearly; rotations the shorter way, by the weighted sum
        at unit length.

        Raises
        ------
        AnimError
            Where the counts of bones or weights differ, or the weight lies outside [0, 1].
        """
        from anim.mixing import blend_poses

        self._check_like(other)
        if not 0.0 <= weight <= 1.0:
            raise AnimError(f"weight is {weight}; expected 0 to 1")
        blend_poses(
            (self.translations, self.rotations, self.scales, self.weights),
            (other.translations, other.rotations, other.scales, other.weights),
            float(weight),
        )

    def morph_weights(self, bone: int) -> NDArray[np.float64]:
        """Return a view of a bone's morph weights (M,), of length 0 where it has none."""
        return self.weights[self.skeleton.morph_slice(bone)]

    def globals(self, *, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Return every bone's matrix in the scene's space (B, 4, 4) float64, into `out` where given."""
        from anim.hierarchy import write_globals

        skeleton = self.skeleton
        if out is None:
            out = np.empty((skeleton.bone_count, 4, 4))
        write_globals(
            skeleton.parents,
            skeleton.fixed_bones,
            skeleton.fixed_matrices,
            skeleton.rest_translations,
            skeleton.rest_rotations,
            skeleton.rest_scales,
            self.translations,
            self.rotations,
            self.scales,
            out,
        )
        return out

    def palette(
        self,
        *,
        space: "Space" = "scene",
        out: NDArray[np.float32] | None = None,
        scratch: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float32]:
        """Return the joints' matrices (J, 4, 4) float32, which take bind-pose vertices to the scene.

        Parameters
        ----------
        space
            `"mesh"` multiplies by the inverse of the skinned node's global matrix, as engines want it that then place
            the mesh by its node.
        out : (J, 4, 4) float32, optional
            Written to and returned.
        scratch : (B, 4, 4) float64, optional
            Takes the bones' matrices.

        Raises
        ------
        AnimError
            In mesh space, where that node's matrix is singular; for another space than the two.
        """
        from anim.hierarchy import write_palette, write_palette_within

        skeleton = self.skeleton
        if out is None:
            out = np.empty((skeleton.joint_count, 4, 4), dtype=np.float32)
        transforms = self.globals(out=scratch)
        if space == "scene":
            write_palette(transforms, skeleton.joints, skeleton.inverse_bind, out)
        elif space == "mesh":
            within = self._mesh_inverse(transforms)
            write_palette_within(within, transforms, skeleton.joints, skeleton.inverse_bind, out)
        else:
            raise AnimError(f"space is {space!r}; expected 'scene' or 'mesh'")
        return out

    def _mesh_inverse(self, transforms: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the inverse of the mesh node's global matrix in this pose."""
        from anim.matrix import invert_affine

        skeleton = self.skeleton
        bone = skeleton.bone_of_node(skeleton.mesh_node)
        if bone < 0:
            return skeleton.mesh_node_inverse
        inverse = np.empty((4, 4))
        if not invert_affine(transforms[bone], inverse):
            raise AnimError(
                f"the skinned node {skeleton.mesh_node} ({skeleton.names[bone]!r}) has a singular matrix, so no "
                "palette is relative to it; take space='scene'"
            )
        return inverse

    def _check_like(self, other: "Pose") -> None:
        mine, theirs = self.skeleton, other.skeleton
        if mine is not theirs and (mine.bone_count, mine.morph_count) != (theirs.bone_count, theirs.morph_count):
            raise AnimError(
                f"the other pose has {theirs.bone_count} bones and {theirs.morph_count} morph weights; "
                f"expected {mine.bone_count} and {mine.morph_count}"
            )
