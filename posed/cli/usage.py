"""What is wrong with the words of a command: what was given, what it is not, and how to cure it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click
from click.core import ParameterSource

EXTRA = re.compile(r"Got unexpected extra arguments? \((?P<words>.*)\)", re.DOTALL)
"""What click says of words that nothing takes, which it has no class of errors for."""

UNKNOWN = re.compile(r"No such command '(?P<word>.*?)'", re.DOTALL)
"""What click before 8.4 says of a command that there is not."""


def missing(name: str) -> click.MissingParameter:
    """Return the error of a parameter that this use of the command at work cannot do without."""
    context = click.get_current_context()
    (parameter,) = [one for one in context.command.params if one.name == name]
    return click.MissingParameter(ctx=context, param=parameter)


def usage_words(error: click.ClickException, command: click.Group, words: Sequence[str]) -> str:
    """Return one line on `words` that the command line does not take; it ends with where to read on."""
    context = getattr(error, "ctx", None) or _context_of(command, words)
    place = context.command_path
    return f"{place}: {_fault(error, context).rstrip('.')} ({place} --help shows how)"


def _context_of(command: click.Command, words: Sequence[str]) -> click.Context:
    """Return the context of the command that words name: click's parser does not tell of it where a value lacks."""
    context = click.Context(command, info_name="posed")
    for word in words:
        below = command.get_command(context, word) if isinstance(command, click.Group) else None
        if below is not None:
            command, context = below, click.Context(below, info_name=word, parent=context)
    return context


def _fault(error: click.ClickException, context: click.Context) -> str:
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return _missing(error.param, context)
    if isinstance(error, click.BadParameter) and error.param is not None:
        return f"{_given(error.param, context)}: {error.message}"
    if isinstance(error, click.NoSuchOption):
        near = f": is {' or '.join(error.possibilities)} meant?" if error.possibilities else ""
        return f"there is no option {error.option_name}{near or ': leave it out'}"
    if isinstance(error, click.BadOptionUsage):
        return _without_value(error.option_name, context)
    words = error.format_message()
    if extra := EXTRA.match(words):
        return f'"{extra["words"]}" is more than it takes: leave it out, and quote a name that has blanks'
    if unknown := UNKNOWN.match(words):
        return _no_command(unknown["word"], context)
    return words


def _missing(parameter: click.Parameter, context: click.Context) -> str:
    """Say that an option or an argument was not given, and what it is."""
    if isinstance(parameter, click.Option):
        told = (parameter.help or "").rstrip(".")
        return f"{_name(parameter)} is missing: give {_shown(parameter)} ({told})"
    pieces = " ".join(context.command.collect_usage_pieces(context))
    return f"{parameter.metavar or parameter.human_readable_name} is missing: expected {context.command_path} {pieces}"


def _given(parameter: click.Parameter, context: click.Context) -> str:
    """Return the name under which a value was given: an option's, an argument's, or an environment variable's."""
    source = None if parameter.name is None else context.get_parameter_source(parameter.name)
    if source is ParameterSource.ENVIRONMENT and isinstance(parameter.envvar, str):
        return parameter.envvar
    return _name(parameter) if isinstance(parameter, click.Option) else str(parameter.human_readable_name)


def _name(option: click.Option) -> str:
    return max(option.opts, key=len)


def _shown(option: click.Option) -> str:
    """Return an option with its value as the help has it."""
    kind = "FILE" if isinstance(option.type, click.Path) else option.type.name
    return f"{_name(option)} {option.metavar or kind}"


def _without_value(name: str, context: click.Context) -> str:
    """Say that an option has fewer values than it takes, or one where it takes none."""
    for one in context.command.params:
        if isinstance(one, click.Option) and name in (*one.opts, *one.secondary_opts) and not one.is_flag:
            number = "no value" if one.nargs == 1 else f"fewer values than its {one.nargs}"
            return f"{name} has {number}: give {_shown(one)}"
    return f"{name} takes no value: leave out the = and what follows it"


def _no_command(word: str, context: click.Context) -> str:
    from difflib import get_close_matches

    there = context.command.list_commands(context) if isinstance(context.command, click.Group) else []
    near = get_close_matches(word, there)
    return f'there is no command "{word}": {f"is {near[0]} meant?" if near else "there are " + ", ".join(there)}'
