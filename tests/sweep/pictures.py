"""One configuration's pictures as digests, in a process of its own: `python -m tests.sweep.pictures [WORD]`.

The environment chooses the backend, Embree's instruction set and the threads; a line of JSON a case goes to standard
output: its name, and the digest of each layer.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import numpy as np

import tracer
from tests.sweep.cases import SIZE, Case, cases


def digests(case: Case) -> dict[str, str]:
    """Return the digest of every layer, of color at pixel centres, and of color by path (`path`)."""
    with tracer.Tracer(case.scene) as ready:
        layers = ready.trace(case.camera, size=SIZE, samples="center")
        layers["path"] = ready.trace(case.camera, size=SIZE, integrator="path", samples=1, layers=("color",))["color"]
    return {name: _digest(layer) for name, layer in layers.items()}


def _digest(layer: np.ndarray[Any, Any]) -> str:
    return hashlib.blake2b(np.ascontiguousarray(layer).tobytes(), digest_size=8).hexdigest()


def main(word: str = "") -> None:
    """Print a line a case."""
    for case in cases(word):
        print(json.dumps([case.name, digests(case)]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:2])
