"""The kernel decorator.

What it compiles with, where its cache lies, when that goes stale, and the lock around threads.
"""

import os
import shutil
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numba
import numpy as np
import pytest

import anim
from anim import kernel as kernels
from anim import kernel_helpers
from anim.kernel import kernel, parallel_lock

HOUSE = Path(anim.__file__).parent.parent


def run(code: str, **environment: str) -> str:
    """Run code in a fresh interpreter and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@kernel
def _divide(a: float, b: float) -> float:
    return a / b


@kernel
def _half(x: float) -> float:
    return x / 2.0


@kernel
def _quarter(x: float) -> float:
    return _half(_half(x))


@kernel(parallel=True)
def _squares(out: np.ndarray) -> None:
    for i in numba.prange(len(out)):
        out[i] = i * i


def test_a_division_by_zero_is_infinite() -> None:
    assert _divide(1.0, 0.0) == np.inf


def test_the_compilers_options_are_the_agreed_ones() -> None:
    options = _divide.targetoptions
    assert options["nogil"] is True
    assert options["error_model"] == "numpy"
    assert not options.get("fastmath")


def test_the_users_own_cache_setting_is_restored() -> None:
    before = numba.config.CACHE_DIR
    kernel(lambda x: x)
    assert before == numba.config.CACHE_DIR


def test_an_edited_helper_in_another_module_gives_the_new_value(tmp_path: Path) -> None:
    package = tmp_path / "house" / "anim"
    shutil.copytree(HOUSE / "anim", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "helper.py").write_text(
        "from anim.kernel import kernel\n@kernel\ndef answer(x):\n    return x + 1.0\n", encoding="utf-8"
    )
    (package / "caller.py").write_text(
        "from anim.kernel import kernel\nfrom anim.helper import answer\n"
        "@kernel\ndef call(x):\n    return 10.0 * answer(x)\n",
        encoding="utf-8",
    )
    settings = {"PYTHONPATH": str(package.parent), "POSED_CACHE_DIR": str(tmp_path / "cache")}
    code = (
        f"import sys; sys.path.insert(0, {str(package.parent)!r}); from anim.caller import call; "
        "print(call(1.0), sum(call.stats.cache_hits.values()))"
    )
    assert run(code, **settings) == "20.0 0"
    assert run(code, **settings) == "20.0 1"
    helper = package / "helper.py"
    helper.write_text(helper.read_text(encoding="utf-8").replace("1.0", "2.0"), encoding="utf-8")
    assert run(code, **settings) == "30.0 0"


def test_a_higher_floor_sees_the_sources_below_it_and_not_the_reverse() -> None:
    assert kernels.source_digest("anim") != kernels.source_digest("tracer")
    assert kernels.cache_folder("anim").name == kernels.source_digest("anim")


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be made read-only there")
def test_homes_that_cannot_be_written_fall_back_to_a_temporary_folder(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder", encoding="utf-8")
    code = "from anim.kernel import cache_folder; from anim.scalar import sin; print(cache_folder('anim'), sin(0.0))"
    printed = run(
        code,
        POSED_CACHE_DIR=str(in_the_way),
        HOME=str(in_the_way),
        XDG_CACHE_HOME=str(in_the_way / "cache"),
        TMPDIR=str(tmp_path),
    )
    assert printed.startswith(str(tmp_path / "posed-kernels-"))
    assert printed.endswith(" 0.0")


def test_kernels_run_where_no_folder_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "cache_folder", lambda package: None)
    assert kernel(lambda x: x + 1)(1) == 2


def test_kernels_run_as_plain_python_with_the_jit_off() -> None:
    code = "from anim.scalar import sin; print(type(sin).__name__, sin(0.0))"
    assert run(code, NUMBA_DISABLE_JIT="1") == "function 0.0"


def test_threads_take_turns_in_parallel_kernels() -> None:
    results = [np.empty(1000) for _ in range(8)]

    def work(out: np.ndarray) -> None:
        for _ in range(20):
            with parallel_lock():
                _squares(out)

    threads = [threading.Thread(target=work, args=(out,)) for out in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for out in results:
        assert np.array_equal(out, np.arange(1000.0) ** 2)


def test_the_lock_may_be_taken_again_by_its_holder() -> None:
    with parallel_lock(), parallel_lock():
        pass


def test_descriptions_load_without_numba() -> None:
    assert run("import sys, anim; anim.Skeleton; anim.Clip; anim.Transform; print('numba' in sys.modules)") == "False"


def test_kernels_leave_scipy_alone_and_another_s_linear_algebra_still_compiles() -> None:
    pytest.importorskip("scipy")
    code = """
        import sys, numba, numpy, anim
        from anim.scalar import sin
        sin(0.5)
        print("scipy.linalg" in sys.modules)
        product = numba.njit(lambda a, b: numpy.dot(a, b))
        print(product(numpy.eye(2), numpy.eye(2) * 3)[1, 1], "scipy.linalg" in sys.modules)
    """
    assert run(textwrap.dedent(code)) == "False\n3.0 True"


def test_kernels_run_and_say_so_where_they_cannot_be_kept(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk; a kernel's file is larger."""
    code = """
        import resource, signal
        from anim.kernel import on_compiled, unsaved
        from anim.scalar import sin
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        counted = []
        with on_compiled(lambda: counted.append(1)):
            assert abs(sin(0.5) - 0.479425538604203) < 1e-15
        print(len(counted) > 0, unsaved())
    """
    pytest.importorskip("resource")
    said = run(textwrap.dedent(code), POSED_CACHE_DIR=str(tmp_path))
    assert said.startswith("True ")
    assert "File too large" in said


def test_a_helper_is_compiled_for_kernels_without_what_python_needs() -> None:
    assert _quarter(4.0) == 1.0
    assert len(_half.overloads) == 0  # it is there for the other alone
    assert _half(4.0) == 2.0
    assert len(_half.overloads) == 1


@kernel
def _positive(x: float, scale: float) -> float:
    if x < 0.0:
        raise ValueError("negative", x)
    return x * scale


@kernel
def _both(x: float) -> float:
    return _positive(x, 2.0) + _positive(x, 3.0) + _positive(x, 1)


def test_a_helper_raises_through_its_caller_what_it_knows_only_at_run_time() -> None:
    """Numba makes such an error by the helper's environment, which lies in the caller's code."""
    assert _both(2.0) == 12.0
    with pytest.raises(ValueError, match="negative") as refused:
        _both(-2.0)
    assert refused.value.args == ("negative", -2.0)


def test_helpers_run_in_a_numba_whose_parts_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "cache_folder", lambda package: None)
    monkeypatch.setattr(kernel_helpers, "is_known", lambda version: False)
    assert "pipeline_class" not in kernel_helpers.helper_options()

    @kernel
    def less_one(x: float) -> float:
        if x < 1.0:
            raise ValueError("below one", x)
        return x - 1.0

    @kernel
    def less_two(x: float) -> float:
        return less_one(less_one(x))

    assert less_two(5.0) == 3.0
    with pytest.raises(ValueError, match="below one") as refused:
        less_two(1.5)
    assert refused.value.args == ("below one", 0.5)


def test_numbas_with_known_parts_are_counted_by_their_first_two_numbers() -> None:
    assert [kernel_helpers.is_known(version) for version in ((0, 63), (0, 64), (0, 68), (0, 69), (1, 0))] == [
        False,
        True,
        True,
        False,
        False,
    ]


def test_a_helper_is_compiled_once_for_all_constants_of_a_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "cache_folder", lambda package: None)
    counted: list[int] = []
    with kernels.on_compiled(lambda: counted.append(1)):

        @kernel
        def scaled(x: float, scale: int) -> float:
            return x * scale

        @kernel
        def thrice(x: float) -> float:
            return scaled(x, 1) + scaled(x, 2) + scaled(x, scale=3)

        assert thrice(1.0) == 6.0
    assert len(counted) == 2
