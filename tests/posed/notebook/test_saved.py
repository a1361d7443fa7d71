"""The player as one file: whole or absent, bounded, and alive in a browser that has no network."""

import base64
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import PIL.Image
import pytest

import posed
from posed.notebook import save_html
from posed.viewer.playing import Choice
from tests.posed.cli.conftest import Run, run

__all__ = ["run"]

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZE = (96, 64)


def content(path: Path) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="content">(.*?)</script>', path.read_text(), re.DOTALL)
    assert found
    told: dict[str, Any] = json.loads(found[1])
    return told


def test_every_tick_has_a_picture_of_each_layer_and_overlay(scene: posed.Scene, tmp_path: Path) -> None:
    out = tmp_path / "x.html"
    saved = save_html(scene, out, ticks=range(3, 60, 28), size=SIZE, layers=("color", "depth"), overlays=("bones",))
    told = content(out)
    assert (saved.ticks, saved.names, saved.size) == (3, ("color", "depth", "bones"), out.stat().st_size)
    assert str(saved) == f"{out}: 3 ticks of color, depth, bones, {out.stat().st_size / 1e3:.1f} kB"
    assert told["ticks"] == [3, 31, 59]
    assert {name: len(uris) for name, uris in told["pictures"].items()} == {"color": 3, "depth": 3, "bones": 3}
    world = posed.World(scene)
    world.advance(31)
    expected = posed.trace(scene, world.posed(), size=SIZE, samples=4).rgba()[..., :3]
    uri = told["pictures"]["color"][1].removeprefix("data:image/webp;base64,")
    picture = np.asarray(PIL.Image.open(io.BytesIO(base64.b64decode(uri))).convert("RGB"))
    assert np.abs(picture.astype(int) - expected).mean() < 4  # of 255; WebP with loss


def test_without_ticks_the_longest_clip_is_played(scene: posed.Scene, tmp_path: Path) -> None:
    out = tmp_path / "x.html"
    assert save_html(scene, out, size=(16, 16), samples=1).ticks == 61
    choice = {"limb & <b>co": Choice(0)}
    assert save_html(scene, out, size=(16, 16), samples=1, plays=choice).ticks == 61


def test_names_and_text_cannot_leave_their_place(scene: posed.Scene, tmp_path: Path) -> None:
    evil = tmp_path / "a<b>&.toml"
    evil.write_text(scene.path.read_text())
    overlays = ("weights:limb & <b>co/hip",)
    save_html(posed.load(evil), tmp_path / "x.html", ticks=range(1), size=(16, 16), overlays=overlays)
    page = (tmp_path / "x.html").read_text()
    assert "<title>a&lt;b&gt;&amp;.toml, ticks 0 to 0</title>" in page
    assert "<b>" not in page


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"layers": ("colour",)}, 'a player has no layer "colour": choose among color, object'),
        ({"overlays": ("bonse",)}, 'there is no overlay "bonse"'),
        ({"layers": ()}, "a player of no pictures shows nothing"),
        ({"ticks": range(3, 3)}, "a player of no pictures shows nothing"),
        ({"megabytes": 1e-4}, "2 pictures cannot lie in 0.1 kB: take fewer ticks, or a step between them"),
        ({"megabytes": 2e-4}, "kB, and 0.2 kB are allowed: take fewer ticks"),
        ({"ticks": range(10**11)}, "100,000,000,000 pictures cannot lie in 32.0 MB: take fewer ticks"),
        ({"plays": {"nobody": Choice(0)}}, 'no object "nobody" has clips'),
        ({"overlays": ("weights:nobody",)}, 'no joint is called "nobody"'),
    ],
)
def test_nothing_is_written_where_something_is_wrong(
    scene: posed.Scene, tmp_path: Path, options: dict[str, Any], said: str
) -> None:
    out = tmp_path / "x.html"
    out.write_text("before")
    kept = sorted(tmp_path.iterdir())
    with pytest.raises(posed.PosedError) as found:
        save_html(scene, out, **{"ticks": range(2), "size": SIZE} | options)
    assert said in str(found.value)
    assert out.read_text() == "before"
    assert sorted(tmp_path.iterdir()) == kept


def test_a_page_is_a_file_of_html(scene: posed.Scene, tmp_path: Path, run: Run) -> None:
    outcome = run("view", scene.path, "--html", tmp_path / "x.png")
    assert outcome.status == 2
    assert 'a page is a file that ends in .html, found ".png"' in outcome.err
    outcome = run("view", scene.path, "--html", tmp_path / "x.html", "--megabytes", "nan")
    assert '"nan" is no number for it: give one above 0' in outcome.err
    assert not {path.name for path in tmp_path.iterdir()} & {"x.png", "x.html"}


def test_the_command_writes_it_and_says_how_large_it_is(scene: posed.Scene, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "x.html"
    words = ("--html", out, "--ticks", "0:60:20", "--size", "32x32", "--clip", "Bend", "--layers", "color,normal")
    outcome = run("view", scene.path, *words, "--overlay", "bones")
    assert outcome.status == 0, outcome.err
    assert re.fullmatch(rf"{re.escape(str(out))}: 3 ticks of color, normal, bones, \d\d\.\d kB\n", outcome.out)
    assert content(out)["about"]["step"] == 20


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--ticks", "0:3"), "--ticks, --layers and --overlay say what a page shows: give --html FILE too"),
        (("--html", "a.file/x.html"), "a.file: is a file, no folder: choose another place"),
        (("--html", "x.html", "--clip", "Bnd"), "Bnd"),
        (("--html", "x.html", "--object", "limb"), "--object says whose clip --clip names"),
    ],
)
def test_the_command_refuses_in_a_line(
    scene: posed.Scene, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.file").touch()
    outcome = run("view", scene.path, *words)
    assert outcome.status == 2
    assert said in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert not (tmp_path / "x.html").exists()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_opens_from_disk_without_a_network(
    scene: posed.Scene, browser: "Browser", tmp_path: Path, scheme: Any
) -> None:
    from playwright.sync_api import expect

    out = tmp_path / "x.html"
    save_html(scene, out, ticks=range(0, 60, 10), size=(320, 180), overlays=("bones",), samples=1)
    context = browser.new_context(offline=True, color_scheme=scheme, viewport={"width": 400, "height": 400})
    page = context.new_page()
    wrong: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url.partition(":")[0]))
    page.goto(out.as_uri())
    bar = page.get_by_label("tick", exact=True)

    def says(text: str) -> None:
        expect(page.locator("figcaption")).to_have_text(re.compile("^" + re.escape(text)))

    says("tick 0 · color · 1 sample a pixel, saved as WebP, every 10 ticks")
    first = page.locator("img").get_attribute("src")
    bar.focus()
    page.keyboard.press("ArrowRight")
    says("tick 10 · color")
    assert page.locator("img").get_attribute("src") != first
    bar.fill("50")
    says("tick 50 · color")
    page.locator("select").select_option("bones")
    says("tick 50 · bones")
    page.locator(".stage").click()
    page.keyboard.press("Home")
    says("tick 0 · bones")
    page.keyboard.press(" ")
    expect(bar).not_to_have_value("0")
    page.get_by_role("button", name="pause").click()
    page.get_by_role("button", name="play").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    text, paper = page.evaluate(
        "['color', 'background-color'].map(one => getComputedStyle(document.body).getPropertyValue(one))"
    )
    lightness = [float(re.findall(r"[\d.]+", one)[0]) for one in (text, paper)]
    assert (lightness[0] > lightness[1]) == (scheme == "dark")
    assert wrong == []
    assert set(asked) <= {"file", "data"}
    context.close()
