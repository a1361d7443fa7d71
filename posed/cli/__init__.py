"""The command line: one module a command, loaded when it is called."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import click

from posed.cli.interrupting import Terminated, listen, status_of
from posed.cli.standard import prepare, say
from posed.cli.usage import usage_words
from posed.errors import PosedError

COMMANDS = (
    *("demo", "render", "live", "check", "compare", "golden", "diagnose", "diverge", "explain", "conform"),
    *("bake", "pose", "sheet", "inspect", "lint", "view", "doctor"),
)
"""In the order in which `posed --help` lists them."""

COLLECT_AFTER = 100_000
"""Objects made between two looks for garbage: imports make most of a command's objects, and none of them is garbage."""


class _Lazy(click.Group):
    """A group whose commands are modules of this package with an attribute `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"posed.cli.{cmd_name}").command
        return command


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="posed")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def command(debug: bool) -> None:
    """Check skinned characters against a ray-traced reference.

    \b
    posed demo                                     a picture, without any file of yours
    posed render character.glb --clip Walk --tick 42 -o walk.png
    posed check character.glb --clip Walk --tick 42

    Exit status: 0 done or passed, 1 a verdict failed, 2 bad usage or a bad file, 3 something this machine lacks.
    """
    del debug


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; every refusal is one line on standard error."""
    prepare()
    words = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    try:
        status = command.main(words, "posed", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.ClickException as error:
        say(usage_words(error, command, words))
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort) as error:
        cause = error.__cause__ or error  # click makes an Abort of it
        say(f"posed: {'terminated' if isinstance(cause, Terminated) else 'interrupted'}")
        sys.exit(status_of(cause))
    except PosedError as error:
        if debug:
            raise
        say(f"posed: {error}")
        sys.exit(error.exit_status)
    except MemoryError:
        if debug:
            raise
        say("posed: this machine has not enough memory for it: choose a smaller size, fewer layers or fewer workers")
        sys.exit(2)
    except OSError as error:  # the disk is full, a device fails: the machine's, not ours
        if debug:
            raise
        say(f"posed: {error.filename or 'standard output'}: {error.strerror or error}")
        sys.exit(2)
    except Exception as error:
        if debug:
            raise
        say(
            f"posed: this is a fault of posed, not yours: {type(error).__name__}: {error} "
            "(the same command with --debug shows where)"
        )
        sys.exit(2)
    sys.exit(status if isinstance(status, int) else 0)


def run() -> None:
    """Run the command line as the process it is, and end that without taking the interpreter apart.

    Every file is closed by then; to give back what LLVM has compiled takes 0.4 s more.
    """
    gc.set_threshold(COLLECT_AFTER)
    listen()
    status: object = None
    try:
        main()
    except SystemExit as left:
        status = left.code
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # a closed or full one has been told of already
            stream.flush()
    os._exit(status if isinstance(status, int) else 0)
