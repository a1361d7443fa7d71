"""The line that says what a cold start is doing, and when it is said."""

import subprocess
from pathlib import Path

import pytest

import anim.kernel
from anim.kernel_folders import MARK
from posed.cli import progress
from posed.cli.progress import Compiling


class Warm:
    """A process that compiles: counts the starts, ends with a status."""

    def __init__(self, status: int) -> None:
        self.status, self.starts, self.ended = status, 0, False

    def __call__(self, *words: object, **options: object) -> "Warm":
        self.starts += 1
        return self

    def poll(self) -> int | None:
        return self.status if self.ended else None

    def wait(self) -> int:
        self.ended = True
        return self.status


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for kernels."""
    monkeypatch.setattr(anim.kernel, "cache_folder", lambda package: tmp_path)
    return tmp_path


def start(monkeypatch: pytest.MonkeyPatch, status: int) -> Warm:
    """Go through a start with a compiling process that ends with `status`."""
    warm = Warm(status)
    monkeypatch.setattr(progress.subprocess, "Popen", warm)  # type: ignore[attr-defined]
    Compiling().wait()
    return warm


def test_a_cold_start_says_what_it_does_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "trace.candidates.nbi").touch()  # what an import alone has left
    assert start(monkeypatch, 0).starts == 1
    assert capsys.readouterr().err.startswith("compiling kernels for this machine: some 20 seconds, once (kept in ")
    assert (folder / MARK).exists()
    assert start(monkeypatch, 0).starts == 0
    assert capsys.readouterr().err == ""


def test_what_was_broken_off_is_taken_up_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert start(monkeypatch, -2).starts == 1
    assert not (folder / MARK).exists()
    assert start(monkeypatch, 0).starts == 1


def test_what_a_refused_command_has_begun_is_not_begun_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warm = Warm(0)
    monkeypatch.setattr(progress.subprocess, "Popen", warm)  # type: ignore[attr-defined]
    for _ in range(3):
        refused = Compiling()
    assert warm.starts == 1
    refused.wait()
    assert (folder / MARK).exists()


def test_without_a_folder_it_says_so_each_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(anim.kernel, "cache_folder", lambda package: None)
    monkeypatch.setattr(subprocess, "Popen", Warm(0))
    Compiling().wait()
    assert "each time, as no cache folder can be written" in capsys.readouterr().err
