"""The Fox as three encoders left it, against the plain file: the same points, however its vertices are split."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import anim
import posed
from posed.model_pose import model_pose

DRACO = importlib.util.find_spec("DracoPy") is not None
PACKED = ["Fox.gltfpack-quant.glb", "Fox.gltfpack-meshopt.glb"]
ENCODED = [*PACKED, pytest.param("Fox.gtf-draco.glb", marks=pytest.mark.skipif(not DRACO, reason="needs DracoPy"))]

CLOSE = 2e-4
"""Of the diagonal of the posed points: what 14 bits a coordinate and 8 a weight leave."""
SHARED = 1e-4
"""Of the diagonal, where the weights are the same: half a step of 14 bits on three axes, and 4e-5 of a turn."""
CALM = [(None, 0.0), *((clip, tick / 30) for clip in (0, 1) for tick in (0, 5, 11, 17, 20))]
"""At rest, and in Survey and Walk at keys that the encoders kept; between keys their curves are others."""
RUN = [(2, tick / 30) for tick in (0, 5, 9, 17, 25, 34)]


def points(model, clip, time):
    """Return where the vertices are, (V, 3), each place once, and the diagonal of the box around them."""
    found = np.unique(posed.bake(model, clip=clip, time=time)[0].positions, axis=0).astype(np.float64)
    return found, float(np.linalg.norm(np.ptp(found, axis=0)))


def apart(ours, theirs):
    """Return how far each point of one set is from the nearest of the other, the farthest of both ways."""
    distance = np.sqrt(((ours[:, None] - theirs[None]) ** 2).sum(axis=2))
    return max(distance.min(axis=1).max(), distance.min(axis=0).max())


@pytest.mark.parametrize("name", ENCODED)
def test_an_encoded_fox_stands_where_the_plain_one_stands(models: Path, name: str) -> None:
    plain, encoded = posed.load_gltf(models / "Fox.glb"), posed.load_gltf(models / name)
    for clip, time in CALM + ([] if name in PACKED else RUN):
        theirs, diagonal = points(plain, clip, time)
        assert apart(points(encoded, clip, time)[0], theirs) < CLOSE * diagonal, (clip, time)


def dense_weights(model):
    """Return the weight of every joint on every vertex, (V, J) float64."""
    primitive = model.meshes[model.nodes[model.mesh_nodes[0]].mesh].primitives[0]
    dense = np.zeros((len(primitive.positions), len(model.skins[0].joints)))
    for joints, weights in zip(primitive.joints.T, primitive.weights.T, strict=True):
        np.add.at(dense, (np.arange(len(joints)), joints), weights)
    return primitive.positions.astype(np.float64), dense


@pytest.mark.parametrize("name", PACKED)
def test_a_packed_fox_runs_as_the_plain_one_does_with_its_eight_bits_of_weight(models: Path, name: str) -> None:
    """Where limbs are thrown far, half a step of a weight moves a vertex by more than the whole rest of the coding."""
    plain, encoded = posed.load_gltf(models / "Fox.glb"), posed.load_gltf(models / name)
    bound, own_weights = dense_weights(plain)
    rest = posed.bake(encoded)[0].positions
    nearest = ((posed.bake(plain)[0].positions[:, None] - rest[None]) ** 2).sum(axis=2).argmin(axis=1)
    weights = dense_weights(encoded)[1][nearest]
    assert np.abs(weights - own_weights).max() < 1.5 / 255
    for clip, time in RUN:
        packed, diagonal = points(encoded, clip, time)
        (palette,) = model_pose(plain, anim.sample(plain.node_rig(), clip, time)).palettes.values()
        moved = np.einsum("jrc,vc->vjr", palette[:, :3].astype(np.float64), np.c_[bound, np.ones(len(bound))])
        under = (weights[:, :, None] * moved).sum(axis=1)
        assert apart(packed, under) < SHARED * diagonal, time
        assert apart(packed, points(plain, clip, time)[0]) < 2.0 * CLOSE * diagonal, time
