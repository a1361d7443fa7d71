"""The pytest plugin, run by pytest on test files of a user's."""

import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest

import posed
import posed.live
import posed.pytest_checking  # what a run in this process imports has to be here before it
from posed.fixtures import skinned_column
from posed.frame import Frame
from posed.pytest_plugin import SETTINGS

INSTALLED = any(one.value == "posed.pytest_plugin" for one in entry_points(group="pytest11"))
ARGUMENTS = ("--posed-size", "64x36", *(() if INSTALLED else ("-p", "posed.pytest_plugin")))


@pytest.fixture(scope="module")
def _warm(renderer: posed.live.Renderer, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Import whatever a check imports on its way: pytester forgets modules that its runs import, which numba cannot."""
    folder = tmp_path_factory.mktemp("warm")
    (folder / "column.glb").write_bytes(skinned_column())
    scene = posed.load(folder / "column.glb")
    poses = [posed.World(scene).posed()]
    world = posed.World(scene)
    world.play_clip("column", "linear")
    world.advance(30)
    poses.append(world.posed())
    for pose in poses:
        drawn = replace(renderer.render(scene, pose, size=(64, 36)), provenance=posed.Provenance())
        posed.check(scene, poses[0], drawn).save_report(folder / "page.html")
        drawn.save(folder / "frame.exr")
        posed.Frame.load(folder / "frame.exr")


@pytest.fixture
def project(pytester: pytest.Pytester, _warm: None) -> pytest.Pytester:
    """A folder with a model beside a test's file."""
    (pytester.path / "column.glb").write_bytes(skinned_column())
    return pytester


def run(project: pytest.Pytester, source: str, *arguments: str) -> pytest.RunResult:
    project.makepyfile(test_column=source)
    return project.runpytest_inprocess(*ARGUMENTS, *arguments)


PASSING = """
    def test_column(posed_check):
        verdict = posed_check("column.glb", 30, clip="linear")
        assert verdict["triangle"].compared
"""

WRONG = """
    from dataclasses import replace
    import posed, posed.live

    def late(scene, pose, size):
        world = posed.World(scene)
        world.play_clip("column", "linear")
        world.advance(pose.tick + 20)
        drawn = posed.live.render(scene, world.posed(), size=size)
        return replace(drawn, provenance=replace(drawn.provenance, tick=pose.tick, posed=pose.digest))

    def test_column(posed_check):
        posed_check("column.glb", 10, clip="linear", live=late)
"""


def test_loading_it_imports_nothing_but_pytest() -> None:
    program = (
        "import sys, pytest; before = set(sys.modules)\n"
        "import posed.pytest_plugin\n"
        "new = set(sys.modules) - before\n"
        "print(*sorted(name for name in new if name.partition('.')[0] not in sys.stdlib_module_names))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["posed", "posed.pytest_plugin"]


def test_the_distribution_names_the_plugin() -> None:
    import tomllib

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"posed": "posed.pytest_plugin"}


def test_a_live_frame_that_agrees_passes(project: pytest.Pytester) -> None:
    run(project, PASSING).assert_outcomes(passed=1)


@pytest.mark.parametrize("ci", ["", "true"])
def test_a_failure_names_the_layer_the_place_and_a_report(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, ci: str
) -> None:
    monkeypatch.setenv("CI", ci)  # where it is set, pytest says each failure whole in its summary once more
    result = run(project, WRONG)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            'column.glb, tick 10: silhouette: * pixels unexplained (limit 0)*most of them on object "column"*',
            "likeliest cause: *tick 30, not 10*",
            "report: *.html",
        ]
    )
    assert "pytest_checking.py" not in result.stdout.str(), "no traceback through the plugin"
    (line,) = {line for line in result.outlines if line.startswith("report: ")}
    assert "column.glb, tick 10" in Path(line.removeprefix("report: ")).read_text(encoding="utf-8")


def test_reports_of_all_checks_go_to_the_folder_that_is_asked_for(project: pytest.Pytester) -> None:
    run(project, PASSING, "--posed-report", "pages").assert_outcomes(passed=1)
    assert [path.name for path in (project.path / "pages").iterdir()] == ["test-column-py-test-column-30.html"]


def test_live_frames_of_every_kind(project: pytest.Pytester) -> None:
    scene = posed.load(project.path / "column.glb")
    posed.live.render(scene, posed.World(scene).posed(), size=(64, 36)).save(project.path / "frame.npz")
    source = """
        import posed

        def test_a_file(posed_check):
            posed_check("column.glb", 0, live="frame.npz")

        def test_a_frame_sets_the_size(posed_check):
            frame = posed.Frame.load("frame.npz")
            assert posed_check("column.glb", 0, live=frame, size="999x999").size == (64, 36)

        def test_a_callable_gets_what_it_needs(posed_check):
            def draw(scene, pose, size):
                assert (pose.tick, size) == (0, (64, 36))
                return posed.Frame.load("frame.npz")
            posed_check("column.glb", 0, live=draw)

        def test_a_snapshot_in_place_of_a_tick(posed_check):
            scene = posed.load("column.glb")
            posed_check(scene, posed.World(scene).posed())

        def test_a_dump_before_a_pixel_is_drawn(posed_check):
            verdict = posed_check("column.glb", 30, clip="linear", live="dump.posed.json")
            assert [one.layer for one in verdict.compared] == ["pose"]
    """
    world = posed.World(scene)
    world.play_clip("column", "linear")
    world.advance(30)
    world.posed().save(project.path / "dump.posed.json")
    run(project, source).assert_outcomes(passed=5)


def test_a_picture_is_a_color_of_srgb_codes() -> None:
    codes = np.zeros((2, 3, 4), np.uint8)
    codes[0, 0] = 255, 188, 0, 255
    codes[1, 1] = 255, 0, 0, 51
    frame = posed.pytest_checking._picture(codes)
    assert frame.size == (3, 2)
    assert frame["color"][0, 0].tolist() == pytest.approx([1.0, 0.5, 0.0, 1.0], abs=4e-3)
    assert frame["color"][1, 1].tolist() == pytest.approx([0.2, 0.0, 0.0, 0.2]), "premultiplied"
    assert posed.pytest_checking._picture(codes[..., :3])["color"][..., 3].tolist() == [[1.0] * 3] * 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('posed_check("no.glb", 0)', "*no.glb: there is no such file*"),
        ('posed_check("column.glb", 0, clip="Jog")', "*no clip 'Jog'*"),
        ('posed_check("column.glb", 0, size="big")', "size 'big': expected WxH in pixels*"),
        ('posed_check("column.glb", 0, policy="loose")', '*no policy "loose"*'),
        ('posed_check("column.glb", 0, adapter="Voodoo")', "*Voodoo*"),
        (
            'posed_check("column.glb", 0, live=7)',
            "live: expected a frame, a snapshot, vertices, their file, or sRGB codes*found a int",
        ),
        ('posed_check("column.glb", 0, live="column.glb")', "*column.glb: expected a frame*"),
        ('posed_check("column.glb", 0); posed_check("column.glb", 0)', "column.glb, tick 0: is checked twice*by name="),
    ],
)
def test_what_is_wrong_is_said_in_a_line(project: pytest.Pytester, call: str, message: str) -> None:
    result = run(project, f"def test_column(posed_check):\n    {call}")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([message])
    assert "Traceback" not in result.stdout.str()


def test_keyword_goes_before_mark_before_option_before_ini(project: pytest.Pytester) -> None:
    project.makeini("[pytest]\nposed_policy = ini\n")
    source = """
        import pytest

        @pytest.mark.posed(policy="class")
        class TestMarks:
            @pytest.mark.posed(policy="mark")
            def test_keyword(self, posed_check):
                posed_check("column.glb", 0, policy="keyword")

            @pytest.mark.posed(policy="mark")
            def test_mark(self, posed_check):
                posed_check("column.glb", 0)

            def test_class(self, posed_check):
                posed_check("column.glb", 0)

        def test_other(posed_check):
            posed_check("column.glb", 0)
    """
    with_option = run(project, source, "--posed-policy", "option").stdout
    with_option.fnmatch_lines([f'*no policy "{name}"*' for name in ("keyword", "mark", "class", "option")])
    run(project, source).stdout.fnmatch_lines(['*no policy "ini"*'])


def test_a_mark_that_means_nothing_is_refused(project: pytest.Pytester) -> None:
    source = """
        import pytest

        @pytest.mark.posed(polcy="gpu")
        def test_column(posed_check):
            posed_check("column.glb", 0)
    """
    result = run(project, source, "--strict-markers")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["the mark posed takes size=, policy=, adapter=, report=, golden= alone"])


def test_the_page_lists_every_setting_and_its_default() -> None:
    rows = (Path(__file__).parents[2] / "docs" / "pytest.md").read_text(encoding="utf-8").splitlines()
    for name, one in SETTINGS.items():
        default = f"`{one.default}`" if one.default else "none"
        start = f"| `{name}=` | `posed({name}=)` | `--posed-{name}` | `posed_{name}` | {default} |"
        assert any(row.startswith(start) for row in rows), start


def test_goldens_are_missing_then_accepted_then_held_to(project: pytest.Pytester) -> None:
    project.makeini("[pytest]\nposed_golden = frames\n")
    missing = run(project, PASSING)
    missing.assert_outcomes(failed=1)
    missing.stdout.fnmatch_lines(
        [
            "column.glb, tick 30: golden frame MISSING: there is no golden frame (*frames*30.posed-live.*.exr)",
            "accept it: pytest test_column.py::test_column --posed-accept --posed-why 'say why'",
            "report: *",
        ]
    )
    accepted = run(project, PASSING, "--posed-accept", "--posed-why", "the first")
    accepted.assert_outcomes(passed=1)
    accepted.stdout.fnmatch_lines(["*golden frames accepted*", "*30.posed-live.*.exr (was MISSING)"])
    (beside,) = (project.path / "frames").rglob("*.json")
    kept = json.loads(beside.read_text())
    assert kept["accepted"]["why"] == "the first"
    assert kept["accepted"]["by"]
    run(project, PASSING).assert_outcomes(passed=1)

    frame = Frame.load(beside.with_suffix(".exr"))
    changed = {name: np.array(layer) for name, layer in frame.layers.items()}
    changed["depth"][:] *= np.float32(1.5)
    Frame(changed, frame.size, frame.camera, frame.ids, frame.provenance).save(beside.with_suffix(".exr"))
    tampered = run(project, PASSING)
    tampered.stdout.fnmatch_lines(["*golden frame FAIL: *its pixels are not those that * accepted on *"])

    run(project, PASSING, "--posed-accept").assert_outcomes(passed=1)
    (project.path / "column.glb").write_bytes(skinned_column(width=0.5))
    stale = run(project, PASSING)
    stale.stdout.fnmatch_lines(["*golden frame STALE: the scene has changed since *"])


def test_a_frame_that_fails_is_not_accepted(project: pytest.Pytester) -> None:
    project.makeini("[pytest]\nposed_golden = frames\n")
    run(project, WRONG, "--posed-accept").assert_outcomes(failed=1)
    assert not (project.path / "frames").exists()


def test_accepting_needs_a_folder(project: pytest.Pytester) -> None:
    result = run(project, PASSING, "--posed-accept")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["--posed-accept: no folder for golden frames is set: give posed_golden in the ini file"]
    )


def test_the_readmes_repository_of_one_s_own_works(project: pytest.Pytester) -> None:
    root = Path(__file__).parents[2]
    page = (root / "README.md").read_text(encoding="utf-8")
    for name in ("scene.toml", "test_hero.py"):
        (text,) = re.findall(rf"<!-- file: {name} -->\n```\w+\n(.*?)```", page, re.DOTALL)
        (project.path / name).write_text(text)
    assert len((project.path / "test_hero.py").read_text().splitlines()) <= 10
    shutil.copy(root / "golden" / "scenes" / "walker.glb", project.path / "hero.glb")
    project.runpytest_inprocess(*ARGUMENTS[2:]).assert_outcomes(passed=3)


ENGINE = """
import posed
import pytest


class Engine:
    def render(self, palettes, size):
        scene = posed.load("character.glb")
        world = posed.World(scene)
        world.animate("character", "Walk").done()
        world.advance(42)
        assert palettes.keys() == world.posed().palettes["character"].keys()
        return posed.trace(scene, world.posed(), size=size).rgba()[..., :3]


@pytest.fixture
def engine():
    return Engine()
"""


def test_the_page_s_examples_pass(project: pytest.Pytester) -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "pytest.md").read_text(encoding="utf-8")
    tests = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (settings,) = re.findall(r"```ini\n(.*?)```", page, re.DOTALL)
    shutil.copy(root / "golden" / "scenes" / "walker.glb", project.path / "character.glb")
    project.makepyfile(conftest=ENGINE, test_page="\n\n".join(tests))
    project.makeini(settings)
    words = (*ARGUMENTS[2:], "--posed-size", "160x90", "--posed-accept", "--posed-why", "the first")
    project.runpytest_inprocess(*words, "--strict-config").assert_outcomes(passed=len(tests))
    assert len(list((project.path / "golden").rglob("*.exr"))) >= 1


def test_workers_of_xdist_write_the_same_files(project: pytest.Pytester) -> None:
    (project.path / "tests").mkdir()
    (project.path / "tests" / "column.glb").write_bytes(skinned_column())
    (project.path / "tests" / "test_many.py").write_text(
        "import pytest\n\n\n@pytest.mark.parametrize('tick', [0, 30])\n"
        "def test_many(posed_check, tick):\n    posed_check('column.glb', tick)\n"
    )
    words = (*ARGUMENTS, "-n", "2", "--posed-report", "pages", "--posed-golden", "frames", "--posed-accept")
    result = project.runpytest_subprocess(*words, "tests")
    result.assert_outcomes(passed=2)
    assert len(list((project.path / "pages").iterdir())) == 2
    assert len(list((project.path / "frames").rglob("*.exr"))) == 2
    assert sum("(was MISSING)" in line for line in result.outlines) == 2
