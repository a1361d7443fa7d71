"""A renderer's command: what stands in braces filled in, run without a shell, and what it left read."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from posed.errors import MissingError, PosedError, VerdictError
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify.loading import load_side
from posed.verify.suite.placeholders import PLACEHOLDERS, fill, unknown_placeholder
from posed.verify.suite.scene_json import write_scene_json
from posed.verify.verdict import Side

OUT = "out"
"""What the folder is called that a command leaves its frame in."""

_at_work: dict[int, subprocess.Popen[bytes]] = {}
"""The programs that run, by the threads that wait for them."""

TAIL = 6
"""Lines of a failed command's output that are shown, its last."""


@dataclass(frozen=True)
class Job:
    """One frame that a renderer's command is to draw: `words` are the values of `placeholders.PLACEHOLDERS`."""

    words: Mapping[str, str]

    @property
    def out(self) -> Path:
        """The folder that the command leaves its frame in."""
        return Path(self.words["out"])


@contextmanager
def job(scene: Scene, pose: Posed, size: tuple[int, int]) -> Iterator[Job]:
    """Write what a command is told of one frame, for as long as the block runs.

    Raises
    ------
    PosedError
        The snapshot does not fit the scene, or nothing can be written to the system's folder for temporary files.
    """
    with tempfile.TemporaryDirectory(prefix="posed-") as folder:
        yield prepared(scene, pose, size, Path(folder))


def prepared(scene: Scene, pose: Posed, size: tuple[int, int], folder: Path) -> Job:
    """Write to an empty folder what a command is told of one frame, and make one for what it leaves; see `job`."""
    out, told = folder / OUT, folder / "in"
    out.mkdir()
    told.mkdir()
    pose.save(told / "posed.json")
    return Job(
        {
            "scene": str(scene.path.resolve()),
            "scene_json": str(write_scene_json(scene, pose, size, told)),
            "tick": str(pose.tick),
            "posed": str(told / "posed.json"),
            "width": str(size[0]),
            "height": str(size[1]),
            "out": str(out),
        }
    )


def split_command(text: str, known: Sequence[str] = PLACEHOLDERS) -> tuple[str, ...]:
    """Return the words of a command line, as a shell would split them; `known` may stand in braces.

    Raises
    ------
    PosedError
        A quote is not closed, there is no word, or something unknown stands in braces.
    """
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise PosedError(f"--live-command: {error}: {text}") from error
    if not words:
        raise PosedError("--live-command is empty: give the program and its arguments")
    fault = unknown_placeholder(words, known)
    if fault is not None:
        raise PosedError(f"--live-command: {fault}")
    return words


def run_command(words: Sequence[str], frame: Job, *, folder: Path, timeout: float) -> Side:
    """Run a command for one frame and read what it left.

    Parameters
    ----------
    words
        Program and arguments.
    frame
        What is filled in.
    folder
        The working folder.
    timeout
        Seconds after which it is ended.

    Raises
    ------
    MissingError
        There is no such program.
    VerdictError
        It failed, took too long, or left nothing.
    PosedError
        It cannot be run, or what it left cannot be read.
    """
    filled = fill(words, frame.words)
    done = run_words(filled, folder=folder, timeout=timeout)
    if not any(frame.out.iterdir()):
        raise VerdictError(f"{filled[0]} left nothing in its folder for output; {_tail(done)}")
    return load_side(frame.out)


def run_words(filled: Sequence[str], *, folder: Path, timeout: float) -> bytes:
    """Run a program to its end and return what it said; see `run_command`."""
    pipe, thread = subprocess.PIPE, threading.get_ident()
    try:
        with subprocess.Popen(filled, cwd=folder, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe) as process:
            _at_work[thread] = process
            try:
                out, err = process.communicate(timeout=timeout)
            except BaseException:
                process.kill()
                raise
            finally:
                del _at_work[thread]
    except FileNotFoundError as error:
        raise MissingError(f"{filled[0]}: there is no such program: install it, or name it by its path") from error
    except subprocess.TimeoutExpired as error:
        tail = _tail(error.stderr or error.stdout or b"")
        raise VerdictError(f"{filled[0]} took more than {timeout:g} seconds and was ended; {tail}") from error
    except (OSError, ValueError) as error:
        raise PosedError(f"{filled[0]} cannot be run: {getattr(error, 'strerror', None) or error}") from error
    said = err or out
    if process.returncode != 0:
        raise VerdictError(f"{filled[0]} ended with status {process.returncode}; {_tail(said)}")
    return said


def end_command(thread: int | None) -> None:
    """End the program that a thread waits for, where it does."""
    process = None if thread is None else _at_work.get(thread)
    if process is not None:
        process.kill()


def _tail(output: bytes) -> str:
    lines = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
    return f"its output ends: {' | '.join(lines[-TAIL:])[-800:]}" if lines else "it said nothing"
