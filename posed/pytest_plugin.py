"""The pytest plugin: the fixture `posed_check` with its options, ini keys and mark.

Loading it imports pytest and nothing else; what a check needs is imported by the first check.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from posed.pytest_checking import Checker


@dataclass(frozen=True)
class Setting:
    """What a check can be told in each of four ways: by keyword, by mark, by option and in the ini file."""

    default: str
    metavar: str
    help: str
    is_path: bool = False


SETTINGS: Mapping[str, Setting] = {
    "size": Setting("960x540", "WxH", "size of the frames in pixels"),
    "policy": Setting("gpu", "NAME", "how strict: exact, gpu or foreign"),
    "adapter": Setting("", "NAME", "part of the name of the adapter that draws; the best one unless named"),
    "report": Setting("", "DIR", "folder for a report of each check; else failures leave one in the test's own", True),
    "golden": Setting("", "DIR", "folder of golden frames, which each live frame must then match too", True),
}
"""By name; the option is ``--posed-NAME``, the ini key ``posed_NAME``."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and ini keys."""
    group = parser.getgroup("posed", "live frames against the trace (posed)")
    for name, one in SETTINGS.items():
        group.addoption(f"--posed-{name}", metavar=one.metavar, help=one.help)
        parser.addini(f"posed_{name}", one.help, default=one.default)
    group.addoption("--posed-accept", action="store_true", help="make the live frames of this run the golden ones")
    group.addoption("--posed-why", metavar="TEXT", default="", help="with --posed-accept, the reason that is kept")


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark; make folders of options absolute, so that workers in other folders mean the same ones."""
    keywords = ", ".join(f"{name}=" for name in SETTINGS)
    config.addinivalue_line("markers", f"posed(...): settings of the posed_check calls in a test: {keywords}")
    for name, one in SETTINGS.items():
        given = getattr(config.option, f"posed_{name}", None)
        if one.is_path and given:
            setattr(config.option, f"posed_{name}", os.path.abspath(config.invocation_params.dir / given))


def setting(request: pytest.FixtureRequest, name: str, given: Any) -> Any:
    """Return a setting: the keyword's value, else the nearest mark's, else the option's, else the ini file's."""
    if given is not None:
        return given
    for mark in request.node.iter_markers("posed"):
        if name in mark.kwargs:
            return mark.kwargs[name]
    option = request.config.getoption(f"posed_{name}")
    value = option if option is not None else request.config.getini(f"posed_{name}")
    return request.config.rootpath / value if SETTINGS[name].is_path and value else value


@pytest.fixture
def posed_check(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Checker:
    """Check a live frame against its trace: ``posed_check(scene, tick, *, live=None, clip=None, name=None, ...)``.

    The test fails where they do not agree, and the failure names the first layer that differs, the likeliest cause and
    a report. See `posed.pytest_checking.Checker.__call__`.
    """
    from posed.pytest_checking import Checker

    for mark in request.node.iter_markers("posed"):
        unknown = set(mark.kwargs) - set(SETTINGS)
        if unknown or mark.args:
            pytest.fail(f"the mark posed takes {', '.join(f'{one}=' for one in SETTINGS)} alone", pytrace=False)
    return Checker(request, partial(setting, request), lambda: tmp_path_factory.mktemp("posed"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the golden frames that this run has written, from all workers."""
    accepted = [
        value
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "call"
        for name, value in report.user_properties
        if name == "posed_accepted"
    ]
    if accepted:
        terminalreporter.section("golden frames accepted")
        for line in accepted:
            terminalreporter.write_line(str(line))
