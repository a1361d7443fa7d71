"""Findings on names that several things share, and on data that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from posed.lint.asset import Asset
from posed.lint.finding import Finding
from posed.lint.references import used
from posed.words import listed, noun

_NAMED = ("animations", "materials", "meshes", "nodes", "skins")
_USED = (
    "accessors",
    "bufferViews",
    "buffers",
    "cameras",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "skins",
)
_SHOWN_NAMES = 3


def check_names(asset: Asset) -> Iterator[Finding]:
    """Yield names that stand twice within a kind."""
    for kind in _NAMED:
        places: dict[str, list[int]] = {}
        for index, record in enumerate(asset.records[kind]):
            name = record.data.get("name")
            if isinstance(name, str) and name:
                places.setdefault(name.encode("utf-8", "replace").decode(), []).append(index)
        shared = {name: where for name, where in places.items() if len(where) > 1}
        if shared:
            words = [f'"{name}" by {listed(where)}' for name, where in list(shared.items())[:_SHOWN_NAMES]]
            more = f", and {len(shared) - _SHOWN_NAMES} more" if len(shared) > _SHOWN_NAMES else ""
            code = "P801" if kind == "animations" else "P802"
            what = noun(len(shared), "a name is", "names are")
            yield asset.finding(code, f"/{kind}", f"{what} used more than once: {', '.join(words)}{more}")


def check_unused(asset: Asset) -> Iterator[Finding]:
    """Yield the entries of each kind that nothing uses, one finding a kind."""
    found = used(asset)
    for kind in (*_USED, "textures"):
        count = len(asset.records[kind])
        loose = [index for index in range(count) if index not in found[kind]]
        if loose:
            where = "is in no scene and moves no skin" if kind == "nodes" else "is used by nothing"
            many = where.replace("is ", "are ", 1).replace("moves", "move")
            yield asset.finding(
                "P803",
                f"/{kind}",
                f"1 of {count} {kind} {where}: {loose[0]}"
                if len(loose) == 1
                else f"{len(loose)} of {count} {kind} {many}: {listed(loose)}",
            )
