"""A hook of mkdocs: pages made from the code, one for each public package and one for the command line."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

import click
from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

PACKAGES = (
    "posed",
    "posed.live",
    "posed.overlay",
    "posed.plot",
    "posed.notebook",
    "posed.farm",
    "posed.golden",
    "anim",
    "tracer",
)


HELP_WIDTH = 80
"""Columns of a command's help: what the page shows without scrolling."""


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add ``reference/<package>.md`` for each of `PACKAGES`, and ``reference/commands.md``."""
    files.append(File.generated(config, "reference/commands.md", content=commands()))
    for package in PACKAGES:
        files.append(File.generated(config, f"reference/{package}.md", content=page(package)))
    return files


def page(package: str) -> str:
    """Return a page with every public name of `package` under the module that defines it."""
    module = importlib.import_module(package)
    lines = [f"# {package}", "", (module.__doc__ or "").strip(), ""]
    for name in module.__all__:
        if isinstance(getattr(module, name), ModuleType):  # a package has its own page, or is written about
            continue
        lines += [
            f"::: {home(package, name)}",
            "    options:",
            f"      heading: {package}.{name}",
            "      heading_level: 2",
            "",
        ]
    return "\n".join(lines)


def commands() -> str:
    """Return a page with the help of every command, as the command itself prints it."""
    from posed.cli import COMMANDS, command

    lines = ["# Commands", "", "What each command says with `--help`.", ""]
    for name in COMMANDS:
        own = command.get_command(click.Context(command), name)
        assert own is not None
        lines += _help(f"posed {name}", own)
        for below, part in own.commands.items() if isinstance(own, click.Group) else ():
            lines += _help(f"posed {name} {below}", part)
    return "\n".join(lines)


def _help(name: str, own: click.Command) -> list[str]:
    context = click.Context(own, info_name=name, max_content_width=HELP_WIDTH, terminal_width=HELP_WIDTH)
    return [f"## {name}", "", "```text", own.get_help(context), "```", ""]


def home(package: str, name: str) -> str:
    """Return where a public name is defined, as the reader of docstrings finds it."""
    module = importlib.import_module(package)
    value = getattr(module, name)
    owner, own = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if owner is None or own is None:  # a constant, or a package
        constants = getattr(module, "_HOMES", {})
        return f"{package}.{constants[name]}.{name}" if name in constants else f"{package}.{name}"
    return f"{owner}.{own}"
