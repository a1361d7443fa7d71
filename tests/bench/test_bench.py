"""The table of all benchmarks: rows of processes of their own, ratios, and what has failed."""

import json
import sys
from pathlib import Path

import pytest

from tests.bench import __main__ as bench
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
    assert bench.table(rows).splitlines()[2:] == [
        "| live | color | 12.3 ms | 0.50 of pygfx's |",
        "| range | one | 1.23e+03 frames/s |  |",
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
