"""What each type shows: text for a terminal, HTML that asks nobody for anything."""

import html.parser
import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import PIL.Image
import pytest

import posed
from posed.notebook import mimebundle
from posed.snapshot import Posed

if TYPE_CHECKING:
    from playwright.sync_api import Browser

KINDS = ("Scene", "Model", "Rig", "Clip", "Posed", "Frame", "Verdict", "Explanation")


class Checked(html.parser.HTMLParser):
    """Collects what a page asks for, its text, and whether its tags close."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sources: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("img", "rect", "line", "circle", "polyline"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("kind", KINDS)
def test_a_value_shows_itself_whole_and_without_a_network(values: dict[str, object], kind: str) -> None:
    bundle = mimebundle(values[kind])
    page = Checked(bundle["text/html"])
    assert page.open == []
    assert all(source.startswith("data:image/png;base64,") for source in page.sources)
    assert "script" not in page.tags
    assert "b" not in page.tags, "a name stays a name"
    assert bundle["text/plain"].strip()
    assert len(bundle["text/html"]) < 200_000
    assert ("image/png" in bundle) == (kind == "Frame")


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("Scene", "Scene x.toml: 1 object, 1 clip, 60 ticks a second"),
        ("Model", "Model limb.glb: 3 nodes, 2 joints, 1 clip"),
        ("Rig", "Rig: 3 bones, 2 joints, 1 clip: Bend"),
        ("Clip", 'Clip "Bend": 1 s, 1 channel'),
        ("Posed", "Posed: tick 30 at 60 a second, 1 object, 2 joint matrices, "),
        ("Frame", "Frame: 32 x 32, tick 30, posed trace: color, depth, "),
        ("Verdict", "passed (gpu)"),
        ("Explanation", "pixel 16, 20 of 32x32, tick 30"),
    ],
)
def test_a_terminal_gets_a_line_or_a_table(values: dict[str, object], kind: str, said: str) -> None:
    assert mimebundle(values[kind])["text/plain"].lstrip().startswith(said)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("Rig", "Clip")])
def test_a_value_says_itself_in_a_line(values: dict[str, object], kind: str) -> None:
    assert repr(values[kind]).startswith(kind)
    assert "\n" not in repr(values[kind])
    assert len(repr(values[kind])) < 240


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("Scene", ("limb & <b>co", "limb.glb", "Bend (loop)", "60 ticks a second")),
        ("Model", ("3 nodes, 2 joints, 1 part, 4 vertices, 2 triangles, 1 clip", "knee", "skin", 'curves of "Bend"')),
        ("Rig", ("knee", "hip", "from the side")),
        ("Clip", ("rotation", "linear", "90\u00b0", "node 2")),
        ("Posed", ("tick 30 at 60 a second: 0.5 s", "with bones", "2 joints", "knee")),
        ("Frame", ("layers", "geometric_normal", "posed trace")),
        ("Verdict", ("passed", "silhouette", "not compared", "policy gpu")),
        ("Explanation", ("knee", "barycentric")),
    ],
)
def test_a_page_tells(values: dict[str, object], kind: str, told: tuple[str, ...]) -> None:
    text = Checked(mimebundle(values[kind])["text/html"]).text
    for one in told:
        assert one in text


def test_a_frame_s_picture_is_its_color(values: dict[str, object]) -> None:
    frame = values["Frame"]
    assert isinstance(frame, posed.Frame)
    picture = np.asarray(PIL.Image.open(io.BytesIO(mimebundle(frame)["image/png"])))
    assert (picture == frame.rgba()[..., :3]).all()


def test_a_snapshot_of_a_scene_that_is_not_at_hand_is_a_table(pose: Posed) -> None:
    alone = Posed(7, pose.rate, scene="0" * 32, palettes=pose.palettes, models=pose.models)
    text = Checked(mimebundle(alone)["text/html"]).text
    assert "its scene is not loaded, so there is no picture" in text
    assert "limb & <b>co2" in text, "its two joints"
    assert "it names no scene" in Checked(mimebundle(Posed(7, pose.rate))["text/html"]).text


def test_what_cannot_be_drawn_is_still_told(scene: posed.Scene, pose: Posed, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise posed.MissingError("no backend")

    monkeypatch.setattr("posed.notebook.scenes.traced", refused)
    assert mimebundle(scene) == {"text/plain": f"{scene!r}\nno backend"}
    assert "no backend" in Checked(mimebundle(pose)["text/html"]).text


def test_media_types_can_be_chosen(values: dict[str, object]) -> None:
    frame = values["Frame"]
    assert set(mimebundle(frame, include=["image/png"])) == {"text/plain", "image/png"}
    assert set(mimebundle(frame, exclude=["image/png"])) == {"text/plain", "text/html"}


@pytest.mark.parametrize("kind", ["Verdict", "Explanation"])
def test_what_is_made_of_rich_s_tables_shows_once(
    values: dict[str, object], kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a notebook rich would display a table by itself, beside the value."""
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert len(mimebundle(values[kind])["text/plain"].splitlines()) > 3
    assert capsys.readouterr().out == ""


def test_other_values_do_not_show_themselves() -> None:
    with pytest.raises(TypeError, match="int does not show itself"):
        mimebundle(7)


def test_a_method_of_posed_s_own_types_is_what_notebooks_ask_for(scene: posed.Scene) -> None:
    assert scene._repr_mimebundle_()["text/html"] == mimebundle(scene)["text/html"]


def test_in_a_terminal_nothing_is_traced(scene: posed.Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("posed.notebook.scenes.traced", None)  # calling it would fail
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=object))
    assert mimebundle(scene) == {"text/plain": repr(scene)}


@pytest.mark.parametrize("dark", [False, True])
def test_every_page_is_a_picture_in_a_browser(
    values: dict[str, object], browser: "Browser", tmp_path: Path, dark: bool
) -> None:
    """Each is drawn, on light and on dark, with something to see and nothing wider than its place."""
    page = browser.new_page(viewport={"width": 900, "height": 800})
    colors = "background:#111;color:#eee" if dark else "background:#fff;color:#111"
    for kind, value in values.items():
        content = mimebundle(value)["text/html"]
        (tmp_path / f"{kind}.html").write_text(f'<!doctype html><meta charset="utf-8"><body style="{colors}">{content}')
        page.goto((tmp_path / f"{kind}.html").as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
        assert page.evaluate("document.documentElement.scrollWidth") <= 900, kind
        picture = np.asarray(PIL.Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB"))
        assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 20, kind
        assert page.evaluate("[...document.images].every(one => one.naturalWidth > 0)"), kind
    page.close()
