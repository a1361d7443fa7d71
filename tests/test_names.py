"""The page of names: every name of ours on it is public."""

import importlib
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs/names.md"


def names() -> list[str]:
    rows = [line.split("|")[2] for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    found = [name for row in rows[2:] for name in re.findall(r"`([a-z]+(?:\.\w+)+)`", row)]
    assert len(found) > 100
    return found


def look_up(name: str) -> object:
    """Return what a dotted name stands for: modules as far as they go, then attributes."""
    words = name.split(".")
    value: object = importlib.import_module(words[0])
    for index, word in enumerate(words[1:], 2):
        try:
            value = getattr(value, word)
        except AttributeError:
            fields = getattr(value, "__dataclass_fields__", {})
            value = fields[word] if word in fields else importlib.import_module(".".join(words[:index]))
    return value


@pytest.mark.parametrize("name", names())
def test_a_name_of_ours_is_there_and_explains_itself(name: str) -> None:
    value = look_up(name)
    assert value is not None
    if callable(value):
        assert (value.__doc__ or "").strip(), f"{name} has no docstring"
