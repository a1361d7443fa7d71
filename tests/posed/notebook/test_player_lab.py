"""The player where people use it: in JupyterLab, with a kernel, driven by mouse and keys in a browser."""

import importlib.util
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import PIL.Image
import pytest

import posed
from posed.notebook.player.request import read_request
from posed.notebook.player.screen import Screen
from tests.posed.notebook.lab import ROOT, serving, write_notebook

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CELLS = (
    f"import posed\nscene = posed.load({str(ROOT / 'golden/scenes/walker.toml')!r})",
    "player = posed.notebook.play(scene, tick=12)\nplayer",
)

PLAYER = ".posed-player"


@pytest.fixture
def page(browser: "Browser", tmp_path: Path) -> Iterator["Page"]:
    """A lab with a notebook whose cells have run."""
    lacking = [name for name in ("jupyterlab", "anywidget") if importlib.util.find_spec(name) is None]
    if lacking and os.environ.get("POSED_TEST_BROWSER") == "1":
        pytest.fail(f"POSED_TEST_BROWSER is 1, and {lacking[0]} is not installed", pytrace=False)
    for name in lacking:
        pytest.skip(f'{name} is not installed: pip install "posed[notebook]"')
    screen = Screen(posed.load(ROOT / "golden/scenes/walker.toml"))
    for more in ({"pick": [0.555, 0.5]}, {"overlays": ["weights:hips"], "quality": 1}):  # compile what is to be called
        screen.draw(read_request({"view": "", "tick": 0} | more))
    write_notebook(tmp_path / "player.ipynb", CELLS)
    with serving(tmp_path) as address:
        page = browser.new_page(viewport={"width": 1000, "height": 1000})
        page.set_default_timeout(60_000)
        page.goto(f"{address}/lab/tree/player.ipynb?reset")
        page.wait_for_function("globalThis.jupyterapp?.shell.currentWidget?.sessionContext")
        page.evaluate(
            "(async () => { const app = jupyterapp; app.shell.collapseLeft(); app.shell.collapseRight();"
            "await app.shell.currentWidget.sessionContext.ready; app.commands.execute('notebook:run-all-cells') })()"
        )
        yield page
        page.close()


def label(page: "Page", part: str) -> None:
    """Wait until the picture's label has a part."""
    page.wait_for_function(f"document.querySelector('{PLAYER} figcaption')?.textContent.includes({json.dumps(part)})")


def seen(page: "Page") -> np.ndarray:
    """What the picture shows, (H, W, 3)."""
    data = page.locator(f"{PLAYER} .stage").screenshot()
    return np.asarray(PIL.Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def test_a_scene_is_scrubbed_turned_and_picked(page: "Page") -> None:
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    label(page, "tick 12, 0.20 s · walker: as the scene plays it · traced, 16 samples a pixel")
    first = seen(page)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 500

    # The time line: many places on the way, the last one is shown, and shown fine when the pointer rests.
    bar = page.get_by_label("tick", exact=True)
    box = bar.bounding_box()
    assert box is not None
    page.evaluate(
        "globalThis.labels = new Set(); new MutationObserver(() => labels.add("
        f"document.querySelector('{PLAYER} figcaption').textContent)).observe("
        f"document.querySelector('{PLAYER} figcaption'), {{childList: true}})"
    )
    page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2, steps=40)
    label(page, "tick 72,")
    page.mouse.up()
    label(page, "tick 72, 1.20 s · walker: as the scene plays it · traced, 16 samples a pixel")
    said = page.evaluate("[...labels]")
    assert any("1 sample a pixel" in one for one in said)
    assert len(said) < 40, "a drag does not queue"

    # Keys are the player's, not the notebook's: "a" turns, and makes no cell above.
    page.locator(f"{PLAYER} .stage").focus()
    page.keyboard.press("Home")
    label(page, "tick 0, 0.00 s · walker: as the scene plays it · traced, 16 samples")
    straight = seen(page)
    page.keyboard.press("a")
    label(page, "16 samples")
    assert page.locator(".jp-Cell").count() == 2

    # The mouse: a drag turns, r gives the scene's camera back, a click picks.
    stage = page.locator(f"{PLAYER} .stage").bounding_box()
    assert stage is not None
    x, y = stage["x"] + stage["width"] * 0.555, stage["y"] + stage["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 120, y, steps=6)
    label(page, "1 sample a pixel")
    page.mouse.up()
    label(page, "16 samples")
    assert np.abs(seen(page) - straight).mean() > 3  # of 255
    page.keyboard.press("r")
    label(page, "1 sample a pixel")
    label(page, "16 samples")
    assert np.abs(seen(page) - straight).mean() < 1
    page.mouse.click(x, y)
    page.locator(f"{PLAYER} .told h4").wait_for()
    told = page.locator(f"{PLAYER} .told").inner_text()
    assert told.startswith("walker: body, triangle ")
    assert "hips" in told
    assert page.get_by_label("weights of").is_checked()
    label(page, "16 samples")

    # What goes wrong is said, and goes when it is cured.
    page.get_by_label("by", exact=True).evaluate("one => { one.options[1].value = 'magic' }")
    page.get_by_label("by", exact=True).select_option("magic")
    page.locator(f"{PLAYER} .trouble").get_by_text("renderer: Input should be 'trace' or 'live'").wait_for()
    page.get_by_label("by", exact=True).select_option("trace")
    page.locator(f"{PLAYER} .trouble").wait_for(state="hidden")
    assert wrong == []
