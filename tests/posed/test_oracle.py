"""Posed vertices of real models against independent implementations, where their numbers are at hand."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import posed

MODELS, ORACLE = os.environ.get("POSED_TEST_MODELS"), os.environ.get("POSED_TEST_ORACLE")
DRACO = importlib.util.find_spec("DracoPy") is not None
ENCODED = ["Fox.gltfpack-quant.glb", "Fox.gltfpack-meshopt.glb", *(["Fox.gtf-draco.glb"] if DRACO else [])]
CLOSE = 2e-4
"""Of the diagonal, the largest difference of a coordinate: what 14 bits a coordinate and 8 a weight leave."""


@pytest.mark.skipif(MODELS is None or ORACLE is None, reason="POSED_TEST_MODELS and POSED_TEST_ORACLE are not set")
def test_every_model_bakes_to_the_oracle_s_vertices():
    command = [sys.executable, str(Path(ORACLE) / "compare.py"), str(Path(ORACLE) / "expect"), MODELS]
    skip = [] if DRACO else ["--skip", "draco"]
    done = subprocess.run([*command, *skip], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "(0 not laid)" in done.stdout


@pytest.mark.skipif(MODELS is None, reason="POSED_TEST_MODELS is not set")
@pytest.mark.parametrize("name", ENCODED)
def test_encoded_foxes_stand_where_the_plain_one_stands(name):
    plain, encoded = posed.load_gltf(Path(MODELS) / "Fox.glb"), posed.load_gltf(Path(MODELS) / name)
    for clip in range(3):
        # One of the keys that the encoder resampled the clips to; between those its curves are others.
        time = round(plain.clips[clip].duration / 2 * 30) / 30
        theirs = np.unique(posed.bake(plain, clip=clip, time=time)[0].positions, axis=0)
        ours = np.unique(posed.bake(encoded, clip=clip, time=time)[0].positions, axis=0)
        diagonal = np.linalg.norm(np.ptp(theirs, axis=0))
        apart = np.abs(ours[:, None] - theirs[None]).max(axis=2) / diagonal
        assert apart.min(axis=1).max() < CLOSE
        assert apart.min(axis=0).max() < CLOSE
