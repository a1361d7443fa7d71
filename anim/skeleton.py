"""`Skeleton`: the bones of a hierarchy at rest, and the joints that a skin draws from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anim.description import Description, read_only
from anim.errors import AnimError
from anim.transform import Transform

if TYPE_CHECKING:
    from anim.pose import Pose

Space = Literal["scene", "mesh"]
"""Where a palette puts vertices: the file's scene, or the space of the skinned node as some engines want it."""

AFFINE_WITHIN = 1e-4
"""How far the last row of a given matrix may be from 0 0 0 1, which it is then taken for.

Files carry rounding there.
"""


@dataclass(frozen=True, eq=False, init=False)
class Skeleton(Description):
    """Bones (every node that matters, parents first) and joints (rows of the palette, in the order of `skin.joints`).

    Attributes
    ----------
    names : tuple of str
        One name a bone; need not be unique.
    parents : (B,) int32
        Each bone's parent, which stands before it; -1 for a root.
    rest : tuple of Transform
        Where each bone stands in its parent's space, in metres, when nothing moves it.
    matrices : mapping of int to (4, 4) float64
        Bones that stand by a fixed local matrix instead, which may shear. Such a bone keeps its matrix as long as a
        pose has it at its `rest`, which for these bones is `Transform.from_matrix(matrix)` whatever was given.
    node_to_bone : (N,) int32
        Bone of each node of the file, -1 for a node that is none. Bone i is node i unless given.
    joints : (J,) int32
        Bone of each palette row; none unless given. A bone may serve several rows.
    inverse_bind : (J, 4, 4) float64
        From the mesh's space at binding to the joint's; identity unless given.
    mesh_node : int
        File node that carries the skinned mesh, or -1.
    mesh_node_inverse : (4, 4) float64
        Inverse of the mesh node's global matrix, used in `palette(space="mesh")` where that node is no bone (a bone's
        is taken from the pose); identity unless given.
    morph_offsets : (B + 1,) int32
        Bone b's morph weights are entries `morph_offsets[b]` up to `morph_offsets[b + 1]` of a pose's weights.
    rest_translations, rest_rotations, rest_scales : (B, 3), (B, 4), (B, 3) float64
        The numbers of `rest` as arrays.
    rest_weights : (W,) float64
        All morph weights at rest, laid out so. Given as `morphs`, a mapping from a bone to its weights.

    Raises
    ------
    AnimError
        Where lengths disagree, a parent does not stand before its child, an index is out of range, a number is not
        finite, or a matrix is not affine.
    """

    names: tuple[str, ...]
    parents: NDArray[np.int32]
    rest: tuple[Transform, ...]
    matrices: Mapping[int, NDArray[np.float64]]
    node_to_bone: NDArray[np.int32]
    joints: NDArray[np.int32]
    inverse_bind: NDArray[np.float64]
    mesh_node: int
    mesh_node_inverse: NDArray[np.float64]
    morph_offsets: NDArray[np.int32]
    rest_translations: NDArray[np.float64]
    rest_rotations: NDArray[np.float64]
    rest_scales: NDArray[np.float64]
    rest_weights: NDArray[np.float64]

    def __init__(
        self,
        names: Sequence[str],
        parents: ArrayLike,
        rest: Sequence[Transform],
        *,
        matrices: Mapping[int, ArrayLike] | None = None,
        node_to_bone: ArrayLike | None = None,
        joints: ArrayLike = (),
        inverse_bind: ArrayLike | None = None,
        mesh_node: int = -1,
        mesh_node_inverse: ArrayLike | None = None,
        morphs: Mapping[int, Sequence[float]] | None = None,
    ) -> None:
        count = len(names)
        if len(rest) != count:
            raise AnimError(f"rest has {len(rest)} transforms for {count} bones; expected one a bone")
        fixed = {bone: _affine(f"matrices[{bone}]", m) for bone, m in sorted((matrices or {}).items())}
        _check_keys("matrices", fixed, count)
        weights = morphs or {}
        _check_keys("morphs", weights, count)
        rows = read_only("joints", joints, np.int32, (None,))
        binds = np.broadcast_to(np.eye(4), (len(rows), 4, 4)) if inverse_bind is None else inverse_bind
        standing = tuple(Transform.from_matrix(fixed[b]) if b in fixed else rest[b] for b in range(count))
        self._set(
            names=tuple(map(str, names)),
            parents=read_only("parents", parents, np.int32, (count,)),
            rest=standing,
            rest_translations=read_only("rest", [t.translation for t in standing], np.float64, (count, 3)),
            rest_rotations=read_only("rest", [t.rotation for t in standing], np.float64, (count, 4)),
            rest_scales=read_only("rest", [t.scale for t in standing], np.float64, (count, 3)),
            matrices=MappingProxyType(fixed),
            node_to_bone=read_only(
                "node_to_bone", np.arange(count) if node_to_bone is None else node_to_bone, np.int32, (None,)
            ),
            joints=rows,
            inverse_bind=_affine("inverse_bind", binds),
            mesh_node=int(mesh_node),
            mesh_node_inverse=_affine(
                "mesh_node_inverse", np.eye(4) if mesh_node_inverse is None else mesh_node_inverse
            ),
            morph_offsets=read_only(
                "morph_offsets",
                np.cumsum([0, *(len(weights.get(b, ())) for b in range(count))]),
                np.int32,
                (count + 1,),
            ),
            rest_weights=read_only(
                "morphs", [w for b in range(count) for w in weights.get(b, ())], np.float64, (None,)
            ),
        )
        self.validate()

    @cached_property
    def fixed_bones(self) -> NDArray[np.int32]:
        """The keys of `matrices` (F,) int32, rising."""
        return read_only("matrices", list(self.matrices), np.int32, (None,))

    @cached_property
    def fixed_matrices(self) -> NDArray[np.float64]:
        """The values of `matrices` (F, 4, 4) float64, in that order."""
        return read_only("matrices", list(self.matrices.values()), np.float64, (None, 4, 4))

    @property
    def bone_count(self) -> int:
        """Number of bones, B."""
        return len(self.names)

    @property
    def joint_count(self) -> int:
        """Number of palette rows, J."""
        return len(self.joints)

    @property
    def morph_count(self) -> int:
        """Number of morph weights of all bones together, W."""
        return len(self.rest_weights)

    def find_bone(self, name: str) -> int:
        """Return the first bone of a name, -1 where there is none."""
        return self.names.index(name) if name in self.names else -1

    def bone_of_node(self, node: int) -> int:
        """Return the bone of a file's node, -1 where the node is none or does not exist."""
        return int(self.node_to_bone[node]) if 0 <= node < len(self.node_to_bone) else -1

    def morph_slice(self, bone: int) -> slice:
        """Return where a bone's morph weights lie in a pose's weights."""
        return slice(int(self.morph_offsets[bone]), int(self.morph_offsets[bone + 1]))

    def world_transforms(
        self, pose: "Pose | None" = None, *, out: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Return every bone's matrix in the scene's space (B, 4, 4) float64, of a pose or at rest."""
        return self._posed(pose).globals(out=out)

    def palette(
        self, pose: "Pose | None" = None, *, space: Space = "scene", out: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """Return the joints' matrices (J, 4, 4) float32 that take bind-pose vertices to the scene, of a pose or at
        rest.

        Raises
        ------
        AnimError
            In mesh space, where the mesh node's global matrix is singular.
        """
        return self._posed(pose).palette(space=space, out=out)

    def _posed(self, pose: "Pose | None") -> "Pose":
        from anim.pose import Pose

        return Pose(self) if pose is None else pose

    def validate(self) -> None:
        """Check what the constructor promises; it has done so already.

        Raises
        ------
        AnimError
            As the constructor does.
        """
        count = self.bone_count
        for bone, parent in enumerate(self.parents.tolist()):
            if not -1 <= parent < bone:
                raise AnimError(
                    f"bone {bone} ({self.names[bone]!r}) has parent {parent}; expected -1 or an earlier bone"
                )
        _check_range("node_to_bone", self.node_to_bone, -1, count)
        _check_range("joints", self.joints, 0, count)
        if len(self.inverse_bind) != len(self.joints):
            raise AnimError(f"inverse_bind has {len(self.inverse_bind)} matrices for {len(self.joints)} joints")
        if self.mesh_node < -1:
            raise AnimError(f"mesh_node is {self.mesh_node}; expected a node of the file, or -1 for none")

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"matrices": dict(self.matrices)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for matrix in state["matrices"].values():
            matrix.flags.writeable = False
        super().__setstate__(state | {"matrices": MappingProxyType(state["matrices"])})


def _affine(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return matrices (..., 4, 4) as a read-only copy whose last rows are exactly 0 0 0 1."""
    given = np.array(values, dtype=np.float64)
    shape = (4, 4) if given.ndim == 2 else (None, 4, 4)
    out = read_only(name, given, np.float64, shape)
    last = (0.0, 0.0, 0.0, 1.0)
    if (abs(out[..., 3, :] - last) > AFFINE_WITHIN).any():
        raise AnimError(
            f"{name} has a last row of {out[..., 3, :].tolist()}; expected 0 0 0 1, as an affine matrix has"
        )
    out.flags.writeable = True
    out[..., 3, :] = last
    out.flags.writeable = False
    return out


def _check_keys(name: str, values: Mapping[int, object], count: int) -> None:
    _check_range(f"{name}: bone", np.array(list(values), dtype=np.int64), 0, count)


def _check_range(name: str, values: NDArray[Any], lowest: int, end: int) -> None:
    wrong = values[(values < lowest) | (values >= end)]
    if len(wrong):
        raise AnimError(f"{name} {int(wrong[0])} is out of range; expected {lowest} to {end - 1}")
