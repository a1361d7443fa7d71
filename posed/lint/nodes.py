"""Findings on nodes and scenes."""

from __future__ import annotations

import math
from collections.abc import Iterator

from posed.lint.asset import Asset, called
from posed.lint.finding import Finding

UNIT_WITHIN = 1e-3
"""How far a rotation's length may be from 1 before it is named: exporters leave 5e-4."""


def check_nodes(asset: Asset) -> Iterator[Finding]:
    """Yield what is suspicious about rotations and the roots of scenes."""
    for index, record in enumerate(asset.records["nodes"]):
        if "rotation" in record:
            with asset.tolerant():
                length = math.hypot(*record.numbers("rotation", 4))
                name = called(record, "node", index)
                if length == 0.0:
                    yield asset.finding("P202", record.place("rotation"), f"{name} has a rotation of length 0")
                elif abs(length - 1.0) > UNIT_WITHIN:
                    yield asset.finding(
                        "P201", record.place("rotation"), f"{name} has a rotation of length {length:.6g}"
                    )
    nodes = asset.records["nodes"]
    for record in asset.records["scenes"]:
        with asset.tolerant():
            for node in record.indices("nodes", len(nodes), "nodes"):
                if asset.parents[node] != -1:
                    name = called(nodes[node], "node", node)
                    yield asset.finding(
                        "P203",
                        record.place("nodes"),
                        f"{name} is a root of the scene and a child of node {asset.parents[node]}",
                    )
