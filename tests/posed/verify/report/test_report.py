"""What a report holds: findings, stories, and pictures within bounds."""

import json
import pickle
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posed.errors import PosedError
from posed.frame import Frame, Provenance
from posed.live import Renderer
from posed.scene.ids import IdTable, PartId
from posed.verify import check, compare
from posed.verify.report import Report, report, shown
from posed.verify.report.content import STORIES, frame_content
from posed.verify.verdict import Side
from tests.posed.live.literals import model, primitive, rectangle, scene, translation
from tests.posed.live.literals import posed as snapshot
from tests.posed.verify.report.literals import DEEPER, LIFTED, frame, put, verdict


def data_of(html: str) -> Any:
    """The values that a page shows."""
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    return json.loads(text)


def test_each_layer_has_its_measures_and_four_pictures() -> None:
    content = frame_content(verdict(DEEPER))
    assert (content["passed"], content["first_failure"]) == (False, "depth")
    depth = next(one for one in content["layers"] if one["layer"] == "depth")
    assert depth["sentence"].startswith("depth: ")
    largest = next(one for one in depth["measures"] if one["name"] == "largest")
    assert (largest["limit"], largest["passed"]) == (1e-4, False)
    assert list(content["pictures"]["depth"]) == ["reference", "live", "difference", "mask"]
    assert set(content["pictures"]) == {one.layer for one in verdict().compared}


def test_what_another_process_has_made_of_a_verdict_is_shown_the_same() -> None:
    whole, parts = Report("one"), Report("one")
    whole.add(verdict(DEEPER), run="a", sides=("left", "right"), accept="accept it")
    crossed = pickle.loads(pickle.dumps(shown(verdict(DEEPER))))
    parts.add_shown(crossed, run="a", sides=("left", "right"), accept="accept it")
    assert parts.html() == whole.html()
    assert data_of(whole.html())["runs"][0]["frames"][0]["accept"] == "accept it"


def test_ids_are_counted_on_both_sides() -> None:
    content = frame_content(verdict(LIFTED))
    assert content["counts"]["object"] == [(1, 80, 88), (2, 176, 176)]
    assert sorted(content["colors"]["part"].values()) == [1, 2]


def test_a_blob_of_a_failing_layer_is_explained_at_its_own_pixel() -> None:
    asked = []

    def story(x: int, y: int) -> str:
        asked.append((x, y))
        return f"pixel {x}, {y}"

    content = frame_content(verdict(DEEPER), story=story)
    (blob,) = next(one for one in content["layers"] if one["layer"] == "depth")["blobs"]
    assert blob["story"] == f"pixel {blob['at'][0]}, {blob['at'][1]}"
    assert (blob["object"], blob["part"], blob["pixels"]) == ("box", "box/lid/0", 3)
    assert asked == [tuple(blob["at"])], "one pixel is asked about once"
    assert blob["at"][1] == 6
    assert 4 <= blob["at"][0] <= 6


def test_the_largest_blobs_are_explained_and_an_error_is_a_story_too() -> None:
    spots = {"depth": put((slice(4, 14, 2), slice(4, 12, 2)), 6.0)}
    asked = []

    def story(x: int, y: int) -> str:
        asked.append((x, y))
        raise PosedError("the snapshot has no sources")

    content = frame_content(verdict(spots), story=story)
    blobs = next(one for one in content["layers"] if one["layer"] == "depth")["blobs"]
    assert len(blobs) == 20
    assert len(asked) == STORIES == 12
    assert [bool(one["story"]) for one in blobs] == [True] * 12 + [False] * 8
    assert blobs[0]["story"] == "the snapshot has no sources"


def test_a_verdict_without_frames_has_findings_alone() -> None:
    bare = replace(verdict(DEEPER), reference=Side("a snapshot"), live=Side("a dump"))
    content = frame_content(bare)
    assert content["pictures"] == {}
    assert content["provenance"] == [{"origin": "a snapshot"}, {"origin": "a dump"}]
    assert content["first_failure"] == "depth"


def test_the_same_verdict_gives_the_same_bytes() -> None:
    pages = []
    for _ in range(2):
        page = Report("box")
        page.add(verdict(LIFTED), run="box, live")
        pages.append(page.html())
    assert pages[0] == pages[1]


def test_a_name_from_an_asset_stays_a_name() -> None:
    name = '</script><script>alert("x")</script>&amp;'
    ids = IdTable((name, "ground"), (PartId(1, name, 0, 0, name), PartId(2, "ground", 0, 0, "plane")))
    page = Report(name)
    page.add(verdict(LIFTED, ids=ids), run=name, accept=name)
    html = page.html()
    assert html.count("<script") == 2
    assert "<title>&lt;/script&gt;" in html
    assert data_of(html)["runs"][0]["names"]["object"][0] == name


def test_the_page_asks_nobody_for_anything() -> None:
    page = Report("box")
    page.add(verdict())
    html = page.html()
    outside = re.findall(r"""(?:src|href|url|@import)\s*[=(]?\s*["']?(?:https?:)?//[^"')\s]+""", html)
    assert outside == []
    assert "default-src 'none'" in html


def test_pictures_of_failures_go_first_and_of_passes_lie_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    def gathered() -> Report:
        page = Report("box")
        for tick in range(16):
            page.add(verdict(LIFTED if tick == 13 else None, tick=tick))
        return page

    whole = data_of(gathered().html())["runs"][0]["frames"]
    assert all(one["pictures"] for one in whole)
    one_frame = max(sum(len(uri) for four in one["pictures"].values() for uri in four.values()) for one in whole)
    monkeypatch.setattr(report, "PICTURE_BYTES", 8 * one_frame)
    page = gathered()
    shown = [one["tick"] for one in data_of(page.html())["runs"][0]["frames"] if one["pictures"]]
    assert shown == [0, 2, 4, 6, 8, 10, 12, 13]
    assert len(data_of(page.html())["runs"][0]["frames"]) == 16, "all of them are in the curves"
    monkeypatch.setattr(report, "PICTURE_BYTES", 2 * one_frame)  # then pictures are dropped on the way, too
    assert [one["tick"] for one in data_of(gathered().html())["runs"][0]["frames"] if one["pictures"]][-1] == 13


def test_a_quarter_of_960_x_540_of_ten_noisy_layers_stays_below_a_quarter_of_five_megabytes() -> None:
    size = (480, 270)
    generator = np.random.default_rng(1)

    def side() -> Frame:
        """Ids of a busy scene; color, normals, depth and motion that no encoder can shrink."""
        patches = generator.integers(1, 40, (27, 48), np.uint32).repeat(10, 0).repeat(10, 1)
        shape = (size[1], size[0])
        layers = {
            "object": patches,
            "part": patches,
            "material": patches,
            "joint": patches,
            "triangle": generator.integers(1, 9000, (54, 96), np.uint32).repeat(5, 0).repeat(5, 1),
            "depth": (1.0 + generator.random(shape)).astype(np.float32),
            "normal": generator.normal(size=(*shape, 3)).astype(np.float32),
            "motion": generator.normal(size=(*shape, 2)).astype(np.float32),
            "color": generator.random((*shape, 4)).astype(np.float32),
        }
        ids = IdTable(tuple(f"object {number}" for number in range(1, 40)))
        return Frame(layers, size, None, ids, Provenance(tick=0))

    page = Report("noise")
    reference = side()
    depth = reference["depth"] * (1.0 + 5e-5 * generator.random(reference["depth"].shape)).astype(np.float32)
    page.add(compare(reference, Frame(dict(side().layers) | {"depth": depth}, size, None, reference.ids)))
    assert len(page.html().encode()) < 1_250_000


def test_a_report_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    page = Report("box")
    page.add(verdict())
    page.save(tmp_path / "box.html")
    assert (tmp_path / "box.html").read_text(encoding="utf-8") == page.html()
    with pytest.raises(PosedError, match=r"box.html: is a file, no folder"):
        page.save(tmp_path / "box.html" / "box.html")
    assert [path.name for path in tmp_path.iterdir()] == ["box.html"]


def test_two_sides_may_be_called_otherwise() -> None:
    page = Report("box")
    page.add(compare(frame(), frame()), run="golden", sides=("before", "after"))
    page.add(compare(frame(), frame()), run="trace")
    assert [one["sides"] for one in data_of(page.html())["runs"]] == [["before", "after"], ["reference", "live"]]


def test_of_a_check_each_blob_is_explained_and_the_page_named_after_the_scene(
    renderer: Renderer, tmp_path: Path
) -> None:
    body = model(primitive(rectangle(-1.5, -1, -0.5, 1, -4)))
    drawn, pose = scene(body), snapshot()
    moved = renderer.render(drawn, snapshot(models={"a": translation(0.25, 0, 0)}), size=(96, 64))
    check(drawn, pose, moved).save_report(tmp_path / "box.html", accept="posed golden accept")
    data = data_of((tmp_path / "box.html").read_text(encoding="utf-8"))
    assert data["title"] == "literal, tick 0"
    (found,) = data["runs"][0]["frames"]
    silhouette = next(one for one in found["layers"] if one["layer"] == "silhouette")
    stories = [blob["story"] for blob in silhouette["blobs"]]
    assert len(stories) == 2, "where it should be and is not, and the other way round"
    assert any("nothing is seen here but the background" in story for story in stories)
    assert any('object "a"' in story for story in stories)
    assert found["accept"] == "posed golden accept"
