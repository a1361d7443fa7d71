"""A hook of mkdocs: a page of each notebook, its text and its code; who wants the pictures runs it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

FOLDER = Path(__file__).parents[2] / "notebooks"


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add ``notebooks/<name>.md`` for each notebook."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=page(path)))
    return files


def page(path: Path) -> str:
    """Return a notebook as Markdown, its links to the documentation's pages as they are within it."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        parts.append(f"```python\n{source}\n```" if cell["cell_type"] == "code" else source)
    title, *rest = parts
    run = f'*`notebooks/{path.name}`; run it from its folder: `pip install "posed[notebook]"`, `jupyter lab`.*'
    return re.sub(r"\]\(\.\./docs/", "](../", "\n\n".join([title, run, *rest]))
