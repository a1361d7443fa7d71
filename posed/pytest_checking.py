"""What the fixture `posed_check` does: scene, snapshot, live frame, verdict, golden frame, and what a failure says."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from posed.color import decode_srgb
from posed.errors import PosedError
from posed.frame import Frame, Provenance
from posed.golden import Golden, Judgement, Sidecar, Status, acceptance, golden_path, judge, stamped, write_goldens
from posed.numerals import read_index
from posed.scene.description import Scene
from posed.scene.load import load
from posed.snapshot import Posed
from posed.verify import Verdict, Vertices, check, diagnose
from posed.verify.loading import load_side
from posed.verify.report import Report
from posed.verify.sides import Compared
from posed.verify.verdict import Side
from posed.world import World

Live = Path | str | Compared | np.ndarray[Any, Any] | Callable[[Scene, Posed, tuple[int, int]], Any]
"""A live side, or what makes one."""

SCENES = pytest.StashKey[dict[tuple[Path, int], Scene]]()
"""Scenes that this process has loaded, by path and time of change."""

LARGEST_SIDE = 16384
"""Pixels."""


class Checked(NamedTuple):
    """One check of a test: what it is called in sentences and in files, and what it came to."""

    label: str
    place: str
    verdict: Verdict


class Checker:
    """The callable that `posed_check` gives to a test.

    `setting` gives a setting's value by its name and the keyword's value, `folder` makes one for reports of failures.
    """

    def __init__(
        self, request: pytest.FixtureRequest, setting: Callable[[str, Any], Any], folder: Callable[[], Path]
    ) -> None:
        self._request, self._setting, self._folder = request, setting, folder
        self._taken: set[tuple[str, int]] = set()

    def __call__(
        self,
        scene: Scene | Path | str,
        tick: int | Posed,
        *,
        live: Live | None = None,
        clip: str | int | None = None,
        name: str = "",
        size: tuple[int, int] | str | None = None,
        policy: Any = None,
        adapter: str | None = None,
        report: Path | str | None = None,
        golden: Path | str | None = None,
    ) -> Verdict:
        """Check a live frame against the trace of a scene at a tick; fail the test where the two do not agree.

        Parameters
        ----------
        scene
            A `.toml`, `.glb` or `.gltf`, relative to the test's file; or a scene that is loaded.
        tick
            The tick, at which the scene is what it plays by itself; or a snapshot, for what a game plays.
        live
            A frame, a snapshot or vertices, or a file or folder of them, relative to the test's file; an sRGB-encoded
            picture, (H, W, 3) or (H, W, 4) uint8; or a callable that gets the scene, the snapshot and (W, H) and
            returns any of these. The built-in live renderer draws where it is None.
        clip
            A clip of the first object that has clips, by name or index, in place of what the scene plays.
        name
            Tells the checks of one test apart, in reports and golden frames.
        size, policy, adapter, report, golden
            Settings, in place of the mark's, the option's and the ini file's; see `posed.pytest_plugin.SETTINGS`.

        Returns
        -------
        Verdict
            For further assertions.
        """
        __tracebackhide__ = True
        given = {"size": size, "policy": policy, "adapter": adapter, "report": report, "golden": golden}
        settings = {key: self._setting(key, value) for key, value in given.items()}
        try:
            checked = self._check(scene, tick, live, clip, name, settings)
            trouble = self._judge(checked, settings)
        except PosedError as error:
            trouble = [str(error)]
        if trouble:
            pytest.fail("\n".join(trouble), pytrace=False)
        return checked.verdict

    def _check(
        self,
        scene: Scene | Path | str,
        tick: int | Posed,
        live: Live | None,
        clip: str | int | None,
        name: str,
        settings: dict[str, Any],
    ) -> Checked:
        played = scene if isinstance(scene, Scene) else self._load(scene)
        pose = tick if isinstance(tick, Posed) else _snapshot(played, tick, clip)
        size = _size(settings["size"])
        side = None if live is None else _side(live, played, pose, size, self._request.path.parent)
        verdict = check(played, pose, side, size=size, policy=settings["policy"], adapter=settings["adapter"] or None)
        label = ", ".join(part for part in (name, played.path.name, f"tick {pose.tick}") if part)
        place = _word(f"{self._request.node.nodeid} {name}")
        if (place, pose.tick) in self._taken:
            raise PosedError(f"{label}: is checked twice in this test: tell the checks apart by name=")
        self._taken.add((place, pose.tick))
        return Checked(label, place, verdict)

    def _load(self, scene: Path | str) -> Scene:
        path = self._request.path.parent / scene
        scenes = self._request.config.stash.setdefault(SCENES, {})
        key = path, path.stat().st_mtime_ns if path.exists() else 0
        if key not in scenes:
            scenes[key] = load(path)
        return scenes[key]

    def _judge(self, checked: Checked, settings: dict[str, Any]) -> list[str]:
        """Hold the live frame against its golden one, leave a report; return what is wrong, in lines."""
        label, place, verdict = checked
        trouble = []
        if not verdict.passed:
            trouble.append(f"{label}: {verdict.sentence()}")
            verdict = _diagnosed(verdict)
            if verdict.diagnosis is not None:
                trouble.append(f"likeliest cause: {verdict.diagnosis.sentence()}")
        found = self._golden(checked, settings["golden"]) if verdict.passed else None
        if found is not None and found.status is not Status.PASS:
            trouble.append(f"{label}: golden frame {found.status}: {found.sentence} ({found.path})")
            trouble.append(f"accept it: {self._accept()}")
        if not trouble and not settings["report"]:
            return []
        report = Report(f"{self._request.node.name}: {label}")
        report.add(verdict, run="against the trace", accept="" if found is None else self._accept())
        if found is not None and found.verdict is not None:
            report.add(found.verdict, run="against the golden frame", sides=("golden", "now"), accept=self._accept())
        folder = Path(settings["report"]) if settings["report"] else self._folder()
        folder.mkdir(parents=True, exist_ok=True)
        page = folder / f"{place}-{verdict.tick}.html"
        report.save(page)
        return [*trouble, f"report: {page}"] if trouble else []

    def _golden(self, checked: Checked, folder: Path | str) -> Judgement | None:
        """Hold the live frame against its golden one, or make it the golden one where the run accepts."""
        config, verdict = self._request.config, checked.verdict
        accepts = config.getoption("posed_accept")
        if not folder:
            if accepts:
                raise PosedError(
                    "--posed-accept: no folder for golden frames is set: give posed_golden in the ini file"
                )
            return None
        scene, pose = verdict.scene, verdict.reference.pose
        reference, live = verdict.reference.frame, verdict.live.frame
        if reference is None or live is None:
            raise PosedError(f"{checked.label}: holds no frame that could be golden: leave out golden=")
        assert scene is not None
        assert pose is not None
        frame = stamped(live, scene, pose)
        origin = frame.provenance
        path = golden_path(Path(folder), checked.place, pose.tick, origin.renderer or "live", origin.backend)
        found = judge(path, frame, policy=verdict.policy, staged=reference.staged)
        if not accepts:
            return found
        if found.status is not Status.PASS:
            sidecar = Sidecar.of(frame, verdict.policy.name, acceptance(config.getoption("posed_why")))
            write_goldens([(path, Golden(frame, sidecar))])
            self._request.node.user_properties.append(("posed_accepted", f"{path} (was {found.status})"))
        return None

    def _accept(self) -> str:
        """Return the command that makes the frames of this test the golden ones."""
        return f"pytest {shlex.quote(self._request.node.nodeid)} --posed-accept --posed-why 'say why'"


def _snapshot(scene: Scene, tick: int, clip: str | int | None) -> Posed:
    world = World(scene)
    if clip is not None:
        owner = next((one.name for one in scene.objects if one.model.clips), None)
        if owner is None:
            raise PosedError(f"{scene.path}: no object has clips: leave out clip=")
        world.play_clip(owner, clip)
    world.advance(tick)
    return world.posed()


def _diagnosed(verdict: Verdict) -> Verdict:
    """Return a verdict with the likeliest cause, as far as one can be searched for."""
    scene, pose = verdict.scene, verdict.reference.pose
    assert scene is not None
    assert pose is not None
    try:
        found = diagnose(scene, verdict.live, posed=pose, policy=verdict.policy, verdict=verdict)
    except PosedError as error:
        return replace(verdict, notes=(*verdict.notes, f"no cause was searched for: {error}"))
    return replace(verdict, diagnosis=found)


def _side(live: Any, scene: Scene, pose: Posed, size: tuple[int, int], folder: Path) -> Compared:
    """Return what `live` is or makes."""
    if callable(live):
        live = live(scene, pose, size)
    match live:
        case Frame() | Posed() | Vertices() | Side():
            return live
        case str() | Path():
            return load_side(folder / live)
        case np.ndarray() if live.dtype == np.uint8 and live.ndim == 3 and live.shape[2] in (3, 4):
            return _picture(live)
        case np.ndarray():
            found = f"an array of {live.dtype} {live.shape}"
        case _:
            found = f"a {type(live).__name__}"
    raise PosedError(
        f"live: expected a frame, a snapshot, vertices, their file, or sRGB codes, (H, W, 3) uint8; found {found}"
    )


def _picture(codes: np.ndarray[Any, np.dtype[np.uint8]]) -> Frame:
    height, width, channels = codes.shape
    color = np.ones((height, width, 4), np.float32)
    color[..., :channels] = decode_srgb(codes)
    transparent = bool((color[..., 3] < 1.0).any())
    color[..., :3] *= color[..., 3:]
    provenance = Provenance(renderer="live", background="transparent" if transparent else "")
    return Frame({"color": color}, (width, height), provenance=provenance)


def _size(given: tuple[int, int] | str) -> tuple[int, int]:
    sides = given.lower().split("x") if isinstance(given, str) else [str(side) for side in given]
    read = [read_index(side, LARGEST_SIDE) or 0 for side in sides]
    if len(read) != 2 or 0 in read:
        raise PosedError(f'size {given!r}: expected WxH in pixels, such as "960x540"')
    return read[0], read[1]


def _word(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")
