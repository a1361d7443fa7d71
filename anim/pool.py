"""`AnimatorPool`: the palettes of many animators of one rig, posed together on numba's threads."""

from collections.abc import Sequence

import numba
import numpy as np
from numpy.typing import NDArray

from anim.animator import Animator
from anim.compiled import Compiled
from anim.errors import AnimError
from anim.evaluation import pose_at
from anim.hierarchy import write_globals, write_palette
from anim.kernel import kernel, parallel_lock
from anim.rig import ClipTables, RestTables, Rig
from anim.rows import LAYER, MIX

Floats = NDArray[np.float64]
Firsts = NDArray[np.int64]
Rows = NDArray[np.void]

CHUNK = 16
"""Animators that share scratch memory and are posed one after the other."""


class AnimatorPool:
    """Rows of several animators, laid end to end.

    The animators may be commanded at any time; their rows are laid out anew when they were. In a steady state nothing
    is allocated.

    Parameters
    ----------
    animators
        All of one rig, kept in this order.

    Raises
    ------
    AnimError
        For none, or for two rigs.
    """

    def __init__(self, animators: Sequence[Animator]) -> None:
        self.animators = tuple(animators)
        if not self.animators:
            raise AnimError("a pool of no animators; expected at least one")
        self.rig: Rig = self.animators[0].rig
        if any(animator.rig is not self.rig for animator in self.animators):
            raise AnimError("the animators of a pool are of several rigs; expected one")
        skeleton, count = self.rig.skeleton, len(self.animators)
        chunks = -(-count // CHUNK)
        bones = skeleton.bone_count
        self._scratch = (
            np.empty((chunks, bones, 3)),
            np.empty((chunks, bones, 4)),
            np.empty((chunks, bones, 3)),
            np.empty((chunks, skeleton.morph_count)),
            np.empty((chunks, bones, 4, 4)),
        )
        self._posed = np.zeros(count, np.bool_)
        self._compiled: list[Compiled | None] = [None] * count
        self._firsts = np.arange(0, count * skeleton.joint_count, max(skeleton.joint_count, 1), dtype=np.int64)
        self._rows = self._lay_out()

    def palettes(
        self, tick: int, *, out: NDArray[np.float32] | None = None, firsts: Firsts | None = None
    ) -> NDArray[np.float32]:
        """Return the joints' matrices of every animator at a tick.

        Parameters
        ----------
        tick
        out : (P, 4, 4) float32, optional
            Written to and returned; (N * J, 4, 4), animator by animator, unless given.
        firsts : (N,) int64, optional
            Row of `out` where each animator's joints begin.
        """
        skeleton = self.rig.skeleton
        if out is None:
            out = np.empty((len(self.animators) * skeleton.joint_count, 4, 4), np.float32)
        if firsts is None:
            firsts = self._firsts[: len(self.animators)]
        for animator, known in zip(self.animators, self._compiled, strict=True):
            if animator.compiled is not known:
                self._rows = self._lay_out()
                break
        with parallel_lock():
            pose_all(
                tick,
                self.rig.clip_tables,
                self.rig.rest_tables,
                skeleton.parents,
                skeleton.fixed_bones,
                skeleton.fixed_matrices,
                skeleton.joints,
                skeleton.inverse_bind,
                *self._rows,
                *self._scratch,
                firsts,
                out,
                self._posed,
            )
        alone = [i for i, animator in enumerate(self.animators) if animator.has_root_motion or not self._posed[i]]
        for index in alone:
            first = int(firsts[index])
            self.animators[index].palette(tick, out=out[first : first + skeleton.joint_count])
        return out

    def _lay_out(self) -> tuple[Rows, Firsts, Rows, Firsts, Floats, Firsts, Floats, Firsts]:
        """Return layers, mixes, masks and sample room of all animators, each with where every animator's begin."""
        self._compiled = [animator.compiled for animator in self.animators]
        parts = [animator.compiled for animator in self.animators]
        bones = self.rig.skeleton.bone_count
        return (
            np.concatenate([np.zeros(0, LAYER), *(part.layers for part in parts)]),
            _starts([len(part.layers) for part in parts]),
            np.concatenate([np.zeros(0, MIX), *(part.mixes for part in parts)]),
            _starts([len(part.mixes) for part in parts]),
            np.concatenate([np.zeros((0, bones)), *(part.masks for part in parts)]),
            _starts([len(part.masks) for part in parts]),
            np.empty(sum(part.sample_count for part in parts)),
            _starts([part.sample_count for part in parts]),
        )


def _starts(sizes: list[int]) -> Firsts:
    return np.cumsum([0, *sizes], dtype=np.int64)


@kernel(parallel=True)
def pose_all(
    tick: int,
    clips: ClipTables,
    rest: RestTables,
    parents: NDArray[np.int32],
    fixed_bones: NDArray[np.int32],
    fixed_matrices: Floats,
    joints: NDArray[np.int32],
    inverse_bind: Floats,
    layers: Rows,
    layer_firsts: Firsts,
    mixes: Rows,
    mix_firsts: Firsts,
    masks: Floats,
    mask_firsts: Firsts,
    samples: Floats,
    sample_firsts: Firsts,
    translations: Floats,
    rotations: Floats,
    scales: Floats,
    weights: Floats,
    transforms: Floats,
    firsts: Firsts,
    palettes: NDArray[np.float32],
    posed: NDArray[np.bool_],
) -> None:
    """Write the palette of every animator at a tick; `posed` tells for each whether its integers were wide enough.

    The arrays before `firsts` are scratch, one row a chunk.
    """
    for chunk in numba.prange(len(transforms)):
        for i in range(chunk * CHUNK, min((chunk + 1) * CHUNK, len(posed))):
            posed[i] = pose_at(
                tick,
                1,
                clips,
                rest,
                layers[layer_firsts[i] : layer_firsts[i + 1]],
                mixes[mix_firsts[i] : mix_firsts[i + 1]],
                masks[mask_firsts[i] : mask_firsts[i + 1]],
                samples[sample_firsts[i] : sample_firsts[i + 1]],
                translations[chunk],
                rotations[chunk],
                scales[chunk],
                weights[chunk],
            )
            if posed[i]:
                write_globals(
                    parents,
                    fixed_bones,
                    fixed_matrices,
                    rest.translations,
                    rest.rotations,
                    rest.scales,
                    translations[chunk],
                    rotations[chunk],
                    scales[chunk],
                    transforms[chunk],
                )
                end = firsts[i] + len(joints)
                write_palette(transforms[chunk], joints, inverse_bind, palettes[firsts[i] : end])
