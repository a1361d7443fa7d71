"""Findings on scene files: what is refused, what never happens, what is not used."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from posed.errors import AssetError, PosedError, SceneError
from posed.lint.finding import Finding
from posed.scene.description import Scene
from posed.scene.kinds import check
from posed.scene.load import load
from posed.scene.schema import SceneTable
from posed.scene.toml import Document, Keys, read_toml

if TYPE_CHECKING:
    from posed.scene.schema import ObjectTable


class SceneFile:
    """A scene file under examination.

    `findings` is what is suspicious about the file itself; `models` are the model files that it names and that lie
    where it may read them, `rate` is its ticks a second, or None where the file is refused before its rate is known.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rate: Fraction | None = None
        self.models: tuple[Path, ...] = ()
        self.findings = list(self._examined())

    def _examined(self) -> Iterator[Finding]:
        scene: Scene | None = None
        try:
            document = read_toml(self.path)
            table = check(document, SceneTable)
        except SceneError as error:
            yield self._refusal(error)
            return
        self.rate = table.rate
        try:
            scene = load(self.path)
        except (SceneError, AssetError) as error:
            yield self._refusal(error)
        self.models = tuple(dict.fromkeys(self._models(table)))
        yield from self._unused(document, table)
        if scene is not None:
            for index, one in enumerate(table.object):
                yield from self._marks(document, index, one, scene)

    def _refusal(self, error: PosedError) -> Finding:
        if isinstance(error, SceneError):
            what = f"{error.key}: {error.message}" if error.key else error.message
            return Finding("P901", self.path, what, line=error.line)
        return Finding("P901", self.path, str(error))

    def _models(self, table: SceneTable) -> Iterator[Path]:
        folder = self.path.parent
        for mesh in table.meshes.values():
            if mesh.file is not None:
                path = folder / urllib.parse.unquote(mesh.file)
                with suppress(OSError, RuntimeError, ValueError):  # a path that leads nowhere: refused already
                    if path.resolve().is_relative_to(folder.resolve()) and path.is_file():
                        yield path

    def _unused(self, document: Document, table: SceneTable) -> Iterator[Finding]:
        for kind, names, using in (
            ("meshes", table.meshes, {one.mesh for one in table.object}),
            ("materials", table.materials, {one.material for one in table.object}),
        ):
            for name in names:
                if name not in using:
                    yield self._at(document, (kind, name), "P903", f"no object uses [{kind}.{name}]")

    def _marks(self, document: Document, index: int, table: ObjectTable, scene: Scene) -> Iterator[Finding]:
        animation = table.animation
        if animation is None or animation.atlas is not None:
            return
        model = scene.objects[index].model
        for number, event in enumerate(animation.events):
            clip = model.clips[model.clip(event.clip)]
            if event.time is not None and event.time > Fraction(clip.duration):
                yield self._at(
                    document,
                    ("object", index, "animation", "events", number),
                    "P902",
                    f'the mark "{event.name}" is at {float(event.time):g} s, clip "{clip.name}" ends at '
                    f"{clip.duration:g} s",
                )

    def _at(self, document: Document, keys: Keys, code: str, what: str) -> Finding:
        return Finding(code, self.path, what, line=document.line(keys))
