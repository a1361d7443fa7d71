"""Engines that answer: run moment by moment or once for all of them, drawn here, or answered beforehand."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from posed.conform.pack import SIZE, Moment
from posed.errors import MissingError, PosedError
from posed.verify.loading import load_side
from posed.verify.suite.command import Job, prepared, run_command, run_words, split_command
from posed.verify.suite.placeholders import PLACEHOLDERS, fill, named
from posed.verify.verdict import Side

REQUESTS = "requests"
"""The placeholder of a file that lists every moment: a command that has it is run once."""

ERROR = "error.txt"
"""Where an engine that runs once says why it has no answer to a moment."""


@dataclass(frozen=True, eq=False)
class Answer:
    """What an engine has to a moment, or why it has nothing; without either, the built-in renderer is to draw it."""

    moment: Moment
    side: Side | None = None
    error: str = ""


class Engine(Protocol):
    """Whoever answers."""

    name: str

    def answers(self, moments: Sequence[Moment]) -> Iterator[Answer]:
        """Yield an answer to each moment, in order; the engine's failures are answers too.

        Raises
        ------
        MissingError
            This machine has no such program.
        PosedError
            The program cannot be run.
        """
        ...


class BuiltIn:
    """The built-in live renderer."""

    name = "posed.live"

    def answers(self, moments: Sequence[Moment]) -> Iterator[Answer]:
        """Leave the drawing to the check."""
        yield from map(Answer, moments)


class Answered:
    """Answers that lie in a folder as `<rig>/<tick>/`, each as an engine leaves it."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise PosedError(f"{folder}: there is no such folder: expected answers in <rig>/<tick>/")
        self._folder, self.name = folder, folder.name

    def answers(self, moments: Sequence[Moment]) -> Iterator[Answer]:
        """Read them."""
        for one in moments:
            yield _read(one, self._folder / one.name, "the folder has no answer to it")


class Command:
    """An engine that is a command.

    Parameters
    ----------
    text
        The command line, without a shell; what stands in braces is filled in. With `{requests}` it is run once for all
        moments, else once for each.
    timeout
        Seconds after which a run is ended.

    Raises
    ------
    PosedError
        It is no command.
    """

    def __init__(self, text: str, *, timeout: float = 600.0) -> None:
        self._words = split_command(text, (*PLACEHOLDERS, REQUESTS))
        self._timeout = timeout
        self.name = text
        alone = [name for name in named(self._words) if name != REQUESTS]
        if REQUESTS in named(self._words) and alone:
            raise PosedError(f"{{{REQUESTS}}} is for a command that is run once: leave out {{{alone[0]}}}")

    def answers(self, moments: Sequence[Moment]) -> Iterator[Answer]:
        """Run it."""
        with tempfile.TemporaryDirectory(prefix="posed-") as folder:
            if REQUESTS in named(self._words):
                yield from self._once(moments, Path(folder))
                return
            for number, one in enumerate(moments):
                yield self._one(one, _job(one, Path(folder) / str(number)))

    def _one(self, moment: Moment, job: Job) -> Answer:
        try:
            return Answer(moment, run_command(self._words, job, folder=Path.cwd(), timeout=self._timeout))
        except MissingError:
            raise
        except PosedError as error:
            return Answer(moment, error=str(error))

    def _once(self, moments: Sequence[Moment], folder: Path) -> Iterator[Answer]:
        jobs = [_job(one, folder / str(number)) for number, one in enumerate(moments)]
        path = folder / "requests.json"
        path.write_text(json.dumps(_requests(moments, jobs), indent=1) + "\n", encoding="utf-8")
        failure = ""
        try:
            run_words(fill(self._words, {REQUESTS: str(path)}), folder=Path.cwd(), timeout=self._timeout)
        except MissingError:
            raise
        except PosedError as error:  # what it answered before counts
            failure = str(error)
        for one, job in zip(moments, jobs, strict=True):
            yield _read(one, job.out, failure or "it left nothing in the folder for output")


def _job(one: Moment, folder: Path) -> Job:
    folder.mkdir()
    return prepared(one.scene, one.pose, SIZE, folder)


def _requests(moments: Sequence[Moment], jobs: Sequence[Job]) -> dict[str, object]:
    numbers = ("tick", "width", "height")
    return {
        "format": "posed requests",
        "version": 1,
        "requests": [
            {"rig": one.rig.name, **{name: int(word) if name in numbers else word for name, word in job.words.items()}}
            for one, job in zip(moments, jobs, strict=True)
        ],
    }


def _read(moment: Moment, folder: Path, otherwise: str) -> Answer:
    """Return the answer that lies in a folder; without one, why."""
    said = folder / ERROR
    try:
        if said.is_file():
            return Answer(moment, error=said.read_text(encoding="utf-8", errors="replace").strip()[:400] or otherwise)
        if not folder.is_dir() or not any(folder.iterdir()):
            return Answer(moment, error=otherwise)
        return Answer(moment, load_side(folder))
    except (OSError, PosedError) as error:
        return Answer(moment, error=str(error))
