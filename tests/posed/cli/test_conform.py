"""`posed conform`: a table, JSON, the pack, exit statuses."""

import json
import sys
from pathlib import Path

from tests.posed.cli.conftest import Run


def engine(folder: Path, text: str) -> str:
    (folder / "engine.py").write_text(f"import json, shutil, sys\n{text}\n")
    return f"{sys.executable} {folder / 'engine.py'} {{requests}}"


COPY = """
for one in json.load(open(sys.argv[1]))["requests"]:
    shutil.copy(one["posed"], one["out"] + "/posed.json")
"""


def test_a_right_engine_passes(run: Run, tmp_path: Path) -> None:
    found = run("conform", "--live-command", engine(tmp_path, COPY), "--rig", "hold", "--rig", "shear")
    assert (found.status, found.err) == (0, "")
    assert "2 right" in found.out
    assert "hold   right  right     -         -" in found.out


def test_a_wrong_answer_fails_and_is_told_in_json(run: Run, tmp_path: Path) -> None:
    wrong = COPY + "    told = json.load(open(one['posed']))\n    told['palettes']['shear']['0'][1][12] += 1.0\n"
    wrong += "    json.dump(told, open(one['out'] + '/posed.json', 'w'))\n"
    found = run("conform", "--live-command", engine(tmp_path, wrong), "--rig", "shear", "--json")
    assert found.status == 1
    (row,) = json.loads(found.out)["rigs"]
    assert (row["outcome"], row["palettes"], row["vertices"]) == ("wrong", "wrong", "no answer")
    assert row["sentence"] == "joint shear/shin: 1 m"
    assert row["moments"][0]["verdict"]["layers"][0]["deviations"][0]["where"] == "shear/shin"
    table = run("conform", "--live-command", engine(tmp_path, wrong), "--rig", "shear")
    assert "WRONG" in table.out
    assert "a joint turned below a stretched one is sheared" in table.out


def test_a_failing_engine_is_a_failed_verdict_and_a_missing_one_is_missing(run: Run, tmp_path: Path) -> None:
    found = run("conform", "--live-command", engine(tmp_path, "raise ValueError('no')"), "--rig", "shear")
    assert found.status == 1
    assert "NO ANSWER" in found.out
    assert "ValueError: no" in found.out.replace("\n", "")
    missing = run("conform", "--live-command", "no-such-engine {requests}")
    assert missing.status == 3
    assert missing.err == "posed: no-such-engine: there is no such program: install it, or name it by its path\n"


def test_what_an_engine_says_is_shown_as_it_stands(run: Run, tmp_path: Path) -> None:
    says = "for one in json.load(open(sys.argv[1]))['requests']:\n"
    says += "    open(one['out'] + '/error.txt', 'w').write('[red]index[/red] 3 of list[/float]')"
    found = run("conform", "--live-command", engine(tmp_path, says), "--rig", "shear")
    assert (found.status, found.err) == (1, "")
    assert "[red]index[/red] 3 of list[/float]" in " ".join(found.out.split())


def test_a_time_that_is_none_is_refused(run: Run) -> None:
    for word in ("nan", "inf", "1e300", "0", "-1", "soon"):
        found = run("conform", "--live-command", "x {requests}", "--timeout", word)
        assert found.status == 2
        assert f'"{word}" is no number for it: give one above 0, up to 1,000,000' in found.err


def test_what_contradicts_itself_is_refused(run: Run, tmp_path: Path) -> None:
    for words, text in (
        (("--live", tmp_path, "--live-command", "x"), "--live has answers already and --live-command gives them"),
        (("-o", tmp_path / "pack", "--rig", "hold"), "-o writes the whole pack and asks nobody: leave out"),
        (("--rig", "walk"), 'the pack has no rig "walk"'),
        (("--live", tmp_path / "none"), "there is no such folder"),
        (("--policy", "lax"), "lax"),
    ):
        found = run("conform", *words)
        assert (found.status, found.out) == (2, "")
        assert text in found.err


def test_the_pack_is_written(run: Run, tmp_path: Path) -> None:
    found = run("conform", "-o", tmp_path / "pack")
    assert (found.status, found.err) == (0, "")
    manifest = json.loads((tmp_path / "pack/pack.json").read_text())
    assert found.out == (
        f"{tmp_path / 'pack'}: the conformance pack, version {manifest['version']}, digest {manifest['digest']}\n"
    )
    assert (tmp_path / "pack/rigs/shear.glb").read_bytes()[:4] == b"glTF"
