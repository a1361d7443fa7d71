"""A JupyterLab of one's own: a server on a free port, with settings, kernels and notebooks in one folder."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def write_notebook(path: Path, cells: Sequence[str]) -> None:
    """Write a notebook of code cells."""
    made = [
        {"cell_type": "code", "id": f"c{i}", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
        for i, source in enumerate(cells)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    path.write_text(json.dumps({"cells": made, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}))


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder's notebooks; give the address of the lab."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    home = folder / ".home"
    home.mkdir()
    places = {name: str(home / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")}
    environment = os.environ | places | {"IPYTHONDIR": str(home / "ipython")}
    environment |= {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
    words = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--expose-app-in-browser"]
    words += [f"--port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=", f"--notebook-dir={folder}"]
    words += ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    words += ["--LabServerApp.open_browser=False", "--LabApp.extension_manager=readonly"]
    with (home / "log").open("w") as log:
        server = subprocess.Popen(words, cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            address = f"http://127.0.0.1:{port}"
            _wait(address, server, home / "log")
            yield address
        finally:
            with suppress(OSError):
                urllib.request.urlopen(urllib.request.Request(f"{address}/api/shutdown", method="POST"), timeout=5)
            server.terminate()
            server.wait(30)


def _wait(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    while server.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/api/status", timeout=60).read()
            return
        except OSError:
            with suppress(subprocess.TimeoutExpired):
                server.wait(0.2)
    raise AssertionError(f"JupyterLab ended: {log.read_text()}")
