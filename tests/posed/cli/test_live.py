"""`posed live`."""

import json
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from posed.data import demo_scene
from posed.frame import Frame
from posed.live import ALL_LAYERS, Renderer, list_adapters
from tests.posed.cli.conftest import Run

SIZE = ("--size", "48x27")


def test_a_frame_says_what_drew_it(run: Run, tmp_path: Path, renderer: Renderer) -> None:
    outcome = run("live", demo_scene(), "--tick", 42, *SIZE, "-o", tmp_path / "a.npz")
    assert (outcome.status, outcome.out) == (0, f"{tmp_path}/a.npz: tick 42, 48 x 27, {renderer.adapter.name}\n")
    frame = Frame.load(tmp_path / "a.npz")
    assert set(frame) == set(ALL_LAYERS)
    assert (frame.provenance.renderer, frame.provenance.tick) == ("posed live", 42)
    assert (frame.provenance.adapter, frame.provenance.driver) == (renderer.adapter.name, renderer.adapter.driver)
    walker = frame.ids.objects.index("walker") + 1
    assert (frame["object"] == walker).sum() > 50


def test_a_clip_a_time_and_layers_are_chosen_as_for_a_trace(run: Run, tmp_path: Path, renderer: Renderer) -> None:
    words = (demo_scene(), "--clip", "Walk", "--time", "0.5", *SIZE, "-o")
    layers = "object,part,triangle"
    assert run("live", *words, tmp_path / "live.npz", "--layers", layers).status == 0
    assert run("render", *words, tmp_path / "traced.npz", "--integrator", "aov").status == 0
    live, traced = Frame.load(tmp_path / "live.npz"), Frame.load(tmp_path / "traced.npz")
    assert sorted(live) == sorted(layers.split(","))
    assert (live["triangle"] != traced["triangle"]).sum() <= 2
    del renderer


def test_a_range_is_numbered_by_tick(run: Run, tmp_path: Path, renderer: Renderer) -> None:
    outcome = run("live", demo_scene(), "--ticks", "0:12:6", *SIZE, "--layers", "object", "-o", tmp_path / "f/%03d.exr")
    assert outcome.status == 0
    assert outcome.out.endswith(f"006.exr: 2 frames, 48 x 27, {renderer.adapter.name}\n")
    first, second = (Frame.load(tmp_path / f"f/{tick:03}.exr")["object"] for tick in (0, 6))
    assert not np.array_equal(first, second)


def test_pictures_are_for_people(run: Run, tmp_path: Path, renderer: Renderer) -> None:
    assert run("live", demo_scene(), "--tick", 42, *SIZE, "-o", tmp_path / "a.png").status == 0
    outcome = run("live", demo_scene(), "--ticks", "0:9:3", *SIZE, "-o", tmp_path / "walk.webp")
    assert outcome.out == f"{tmp_path}/walk.webp: 3 frames, 48 x 27, {renderer.adapter.name}\n"
    with PIL.Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (48, 27)
        assert len(picture.getcolors(48 * 27) or ()) > 200
    with PIL.Image.open(tmp_path / "walk.webp") as animation:
        assert animation.n_frames == 3  # type: ignore[attr-defined]


def test_adapters_are_listed_without_a_scene(run: Run, renderer: Renderer) -> None:
    outcome = run("live", "--list-adapters")
    assert outcome.status == 0
    assert f"{renderer.adapter.name} ({renderer.adapter.kind}, {renderer.adapter.backend}" in outcome.out
    listed = json.loads(run("live", "--list-adapters", "--json").out)
    assert [one["name"] for one in listed] == [one.name for one in list_adapters()]


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        ((), "posed live: SCENE is missing: expected posed live [OPTIONS] SCENE (posed live --help shows how)"),
        (
            ("SCENE",),
            "posed live: --output is missing: give --output FILE (walk.png, .exr, .npz; a range: ",
        ),
        (("SCENE", "--layers", "colour", "-o", "x.npz"), 'the live renderer writes no layer "colour"'),
        (("SCENE", "--layers", "depth", "-o", "x.png"), "x.png: a png shows color alone"),
        (("SCENE", "--ticks", "0:3", "-o", "x.png"), "a range of ticks needs one place for the number"),
        (("SCENE", "--ticks", "0:3", "--tick", 1, "-o", "%d.npz"), "--ticks chooses the moments"),
        (("SCENE", "--size", "8193x1", "-o", "x.npz"), "the live renderer draws 1 to 8192 pixels a side"),
        (("nothing.glb", "-o", "x.npz"), "nothing.glb"),
    ],
)
def test_bad_usage_is_one_line(
    run: Run,
    tmp_path: Path,
    renderer: Renderer,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[object, ...],
    refusal: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run("live", *(demo_scene() if word == "SCENE" else word for word in words))
    assert outcome.status == 2
    assert refusal in outcome.err
    assert outcome.err.count("\n") == 1
    assert not list(tmp_path.glob("*.npz"))
    del renderer


def test_an_adapter_that_is_not_there_is_something_the_machine_lacks(run: Run, tmp_path: Path) -> None:
    outcome = run("live", demo_scene(), "--adapter", "no such", "-o", tmp_path / "x.npz")
    assert outcome.status == 3
    assert "mesa-vulkan-drivers" in outcome.err
