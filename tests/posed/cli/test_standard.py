"""Standard output and error as shells give them: each case in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from posed.cli.standard import say

COMMAND = """
import sys, click
from posed import cli

@click.command()
@click.argument("status", type=int)
def command(status):
    click.echo("\\udcff" * 100_000)
    return status

cli.command = command
cli.main()
"""
"""A command that prints the name of a file in no encoding, more than a pipe holds, and ends with the status given."""

needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


def posed(status: int, **options: object) -> subprocess.CompletedProcess[bytes]:
    words = [sys.executable, "-c", COMMAND, str(status)]
    return subprocess.run(words, stderr=subprocess.PIPE, check=False, **options)  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize("status", [0, 1])
def test_a_reader_that_leaves_does_not_change_the_status(status: int) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    outcome = posed(status, stdout=writing)
    os.close(writing)
    assert (outcome.returncode, outcome.stderr) == (status, b"")


def test_names_that_the_encoding_cannot_say_are_printed_as_their_codes() -> None:
    outcome = posed(0, stdout=subprocess.PIPE)
    assert (outcome.returncode, outcome.stdout) == (0, b"\\udcff" * 100_000 + b"\n")


@needs_full
def test_a_full_disk_behind_standard_output_is_one_line() -> None:
    with open("/dev/full", "wb") as full:
        outcome = posed(0, stdout=full)
    assert outcome.returncode == 2
    assert outcome.stderr == b"posed: standard output: No space left on device\n"


def test_a_closed_standard_output_is_no_fault() -> None:
    outcome = posed(1, preexec_fn=lambda: os.close(1))
    assert (outcome.returncode, outcome.stderr) == (1, b"")


def test_what_is_said_is_one_printable_line(capsys: pytest.CaptureFixture[str]) -> None:
    say("posed: a\x1b[31mb.glb: Validation Error\n\n  Caused by:\n    \u00fc")
    assert capsys.readouterr().err == "posed: a\\x1b[31mb.glb: Validation Error Caused by: \u00fc\n"
