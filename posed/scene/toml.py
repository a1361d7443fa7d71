"""TOML with positions: values by `tomllib`, the line of every key by tree-sitter."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any

from posed.errors import SceneError
from posed.files import unreadable

if TYPE_CHECKING:
    from tree_sitter import Node

LARGEST_FILE = 1 << 22
"""Bytes; a scene or suite is written by people."""

Keys = tuple[str | int, ...]
"""The way to a value: table keys and list indices."""


@dataclass(frozen=True)
class Document:
    """A parsed file: `data` as nested dictionaries and lists, numbers with a point as Decimal, and where keys stand."""

    path: Path
    data: dict[str, Any]
    lines: dict[Keys, int]

    def line(self, keys: Keys) -> int:
        """Return the 1-based line of the value at `keys`, of the nearest thing around it where that has none."""
        while keys and keys not in self.lines:
            keys = keys[:-1]
        return self.lines.get(keys, 1)

    def error(self, keys: Keys, message: str) -> SceneError:
        """Return the error that says `message` about the value at `keys`, with file, line and dotted key."""
        dotted = ".".join(key for key in keys if isinstance(key, str))
        return SceneError(self.path, self.line(keys), dotted, message)


def read_toml(path: Path) -> Document:
    """Read and parse the TOML file at `path`.

    Raises
    ------
    SceneError
        The file cannot be read, is not UTF-8, passes `LARGEST_FILE` or is not TOML; with the line where there is one.
    """
    reason = unreadable(path)
    if reason is not None:
        raise SceneError(path, 0, "", reason)
    with path.open("rb") as stream:
        content = stream.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise SceneError(path, 0, "", f"is longer than {LARGEST_FILE} bytes: is this a scene or a suite?")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SceneError(path, line, "", f"byte {error.start} is not UTF-8: save the file as UTF-8") from error
    try:
        data = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, InvalidOperation, RecursionError) as error:  # also numbers too long for Python to read
        line, message = _syntax(error)
        raise SceneError(path, line, "", f"not valid TOML: {message}") from error
    return Document(path, data, _lines(content))


def _syntax(error: Exception) -> tuple[int, str]:
    if isinstance(error, RecursionError):
        return 0, "its values are nested too deeply"
    if not isinstance(error, tomllib.TOMLDecodeError):
        return 0, "it has a number with too many digits"
    found = re.search(r"\(at line (\d+), column \d+\)", str(error))
    message = re.sub(r" \(at (line \d+, column \d+|end of document)\)", "", str(error))
    return (int(found[1]) if found else 0), message


def _lines(content: bytes) -> dict[Keys, int]:
    """Return the line of every key and list item of a valid document."""
    from tree_sitter import Language, Parser
    from tree_sitter_toml import language

    lines: dict[Keys, int] = {}
    counts: dict[Keys, int] = {}
    for child in Parser(Language(language())).parse(content).root_node.named_children:
        place: Keys = ()
        if child.type in ("table", "table_array_element"):
            names = _names(child.named_children[0])
            for depth, name in enumerate(names):
                place = (*place, name)
                if child.type == "table_array_element" and depth == len(names) - 1:
                    counts[place] = counts.get(place, -1) + 1
                    lines.setdefault(place, _line(child))
                if place in counts:
                    place = (*place, counts[place])
            lines.setdefault(place, _line(child))
        _pairs(child, place, lines)
    return lines


def _pairs(table: Node, place: Keys, lines: dict[Keys, int]) -> None:
    pairs = [table] if table.type == "pair" else [one for one in table.named_children if one.type == "pair"]
    for pair in pairs:
        key = place
        for name in _names(pair.named_children[0]):
            key = (*key, name)
            lines.setdefault(key, _line(pair))
        _value(pair.named_children[1], key, lines)


def _value(node: Node, place: Keys, lines: dict[Keys, int]) -> None:
    if node.type == "inline_table":
        _pairs(node, place, lines)
    elif node.type == "array":
        items = [one for one in node.named_children if one.type != "comment"]
        for index, item in enumerate(items):
            lines[*place, index] = _line(item)
            _value(item, (*place, index), lines)


def _names(key: Node) -> tuple[str, ...]:
    if key.type == "dotted_key":
        return tuple(name for part in key.named_children for name in _names(part))
    text = key.text or b""
    if key.type == "quoted_key":
        return tuple(tomllib.loads(f"{text.decode()} = 0"))
    return (text.decode(),)


def _line(node: Node) -> int:
    return int(node.start_point.row) + 1
