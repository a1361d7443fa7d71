"""The golden runs: one hash each, by any way, with and without the compiler, on one thread or two."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import tracer
from tests.golden_runs.layers_run import layers_run
from tests.golden_runs.runs import PLAIN, RUNS, WAYS, stored
from tests.golden_runs.way import Record, Way

HOUSE = Path(__file__).parents[2]


def walked(run: str, way: Way) -> str:
    """Return the hash of a run, or skip where this machine lacks what it takes."""
    try:
        return RUNS[run](way)
    except tracer.BackendError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("run", RUNS)
def test_every_way_gives_the_stored_hash(run: str, way: str) -> None:
    assert walked(run, WAYS[way]) == stored()[run]


def test_every_stored_hash_is_one_of_a_run() -> None:
    assert set(stored()) == set(RUNS)


@pytest.mark.parametrize("run", RUNS)
def test_two_at_once_give_the_same(run: str) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda way: walked(run, way), [WAYS["tick by tick"], WAYS["by uneven steps"]]))
    assert found == [stored()[run]] * 2


@pytest.mark.parametrize("backend", ["embree", "bvh"])
def test_every_backend_finds_the_same_layers(backend: str) -> None:
    try:
        found = layers_run(Way(), backend)
    except tracer.BackendError as error:
        pytest.skip(str(error))
    assert found == stored()["layers"]


@pytest.mark.parametrize(
    ("variable", "value", "runs"),
    [("NUMBA_DISABLE_JIT", "1", PLAIN), ("NUMBA_NUM_THREADS", "1", RUNS), ("NUMBA_NUM_THREADS", "2", RUNS)],
)
def test_a_process_of_its_own_gives_the_same(variable: str, value: str, runs: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.golden_runs", "--one-way", *runs],
        env=os.environ | {variable: value},
        cwd=HOUSE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert ("no compiler" in lines[0]) == (variable == "NUMBA_DISABLE_JIT")
    assert [line.split()[0] for line in lines[1:]] == list(runs)


def test_a_record_tells_bits_dtypes_shapes_and_order_apart() -> None:
    def record(*arrays: object) -> str:
        out = Record()
        for values in arrays:
            out.array(values)
        return out.hex()

    one = np.array([1.0, 2.0], np.float32)
    assert record(one) == record(one.astype(">f4")) == record(one.copy())
    others = [
        one.astype(np.float64),
        one.view(np.uint32),
        one[:, None],
        one[::-1],
        np.nextafter(one, np.float32(9)),
        np.array([1.0, -2.0], np.float32),
    ]
    assert len({record(one), *(record(other) for other in others)}) == 1 + len(others)
    assert record(np.zeros(1)) != record(np.array([-0.0]))
    assert record(one, others[0]) != record(others[0], one)


def test_a_way_stops_at_its_strides_and_at_the_end() -> None:
    assert Way((3, 1)).stops(9) == {0, 3, 4, 7, 8, 9}
    assert Way().stops(2) == {0, 1, 2}
