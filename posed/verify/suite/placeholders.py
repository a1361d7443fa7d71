"""Words in braces in a renderer's command, and what is put in their place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

PLACEHOLDERS = ("scene", "scene_json", "tick", "posed", "width", "height", "out")
"""What may stand in braces in a command: the scene's file, its description as JSON, the tick, the snapshot as JSON, the
picture's sides, and an empty folder to leave the frame in."""

BRACES = re.compile(r"\{(\w+)\}")


def named(words: Sequence[str]) -> list[str]:
    """Return what stands in braces in a command."""
    return [name for word in words for name in BRACES.findall(word)]


def unknown_placeholder(words: Sequence[str], known: Sequence[str] = PLACEHOLDERS) -> str | None:
    """Say which word in braces a command is not given, None where all are known."""
    for name in named(words):
        if name not in known:
            return f"there is no {{{name}}}: a command is given {', '.join(f'{{{one}}}' for one in known)}"
    return None


def fill(words: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """Return a command's words with the values of `PLACEHOLDERS` in place of their names."""
    return [BRACES.sub(lambda match: values[match[1]], word) for word in words]
