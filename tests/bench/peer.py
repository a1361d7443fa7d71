"""Another program that is measured beside ours: it runs in a process of its own and answers a line with a line.

Rounds then take turns, so that what else the machine does falls on both sides, though libraries that do not bear each
other are never in one process.
"""

import json
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

HERE = Path(__file__).with_name("peers")


class Peer:
    """A script of `tests/bench/peers` under its interpreter, asked in JSON; used in a `with`.

    Parameters
    ----------
    words
        The interpreter, then the script's name and what it is given at the start.
    """

    def __init__(self, interpreter: str, script: str, *words: object) -> None:
        pipe = subprocess.PIPE
        command = [interpreter, str(HERE / script), *map(str, words)]
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def ask(self, **what: object) -> dict[str, Any]:
        """Return the answer to a request; lines of others on the way, which are no JSON object, are passed over."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith("{"):
                answer: dict[str, Any] = json.loads(line)
                return answer
        raise RuntimeError(f"{self._process.args} ended with status {self._process.wait()} when asked {what}")

    def __enter__(self) -> "Peer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(BrokenPipeError):  # it has ended by itself, with words that were left to be read
            self._process.communicate()


def open3d(python: str) -> Peer:
    """Return Open3D under a Python that has it."""
    return Peer(python, "open3d_peer.py")


def three(folder: str) -> Peer:
    """Return three.js in node, from the folder that holds its node_modules."""
    node = shutil.which("node")
    if node is None:
        sys.exit("three.js is measured in node, which is not installed")
    return Peer(node, "three_peer.mjs", Path(folder).resolve())
