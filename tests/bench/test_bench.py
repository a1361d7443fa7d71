"""The table of all benchmarks: rows of processes of their own, ratios, and what has failed."""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.bench import __main__ as bench
from tests.bench import others, peer
from tests.bench.telling import ROWS, Row, tell


def test_a_row_is_told_where_somebody_gathers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ROWS, raising=False)
    tell("a", "nobody asks", 1.0, "ms")
    monkeypatch.setenv(ROWS, str(tmp_path / "rows"))
    tell("a", "b", 2.0, "ms", 0.5, "c")
    tell("a", "d", 3.0, "s")
    lines = (tmp_path / "rows").read_text().splitlines()
    assert [Row(**json.loads(line)) for line in lines] == [Row("a", "b", 2.0, "ms", 0.5, "c"), Row("a", "d", 3.0, "s")]


def test_rows_as_a_table() -> None:
    rows = [Row("live", "color", 12.345, "ms", 0.5, "pygfx's"), Row("range", "one", 1234.0, "frames/s")]
    assert bench.table(rows, {"Open3D": "nobody has it"}).splitlines()[2:] == [
        "| live | color | 12.3 ms | 0.50 of pygfx's |",
        "| range | one | 1.23e+03 frames/s |  |",
        "| not measured | Open3D | | nobody has it |",
    ]


def test_benchmarks_run_apart_and_one_that_fails_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = f"import sys; sys.path.insert(0, {str(bench.ROOT)!r})"
    well = f"{here}; from tests.bench.telling import tell; tell('w', 'x', 1, 's')"
    scripts = {"well": well, "badly": "raise SystemExit('no such thing')"}
    monkeypatch.setattr(bench, "BENCHES", {name: ([], []) for name in scripts})
    run = bench.subprocess.run

    def alone(words: list[str], **options: object) -> object:
        if words[0] == sys.executable:
            words = [words[0], "-c", scripts[words[2].rpartition(".")[2]]]
        return run(words, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(bench.subprocess, "run", alone)
    assert bench.main(["--only", "well,badly", "--json", str(tmp_path / "b.json")]) == 1
    told = capsys.readouterr().out
    assert "| w | x | 1 s |  |" in told
    assert "badly failed: no such thing" in told
    content = json.loads((tmp_path / "b.json").read_text())
    assert content["rows"] == [{"bench": "w", "what": "x", "value": 1.0, "unit": "s", "ratio": None, "against": ""}]
    assert content["failed"] == {"badly": "no such thing"}
    assert content["machine"]["python"]


def test_a_peer_is_where_an_option_a_variable_or_this_python_says(monkeypatch: pytest.MonkeyPatch) -> None:
    peer = others.Elsewhere("Clicks", "click", ("a",), "--clicks", "pip install click")
    assert peer.find(None) == others.Place(("--clicks", sys.executable), version("click"))
    monkeypatch.setenv("POSED_TEST_CLICK", "nowhere/python")
    assert peer.find(None).missing == "nowhere/python is no Python that runs"
    assert peer.find(sys.executable).words == ("--clicks", sys.executable)
    absent = others.Elsewhere("None", "none_such", ("a",), "--none", "pip install none")
    assert absent.find(sys.executable).missing == f"{sys.executable} has no none_such: pip install none"
    expected = "neither --none nor POSED_TEST_NONE_SUCH names a Python that has it: pip install none"
    assert absent.find(None).missing == expected
    assert others.Here("None", "none_such", ("a",)).find(None).missing == "not installed here: pip install none_such"


def test_three_js_is_where_its_package_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = others.InNode("three.js", ("a",), "--three")
    monkeypatch.setattr(others.shutil, "which", lambda name: name)
    assert peer.find(str(tmp_path)).missing == "--three names no folder with node_modules/three: npm install three"
    (tmp_path / "node_modules/three").mkdir(parents=True)
    (tmp_path / "node_modules/three/package.json").write_text('{"version": "0.187.0"}')
    assert peer.find(str(tmp_path)) == others.Place(("--three", str(tmp_path)), "0.187.0")
    monkeypatch.setattr(others.shutil, "which", lambda name: None)
    assert peer.find(str(tmp_path)).missing == "it runs in node, which is not installed"


def test_a_benchmark_is_told_of_its_own_peers_alone() -> None:
    places = {peer.name: others.Place((peer.name,)) for peer in others.PEERS}
    assert bench.words_for("path", places) == ["Mitsuba", "Blender's Cycles"]
    assert bench.words_for("loading", places) == ["trimesh", "pygltflib", "Open3D", "three.js"]


ECHO = """
import json, sys
for line in sys.stdin:
    print("of somebody else")
    print(json.dumps(json.loads(line) | {"ms": 1}), flush=True)
    if "end" in line:
        break
"""


def test_a_peer_answers_in_a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "echo.py").write_text(ECHO)
    monkeypatch.setattr(peer, "HERE", tmp_path)
    with peer.Peer(sys.executable, "echo.py") as other:
        assert other.ask(load="a.glb") == {"load": "a.glb", "ms": 1}
        assert other.ask(end=True)["end"]
        with pytest.raises((RuntimeError, BrokenPipeError)):
            other.ask(load="b.glb")
