"""IPython and the types that cannot show themselves."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

KERNEL = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.kernel = True  # what a terminal's shell has not
import sys, posed
assert not any(name in sys.modules for name in ("numpy", "anim.rig", "posed.notebook.bundles"))
import anim
skeleton = anim.Skeleton(["hip"], [-1], [anim.Transform()])
times, values = [0.0, 1.0], [[0, 0, 0], [1, 0, 0]]
clip = anim.Clip("Walk", [anim.Channel(0, anim.Path.TRANSLATION, anim.Interpolation.LINEAR, times, values)])
for value in (clip, anim.Rig(skeleton, [clip])):
    data, _ = shell.display_formatter.format(value)
    print(sorted(data), data["text/plain"])
"""


def test_importing_posed_where_ipython_runs_lets_it_show_rigs_and_clips() -> None:
    pytest.importorskip("IPython")
    done = subprocess.run(
        [sys.executable, "-c", KERNEL], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "['text/html', 'text/plain'] Clip \"Walk\": 1 s, 1 channel",
        "['text/html', 'text/plain'] Rig: 1 bone, 1 clip: Walk",
    ]
