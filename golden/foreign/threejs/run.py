"""three.js as a live renderer: python run.py {scene_json} {out}.

Draws the frame that the description asks for in a headless Chromium without a network and leaves color, ids, depth and
normals. Needs `npm install` in this folder once, Python's playwright and a Chromium, Debian's or the one that
`CHROMIUM` names.
"""

from __future__ import annotations

import base64
import json
import mimetypes
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np
from playwright.sync_api import Route, sync_playwright

HERE = Path(__file__).resolve().parent
THREE = HERE / "node_modules/three"
HOST = "http://frame.test"

# Software WebGL: the same picture with and without a graphics card.
SWITCHES = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]

LAYERS = {"color": (4, "<f4"), "depth": (0, "<f4"), "normal": (3, "<f4")}
LAYERS |= dict.fromkeys(("object", "part", "triangle"), (0, "<u4"))

# Typed arrays leave the page as base64: lists of numbers would take twenty times as long.
CALL = """async ([name, told]) => {
  const drawn = await window[name](told);
  const text = (array) => {
    const bytes = new Uint8Array(array.buffer);
    let all = "";
    for (let at = 0; at < bytes.length; at += 32768) all += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return btoa(all);
  };
  const told_of = ([name, value]) => [name, ArrayBuffer.isView(value) ? text(value) : value];
  return Object.fromEntries(Object.entries(drawn).map(told_of));
}"""


class Files:
    """The files that the page may read: its own, three's, and those that the description names, with their folders."""

    def __init__(self) -> None:
        self._folders: list[Path] = []

    def url(self, path: str) -> str:
        """Return where the page finds a file."""
        place = Path(path)
        self._folders.append(place.parent)
        return f"{HOST}/files/{len(self._folders) - 1}/{place.name}"

    def serve(self, route: Route) -> None:
        """Answer one request of the page."""
        path = self._path(unquote(urlsplit(route.request.url).path))
        if path is None or not path.is_file():
            route.fulfill(status=404)
            return
        kind = "text/javascript" if path.suffix in (".js", ".mjs") else mimetypes.guess_type(path.name)[0]
        route.fulfill(body=path.read_bytes(), content_type=kind or "application/octet-stream")

    def _path(self, path: str) -> Path | None:
        first, _, rest = path.lstrip("/").partition("/")
        if first == "three":
            return THREE / rest
        if first == "files":
            number, _, name = rest.partition("/")
            return self._folders[int(number)] / name
        return HERE / (first or "index.html") if not rest else None


def with_urls(value: object, files: Files) -> object:
    """Return the description with a `url` beside every `file`."""
    if isinstance(value, list):
        return [with_urls(one, files) for one in value]
    if not isinstance(value, dict):
        return value
    told = {name: with_urls(one, files) for name, one in value.items()}
    return told | ({"url": files.url(value["file"])} if isinstance(value.get("file"), str) else {})


@contextmanager
def opened(files: Files) -> Iterator[Callable[[str, Path], dict[str, Any]]]:
    """Open the page; what is given calls one of its functions with the description in a file."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not THREE.is_dir():
        sys.exit(f"three is not installed: run `npm install` in {HERE}")
    if chromium is None:
        sys.exit("no chromium is on the path: install one (Debian: apt install chromium) or name it in CHROMIUM")
    complaints: list[str] = []
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium, args=SWITCHES) as browser,
    ):
        page = browser.new_page()
        page.route("**/*", files.serve)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{HOST}/index.html")
        page.wait_for_function("window.draw !== undefined")

        def call(name: str, scene_json: Path) -> dict[str, Any]:
            told = with_urls(json.loads(scene_json.read_text(encoding="utf-8")), files)
            drawn: dict[str, Any] = page.evaluate(CALL, [name, told])
            if complaints:
                raise RuntimeError(complaints.pop())
            return drawn

        yield call


def write_layers(drawn: dict[str, Any], size: tuple[int, int], out: Path) -> None:
    """Write the layers that the page drew, as arrays."""
    width, height = size
    for name, (channels, kind) in LAYERS.items():
        if name in drawn:
            values = np.frombuffer(base64.b64decode(drawn[name]), kind)
            np.save(out / f"{name}.npy", values.reshape((height, width, channels) if channels else (height, width)))


def main(scene_json: str, out: str) -> None:
    """Draw one frame."""
    told = json.loads(Path(scene_json).read_text(encoding="utf-8"))
    with opened(Files()) as call:
        drawn = call("draw", Path(scene_json))
    write_layers(drawn, told["size"], Path(out))
    facts = {
        "renderer": "three.js",
        "version": f"r{drawn['version']}",
        "adapter": drawn["driver"],
        "tick": told["tick"],
    }
    Path(out, "frame.json").write_text(json.dumps(facts), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
