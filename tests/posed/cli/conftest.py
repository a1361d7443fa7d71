"""Running the command line in this process."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from posed.cli import main


class Outcome(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `posed` with words; a SystemExit is its status, any other exception a fault.

    That kernels are compiled, which depends on what ran before, is left out of what was said.
    """

    def call(*words: object) -> Outcome:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
        out, err = capsys.readouterr()
        said = [line for line in err.splitlines(keepends=True) if not line.startswith("compiling kernels of ")]
        return Outcome(int(left.value.code or 0), out, "".join(said))

    return call
