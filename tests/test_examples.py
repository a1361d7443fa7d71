"""Every example of the README and the documentation says how it is tested, and every command in them exists."""

import ast
import importlib.util
import re
import shlex
import tomllib
from collections import Counter
from pathlib import Path

import click
import pytest

from posed.cli import command

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
COMMANDS = "tests/test_examples.py::test_every_command_is_one"

TESTED: dict[str, dict[str, tuple[str, ...]]] = {
    "README.md": {
        "python": (
            "tests/test_docs.py::test_the_readmes_example_runs",
            "tests/posed/test_pytest_plugin.py::test_the_readmes_repository_of_one_s_own_works",
        ),
        "toml": ("tests/posed/test_pytest_plugin.py::test_the_readmes_repository_of_one_s_own_works",),
    },
    "docs/causes.md": {
        "python": ("tests/posed/verify/hypotheses/test_page.py::test_the_example_finds_its_own_mistake",)
    },
    "docs/ci.md": {"yaml": (COMMANDS,)},
    "docs/conform.md": {"python": ("tests/test_docs.py::test_the_smallest_answer_is_a_snapshot",)},
    "docs/dumping.md": {
        "js": ("tests/test_dumping.py::test_three_js",),
        "python": ("tests/test_dumping.py::test_blender",),
    },
    "docs/extending.md": {"python": ("tests/test_docs.py::test_the_extensions_work",) * 2},
    "docs/farm.md": {"python": ("tests/test_docs.py::test_a_pages_python_runs",)},
    "docs/index.md": {"python": ("tests/test_docs.py::test_a_pages_python_runs",)},
    "docs/live.md": {"python": ("tests/test_docs.py::test_the_live_renderers_examples_run",) * 3},
    "docs/overlays.md": {"python": ("tests/test_docs.py::test_the_overlays_example_runs",)},
    "docs/pytest.md": {
        "python": ("tests/posed/test_pytest_plugin.py::test_the_page_s_examples_pass",) * 2,
        "ini": ("tests/posed/test_pytest_plugin.py::test_the_page_s_examples_pass",),
    },
    "docs/scene-file.md": {"toml": ("tests/test_docs.py::test_the_scene_files_example_loads_and_plays",)},
    "docs/suite-file.md": {
        "toml": ("tests/test_docs.py::test_the_suites_example_is_a_suite_and_its_table_lists_every_limit",),
        "python": ("tests/test_docs.py::test_the_engine_of_a_dozen_lines_leaves_a_frame",),
    },
    "docs/verdict.md": {"python": ("tests/test_docs.py::test_a_pages_python_runs",)},
    "docs/viewer.md": {"python": ("tests/test_docs.py::test_a_pages_python_runs",)},
}
"""The test of each example, by page and language, in the page's order; those of the shell are all parsed below."""


def blocks(page: str) -> list[tuple[str, str]]:
    """The fenced examples of a page: language and text."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_every_example_declares_its_test(page: str) -> None:
    found = Counter(language for language, _ in blocks(page) if language != "sh")
    assert found == {language: len(tests) for language, tests in TESTED.get(page, {}).items()}


@pytest.mark.parametrize("test", sorted({one for page in TESTED.values() for tests in page.values() for one in tests}))
def test_a_declared_test_is_there(test: str) -> None:
    path, _, name = test.partition("::")
    tree = ast.parse((ROOT / path).read_text())
    assert name in {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}


def lines() -> list[tuple[str, str]]:
    """Every command line of the pages: those of the shell and the steps of a workflow, joined and without comments."""
    found = []
    for page in PAGES:
        for language, text in blocks(page):
            if language in ("sh", "yaml"):
                joined = text.replace("\\\n", " ").splitlines()
                if language == "yaml":
                    joined = [line.split("run:", 1)[1] for line in joined if "run:" in line]
                found += [(page, part) for line in joined for part in re.split(r"&&", line) if part.strip()]
    return found


def test_every_command_is_one() -> None:
    """Options, values and numbers of words are right; extras and modules that are named exist."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    parsed = 0
    for page, line in lines():
        words = shlex.split(line, comments=True)
        while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):  # variables of its environment
            words = words[1:]
        program = Path(words[0]).name if words else ""
        for extra in re.findall(r"\[([a-z,]+)\]", line) if "install" in words else []:
            assert set(extra.split(",")) <= set(extras), f"{page}: {line}"
        if (
            program.startswith("python")
            and words[1:2] == ["-m"]
            and words[2].split(".")[0] in ("posed", "tests", "tracer")
        ):
            assert importlib.util.find_spec(words[2]), f"{page}: {line}"
        if program.startswith("python") and len(words) > 1 and words[1].startswith(("tests/", "golden/")):
            assert (ROOT / words[1]).exists(), f"{page}: {line}"
        if program == "posed":
            parsed += 1
            assert problem(words[1:]) is None, f"{page}: {line}: {problem(words[1:])}"
    assert parsed > 40


def problem(words: list[str]) -> str | None:
    """Say what the command line has against some words, None where it takes them; nothing is run."""
    group: click.Command = command
    try:
        while isinstance(group, click.Group):
            context = group.make_context("posed", list(words), resilient_parsing=True)
            name, *words = [*context._protected_args, *context.args]
            found = group.get_command(context, name)
            if found is None:
                return f'there is no command "{name}"'
            group = found
        group.make_context("posed", list(words))
    except click.ClickException as error:
        return error.format_message()
    except click.exceptions.Exit:
        return None
    return None


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("rendr x.glb", 'there is no command "rendr"'),
        ("render x.glb --tik 3", "--tik"),
        ("render x.glb --size 3 -o x.png", "is no size"),
        ("golden verfy", 'there is no command "verfy"'),
        ("explain x.glb --tick 3", "--pixel"),
    ],
)
def test_a_wrong_command_is_found(line: str, said: str) -> None:
    assert said in (problem(line.split()) or "")
