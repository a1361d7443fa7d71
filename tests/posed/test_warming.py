"""What the process that compiles says, and when it marks a mode as whole."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from posed import warming
from tracer import warm as tracer_warm


@contextmanager
def three_kernels(done: Callable[[], None]) -> Iterator[None]:
    """Stand for a mode that compiles three functions."""
    yield
    for _ in range(3):
        done()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for kernels, and nothing to compile."""
    monkeypatch.setattr(warming, "cache_folder", lambda package: tmp_path)
    monkeypatch.setattr(warming, "on_compiled", three_kernels)
    monkeypatch.setattr(tracer_warm, "warm", lambda mode: None)
    return tmp_path


def test_each_kernel_is_counted_and_each_mode_marked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    warming.main(["direct", "aov"])
    said = [f"{mode} {number}" for mode in ("direct", "aov") for number in (1, 2, 3)]
    assert capsys.readouterr().out.splitlines() == said
    assert warming.missing("path", "direct", "aov") == ("path",)


def test_it_ends_where_a_kernel_cannot_be_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(warming, "unsaved", lambda: "[Errno 28] No space left on device")
    warming.main(["direct", "aov"])
    assert capsys.readouterr().out.splitlines() == ["direct 1", "unsaved [Errno 28] No space left on device"]
    assert warming.missing("direct", "aov") == ("direct", "aov")


def test_every_mode_of_the_tracer_is_warmed_by_some_mode() -> None:
    assert set(tracer_warm.MODES) == set(warming.SECONDS) - {"verdict"}


@pytest.mark.parametrize(("processors", "processes"), [(0, 1), (1, 1), (2, 2), (3, 2), (4, 4), (64, 4)])
def test_every_mode_is_compiled_by_one_process(processors: int, processes: int) -> None:
    shares = warming.shares(processors)
    assert len(shares) == processes
    assert sorted(mode for share in shares for mode in share) == sorted(warming.SECONDS)
