"""Suite and policy files to values, each fault with file, line and dotted key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from posed.files import unreadable
from posed.scene.toml import Document, Keys, read_toml
from posed.verify.policy import POLICIES, Policy
from posed.verify.suite.description import BUILT_IN, Renderer, Suite, Test, Tolerance

if TYPE_CHECKING:
    from posed.verify.suite.schema import PolicyTable, TestTable


def load_suite(path: Path | str) -> Suite:
    """Read a suite file.

    Raises
    ------
    SceneError
        The file is wrong, or names a scene that is not there; with line and dotted key.
    """
    from posed.scene.kinds import check
    from posed.verify.suite.schema import SuiteTable

    path = Path(path)
    document = read_toml(path)
    table = check(document, SuiteTable)
    policies = dict(POLICIES)
    for name, one in table.policies.items():
        if name in POLICIES:
            raise document.error(("policies", name), f'"{name}" is a preset: call it something else')
        policies[name] = _policy(name, one)
    renderers = {
        name: Renderer(
            name,
            tuple(one.command or ()),
            tuple(one.layers or ()),
            _named(policies, one.policy, document, ("renderers", name, "policy")),
            one.adapter,
            one.timeout,
        )
        for name, one in table.renderers.items()
    }
    known = renderers | ({} if BUILT_IN in renderers else {BUILT_IN: Renderer(BUILT_IN)})
    tests: list[Test] = []
    for index, one_test in enumerate(table.test):
        if any(one_test.name == earlier.name for earlier in tests):
            raise document.error(("test", index, "name"), f'there are two tests "{one_test.name}"')
        tests.append(_test(document, index, one_test, known, tuple(renderers) or (BUILT_IN,), policies))
    return Suite(path, table.size, known, policies, tuple(tests))


def load_policy(choice: str) -> Policy:
    """Return a preset by its name, or the policy in a file, called what the file is.

    Raises
    ------
    PosedError
        It is neither, or the file is wrong; with line and dotted key.
    """
    from posed.verify.policy import policy_of

    if choice in POLICIES or not choice.endswith(".toml"):
        return policy_of(choice)
    from posed.scene.kinds import check
    from posed.verify.suite.schema import PolicyFile

    path = Path(choice)
    return _policy(path.stem, check(read_toml(path), PolicyFile))


def _policy(name: str, table: PolicyTable) -> Policy:
    """Return the preset that a table names, with the limits that it states in place of the preset's."""
    stated: dict[str, Any] = {}
    base = POLICIES[table.base]
    for key, value in table.model_dump(exclude_unset=True, exclude={"base", "format"}).items():
        stated[key] = replace(getattr(base, key), **value) if isinstance(value, Mapping) else value
    return replace(base, name=name, **stated)


def _named(policies: Mapping[str, Policy], name: str | None, document: Document, keys: Keys) -> Policy | None:
    if name is None:
        return None
    if name not in policies:
        raise document.error(keys, f'there is no policy "{name}" (there are {", ".join(policies)})')
    return policies[name]


def _test(
    document: Document,
    index: int,
    table: TestTable,
    known: Mapping[str, Renderer],
    usual: tuple[str, ...],
    policies: Mapping[str, Policy],
) -> Test:
    keys: Keys = ("test", index)
    scene = document.path.parent / table.scene
    reason = unreadable(scene)
    if reason is not None:
        raise document.error((*keys, "scene"), f"{table.scene}: {reason}")
    chosen = usual if table.renderers is None else tuple(table.renderers)
    for position, name in enumerate(chosen):
        if name not in known:
            raise document.error(
                (*keys, "renderers", position), f'there is no renderer "{name}" (there are {", ".join(known)})'
            )
    for position, item in enumerate(table.tolerate):
        if item.renderer not in chosen:
            raise document.error(
                (*keys, "tolerate", position, "renderer"),
                f'"{item.renderer}" does not draw this test ({", ".join(chosen)} do)',
            )
    policy = _named(policies, table.policy, document, (*keys, "policy")) or POLICIES["gpu"]
    tolerate = tuple(Tolerance(item.renderer, item.layer, item.reason) for item in table.tolerate)
    return Test(table.name, scene, table.ticks, tuple(dict.fromkeys(chosen)), policy, tolerate)
