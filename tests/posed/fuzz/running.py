"""Running mutated files: each ends in a result or an error of this project, in time and in memory, or it is a fault."""

import collections
import faulthandler
import random
import re
import resource
import shutil
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from posed.errors import PosedError
from tests.posed.fuzz.kinds import KINDS, Kind, write_whole

MOST_SECONDS = 10.0
"""Of processor time that one file may take."""
MOST_MEMORY = 2 << 30
"""Bytes of address space that files may take over what the process has after a whole file of every kind."""
HANGS_AFTER = 120.0
"""Seconds after which the process is ended with its traceback: a case that no Python code can stop."""

READABLE = re.compile(r"(?!.*(?:0x[0-9a-f]{6}|<[\w.]+ object))[^\n]{1,2000}")
"""An error's text: one line, no address of Python's."""


@dataclass(frozen=True)
class Fault:
    """A mutation that ended badly: what it was, and what happened."""

    kind: str
    seed: int
    text: str


@dataclass(frozen=True)
class Report:
    """`outcomes` counts by (kind, "result" or "refused"); the longest case took `slowest` seconds."""

    outcomes: collections.Counter[tuple[str, str]]
    faults: tuple[Fault, ...]
    slowest: float


def run(folder: Path, seeds: Iterator[int], until: float | None = None) -> Report:
    """Try one mutation of every kind for each seed, until the process's clock passes `until`; the first fault of each
    kind and place is kept.
    """
    write_whole(folder)
    for kind in KINDS:
        kind.use(folder / kind.name)
    _limit_memory()
    outcomes: collections.Counter[tuple[str, str]] = collections.Counter()
    faults: dict[tuple[str, str], Fault] = {}
    slowest = 0.0
    for seed in seeds:
        for kind in KINDS:
            start = time.process_time()
            outcome = _outcome(folder, kind, seed)
            taken = time.process_time() - start
            slowest = max(slowest, taken)
            if taken > MOST_SECONDS:
                outcome = f"took {taken:.1f} s"
            outcomes[kind.name, outcome if outcome in ("result", "refused") else "fault"] += 1
            if outcome not in ("result", "refused"):
                last = outcome.strip().splitlines()[-1]
                faults.setdefault((kind.name, last[:60]), Fault(kind.name, seed, outcome))
        if until is not None and time.monotonic() > until:
            break
    return Report(outcomes, tuple(faults.values()), slowest)


def _outcome(folder: Path, kind: Kind, seed: int) -> str:
    whole = (folder / kind.name).read_bytes()
    (folder / "tried").mkdir(exist_ok=True)
    for one in KINDS:
        if not (folder / "tried" / one.name).exists():
            shutil.copy(folder / one.name, folder / "tried")
    path = folder / "tried" / kind.name
    path.write_bytes(kind.mutated(whole, random.Random(seed)))
    faulthandler.dump_traceback_later(HANGS_AFTER, exit=True)
    try:
        with np.errstate(all="ignore"):
            kind.use(path)
    except PosedError as error:
        return "refused" if READABLE.fullmatch(str(error)) else f"refused in words of no use: {error!r}"
    except Exception:  # noqa: BLE001 - any other exception is a fault, which is what this looks for
        return traceback.format_exc()
    finally:
        faulthandler.cancel_dump_traceback_later()
        path.write_bytes(whole)
    return "result"


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + MOST_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
