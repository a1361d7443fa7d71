"""`posed compare` and the live sides that `posed check` takes."""

import json
from pathlib import Path

import numpy as np
import pytest

import posed
from posed.data import demo_scene
from tests.posed.cli.conftest import Run


@pytest.fixture(scope="module")
def walker() -> posed.Scene:
    return posed.load(demo_scene())


def snapshot(scene: posed.Scene, tick: int) -> posed.Posed:
    world = posed.World(scene)
    world.advance(tick)
    return world.posed()


def test_two_snapshots(run: Run, walker: posed.Scene, tmp_path: Path) -> None:
    snapshot(walker, 42).save(tmp_path / "a.npz")
    snapshot(walker, 42).save(tmp_path / "b.npz")
    done = run("compare", tmp_path / "a.npz", tmp_path / "b.npz")
    assert done.status == 0
    assert "the digests are equal" in done.out
    palettes = {
        name: {node: palette.copy() for node, palette in nodes.items()}
        for name, nodes in snapshot(walker, 42).palettes.items()
    }
    next(iter(palettes["walker"].values()))[3, 1, 3] += np.float32(0.01)
    posed.Posed(42, walker.rate, palettes=palettes).save(tmp_path / "c.json")
    done = run("compare", tmp_path / "a.npz", tmp_path / "c.json", "--scene", demo_scene(), "--json")
    assert done.status == 1
    found = json.loads(done.out)
    assert found["first_failure"] == "pose"
    (deviation,) = [one for one in found["layers"][0]["deviations"] if one["what"] == "joint"]
    assert deviation["value"] == pytest.approx(10.0, rel=1e-4)


def test_two_frames_and_two_files_of_vertices(run: Run, walker: posed.Scene, tmp_path: Path) -> None:
    pose = snapshot(walker, 42)
    posed.trace(walker, pose, size=(48, 27), integrator="aov").save(tmp_path / "a.exr")
    posed.trace(walker, pose, size=(48, 27), integrator="aov").save(tmp_path / "b.npz")
    assert run("compare", tmp_path / "a.exr", tmp_path / "b.npz", "--policy", "exact").status == 0
    posed.verify.expected_vertices(walker, pose).save(tmp_path / "v.npz")
    assert run("compare", tmp_path / "v.npz", tmp_path / "v.npz").status == 0
    done = run("compare", tmp_path / "a.exr", tmp_path / "v.npz")
    assert done.status == 2
    assert done.err == "posed: a frame and vertices cannot be compared: give two of a kind\n"


def test_two_pictures_tell_once_what_neither_has(run: Run, walker: posed.Scene, tmp_path: Path) -> None:
    for tick in (42, 60):
        frame = posed.trace(walker, snapshot(walker, tick), size=(96, 54), integrator="direct", samples=1)
        frame.save(tmp_path / f"{tick}.png")
    done = run("compare", tmp_path / "42.png", tmp_path / "60.png")
    assert done.status == 1
    assert done.out.count("not compared") == 1
    assert "normal, motion: neither side has it" in " ".join(done.out.split())
    done = run("compare", tmp_path / "42.png", tmp_path / "engine.jpg")
    assert done.status == 2
    assert 'found ".jpg"; JPEG blurs what is compared' in done.err


def test_check_takes_a_snapshot_and_vertices_as_the_live_side(run: Run, walker: posed.Scene, tmp_path: Path) -> None:
    late = snapshot(walker, 43)
    posed.Posed(42, walker.rate, palettes=late.palettes, models=late.models).save(tmp_path / "late.json")
    done = run("check", demo_scene(), "--tick", "42", "--live", tmp_path / "late.json", "--json")
    assert done.status == 1
    assert json.loads(done.out)["first_failure"] == "pose"
    posed.verify.expected_vertices(walker, snapshot(walker, 42)).save(tmp_path / "v.npz")
    done = run("check", demo_scene(), "--tick", "42", "--live", tmp_path / "v.npz")
    assert done.status == 0
    assert "vertices" in done.out
    done = run("check", demo_scene(), "--tick", "41", "--live", tmp_path / "v.npz")
    assert done.status == 2
    assert "the live vertices are of tick 42 and their reference of tick 41" in done.err
