"""Findings on the file as a whole: its extensions, and what it names outside itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from posed.gltf.document import Record
from posed.gltf.extensions import APPLIED
from posed.lint.asset import Asset
from posed.lint.finding import Finding

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def check_file(asset: Asset) -> Iterator[Finding]:
    """Yield what is suspicious about extensions and URIs."""
    with asset.tolerant():
        required = set(asset.document.texts("extensionsRequired"))
        for position, name in enumerate(asset.document.texts("extensionsUsed")):
            if name not in APPLIED and name not in required:
                yield asset.finding("P003", f"/extensionsUsed/{position}", f'the extension "{name}" is not applied')
    for kind in ("buffers", "images"):
        for record in asset.records[kind]:
            with asset.tolerant():
                if "uri" in record and _escapes(record):
                    uri = record.text("uri")
                    yield asset.finding(
                        "P004", record.place("uri"), f'the URI "{uri[:80]}" leads out of the model\'s folder'
                    )


def _escapes(record: Record) -> bool:
    uri = record.text("uri")
    if _SCHEME.match(uri):
        return uri[:5].lower() != "data:"
    name = unquote_to_bytes(uri).decode("utf-8", "replace")
    if "\0" in name or "\\" in name:
        return True
    folder = record.path.parent
    try:
        return not (folder / name).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        return True
