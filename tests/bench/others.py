"""Which peers there are to be measured beside ours, where they are, and a line for each that is not there."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

VERSION = """
import sys
from importlib.metadata import packages_distributions, version
found = packages_distributions().get(sys.argv[1])
print(version(found[0]) if found else "")
"""
"""Prints the version of the distribution that brings a module, nothing where there is none."""


@dataclass(frozen=True)
class Place:
    """Where a peer is: the words of options that name it, and its version; `missing` says why it is not there."""

    words: tuple[str, ...] = ()
    version: str = ""
    missing: str = ""


@dataclass(frozen=True)
class Here:
    """A package of this interpreter, which a benchmark imports where it is there."""

    name: str
    module: str
    benches: tuple[str, ...]

    def find(self, given: str | None) -> Place:
        """Return where it is; nobody names another place."""
        del given
        try:
            return Place(version=version(self.module))
        except PackageNotFoundError:
            return Place(missing=f"not installed here: pip install {self.module}")


@dataclass(frozen=True)
class Elsewhere:
    """A package of a Python of its own, as it brings libraries that do not bear ours."""

    name: str
    module: str
    benches: tuple[str, ...]
    option: str
    cure: str

    def find(self, given: str | None) -> Place:
        """Return where it is: in the Python given, in that of its variable, or in this one."""
        variable = f"POSED_TEST_{self.module.upper()}"
        here = sys.executable if importlib.util.find_spec(self.module) else None
        python = given or os.environ.get(variable) or here
        if python is None:
            return Place(missing=f"neither {self.option} nor {variable} names a Python that has it: {self.cure}")
        command = [python, "-c", VERSION, self.module]
        try:
            found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            return Place(missing=f"{python} is no Python that runs")
        if not found:
            return Place(missing=f"{python} has no {self.module}: {self.cure}")
        return Place((self.option, python), found)


@dataclass(frozen=True)
class InNode:
    """three.js, in a folder that holds node_modules, as `golden/foreign/threejs` does after `npm ci`."""

    name: str
    benches: tuple[str, ...]
    option: str

    def find(self, given: str | None) -> Place:
        """Return where it is: in the folder given, in that of POSED_TEST_THREE, or in golden/foreign/threejs."""
        default = Path(__file__).parents[2] / "golden/foreign/threejs"
        folder = Path(given or os.environ.get("POSED_TEST_THREE") or default)
        package = folder / "node_modules/three/package.json"
        if shutil.which("node") is None:
            return Place(missing="it runs in node, which is not installed")
        if not package.is_file():
            return Place(missing=f"{self.option} names no folder with node_modules/three: npm install three")
        return Place((self.option, str(folder)), json.loads(package.read_text())["version"])


PEERS: tuple[Here | Elsewhere | InNode, ...] = (
    Here("embreex", "embreex", ("rays",)),
    Here("trimesh", "trimesh", ("loading",)),
    Here("pygltflib", "pygltflib", ("loading",)),
    Here("pygfx", "pygfx", ("live",)),
    Elsewhere("Open3D", "open3d", ("loading", "rays"), "--open3d", "pip install open3d-cpu"),
    Elsewhere("Mitsuba", "mitsuba", ("path",), "--mitsuba", "pip install mitsuba"),
    Elsewhere("Blender's Cycles", "bpy", ("path",), "--cycles", "pip install bpy"),
    InNode("three.js", ("loading", "character"), "--three"),
)
