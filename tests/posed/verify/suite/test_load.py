"""Suite and policy files: what they give, and what each fault is answered with."""

import math
from pathlib import Path

import pytest

from posed.errors import PosedError, SceneError
from posed.scene.kinds import Table
from posed.verify.policy import POLICIES, IdLimit
from posed.verify.suite import Tolerance, load_suite
from posed.verify.suite.load import load_policy
from posed.verify.suite.schema import MOST_TICKS, PolicyTable, SuiteTable

WHOLE = """format = 1
size = [96, 54]

[renderers.live]
[renderers.threejs]
command = ["node", "run.mjs", "{scene_json}", "{tick}", "{out}"]
layers = ["color", "object", "depth"]
policy = "foreign"
timeout = 30

[policies.strict]
base = "gpu"
color = { max = 0.004, flip_mean = 0.01 }
subpixel_bits = 4
normal = { degrees = 0.25 }

[[test]]
name = "walker"
scene = "walker.toml"
ticks = [0, 17, 42]
renderers = ["live", "threejs"]
policy = "strict"
tolerate = [{ renderer = "threejs", layer = "object", reason = "reads four influences" }]

[[test]]
name = "all"
scene = "walker.toml"
ticks = "0:240:10"
"""


def write(folder: Path, text: str) -> Path:
    (folder / "walker.toml").write_text("")
    (folder / "suite.toml").write_text(text)
    return folder / "suite.toml"


def test_a_whole_suite(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path, WHOLE))
    assert suite.size == (96, 54)
    live, threejs = suite.renderers["live"], suite.renderers["threejs"]
    assert (live.command, live.layers, live.policy) == ((), (), None)
    assert threejs.command == ("node", "run.mjs", "{scene_json}", "{tick}", "{out}")
    assert (threejs.layers, threejs.policy, threejs.timeout) == (
        ("color", "object", "depth"),
        POLICIES["foreign"],
        30.0,
    )
    walker = suite.test("walker")
    assert walker.scene == tmp_path / "walker.toml"
    assert walker.ticks == (0, 17, 42)
    assert walker.tolerate == (Tolerance("threejs", "object", "reads four influences"),)
    strict = walker.policy
    assert (strict.name, strict.subpixel_bits, strict.normal.degrees) == ("strict", 4, 0.25)
    assert (strict.color.max, strict.color.flip_mean) == (0.004, 0.01)
    assert (strict.color.flip_blob, strict.depth) == (POLICIES["gpu"].color.flip_blob, POLICIES["gpu"].depth)
    assert suite.policy_for(walker, "live") is strict
    assert suite.policy_for(walker, "threejs") == POLICIES["foreign"], "a renderer's own limits go before a test's"
    everything = suite.test("all")
    assert everything.ticks == tuple(range(0, 240, 10))
    assert everything.renderers == ("live", "threejs")
    assert everything.policy == POLICIES["gpu"]
    with pytest.raises(KeyError, match='no test "none": the suite has walker, all'):
        suite.test("none")


def test_the_smallest_suite_is_drawn_by_the_built_in_renderer(tmp_path: Path) -> None:
    suite = load_suite(
        write(tmp_path, 'format = 1\n[[test]]\nname = "a"\nscene = "walker.toml"\nticks = [3]\nrenderers = ["live"]\n')
    )
    assert suite.size == (960, 540)
    assert suite.test("a").renderers == ("live",)
    assert suite.renderers["live"].command == ()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("format = 1", "format = 2", "1: format: expected 1, found 2"),
        ("format = 1\n", "", "1: format: is missing"),
        ("size = [96, 54]", "size = [96, 0]", "2: size: expected a number not below 1, found 0"),
        ("size =", "sise =", '2: sise: unknown key; did you mean "size"?'),
        (
            '"{out}"]',
            '"{output}"]',
            "6: renderers.threejs.command: there is no {output}: a command is given {scene}, {scen",
        ),
        ('command = ["node"', 'command = [7, "node"', "6: renderers.threejs.command: expected string, found 7"),
        (
            '["color", "object"',
            '["colour", "object"',
            '7: renderers.threejs.layers: expected "color", "depth", "position"',
        ),
        (
            'policy = "foreign"',
            'policy = "forein"',
            '8: renderers.threejs.policy: there is no policy "forein" (there are',
        ),
        ("timeout = 30", "timeout = 0", "9: renderers.threejs.timeout: expected a number above 0, found 0"),
        ("timeout = 30", 'adapter = "llvm"', "5: renderers.threejs: adapter is for the built-in renderer"),
        ("[renderers.live]", "[renderers.live]\ntimeout = 3", "4: renderers.live: timeout is for a command"),
        ("[policies.strict]", "[policies.gpu]", '11: policies.gpu: "gpu" is a preset: call it something else'),
        (
            'base = "gpu"',
            'base = "mine"',
            '12: policies.strict.base: expected "exact", "gpu" or "foreign", found "mine"',
        ),
        ("max = 0.004", "max = -1", "13: policies.strict.color.max: expected a number not below 0, found -1"),
        ("flip_mean", "flip", '13: policies.strict.color.flip: unknown key; did you mean "flip_mean"?'),
        ("subpixel_bits = 4", "subpixel_bits = 0", "14: policies.strict.subpixel_bits: expected a number not below 1"),
        ("degrees = 0.25", "degrees = true", "15: policies.strict.normal.degrees: expected a number, found true"),
        (
            'scene = "walker.toml"\nticks = [0',
            'scene = "none.toml"\nticks = [0',
            "19: test.scene: none.toml: there is no",
        ),
        ("[0, 17, 42]", "[0, 17, 17]", "20: test.ticks: a tick stands in the list twice"),
        ("[0, 17, 42]", "[0, 1.5]", "20: test.ticks: a tick is an integer from 0 to 2^53, found 1.5"),
        ("[0, 17, 42]", "42", '20: test.ticks: expected a list of ticks or a text such as "0:240:10", found 42'),
        ('"0:240:10"', '"0:240:0"', "28: test.ticks: the step is 0"),
        ('"0:240:10"', '"240:0"', '28: test.ticks: "240:0" holds no tick: B lies beyond A'),
        (
            '"0:240:10"',
            '"0:999999"',
            f'28: test.ticks: "0:999999" holds 999999 ticks: at most {MOST_TICKS} in one test',
        ),
        (
            '["live", "threejs"]',
            '["live", "three"]',
            '21: test.renderers: there is no renderer "three" (there are live, th',
        ),
        (
            'policy = "strict"',
            'policy = "loose"',
            '22: test.policy: there is no policy "loose" (there are exact, gpu, for',
        ),
        (
            '[{ renderer = "threejs"',
            '[{ renderer = "x"',
            '23: test.tolerate.renderer: "x" does not draw this test (live,',
        ),
        ('layer = "object"', 'layer = "objects"', '23: test.tolerate.layer: expected "pose", "vertices", "silhouette"'),
        (', reason = "reads four influences"', "", "23: test.tolerate.reason: is missing"),
        ('name = "all"', 'name = "walker"', '26: test.name: there are two tests "walker"'),
        ("[[test]]", "[[tests]]", '17: tests: unknown key; did you mean "test"?'),
    ],
)
def test_every_fault_is_at_its_line_and_key(tmp_path: Path, old: str, new: str, fault: str) -> None:
    assert old in WHOLE
    path = write(tmp_path, WHOLE.replace(old, new, -1 if old == "[[test]]" else 1))
    with pytest.raises(SceneError) as told:
        load_suite(path)
    assert str(told.value).startswith(f"{path}:{fault}")


def test_a_policy_is_a_preset_or_a_file(tmp_path: Path) -> None:
    assert load_policy("exact") == POLICIES["exact"]
    path = tmp_path / "mine.toml"
    path.write_text(
        'format = 1\nbase = "exact"\nexplains = true\npart = { unexplained = 3 }\ncolor = { flip_high = 0.5 }\n'
    )
    policy = load_policy(str(path))
    assert (policy.name, policy.explains, policy.part, policy.depth.relative) == ("mine", True, IdLimit(3), 0.0)
    assert (policy.color.flip_high, policy.color.flip_mean) == (0.5, 0.0)
    with pytest.raises(PosedError, match=r'there is no policy "loose": the presets are exact, gpu, foreign'):
        load_policy("loose")
    path.write_text("format = 1\nedge_band = 9\n")
    with pytest.raises(SceneError, match=r"mine.toml:2: edge_band: expected a number not above 4, found 9"):
        load_policy(str(path))


def test_every_limit_of_a_policy_is_a_key_of_its_table() -> None:
    whole = POLICIES["gpu"].to_json()
    fields = PolicyTable.model_fields
    assert set(whole) - {"name"} == set(fields) - {"base"}
    for name, limits in whole.items():
        if isinstance(limits, dict):
            (kind,) = (one for one in getattr(fields[name].annotation, "__args__", ()) if one is not type(None))
            assert issubclass(kind, Table)
            assert set(limits) == set(kind.model_fields)
            assert all(math.isfinite(value) or name == "color" for value in limits.values())
    assert set(SuiteTable.model_fields) == {"format", "size", "renderers", "policies", "test"}
