"""Finding Embree, checking it, and what is said when it is not there."""

import os
import subprocess
import sys

import numpy as np
import pytest

from tracer import BackendError, embree

pytest.importorskip("embreex")


def test_info_names_version_instruction_set_and_library():
    info = embree.info()
    assert info.version.startswith("4.")
    assert info.isa
    assert os.path.isfile(info.path)


def test_the_configuration_is_read_from_the_environment(monkeypatch):
    monkeypatch.setenv("POSED_EMBREE", "threads=1,isa=sse2")
    assert embree.info().isa == "sse2"
    assert embree.info().config == "threads=1,isa=sse2"


@pytest.mark.parametrize("config", ["isa=foo", "threads=1, max_isa = AVX2", "isa="])
def test_an_instruction_set_that_embree_does_not_know_is_refused(monkeypatch, config):
    monkeypatch.setenv("POSED_EMBREE", config)
    with pytest.raises(BackendError, match=r"names no instruction set of Embree's: (max_)?isa may be sse, .*avx512"):
        embree.device()


def test_a_missing_package_is_said_plainly_and_the_modules_import_all_the_same():
    code = (
        "import sys; sys.modules['embreex'] = None\n"
        "import tracer, tracer.embree\n"
        "try:\n    tracer.embree.info()\n"
        "except tracer.BackendError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "the embree backend needs the package embreex, which is not installed here" in done.stdout
    assert "pip install embreex" in done.stdout


def test_another_layout_is_refused(monkeypatch):
    # The check reads its answers where the kernels do; a query that answers nothing must not pass.
    monkeypatch.setattr(embree.library(), "rtcIntersect16", lambda *arguments: None)
    with pytest.raises(BackendError, match="answers a known ray of 16 with .* its struct layout is another one"):
        embree._check_layout(embree.device())


def test_triangles_are_sorted_by_whether_their_alpha_decides():
    positions = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32)
    triangles = np.array([[0, 1, 2]] * 4, np.uint32)
    with embree.build(positions, triangles, np.array([True, False, True, False])) as built:
        assert built.order.tolist() == [1, 3, 0, 2]
        assert built.solid_count == 2
        assert built.handle
    assert built.handle == 0
    built.release()
