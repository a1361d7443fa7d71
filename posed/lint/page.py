"""The page of the documentation that lists every code: ``python -m posed.lint.page > docs/lint.md`` writes it anew."""

from __future__ import annotations

import sys

from posed.lint.codes import CODES, FAMILIES

_HEAD = """\
# What `posed lint` finds

    posed lint character.glb
    posed lint walker.toml

Each finding has a code, a severity, a place (a JSON pointer into the glTF file, or a line of the scene file), a
sentence that says what was found and one that says how to cure it. An *error* is refused by the loader; a *warning*
looks wrong here or in other readers; a *note* is worth knowing. The command ends with status 1 where there is an error.
`--json` gives the same to machines.
"""


def page() -> str:
    """Return the page as Markdown."""
    lines = [_HEAD]
    for family, title in FAMILIES.items():
        lines.append(f"## {title}\n")
        for code, entry in CODES.items():
            if code.startswith(family):
                lines.append(
                    f"### {code}: {entry.title}\n\n*{entry.severity.capitalize()}.* {entry.explanation}\n\n"
                    f"Cure: {entry.cure}.\n"
                )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(page())
