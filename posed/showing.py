"""Showing itself: what a notebook asks a value for, and IPython told of the types that it cannot ask.

How values look is known by `posed.notebook`, which stands above all of them: it is reached by name through the
package's own table, when something is first shown, and imported by nobody below it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

FOREIGN = (("anim.rig", "Rig"), ("anim.clip", "Clip"))
"""Module and name of the types of `anim`, which knows of no floor above it and so cannot carry the method below."""


class ShowsItself:
    """A value that a notebook shows as a picture or a table; a subclass says itself in one line by `__repr__`."""

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, Any]:
        """Return what a notebook shows, by media type: always ``text/plain``, and ``text/html`` without any network."""
        return bundle(self, include, exclude)


def bundle(value: object, include: Any = None, exclude: Any = None) -> dict[str, Any]:
    """Return what a notebook shows of a value; see `posed.notebook.mimebundle`."""
    import posed

    notebook: Any = posed.notebook
    shown: dict[str, Any] = notebook.mimebundle(value, include, exclude)
    return shown


def register(shell: Any) -> None:
    """Let an IPython shell show the types of `FOREIGN`; `import posed` does this where IPython is running.

    IPython takes types by name, so that nothing is imported until one of them is shown.
    """
    formatter = shell.display_formatter.mimebundle_formatter
    for module, name in FOREIGN:
        formatter.for_type_by_name(module, name, bundle)
