"""What a benchmark has measured, for the table that gathers all of them."""

import json
import os
from dataclasses import asdict, dataclass

ROWS = "POSED_BENCH_ROWS"
"""The environment variable that names the file which rows are added to."""


@dataclass(frozen=True)
class Row:
    """One line: `value` in `unit`; `ratio` is the value as a part of another's, which `against` names."""

    bench: str
    what: str
    value: float
    unit: str
    ratio: float | None = None
    against: str = ""


def tell(bench: str, what: str, value: float, unit: str, ratio: float | None = None, against: str = "") -> None:
    """Add a row where somebody gathers them."""
    if path := os.environ.get(ROWS):
        with open(path, "a", encoding="utf-8") as stream:
            stream.write(json.dumps(asdict(Row(bench, what, float(value), unit, ratio, against))) + "\n")
