"""Palettes against plain float64 arithmetic over random rigs: 300 bones, 100 deep, shears, mirrors, scales of zero."""

import numpy as np
import pytest

from anim import Channel, Clip, Interpolation, Path, Rig, Skeleton, Transform, sample
from tests.anim import oracle

LIMIT = 1e-6  # of the rig's size: the rounding of a palette to float32


def random_rig(seed: int, count: int = 300, depth: int = 100) -> Rig:
    """A spine of `depth` bones, and the rest of them anywhere on it or on one another."""
    source = np.random.default_rng(seed)
    parents = [i - 1 if i < depth else int(source.integers(0, i)) for i in range(count)]
    scales = np.where(source.random((count, 3)) < 0.1, -1.0, source.uniform(0.9, 1.1, (count, 3)))
    scales[source.random(count) < 0.02] *= 0.0
    rest = [Transform(source.normal(size=3) * 0.1, source.normal(size=4), scale) for scale in scales]
    sheared = np.tile(np.eye(4), (5, 1, 1))
    sheared[:, :3] += 0.1 * source.normal(size=(5, 3, 4))
    matrices = dict(zip(source.choice(count, 5, replace=False).tolist(), sheared, strict=True))
    binds = np.tile(np.eye(4), (count, 1, 1))
    binds[:, :3] += 0.3 * source.normal(size=(count, 3, 4))
    skeleton = Skeleton(
        [str(i) for i in range(count)],
        parents,
        rest,
        matrices=matrices,
        joints=source.permutation(count),
        inverse_bind=binds,
    )
    channels = []
    for bone in source.choice(count, count // 2, replace=False).tolist():
        for path, components in ((Path.TRANSLATION, 3), (Path.ROTATION, 4), (Path.SCALE, 3)):
            kind = Interpolation(int(source.integers(0, 3)))
            times = np.unique(source.uniform(0, 2, int(source.integers(1, 12))).astype(np.float32))
            rows = len(times) * (3 if kind is Interpolation.CUBICSPLINE else 1)
            values = source.normal(size=(rows, components)) * (0.1 if path is Path.TRANSLATION else 1.0)
            channels.append(Channel(bone, path, kind, times, values + (0.9 if path is Path.SCALE else 0.0)))
    return Rig(skeleton, [Clip("random", channels)])


@pytest.mark.parametrize("seed", range(4))
def test_palettes_agree(seed: int) -> None:
    rig = random_rig(seed)
    for time in (-0.5, 0.0, 0.37, 1.0, 1.83, 5.0):
        expected = oracle.palette(rig.skeleton, rig.clips[0], time)
        got = sample(rig, 0, time).palette()
        assert abs(got - expected).max() < LIMIT * abs(expected).max()
