"""The page on causes lists every hypothesis, and its example finds what it says."""

import re
import shutil
from pathlib import Path

import pytest

from posed.verify.hypotheses import FAMILIES

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs/causes.md").read_text()


def test_every_family_is_in_the_table_in_order() -> None:
    (table,) = re.findall(r"^\| mistake \| .*\n\|.*\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    listed = [row.split(" | ")[0].removeprefix("| ") for row in table.splitlines()]
    assert listed == [family.name for family in FAMILIES]
    assert len(set(listed)) == len(listed)


def test_the_example_finds_its_own_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    shutil.copytree(ROOT / "golden/scenes", tmp_path / "golden/scenes")
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "causes.md", "exec"), {})  # noqa: S102 - our own page
    assert capsys.readouterr().out.startswith(
        'object "walker" is a hundredth of its size: explains 100 % of 1 differing'
    )
