"""A suite as a value: renderers, policies and tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from posed.verify.policy import Policy

BUILT_IN = "live"
"""The name of the built-in renderer where a suite names none."""


@dataclass(frozen=True)
class Renderer:
    """What draws live frames.

    Attributes
    ----------
    name
        What results call it.
    command
        Program and arguments, run without a shell, with what they have in braces filled in; empty for the built-in live
        renderer.
    layers
        The layers of its frames that are compared, each of which it has to have; empty for whatever it leaves.
    policy
        Limits of its own, which go before a test's; None for the test's.
    adapter
        Part of the name of the adapter that the built-in renderer draws with.
    timeout
        Seconds after which a command is ended.
    """

    name: str
    command: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    policy: Policy | None = None
    adapter: str | None = None
    timeout: float = 600.0


@dataclass(frozen=True)
class Tolerance:
    """A difference that is known: `renderer`'s `layer` may fail, for a `reason`."""

    renderer: str
    layer: str
    reason: str


@dataclass(frozen=True)
class Test:
    """One scene at some ticks, by some renderers; `policy` holds for those that have none of their own."""

    __test__ = False  # no test of pytest's

    name: str
    scene: Path
    ticks: tuple[int, ...]
    renderers: tuple[str, ...]
    policy: Policy
    tolerate: tuple[Tolerance, ...] = ()


@dataclass(frozen=True)
class Suite:
    """A suite file, checked: `size` is width and height in pixels, paths are resolved against the file's folder."""

    path: Path
    size: tuple[int, int]
    renderers: Mapping[str, Renderer]
    policies: Mapping[str, Policy]
    tests: tuple[Test, ...] = field(default=())

    def test(self, name: str) -> Test:
        """Return the test called `name`.

        Raises
        ------
        KeyError
            There is none.
        """
        for one in self.tests:
            if one.name == name:
                return one
        raise KeyError(f'no test "{name}": the suite has {", ".join(one.name for one in self.tests)}')

    def policy_for(self, test: Test, renderer: str) -> Policy:
        """Return the limits in force: the renderer's own, else the test's."""
        return self.renderers[renderer].policy or test.policy
