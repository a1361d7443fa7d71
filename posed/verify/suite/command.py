"""A renderer's command: what stands in braces filled in, run without a shell, and what it left read."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from posed.errors import MissingError, PosedError
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify.loading import load_side
from posed.verify.suite.placeholders import fill, unknown_placeholder
from posed.verify.suite.scene_json import write_scene_json
from posed.verify.verdict import Side

OUT = "out"
"""What the folder is called that a command leaves its frame in."""


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
        base = Path(folder)
        out, told = base / OUT, base / "in"
        out.mkdir()
        told.mkdir()
        pose.save(told / "posed.json")
        yield Job(
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


def split_command(text: str) -> tuple[str, ...]:
    """Return the words of a command line, as a shell would split them.

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
    fault = unknown_placeholder(words)
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
    PosedError
        It failed, took too long, or left nothing that can be read.
    """
    filled = fill(words, frame.words)
    try:
        done = subprocess.run(
            filled, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False
        )
    except FileNotFoundError as error:
        raise MissingError(f"{filled[0]}: there is no such program: install it, or name it by its path") from error
    except subprocess.TimeoutExpired as error:
        raise PosedError(f"{filled[0]} took more than {timeout:g} seconds and was ended") from error
    except (OSError, ValueError) as error:
        raise PosedError(f"{filled[0]} cannot be run: {getattr(error, 'strerror', None) or error}") from error
    if done.returncode != 0:
        raise PosedError(f"{filled[0]} ended with status {done.returncode}: {_last_line(done.stderr or done.stdout)}")
    if not any(frame.out.iterdir()):
        raise PosedError(f"{filled[0]} left nothing in its folder for output: {_last_line(done.stderr or done.stdout)}")
    return load_side(frame.out)


def _last_line(output: bytes) -> str:
    lines = output.decode(errors="replace").strip().splitlines()
    return lines[-1].strip()[:400] if lines else "it said nothing"
