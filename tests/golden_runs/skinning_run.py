"""A mesh from literals under the palettes of an animator: morph targets, five influences, mirrors, in both widths."""

import numpy as np

from anim import Animator, MorphTarget, skin
from tests.golden_runs.literals import RATE, array, rig
from tests.golden_runs.way import Record, Way

VERTICES, INFLUENCES, JOINTS = 101, 5, 8

TICKS = 60


def skinning_run(way: Way) -> str:
    """Return the hash of positions, normals and tangents at some ticks; by strides the ticks are only passed."""
    record, stops = Record(), way.stops(TICKS)
    animator = Animator(rig(), rate=RATE)
    animator.play("stroll", 0)
    animator.blend("reach", 0.5, 0)
    positions, normals = array(200, VERTICES, 3), array(201, VERTICES, 3)
    tangents = np.concatenate([array(202, VERTICES, 3), np.where(array(203, VERTICES, 1) < 0.0, -1.0, 1.0)], axis=1)
    joints = (abs(array(204, VERTICES, INFLUENCES)) * JOINTS).astype(np.uint32) % JOINTS
    weights = abs(array(205, VERTICES, INFLUENCES)) / INFLUENCES
    targets = [
        MorphTarget(array(210 + n, VERTICES, 3), None if n == 1 else array(220 + n, VERTICES, 3)) for n in (0, 1)
    ]
    for tick in range(TICKS + 1):
        if tick in stops:
            animator.advance(tick)
        animator = way.carried(animator, tick)
        if tick % 20 == 17:
            for dtype in (np.float32, np.float64):
                for parallel in (False, True):
                    out = skin(
                        *(positions, normals, tangents, joints, weights, animator.palette(tick)),
                        targets=targets,
                        morph_weights=(0.3, -0.7),
                        dtype=dtype,
                        parallel=parallel,
                    )
                    for values in out:
                        record.array(values)
    return record.hex()
