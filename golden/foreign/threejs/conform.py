"""three.js asked for posed's conformance pack: python conform.py {requests}.

One Chromium answers every moment with what three.js poses, its vertices and its frame. Needs what run.py needs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from playwright.sync_api import Error
from run import Files, opened, write_layers


def main(requests: str) -> None:
    """Answer all moments."""
    told = json.loads(Path(requests).read_text(encoding="utf-8"))
    with opened(Files()) as call:
        for one in told["requests"]:
            out = Path(one["out"])
            try:
                found = call("answer", Path(one["scene_json"]))
            except (Error, RuntimeError) as error:  # a moment that three.js cannot load or pose is an answer too
                (out / "error.txt").write_text(f"{error}".splitlines()[0], encoding="utf-8")
                continue
            (out / "posed.json").write_text(json.dumps(found["posed"]), encoding="utf-8")
            parts = {one["name"]: np.array(one["values"], np.float32).reshape(-1, 3) for one in found["vertices"]}
            np.savez(out / "vertices.npz", **parts)
            write_layers(found, (one["width"], one["height"]), out)
            facts = {"renderer": "three.js", "version": f"r{found['version']}", "tick": one["tick"]}
            (out / "frame.json").write_text(json.dumps(facts), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
