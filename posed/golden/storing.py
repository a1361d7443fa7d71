"""Golden frames in files: where each lies, and how several replace their predecessors, all of them or none."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from posed.errors import PosedError
from posed.files import make_folder, unreadable
from posed.frame import Frame
from posed.golden.sidecar import Sidecar, layer_digests
from posed.scene.description import Scene
from posed.snapshot import Posed


@dataclass(frozen=True, eq=False)
class Golden:
    """A golden frame and what stands beside it."""

    frame: Frame
    sidecar: Sidecar


KEPT = ("color", "depth", "motion", "normal", "object", "part", "triangle")
"""Layers of a golden frame: what comparisons look at."""


NAME = r"[^\W_][\w .\-]*"
"""What a test with golden frames may be called."""


def stamped(frame: Frame, scene: Scene, pose: Posed) -> Frame:
    """Return what is kept of a frame, marked as one of `scene` and `pose`, which other renderers may not state."""
    provenance = replace(frame.provenance, scene=scene.digest, posed=pose.digest, tick=pose.tick)
    layers = {name: frame[name] for name in KEPT if name in frame}
    return replace(frame, layers=layers, provenance=provenance, staged=None)


def golden_path(folder: Path, test: str, tick: int, renderer: str, backend: str) -> Path:
    """Return where a golden frame lies: ``<folder>/<test>/<tick>.<renderer>.<backend>.exr``.

    Renderer and backend are written in small letters, digits and hyphens; a backend that is not stated is ``any``.

    Raises
    ------
    PosedError
        The test's name is none that a folder can have everywhere.
    """
    if not re.fullmatch(NAME, test):
        raise PosedError(
            f'"{test}": is no name for a folder of golden frames: take letters and digits, and after the first one '
            "spaces, hyphens, underscores and dots"
        )
    return folder / test / f"{tick}.{_word(renderer)}.{_word(backend) or 'any'}.exr"


def sidecar_path(path: Path) -> Path:
    """Return where the sidecar of the golden frame at `path` lies."""
    return path.with_suffix(".json")


def read_golden(path: Path) -> Golden | None:
    """Read the golden frame at `path`, None where neither it nor its sidecar exists.

    Raises
    ------
    PosedError
        One of the two files is missing or cannot be read, or they do not belong together.
    """
    beside = sidecar_path(path)
    if not path.exists() and not beside.exists():
        return None
    for one in (path, beside):
        reason = unreadable(one)
        if reason is not None:
            raise PosedError(f"{one}: {reason}; accept the frame again")
    frame = Frame.load(path)
    try:
        sidecar = Sidecar.from_text(beside.read_text(encoding="utf-8"))
    except (PosedError, UnicodeDecodeError) as error:
        raise PosedError(f"{beside}: {error}; accept the frame again") from error
    if layer_digests(frame) != dict(sidecar.layers):
        raise PosedError(
            f"{path}: its pixels are not those that {sidecar.accepted.by} accepted on {sidecar.accepted.when[:10]}: "
            "restore the file, or accept the frame again"
        )
    return Golden(frame, sidecar)


def write_goldens(goldens: Sequence[tuple[Path, Golden]]) -> None:
    """Write golden frames and their sidecars; on any failure every file is as it was before.

    Raises
    ------
    PosedError
        A file cannot be written.
    """
    drafts: list[tuple[Path, Path]] = []
    try:
        for path, golden in goldens:
            make_folder(path.parent)
            drafts.append((_beside(path), path))
            golden.frame.save(drafts[-1][0])
            drafts.append((_beside(sidecar_path(path)), sidecar_path(path)))
            drafts[-1][0].write_text(golden.sidecar.to_text(), encoding="utf-8")
        _replace_all(drafts)
    except OSError as error:
        raise PosedError(f"{error.filename}: cannot be written: {error.strerror or error}; nothing changed") from error
    finally:
        for draft, _ in drafts:
            with suppress(OSError):
                draft.unlink(missing_ok=True)


def _replace_all(drafts: Sequence[tuple[Path, Path]]) -> None:
    """Move each draft to its place, or leave every place as it was."""
    formers = [_beside(place) if place.exists() else None for _, place in drafts]
    moved = 0
    try:
        for (_, place), former in zip(drafts, formers, strict=True):
            if former is not None:
                shutil.copy2(place, former)
        for draft, place in drafts:
            os.replace(draft, place)
            moved += 1
    except BaseException:
        for (_, place), former in list(zip(drafts, formers, strict=True))[:moved]:
            if former is not None:
                os.replace(former, place)
            else:
                place.unlink()
        raise
    finally:
        for former in formers:
            if former is not None:
                former.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    return path.with_name(f".{secrets.token_hex(8)}{path.suffix}")


def _word(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
