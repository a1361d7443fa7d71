"""The line that says what a cold start is doing, and when it is said."""

import io
import subprocess
from pathlib import Path

import pytest

import anim.kernel
from posed import warming
from posed.cli import progress
from posed.cli.progress import Compiling, modes_of, unkept


class Warm:
    """A process that compiles: remembers what it was started with, ends with a status and what it has printed."""

    def __init__(self, folder: Path, *, ends: bool = True, printed: str = "") -> None:
        self.folder, self.ends, self.printed = folder, ends, printed
        self.starts: list[list[str]] = []
        self.ended = False

    def __call__(self, words: list[str], **options: object) -> "Warm":
        self.starts.append(words[3:])
        self.stdout = io.StringIO(self.printed)
        return self

    def poll(self) -> int | None:
        return 0 if self.ended else None

    def wait(self) -> int:
        self.ended = True
        for mode in self.starts[-1] if self.ends else ():
            warming.mark(self.folder, mode).touch()
        return 0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for kernels."""
    for module in (anim.kernel, warming):
        monkeypatch.setattr(module, "cache_folder", lambda package: tmp_path)
    return tmp_path


def start(monkeypatch: pytest.MonkeyPatch, warm: Warm, *modes: str) -> list[list[str]]:
    """Go through a start with a compiling process; return what it was started with."""
    monkeypatch.setattr(progress.subprocess, "Popen", warm)  # type: ignore[attr-defined]
    Compiling(*modes).wait()
    return warm.starts


def test_a_cold_start_says_what_it_compiles_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "trace.candidates.nbi").touch()  # what an import alone has left
    assert start(monkeypatch, Warm(folder), "direct", "aov") == [["direct", "aov"]]
    assert capsys.readouterr().err.startswith("compiling kernels of direct, aov: some 20 seconds, once for this ")
    assert start(monkeypatch, Warm(folder), "aov") == []
    assert capsys.readouterr().err == ""
    assert start(monkeypatch, Warm(folder), "aov", "path") == [["path"]]
    assert "of path: some 16 seconds" in capsys.readouterr().err


def test_what_was_broken_off_is_taken_up_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        assert start(monkeypatch, Warm(folder, ends=False), "direct") == [["direct"]]


def test_what_a_refused_command_has_begun_is_not_begun_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warm = Warm(folder)
    monkeypatch.setattr(progress.subprocess, "Popen", warm)  # type: ignore[attr-defined]
    for _ in range(3):
        refused = Compiling("direct")
    assert warm.starts == [["direct"]]
    refused.wait()
    assert warming.missing("direct", "path") == ("path",)


def test_somebody_who_watches_sees_how_far_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    start(monkeypatch, Warm(folder, printed="aov 1\naov 2\n"), "aov")
    assert capsys.readouterr().err.endswith("\raov: 1 kernels\raov: 2 kernels\r\x1b[K")


def test_a_cache_that_takes_nothing_is_named_with_its_cure(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start(monkeypatch, Warm(folder, ends=False, printed="aov 1\nunsaved [Errno 28] No space left on device\n"), "aov")
    said = capsys.readouterr().err
    assert unkept("[Errno 28] No space left on device") in said
    assert "set POSED_CACHE_DIR to a folder that has it" in said


def test_without_a_folder_it_says_so_each_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in (anim.kernel, warming):
        monkeypatch.setattr(module, "cache_folder", lambda package: None)
    monkeypatch.setattr(subprocess, "Popen", None)
    Compiling("direct").wait()
    assert "each time, as no cache folder can be written" in capsys.readouterr().err


def test_the_modes_of_a_picture_are_those_of_its_layers() -> None:
    assert modes_of("direct", 16, ("color",)) == ("direct",)
    assert modes_of("direct", "center", None) == ("center", "aov")
    assert modes_of("path", 4, ("color", "variance")) == ("path",)
    assert modes_of("path", 4, None) == ("path", "aov")
    assert modes_of("aov", 16, None) == ("aov",)
    assert modes_of("direct", 16, ("depth",)) == ("aov",)
    assert modes_of("path", 1, ("depth", "color")) == ("path", "aov")
