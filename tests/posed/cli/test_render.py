"""`posed render` and `posed demo`."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from posed.animation_file import durations
from posed.data import demo_scene
from posed.frame import Frame
from tests.gltf_literals import Literal
from tests.posed.cli.conftest import Run

SIZE = ("--size", "48x27", "--samples", "1")


@pytest.fixture
def slider(tmp_path: Path) -> Path:
    """A triangle that moves by 1 in a second in `Walk`, by 2 in `Run`."""
    file = Literal(scenes=[{"nodes": [0]}])
    file.node(mesh=file.mesh(), name="body")
    for name, way in (("Walk", 1.0), ("Run", 2.0)):
        file.animation((0, "translation", (0.0, 1.0), ((0, 0, 0), (way, 0, 0)), "LINEAR"), name=name)
    (tmp_path / "slider.glb").write_bytes(file.glb())
    return tmp_path / "slider.glb"


def mean_x(path: Path) -> float:
    """The mean column of the pixels covered by the model."""
    return float(np.nonzero(Frame.load(path)["object"])[1].mean())


def test_demo_writes_a_picture_of_the_walker(run: Run, tmp_path: Path) -> None:
    outcome = run("demo", "--size", "96x54", "-o", tmp_path / "walker.png")
    assert outcome.status == 0
    assert "the walker at tick 42" in outcome.out
    with PIL.Image.open(tmp_path / "walker.png") as picture:
        assert picture.size == (96, 54)
        assert len(picture.getcolors(96 * 54) or ()) > 500


def test_a_frame_of_a_scene(run: Run, tmp_path: Path) -> None:
    outcome = run("render", demo_scene(), "--tick", 42, *SIZE, "-o", tmp_path / "a.npz")
    assert (outcome.status, outcome.out) == (0, f"{tmp_path}/a.npz: tick 42, 48 x 27\n")
    frame = Frame.load(tmp_path / "a.npz")
    assert set(frame.ids.objects) >= {"ground", "walker"}
    walker = frame.ids.objects.index("walker") + 1
    assert (frame["object"] == walker).sum() > 50
    assert (frame.provenance.tick, frame.provenance.renderer) == (42, "posed trace")


def test_the_same_command_writes_the_same_bytes(run: Run, tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        run("render", demo_scene(), "--tick", 7, *SIZE, "-o", tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_clips_by_name_index_and_weight_move_the_model(run: Run, slider: Path, tmp_path: Path) -> None:
    """At half a second: at rest, half a metre, a metre, and a quarter of one and three quarters of the other."""
    columns = []
    for words in ([], ["--clip", "Walk"], ["--clip", 1], ["--clip", "Walk:1", "--clip", "Run:3"]):
        outcome = run("render", slider, *words, "--tick", 30, "--integrator", "aov", "-o", tmp_path / "a.npz")
        assert outcome.status == 0, outcome.err
        columns.append(mean_x(tmp_path / "a.npz"))
    rest, walk, mixed, ran = columns[0], columns[1], columns[3], columns[2]
    assert rest < walk < mixed < ran
    assert mixed == pytest.approx(0.25 * walk + 0.75 * ran, abs=4.0)


def test_a_time_may_lie_between_two_ticks(run: Run, slider: Path, tmp_path: Path) -> None:
    run("render", slider, "--clip", "Walk", "--time", "0.5125", *SIZE, "--integrator", "aov", "-o", tmp_path / "a.npz")
    assert Frame.load(tmp_path / "a.npz").provenance.tick == 30


def test_a_range_is_numbered_by_tick(run: Run, slider: Path, tmp_path: Path) -> None:
    outcome = run("render", slider, "--clip", "Walk", "--ticks", "0:7:3", *SIZE, "-o", tmp_path / "frames/%04d.png")
    assert outcome.status == 0
    names = ["0000.png", "0003.png", "0006.png", "posed-run.json"]
    assert sorted(path.name for path in (tmp_path / "frames").iterdir()) == names
    assert outcome.out.endswith("0006.png: 3 frames, 48 x 27\n")


def test_a_range_goes_on_where_it_was(run: Run, slider: Path, tmp_path: Path) -> None:
    words = ["render", slider, "--clip", "Walk", *SIZE, "-o", tmp_path / "%d.png"]
    run(*words, "--ticks", "0:3")
    outcome = run(*words, "--ticks", "0:5")
    assert outcome == (0, f"{tmp_path / '0.png'} .. 4.png: 5 frames (3 of them were there), 48 x 27\n", "")
    refused = run(*words, "--ticks", "0:5", "--samples", 2)
    assert refused.status == 2
    assert "were asked for with samples 1, now it is 2: choose another folder" in refused.err
    assert run(*words, "--ticks", "0:5", "--samples", 2, "--fresh").out.endswith("4.png: 5 frames, 48 x 27\n")


@pytest.mark.parametrize("words", [["--workers", 2], ["--cluster", "tcp://127.0.0.1:1"], ["--fresh"]])
def test_a_single_frame_needs_no_crew(run: Run, slider: Path, tmp_path: Path, words: list[object]) -> None:
    outcome = run("render", slider, "--tick", 3, *words, "-o", tmp_path / "x.png")
    assert outcome.status == 2
    assert "--workers, --cluster and --fresh are for a range: give --ticks A:B" in outcome.err


def test_a_range_can_be_one_animation(run: Run, slider: Path, tmp_path: Path) -> None:
    """Every third tick at 60 a second: 50 ms each."""
    outcome = run("render", slider, "--clip", "Walk", "--ticks", "0:9:3", *SIZE, "-o", tmp_path / "walk.webp")
    assert (outcome.status, outcome.out) == (0, f"{tmp_path}/walk.webp: 3 frames, 48 x 27\n")
    with PIL.Image.open(tmp_path / "walk.webp") as picture:
        assert (picture.n_frames, picture.size) == (3, (48, 27))  # type: ignore[attr-defined]
        picture.seek(1)
        picture.load()
        assert picture.info["duration"] == 50


def test_the_pictures_of_an_animation_keep_their_exact_times() -> None:
    assert durations(range(0, 7, 2), Fraction(60)) == [33, 34, 33, 33]
    assert sum(durations(range(6000), Fraction(60))) == 100_000


def test_a_saved_snapshot_stands_in_for_a_tick(run: Run, slider: Path, tmp_path: Path) -> None:
    run("pose", slider, "--clip", "Run", "--tick", 12, "-o", tmp_path / "x.posed.npz")
    run("render", slider, "--posed", tmp_path / "x.posed.npz", *SIZE, "-o", tmp_path / "a.png")
    run("render", slider, "--clip", "Run", "--tick", 12, *SIZE, "-o", tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_name_may_hold_a_percent_that_is_no_place(run: Run, slider: Path, tmp_path: Path) -> None:
    assert run("render", slider, *SIZE, "-o", tmp_path / "50%20ü %s.png").status == 0
    assert run("render", slider, *SIZE, "--ticks", "7:8", "-o", tmp_path / "in" / "50% %03d.png").status == 0
    assert {path.name for path in tmp_path.rglob("*.png")} == {"50%20ü %s.png", "50% 007.png"}


def test_a_model_says_that_it_rests_only_where_nothing_is_chosen(run: Run, slider: Path, tmp_path: Path) -> None:
    out = ("-o", tmp_path / "a.json")
    note = "note: slider.glb is shown in its rest pose; it has the clips Walk, Run: choose one with --clip\n"
    assert run("pose", slider, *out).err == note
    assert run("pose", slider, "--clip", "Run", *out).err == ""
    assert run("render", slider, *SIZE, "--posed", tmp_path / "a.json", "-o", tmp_path / "a.png").err == ""


def test_a_snapshot_that_does_not_fit_is_named(run: Run, slider: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "x.json"
    snapshot.write_text('{"format": "posed", "version": 1, "tick": 0, "models": {"bob": [' + "1," * 15 + "1]}}")
    outcome = run("render", slider, "--posed", snapshot, "-o", tmp_path / "a.png")
    assert outcome.err == f'posed: {snapshot}: models: the scene has no object "bob" (it has slider)\n'


def test_a_pose_beyond_all_numbers_is_one_line(run: Run, slider: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "x.json"
    snapshot.write_text('{"format": "posed", "version": 1, "tick": 0, "models": {"slider": [' + "1e300," * 15 + "1]}}")
    outcome = run("render", slider, "--posed", snapshot, "-o", tmp_path / "a.png")
    assert outcome.status == 2
    assert len(outcome.err.splitlines()) == 1
    assert "which is no finite place in float32: check the pose's matrices" in outcome.err


def test_a_transparent_background(run: Run, slider: Path, tmp_path: Path) -> None:
    run("render", slider, *SIZE, "--background", "transparent", "-o", tmp_path / "a.png")
    with PIL.Image.open(tmp_path / "a.png") as picture:
        assert picture.mode == "RGBA"
        assert picture.getpixel((0, 0)) == (0, 0, 0, 0)


@pytest.mark.parametrize("integrator", ["direct", "path"])
def test_every_background_and_filter_and_what_the_frame_says_of_them(
    run: Run, slider: Path, tmp_path: Path, integrator: str
) -> None:
    """Alpha is the same before any background; a color shows by what alpha leaves; nothing is premultiplied."""
    frames = {}
    for name, said in (("environment",) * 2, ("transparent",) * 2, ("0.25,0.5,2", "0.25,0.5,2.0")):
        words = ["--integrator", integrator, "--samples", 8, "--filter", "blackman-harris", "--background", name]
        run("render", slider, *SIZE, *words, "-o", tmp_path / "a.npz")
        frames[name] = Frame.load(tmp_path / "a.npz")
        found = frames[name].provenance
        assert (found.background, found.filter, found.samples) == (said, "blackman-harris", "8")
    clear, colored = frames["transparent"]["color"], frames["0.25,0.5,2"]["color"]
    alpha = clear[..., 3:]
    assert 0.0 < alpha.mean() < 1.0
    assert (clear[alpha[..., 0] == 0.0] == 0.0).all()
    assert ((alpha > 0.0) & (alpha < 1.0)).any()
    np.testing.assert_allclose(
        colored[..., :3], clear[..., :3] + (1.0 - alpha) * np.float32([0.25, 0.5, 2.0]), atol=1e-5
    )
    for frame in frames.values():
        assert (frame["color"][..., 3] == clear[..., 3]).all()


def test_bounces_of_a_path(run: Run, slider: Path, tmp_path: Path) -> None:
    light = {}
    for bounces in ([], ["--bounces", 0], ["--bounces", 1]):
        run("render", slider, *SIZE, "--integrator", "path", *bounces, "-o", tmp_path / "a.npz")
        frame = Frame.load(tmp_path / "a.npz")
        light[frame.provenance.bounces] = frame["color"][..., :3].mean()
    assert light[0] < light[1] <= light[None]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "a.gif"], 'a frame is saved as one of .png, .exr, .npz, found ".gif"'),
        (
            ["--ticks", "0:2", "-o", "a.png"],
            "a range of ticks needs one place for the number, as frames/%04d.png has, or .webp",
        ),
        (["--size", "960x540", "--ticks", "0:999999", "-o", "a.webp"], "too many for one file, which takes"),
        (["-o", "%04d.png"], "the name has a place for a number: give --ticks A:B"),
        (["--ticks", "0:2", "-o", "%q.png"], "a range of ticks needs one place for the number"),
        (["--ticks", "0:2", "-o", "%d_%d.png"], "a range of ticks needs one place for the number"),
        (["--layers", "depth", "-o", "a.png"], "a png shows color alone: save other layers as .exr or .npz"),
        (["--integrator", "aov", "-o", "a.png"], "a png shows color alone: save other layers as .exr or .npz"),
        (["--integrator", "aov", "--ticks", "0:2", "-o", "a.webp"], "a webp shows color alone"),
        (["-o", "slider.glb/a.png"], "slider.glb: is a file, no folder: choose another place"),
        (["--ticks", "0:2", "-o", "slider.glb/%d.png"], "slider.glb: is a file, no folder: choose another place"),
        (["--ticks", "0:2", "-o", "slider.glb/x/%d.png"], "slider.glb/x: slider.glb is a file, no folder"),
        (["--posed", ".", "-o", "a.png"], ".: is a folder"),
        (["-o", "."], ".: a frame is saved as one of .png, .exr, .npz, found a folder"),
        (["-o", "a"], "a: a frame is saved as one of .png, .exr, .npz, found none"),
        (["-o", f"{'x' * 300}.png"], ".png: is no place for a file"),
        (["--size", f"{'9' * 5000}x5", "-o", "a.png"], "is no size: give WxH in pixels"),
        (["--tick", "9" * 5000, "-o", "a.png"], "is no tick: give an integer from 0 to 2^53"),
        (["--time", "1e999999999", "-o", "a.png"], "is no time: give seconds of 0 or more"),
        (["--samples", "9" * 5000, "-o", "a.png"], "is no number of samples: give 1 to 65536, or center"),
        (["--ticks", f"0:{'9' * 5000}", "-o", "%d.png"], "is no range of ticks"),
        (["--clip", "9" * 5000, "-o", "a.png"], "there is no clip"),
        (
            ["--backend", "cuda", "-o", "a.png"],
            'posed render: --backend: "cuda" is none of its values: give embree or bvh',
        ),
        ([], "posed render: --output is missing: give --output FILE"),
        (["--ticks", "0:2", "--tick", "1", "-o", "%d.png"], "--ticks chooses the moments"),
        (["--tick", "1", "--time", "1", "-o", "a.png"], "--tick and --time each choose the moment: give one"),
        (["--clip", "Jog", "-o", "a.png"], 'there is no clip "Jog": the file has 0 "Walk", 1 "Run"'),
        (["--clip", "Walk:x", "-o", "a.png"], '"x" is no weight, and no clip has the whole as its name'),
        (["--clip", "Walk:-1", "-o", "a.png"], "a weight is 0 or more"),
        (["--clip", "Walk", "--object", "bob", "-o", "a.png"], 'no object "bob": it has slider'),
        (["--layers", "colour", "-o", "a.png"], 'there is no layer "colour": the layers are color, depth'),
        (["--posed", "none.json", "-o", "a.png"], "none.json: there is no such file: check the path"),
        (["--bounces", "2", "-o", "a.png"], "integrator direct follows no light from surface to surface"),
        (
            ["--samples", "center", "--filter", "blackman-harris", "-o", "a.png"],
            '"center" are one a pixel: leave it out',
        ),
    ],
)
def test_bad_usage_is_one_line_and_writes_nothing(
    run: Run, slider: Path, tmp_path: Path, words: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run("render", slider, *SIZE, *words)
    line = outcome.err.splitlines()[-1]
    assert outcome.status == 2
    assert line.startswith(("posed: ", "posed render: "))
    assert all(said.startswith(("note: ", "compiling kernels")) for said in outcome.err.splitlines()[:-1])
    assert message in line
    assert list(tmp_path.iterdir()) == [slider]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--size", "0x5"], '"0x5" is no size: give WxH in pixels'),
        (["--size", "99999x5"], '"99999x5" is no size'),
        (["--background", "green"], '"green" is no background: give environment, transparent, or red, green and blue'),
        (["--background", "1,2"], '"1,2" is no background'),
        (["--background", "1,2,-3"], '"1,2,-3" is no background'),
        (["--background", "1,2,1e999"], '"1,2,1e999" is no background'),
        (["--filter", "tent"], '"tent" is none of its values: give box or blackman-harris'),
        (["--bounces", "-1"], "give a whole one from 0 to 2147483647"),
        (["--samples", "0"], '"0" is no number of samples: give 1 to 65536, or center'),
        (["--ticks", "5:5"], '"5:5" holds no tick'),
        (["--ticks", "5"], '"5" is no range of ticks'),
        (["--time", "-1"], '"-1" is no time'),
        (["--tick", "-1"], '"-1" is no tick: give an integer from 0 to 2^53'),
    ],
)
def test_a_value_of_another_kind_is_refused(run: Run, slider: Path, words: list[str], message: str) -> None:
    outcome = run("render", slider, *words, "-o", "a.png")
    assert outcome.status == 2
    assert message in outcome.err
