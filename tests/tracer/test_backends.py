"""Geometry layers, and color at pixel centres, have the same bits whatever traces them: every instruction set, and no
Embree.
"""

import numpy as np
import pytest

import tracer
from tests.tracer.adversarial import CASES
from tests.tracer.scenes import quad, scene

pytest.importorskip("embreex")

SIZE = (160, 120)


@pytest.mark.parametrize("case", CASES)
def test_the_same_bits_from_every_instruction_set_and_from_bvh(case, monkeypatch):
    made, camera = CASES[case]
    expected = tracer.trace(made, camera, size=SIZE, samples="center", backend="bvh")
    assert (expected["object"] > 0).any()
    for isa in ("sse2", "avx2", "avx512"):
        monkeypatch.setenv("POSED_EMBREE", f"isa={isa}")
        found = tracer.trace(made, camera, size=SIZE, samples="center", backend="embree")
        differing = {name: int((found[name] != expected[name]).sum()) for name in expected}
        assert all(found[name].tobytes() == expected[name].tobytes() for name in expected), (isa, differing)


@pytest.mark.parametrize("case", CASES)
def test_antialiased_pictures_agree(case):
    made, camera = CASES[case]
    first, second = (
        tracer.trace(made, camera, size=SIZE, samples=4, layers=("color",), backend=name)["color"]
        for name in ("embree", "bvh")
    )
    # Samples on an edge may fall to either side: no more than one in a thousand, and nothing else differs.
    assert (np.abs(first - second).max(axis=2) > 1e-4).mean() < 0.001


def test_the_backend_is_chosen_by_option_then_environment_then_installation(monkeypatch):
    monkeypatch.delenv("POSED_BACKEND", raising=False)
    made = scene(quad())
    assert tracer.Tracer(made).backend == "embree"
    monkeypatch.setenv("POSED_BACKEND", "bvh")
    assert tracer.Tracer(made).backend == "bvh"
    assert tracer.Tracer(made, backend="embree").backend == "embree"
    monkeypatch.setattr(tracer.embree, "is_installed", lambda: False)
    monkeypatch.delenv("POSED_BACKEND")
    assert tracer.Tracer(made).backend == "bvh"
