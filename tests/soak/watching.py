"""A command under watch: its processes, the shared memory they map, and what is left of either when it has ended."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

STUCK = 300.0
"""Seconds after which a command counts as stuck."""

GOING = 20.0
"""Seconds that what a killed command has started may take to end."""


def session(leader: int) -> list[int]:
    """Return the living processes of a session."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[3]) == leader and fields[0] != "Z":
                found.append(int(stat.parent.name))
    return found


def shared_memory(process: int) -> set[str]:
    """Return the files of shared memory that a process has mapped, with their paths."""
    try:
        maps = Path(f"/proc/{process}/maps").read_text()
    except OSError:
        return set()
    return set(re.findall(r"/dev/shm/\S+", maps))


def _words_of(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


class Command:
    """`posed` with some words, in a session of its own; `out` and `err` are there when it has ended."""

    def __init__(self, words: list[str], scratch: Path) -> None:
        self.words, self.out, self.err = words, "", ""
        self._mapped: set[str] = set()
        self._streams = [(scratch / name).open("w+") for name in ("out", "err")]
        out, err = self._streams
        temporary = scratch / "temporary"
        temporary.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "posed", *words],
            stdout=out,
            stderr=err,
            start_new_session=True,
            env=os.environ | {"TMPDIR": str(temporary)},
        )
        self._begun, self._temporary = time.monotonic(), temporary

    @property
    def is_stuck(self) -> bool:
        """Whether it has run for too long."""
        return time.monotonic() - self._begun > STUCK

    def watch(self) -> bool:
        """Look at its processes' shared memory, wait a little and say whether it still runs."""
        for process in session(self.process.pid):
            self._mapped |= shared_memory(process)
        time.sleep(0.05)
        return self.process.poll() is None and not self.is_stuck

    def kill_a_worker(self, chance: random.Random) -> None:
        """Kill one of its workers, where it has any: not what Python keeps its shared memory with."""
        workers = [one for one in session(self.process.pid) if b"spawn_main" in _words_of(one)]
        if workers:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(workers), signal.SIGKILL)

    def faults(self) -> list[str]:
        """Wait for its end, and that of all it has started; return what is wrong with how it ended."""
        found = []
        while self.watch():
            pass
        if self.process.poll() is None:
            found.append(f"stuck after {STUCK:g} s")
            self.process.kill()
        self.process.wait()
        until = time.monotonic() + GOING
        while (left := session(self.process.pid)) and time.monotonic() < until:
            time.sleep(0.05)
        found += [f"process {one} outlives it" for one in left]
        for one in left:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        texts = []
        for stream in self._streams:
            stream.seek(0)
            texts.append(stream.read())
            stream.close()
        self.out, self.err = texts
        found += [f"left in shared memory: {path}" for path in sorted(self._mapped) if Path(path).exists()]
        found += [f"left among temporary files: {path.name}" for path in self._temporary.iterdir()]
        is_killed = self.process.returncode == -signal.SIGKILL  # what it was starting then complains in Python's words
        if not is_killed and ("Traceback" in self.err or "fault of posed" in self.err):
            found.append(self.err[-2000:])
        return [f"posed {' '.join(self.words)}: {fault}" for fault in found]
