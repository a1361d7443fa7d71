"""The page `docs/detection.md`: written from what was measured, and read back by a test."""

from __future__ import annotations

import math
import re
from pathlib import Path

from posed.verify.policy import POLICIES
from tests.detection.measuring import LAYERS
from tests.detection.moving import SUBJECTS, Subject

PAGE = Path(__file__).resolve().parents[2] / "docs/detection.md"

Floors = dict[tuple[str, str, str], dict[str, float]]
"""By subject, move and preset: each layer's floor, in degrees or shares of the diagonal."""

HEAD = """\
# The detection floor

How small an error does a check still find? Here one joint is moved, with all that hangs on it, and each layer is asked
for the least amount at which it fails. `forearm_L` of the walker at tick 42 and `joint_2` of the column that bends, at
tick 25, are turned about the line of sight, and displaced to the picture's right.

- `exact` holds a trace against a trace, as golden frames of the tracer are held: a rasterizer never agrees bit for bit.
- `gpu` holds the built-in renderer against the trace.
- `foreign` holds a frame whose sampling nobody knows: ids and depths of the built-in renderer, and its color averaged
  over 4 x 4 samples a pixel, as 8-bit codes, against a trace of 64 samples a pixel.

`pose` and `vertices` compare numbers, not pictures, so they hold for any engine that dumps them. Amounts from 1e-07 up
to 40 are asked for; a dash says that none is caught. The walker's forearm swings before its body, so that the
silhouette takes long to notice.

"""

TAIL = """
Floors are found by bisection over amounts that grow by a quarter from one to the next; so a layer catches what stands
here, and misses four fifths of it. Bisection takes for granted that a layer which catches an amount catches larger ones
too. A displacement is given as a share of the diagonal of the posed object's box and, in brackets, in pixels.

```sh
python -m tests.detection            # measure, and write this page
```
"""


def write(floors: Floors, size: tuple[int, int], adapter: str) -> str:
    """Return the page."""
    parts = [HEAD, f"Pictures of {size[0]} x {size[1]} pixels, drawn on {adapter}.\n"]
    for subject in SUBJECTS:
        for move, title in (("turn", "turned, degrees"), ("displacement", "displaced, share of the diagonal (pixels)")):
            parts.append(f"\n## {subject.name}: {subject.joint} {title}\n\n")
            parts.append(f"| layer | {' | '.join(POLICIES)} |\n| --- |{' --- |' * len(POLICIES)}\n")
            for layer in LAYERS:
                cells = [
                    _cell(subject, move, floors[subject.name, move, policy][layer], size[1]) for policy in POLICIES
                ]
                parts.append(f"| `{layer}` | {' | '.join(cells)} |\n")
    return "".join(parts) + TAIL


def _cell(subject: Subject, move: str, floor: float, height: int) -> str:
    if math.isinf(floor):
        return "-"
    return f"{floor:.2g}" if move == "turn" else f"{floor:.2g} ({floor * subject.pixels(height):.2g})"


def read(text: str) -> tuple[tuple[int, int], Floors]:
    """Return the size of the pictures and the floors that a page states."""
    width, height = re.findall(r"Pictures of (\d+) x (\d+) pixels", text)[0]
    floors: Floors = {}
    key = ("", "")
    for line in text.splitlines():
        title = re.fullmatch(r"## (\w+): \w+ (turned|displaced), .*", line)
        if title:
            key = title[1], "turn" if title[2] == "turned" else "displacement"
        row = re.fullmatch(r"\| `(\w+)` \| (.*) \|", line)
        if row:
            for policy, cell in zip(POLICIES, row[2].split(" | "), strict=True):
                floors.setdefault((*key, policy), {})[row[1]] = (
                    math.inf if cell == "-" else float(cell.partition(" (")[0])
                )
    return (int(width), int(height)), floors
