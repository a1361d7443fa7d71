"""The page around a report's data: template, style and scripts in one file that asks nobody for anything."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import Any

SCRIPTS = ("dom", "state", "layers", "pictures", "stage", "magnifier", "blobs", "curves", "tables", "keys", "start")
"""In the order in which they are joined."""


def page(title: str, data: Mapping[str, Any]) -> str:
    """Return the HTML of a report.

    Its content policy lets the page load nothing, and run no script but its own: a name from an asset stays a name.
    """
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("posed.verify.report", "template"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )

    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}

    def source(name: str) -> str:
        assert environment.loader is not None
        return environment.loader.get_source(environment, name)[0]

    style = source("report.css")
    script = '"use strict";\n(() => {\n' + "\n".join(source(f"{name}.js") for name in SCRIPTS) + "})();\n"
    return environment.get_template("report.html").render(
        title=title, data=data, style=style, script=script, style_hash=_hash(style), script_hash=_hash(script)
    )


def _hash(source: str) -> str:
    """Return a source's hash as content policies (CSP level 2) name it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
