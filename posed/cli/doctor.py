"""`posed doctor`: what works on this machine and what is missing."""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version

import click

from posed.words import counted

EXTRAS = (
    *("DracoPy", "esper", "distributed", "glfw", "anywidget", "jupyterlab", "matplotlib"),
    *("hypothesis", "pytest", "playwright"),
)
"""What the extras bring, by the name that it is imported by."""

VARIABLES = ("POSED_BACKEND", "POSED_EMBREE", "POSED_ADAPTER", "POSED_THREADS", "POSED_CACHE_DIR")


@dataclass(frozen=True)
class Finding:
    """One line of the report: `ok` is None for a plain fact."""

    subject: str
    ok: bool | None
    text: str


@click.command(short_help="Say what works on this machine.")
@click.option("--json", "as_json", is_flag=True, help="For machines.")
@click.option("--warm", is_flag=True, help="Compile all kernels now, so that no later command has to.")
def command(as_json: bool, warm: bool) -> None:
    """Say what works here: versions, Embree, adapters and drivers, the kernel cache, extras, settings.

    \b
    posed doctor
    posed doctor --warm
    """
    if warm:
        _warm()
    findings = [
        finding for probe in (_versions, _embree, _threads, _adapters, _cache, _settings) for finding in probe()
    ]
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], indent=1))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    marks = {True: "[green]works[/green]", False: "[red]missing[/red]", None: ""}
    for finding in findings:
        table.add_row(finding.subject, marks[finding.ok], finding.text)
    Console(width=None if sys.stdout.isatty() else 200).print(table)


def _versions() -> list[Finding]:
    names = ("posed", "numpy", "numba", "llvmlite", "embreex", "wgpu", "pillow", "trimesh", "pygltflib")
    texts = []
    for name in names:
        try:
            texts.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            texts.append(f"{name} -")
    return [
        Finding("Python", None, f"{platform.python_version()} on {platform.system()} {platform.machine()}"),
        Finding("Packages", None, ", ".join(texts)),
    ]


def _probe(subject: str, look: Callable[[], str]) -> Finding:
    """Return what `look` says, or why it could not; a report goes on whatever a driver does."""
    try:
        return Finding(subject, True, look())
    except Exception as error:  # noqa: BLE001 - a report goes on, whatever a driver does
        return Finding(subject, False, f"{error}")


def _embree() -> list[Finding]:
    def look() -> str:
        from tracer.embree import info

        found = info()
        return f"{found.version}, {found.isa}, {found.path}"

    return [_probe("Embree", look)]


def _threads() -> list[Finding]:
    def look() -> str:
        import numba

        numba.set_num_threads(numba.get_num_threads())  # starts the threads, and so chooses the layer
        return f"{numba.get_num_threads()} of {os.cpu_count()} processors, numba's {numba.threading_layer()} layer"

    return [_probe("Threads", look)]


def _adapters() -> list[Finding]:
    from posed.live.device import CURE, list_adapters

    try:
        found = list_adapters()
    except Exception as error:  # noqa: BLE001 - a report goes on, whatever a driver does
        return [Finding("Live renderer", False, f"{error}: {CURE}")]
    if not found:
        return [Finding("Live renderer", False, f"no graphics adapter: {CURE}")]
    return [
        Finding(
            "Live renderer",
            not one.short_of,
            f"{one.name} ({one.kind}, {one.backend}, {one.driver})"
            + (f": below WebGPU's default limits: {', '.join(one.short_of)}" if one.short_of else ""),
        )
        for one in found
    ]


def _cache() -> list[Finding]:
    from anim.kernel import cache_folder
    from anim.kernel_folders import KEPT, NAME

    folder = cache_folder("posed")
    if folder is None:
        return [
            Finding("Kernel cache", False, "no folder can be written: set POSED_CACHE_DIR, or every run compiles anew")
        ]
    folders = [one for one in folder.parent.iterdir() if NAME.fullmatch(one.name)]
    size = sum(path.stat().st_size for one in folders for path in one.rglob("*") if path.is_file())
    text = (
        f"{folder.parent}, {size / 1e6:.1f} MB in {counted(len(folders), 'folder')}, of which the {KEPT} last used stay"
    )
    return [Finding("Kernel cache", True, text), _kernels()]


def _warm() -> None:
    """Compile all kernels, in as many processes as there are processors for: compiling keeps one busy."""
    from posed.cli.progress import Compiling
    from posed.warming import shares

    for process in [Compiling(*share) for share in shares(_processors())]:
        process.wait()


def _processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _kernels() -> Finding:
    from posed.warming import SECONDS, missing

    left = missing(*SECONDS)
    if not left:
        return Finding("Kernels", True, f"compiled for {', '.join(SECONDS)}")
    return Finding("Kernels", None, f"not compiled yet for {', '.join(left)}: posed doctor --warm does it")


def _settings() -> list[Finding]:
    have = [name for name in EXTRAS if importlib.util.find_spec(name) is not None]
    return [
        Finding("Extras", None, ", ".join(have) or "none"),
        *(Finding(name, None, os.environ.get(name, "not set")) for name in VARIABLES),
    ]
