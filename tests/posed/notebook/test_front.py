"""The player's front end before a source that is slow: what it asks for, and that nothing queues."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import posed
from posed.notebook.player import __file__ as package
from posed.notebook.player.about import about

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
STAND = """
globalThis.asks = []; globalThis.slow = 60; globalThis.fault = ""; globalThis.together = 0; globalThis.most = 0;
player(document.body, ABOUT, { ask: async (request) => {
  asks.push(request); together += 1; most = Math.max(most, together);
  await new Promise((done) => setTimeout(done, slow));
  together -= 1;
  if (fault) throw new Error(fault);
  const label = `tick ${request.tick}, quality ${request.quality}`;
  return { picture: "PIXEL", label, length: 60, refines: request.quality < 2, picked: null };
} });
"""


@pytest.fixture
def page(scene: posed.Scene, browser: "Browser", tmp_path: Path) -> Iterator["Page"]:
    script = Path(package).with_name("player.js").read_text()
    told = json.dumps(about(scene, tick=0, size=(320, 180))).replace("<", "\\u003c")
    stand = STAND.replace("ABOUT", told).replace("PIXEL", PIXEL)
    (tmp_path / "stand.html").write_text(f'<meta charset="utf-8"><body><script type="module">{script}{stand}</script>')
    page = browser.new_page(viewport={"width": 500, "height": 500})
    page.goto((tmp_path / "stand.html").as_uri())
    page.wait_for_function("globalThis.asks && asks.at(-1).quality === 2 && !together")
    yield page
    page.close()


def asked(page: "Page") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("asks.splice(0)")
    return found


def test_a_picture_at_rest_is_asked_for_three_times_finer_each_time(page: "Page") -> None:
    assert [(one["quality"], one["coarse"]) for one in asked(page)] == [(0, 1), (1, 1), (2, 1)]
    page.wait_for_timeout(400)
    assert asked(page) == [], "then nothing more"


def test_of_many_changes_the_newest_alone_is_asked_for_next(page: "Page") -> None:
    asked(page)
    page.evaluate(
        "(() => { const bar = document.querySelector('[aria-label=tick]');"
        "for (let tick = 1; tick <= 50; tick += 1) { bar.value = tick; bar.dispatchEvent(new Event('input')); } })()"
    )
    page.wait_for_function("asks.at(-1)?.quality === 2 && !together")
    assert [(one["tick"], one["quality"]) for one in asked(page)] == [(1, 0), (50, 0), (50, 1), (50, 2)]
    assert page.evaluate("most") == 1


def test_moves_of_the_camera_add_up_while_a_picture_is_made(page: "Page") -> None:
    asked(page)
    page.evaluate("slow = 300")
    page.locator(".stage").focus()
    for _ in range(5):
        page.keyboard.press("d")
    page.wait_for_function("asks.length >= 2")
    moves = [one["moves"] for one in asked(page)]
    assert [len(one) for one in moves] == [1, 1]
    assert sum(one[0][1] for one in moves) == pytest.approx(-0.3)


def test_where_a_drag_is_slow_pictures_are_coarser_and_at_rest_whole_again(page: "Page") -> None:
    asked(page)
    page.evaluate("slow = 250")
    box = page.locator(".stage").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 50, box["y"] + 50)
    page.mouse.down()
    for step in range(12):
        page.mouse.move(box["x"] + 60 + 5 * step, box["y"] + 50)
        page.wait_for_timeout(100)
    page.mouse.up()
    page.wait_for_function("asks.at(-1)?.quality === 2 && !together")
    found = asked(page)
    assert [one for one in found if one["coarse"] == 2 and one["quality"] == 0]
    assert (found[-1]["coarse"], found[-1]["quality"]) == (1, 2)


def test_a_fault_is_said_once_and_not_asked_for_again(page: "Page") -> None:
    asked(page)
    page.evaluate("fault = 'the scene is on fire <b>'")
    page.get_by_label("bones").check()
    page.locator(".trouble").get_by_text("the scene is on fire <b>").wait_for()
    page.wait_for_timeout(400)
    assert [one["overlays"] for one in asked(page)] == [["bones"]]
    page.evaluate("fault = ''")
    page.get_by_label("bones").uncheck()
    page.locator(".trouble").wait_for(state="hidden")


def test_playing_goes_on_by_the_clock_and_wraps(page: "Page") -> None:
    asked(page)
    page.locator(".stage").focus()
    page.keyboard.press("End")
    page.keyboard.press(" ")
    page.wait_for_function("asks.some((one) => one.tick > 10 && one.tick < 50)")
    page.keyboard.press(" ")
    page.wait_for_function("asks.at(-1)?.quality === 2 && !together")
    ticks = [one["tick"] for one in asked(page)]
    assert ticks[0] == 60
    assert min(ticks) < 10, "from the end it begins anew"
