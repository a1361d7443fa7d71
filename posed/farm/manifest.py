"""The manifest of a folder of frames: what was asked, and which frames are there with which hash."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from posed.errors import PosedError
from posed.files import unreadable, written_whole

NAME = "posed-run.json"

FORMAT, VERSION = "posed run", 1

LARGEST = 1 << 28
"""Bytes of a manifest that are read at most: some two million frames."""


@dataclass
class Manifest:
    """What a run was asked for and what it has: `frames` maps a tick to its snapshot's digest and its file's hash.

    `asked` holds every word that the frames' bits depend on; see `Job.asked`. `files` is the pattern of their names.
    """

    asked: dict[str, str]
    files: str
    frames: dict[int, dict[str, str]] = field(default_factory=dict)

    def save(self, folder: Path) -> None:
        """Write the manifest of `folder`, whole or not at all."""
        frames = {str(tick): self.frames[tick] for tick in sorted(self.frames)}
        content = {"format": FORMAT, "version": VERSION, "asked": self.asked, "files": self.files, "frames": frames}
        with written_whole(folder / NAME) as beside:
            beside.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Manifest | None:
        """Return the manifest of `folder`, None where it has none.

        Raises
        ------
        PosedError
            There is one that cannot be read.
        """
        path = folder / NAME
        if not path.exists():
            return None
        reason = unreadable(path)
        if reason is None and path.stat().st_size > LARGEST:
            reason = f"is larger than {LARGEST} bytes"
        if reason is not None:
            raise PosedError(f"{path}: {reason}")
        try:
            return cls._read(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise PosedError(
                f"{path}: is no manifest of a run ({reason}): remove it to start anew, or start with --fresh"
            ) from error

    @classmethod
    def _read(cls, content: Any) -> Manifest:
        if content["format"] != FORMAT or content["version"] != VERSION:
            raise ValueError(f"it is a {content['format']} of version {content['version']}, not of {VERSION}")
        asked = {str(name): str(word) for name, word in content["asked"].items()}
        frames = {
            int(tick): {"posed": str(frame["posed"]), "hash": str(frame["hash"])}
            for tick, frame in content["frames"].items()
        }
        return cls(asked, str(content["files"]), frames)

    def check_same(self, other: Manifest, folder: Path) -> None:
        """Refuse to go on where `other` asks for different frames than this manifest's.

        Raises
        ------
        PosedError
            It names the first word that differs.
        """
        mine, yours = self.asked | {"files": self.files}, other.asked | {"files": other.files}
        for name in sorted(mine.keys() | yours.keys()):
            if mine.get(name) != yours.get(name):
                raise PosedError(
                    f"{folder}: its frames were asked for with {name} {mine.get(name, 'unset')}, now it is "
                    f"{yours.get(name, 'unset')}: choose another folder, or start anew with --fresh"
                )


def hash_of(data: bytes) -> str:
    """Return the hash of a file's content, 32 hex digits (BLAKE2b-128)."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
