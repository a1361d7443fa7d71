"""The table of codes: its page, its form, and that every code has a test that triggers it."""

from pathlib import Path

import pytest

from posed.lint import CODES
from posed.lint.codes import FAMILIES
from posed.lint.page import page

ROOT = Path(__file__).parents[3]


def test_the_page_lists_every_code_as_the_table_has_it() -> None:
    """`python -m posed.lint.page > docs/lint.md` writes it anew."""
    assert (ROOT / "docs/lint.md").read_text() == page()
    assert [line[4:8] for line in page().splitlines() if line.startswith("### ")] == list(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_code_says_what_and_how_in_sentences(code: str) -> None:
    entry = CODES[code]
    assert code[:2] in FAMILIES
    assert entry.explanation.endswith(".")
    assert entry.title[0].isupper()
    assert not entry.title.endswith(".")
    assert entry.cure[0].islower()
    assert not entry.cure.endswith(".")


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_expected_by_a_test(code: str) -> None:
    """Each file's cases list whole lines; a code that stands in none of them is triggered by nobody."""
    texts = [path.read_text() for path in Path(__file__).parent.glob("test_*.py")]
    assert any(f"{code} {CODES[code].severity}: " in text for text in texts)
