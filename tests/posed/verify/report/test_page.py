"""The page in a browser: what opens first, and that every control does what it says."""

from typing import TYPE_CHECKING

import pytest

from posed.verify.report import Report
from tests.posed.verify.report.conftest import Open
from tests.posed.verify.report.literals import DEEPER, LIFTED, verdict

if TYPE_CHECKING:
    from playwright.sync_api import Page


def broken() -> Report:
    """One tick at which eight pixels are covered that should not be."""
    report = Report("box at tick 3")
    report.add(verdict(LIFTED), accept="posed golden accept suite.toml", story=lambda x, y: f"pixel {x}, {y}\n  box")
    return report


def several() -> Report:
    """Two runs; the first has ten ticks, of which 5 and 6 fail at depth."""
    report = Report("suite.toml")
    for tick in range(10):
        report.add(verdict(DEEPER if tick in (5, 6) else None, tick=tick), run="box, live")
    report.add(verdict(tick=0), run="box, other")
    return report


def chosen(page: "Page") -> str:
    return page.locator("#layers [aria-checked=true]").get_attribute("data-layer") or ""


def scales(page: "Page") -> list[float]:
    """How large each pane shows a picture's pixel, in screen pixels."""
    return page.evaluate(
        "[...document.querySelectorAll('.pane > .canvas')].map(one => new DOMMatrix(getComputedStyle(one).transform).a)"
    )


def reading(page: "Page") -> dict[str, str]:
    """What the magnifier says."""
    names = page.locator("#reading dt").all_text_contents()
    return dict(zip(names, page.locator("#reading dd").all_text_contents(), strict=True))


def point(page: "Page", kind: str, x: int, y: int) -> tuple[float, float]:
    """The middle of pixel (x, y) of a pane on the screen."""
    place = page.evaluate(
        """([kind, x, y]) => {
          const pane = document.querySelector(`[data-kind=${kind}]`), box = pane.getBoundingClientRect();
          const matrix = new DOMMatrix(getComputedStyle(pane.querySelector('.canvas')).transform);
          return [box.left + matrix.e + (x + 0.5) * matrix.a, box.top + matrix.f + (y + 0.5) * matrix.a];
        }""",
        [kind, x, y],
    )
    return place[0], place[1]


def test_it_opens_at_the_first_layer_that_fails(open_page: Open) -> None:
    page = open_page(broken())
    assert page.title() == "box at tick 3"
    assert page.locator("#badge").text_content() == "failed"
    assert "silhouette: 8 pixels unexplained" in (page.locator("#sentence").text_content() or "")
    assert page.locator("#facts").text_content() == "tick 3  \u00b7  32 \u00d7 18  \u00b7  policy gpu"
    assert chosen(page) == "silhouette"
    assert page.locator(".layer .word").all_text_contents()[:3] == ["not compared", "not compared", "fail"]
    rows = page.locator(".measures tbody tr").all_text_contents()
    assert rows[0] == "unexplained8 pixels0-8", "the measure, what was found, the limit and the margin"
    assert page.locator("#stage .pane").count() == 4
    assert page.locator("#scrub").is_hidden()


def test_a_verdict_that_passes_says_so_and_shows_a_layer(open_page: Open) -> None:
    report = Report("box")
    report.add(verdict())
    page = open_page(report)
    assert page.locator("#badge").text_content() == "passed"
    assert page.locator("#stage .pane").count() == 4
    assert page.locator("#accept").is_hidden()


def test_without_a_verdict_it_says_that_there_is_none(open_page: Open) -> None:
    page = open_page(Report("nothing"))
    assert page.locator("#sentence").text_content() == "There is no frame to show."
    assert page.locator(".bench").is_hidden()


def test_layers_are_chosen_by_click_by_key_and_by_arrow(open_page: Open) -> None:
    page = open_page(broken())
    page.click("[data-layer=depth]")
    assert chosen(page) == "depth"
    page.keyboard.press("l")
    assert chosen(page) == "normal"
    page.keyboard.press("L")
    page.keyboard.press("ArrowUp")
    assert chosen(page) == "triangle"
    assert page.evaluate("document.activeElement.dataset.layer") == "triangle", "the focus goes along"


def test_views_by_click_and_by_number(open_page: Open) -> None:
    page = open_page(broken())
    for key, view, panes in (
        ("2", "wipe", 1),
        ("3", "swap", 1),
        ("4", "difference", 1),
        ("5", "mask", 1),
        ("1", "four", 4),
    ):
        page.keyboard.press(key)
        assert page.locator("#views [aria-checked=true]").get_attribute("data-view") == view
        assert page.locator("#stage .pane").count() == panes
    page.click("[data-view=wipe]")
    assert page.locator(".pane").get_attribute("data-kind") == "wipe"


def test_the_wipe_follows_the_pointer_and_the_arrows(open_page: Open) -> None:
    page = open_page(broken())
    page.keyboard.press("2")
    box = page.locator(".pane").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 4, middle)
    page.mouse.up()
    assert page.locator(".handle").get_attribute("aria-valuenow") == "25"
    assert page.evaluate("getComputedStyle(document.querySelector('.upper')).clipPath") == "inset(0px 0px 0px 25%)"
    page.focus(".handle")
    page.keyboard.press("Shift+ArrowRight")
    assert page.locator(".handle").get_attribute("aria-valuenow") == "35"


def test_the_swap_shows_the_reference_under_the_pointer_and_on_space(open_page: Open) -> None:
    page = open_page(broken())
    page.keyboard.press("3")
    above, below = page.locator("img.above"), page.locator("img.below")
    assert (above.is_visible(), below.is_visible()) == (False, True)
    page.hover(".pane")
    assert (above.is_visible(), below.is_visible()) == (True, False)
    page.mouse.move(2, 2)
    assert (above.is_visible(), below.is_visible()) == (False, True)
    page.focus("#stage")
    page.keyboard.press(" ")
    assert (above.is_visible(), below.is_visible()) == (True, False)


def test_zoom_and_pan_hold_for_all_panes(open_page: Open) -> None:
    page = open_page(broken())
    fit = scales(page)[0]
    assert scales(page) == [fit] * 4
    x, y = point(page, "live", 6, 3)
    page.mouse.move(x, y)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -480)
    page.keyboard.up("Control")
    page.wait_for_function(
        "fit => new DOMMatrix(document.querySelector('.canvas').style.transform).a > 3.9 * fit", arg=fit
    )
    assert scales(page) == pytest.approx([4 * fit] * 4)
    near = point(page, "live", 6, 3)
    assert near == pytest.approx((x, y), abs=2.0), "what is under the pointer stays there"
    page.mouse.down()
    page.mouse.move(x - 40, y - 20, steps=4)
    page.mouse.up()
    assert point(page, "live", 6, 3) == pytest.approx((x - 40, y - 20), abs=2.0)
    page.keyboard.press("0")
    assert scales(page) == [fit] * 4
    page.click("[aria-label='Nearer (+)']")
    assert scales(page) == pytest.approx([1.5 * fit] * 4)


def test_the_wheel_scrolls_the_page_until_the_stage_is_chosen(open_page: Open) -> None:
    page = open_page(broken())
    fit = scales(page)[0]
    page.mouse.move(*point(page, "live", 6, 3))
    page.mouse.wheel(0, 200)
    page.wait_for_function("scrollY > 0")
    assert scales(page)[0] == fit


def test_the_magnifier_reads_the_pixel_under_the_pointer(open_page: Open) -> None:
    page = open_page(broken())
    page.click("[data-layer=object]")
    page.mouse.move(*point(page, "mask", 6, 16))
    assert reading(page) == {"pixel": "6, 16", "reference": "ground", "live": "ground", "difference": "the same"}
    page.click("[data-layer=silhouette]")
    page.mouse.move(*point(page, "reference", 6, 3))
    found = reading(page)
    assert (found["reference"], found["live"], found["difference"]) == ("background", "covered", "differs")
    assert found[""] == "unexplained"
    page.click("[data-layer=triangle]")
    page.mouse.move(*point(page, "live", 26, 16))
    assert reading(page)["live"] == "triangle 4"


def test_a_click_holds_the_magnifier_and_arrows_move_it(open_page: Open) -> None:
    page = open_page(broken())
    page.mouse.click(*point(page, "live", 6, 3))
    page.mouse.move(*point(page, "live", 20, 10))
    assert reading(page)["pixel"] == "6, 3 (held)"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert reading(page)["pixel"] == "7, 13 (held)"


def test_a_measured_difference_is_read_in_limits(open_page: Open) -> None:
    report = Report("box")
    report.add(verdict(DEEPER))
    page = open_page(report)
    assert chosen(page) == "depth"
    page.mouse.move(*point(page, "difference", 5, 6))
    assert reading(page)["difference"] == "about 20.5 of the limit"
    assert page.locator(".ramp").is_visible()


def test_a_blob_is_zoomed_to_and_explained(open_page: Open) -> None:
    page = open_page(broken())
    fit = scales(page)[0]
    page.click("[data-blob='1']")
    assert scales(page)[0] > 2 * fit
    assert reading(page)["pixel"].endswith("(held)")
    assert page.locator("#story pre").text_content() == f"pixel {reading(page)['pixel'][:-7]}\n  box"
    assert page.locator(".ring.chosen").count() == 4
    page.keyboard.press("m")
    assert page.locator(".ring").count() == 0


def test_ticks_by_scrubber_key_and_curve(open_page: Open) -> None:
    page = open_page(several())
    assert page.locator("#ticked").text_content() == "tick 5", "the first that fails"
    page.keyboard.press("]")
    page.keyboard.press("]")
    assert page.locator("#ticked").text_content() == "tick 7"
    assert page.locator("#badge").text_content() == "passed"
    page.keyboard.press("f")
    assert page.locator("#ticked").text_content() == "tick 5"
    page.locator("#tick").fill("9")
    assert page.locator("#ticked").text_content() == "tick 9"
    chart = page.locator(".curve[data-layer=normal] svg")
    box = chart.bounding_box()
    assert box is not None
    chart.click(position={"x": 0.65 * box["width"], "y": 5})
    assert (page.locator("#ticked").text_content(), chosen(page)) == ("tick 6", "normal")
    assert page.locator(".curve[data-layer=depth] .unexplained").count() == 2
    assert page.locator(".strip .bad").count() == 2


def test_runs_are_picked_from_a_list(open_page: Open) -> None:
    page = open_page(several())
    assert page.locator("#runs option").all_text_contents() == ["box, live (2 failed)", "box, other"]
    page.select_option("#runs select", label="box, other")
    assert page.locator("#badge").text_content() == "passed"
    assert page.locator("#scrub").is_hidden()


def test_ids_and_origins_are_listed(open_page: Open) -> None:
    page = open_page(broken())
    page.click("summary:has-text('Ids')")
    rows = page.locator("#ids table").first.locator("tbody tr").all_text_contents()
    assert rows == ["1box8088", "2ground176176"]
    assert "rendererliteralliteral" in page.locator("#provenance").text_content()


def test_the_command_that_accepts_is_copied(open_page: Open) -> None:
    page = open_page(broken(), permissions=["clipboard-read", "clipboard-write"])
    page.click("#accept button")
    page.wait_for_function("document.querySelector('#accept button').textContent === 'Copied'")
    assert page.evaluate("navigator.clipboard.readText()") == "posed golden accept suite.toml"


def test_without_scripts_the_findings_can_be_read(open_page: Open) -> None:
    page = open_page(several(), java_script_enabled=False)
    lines = page.locator("noscript li").all_text_contents()
    assert len(lines) == 11
    assert lines[5].startswith("box, live tick 5: failed: depth: 3 pixels unexplained")


CONTRAST = """() => {
  const light = color => {
    const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map(c => c / 255)
      .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = light(getComputedStyle(document.body).backgroundColor);
  return [...document.querySelectorAll('h1, p, th, td, dt, dd, li, .name, .word, .count, .quiet')]
    .filter(one => one.offsetParent)
    .map(one => light(getComputedStyle(one).color))
    .map(ink => (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05));
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_readable_by_day_and_by_night(open_page: Open, scheme: str) -> None:
    page = open_page(broken(), color_scheme=scheme)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(int(code) for code in ground[4:-1].split(",")) > 600) == (scheme == "light")
    contrasts = page.evaluate(CONTRAST)
    assert len(contrasts) > 30
    assert min(contrasts) > 4.5, "WCAG 2.2, level AA"


def test_on_a_narrow_screen_nothing_sticks_out(open_page: Open) -> None:
    page = open_page(several(), viewport={"width": 420, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
