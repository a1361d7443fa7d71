"""The window under a virtual display: it opens, follows events, shows the session's picture and closes."""

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

ROOT = Path(__file__).resolve().parents[3]

SCRIPT = """
import sys
import PIL.ImageGrab
import posed
from posed.viewer import Session
from posed.viewer.window import show

session = Session(posed.load("golden/scenes/column.toml"), size=(320, 240))

def begin(canvas):
    from rendercanvas.glfw import loop
    events = [
        {"event_type": "key_down", "key": "ArrowRight", "modifiers": ("Shift",)},
        {"event_type": "pointer_down", "x": 100, "y": 100, "button": 1, "modifiers": ()},
        {"event_type": "pointer_move", "x": 160, "y": 100},
        {"event_type": "pointer_up", "x": 160, "y": 100},
    ]
    def act():
        if events:
            canvas.submit_event(events.pop(0))
            loop.call_later(0.2, act)
        else:
            loop.call_later(3.0, look)
    def look():
        PIL.ImageGrab.grab(xdisplay="").save(sys.argv[1])
        PIL.Image.fromarray(session.picture()).save(sys.argv[2])
        print(session.playing.tick, round(session.orbit().yaw - start, 3))
        canvas.submit_event({"event_type": "key_down", "key": "q", "modifiers": ()})
    start = session.orbit().yaw
    loop.call_later(2.0, act)

show(session, ready=begin)
print("closed")
"""


@pytest.fixture
def display() -> Iterator[str]:
    server = shutil.which("Xvfb")
    if server is None:
        if os.environ.get("POSED_TEST_DISPLAY"):
            pytest.fail("POSED_TEST_DISPLAY is set and there is no Xvfb")
        pytest.skip("no Xvfb: Debian's package xvfb has it")
    read, write = os.pipe()
    words = [server, "-displayfd", str(write), "-screen", "0", "640x480x24", "-nolisten", "tcp"]
    with subprocess.Popen(words, pass_fds=[write], stderr=subprocess.DEVNULL) as process:
        os.close(write)
        with os.fdopen(read) as stream:
            yield f":{stream.readline().strip()}"
        process.terminate()


def test_a_window_shows_the_sessions_picture(display: str, tmp_path: Path) -> None:
    pytest.importorskip("glfw", reason="the extra view is not installed")
    seen, meant = tmp_path / "seen.png", tmp_path / "meant.png"
    environment = os.environ | {"DISPLAY": display, "PYTHONPATH": str(ROOT), "WAYLAND_DISPLAY": ""}
    words = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(SCRIPT), str(seen), str(meant)]
    ran = subprocess.run(words, env=environment, cwd=ROOT, check=False, capture_output=True, text=True, timeout=300)
    assert ran.stdout.splitlines() == ["10 -0.785", "closed"], ran.stderr
    screen = np.asarray(PIL.Image.open(seen).convert("RGB")).astype(int)
    picture = np.asarray(PIL.Image.open(meant).convert("RGB")).astype(int)
    height, width = picture.shape[:2]
    places = [
        (y, x)
        for y in range(screen.shape[0] - height + 1)
        for x in range(screen.shape[1] - width + 1)
        if abs(screen[y, x] - picture[0, 0]).max() <= 2 and abs(screen[y + 60, x + 90] - picture[60, 90]).max() <= 2
    ]
    assert any(np.abs(screen[y : y + height, x : x + width] - picture).mean() < 1.0 for y, x in places[:400]), (
        "the picture is nowhere on the screen"
    )


def test_without_a_display_it_says_so(tmp_path: Path) -> None:
    pytest.importorskip("glfw", reason="the extra view is not installed")
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment["PYTHONPATH"] = str(ROOT)
    words = [sys.executable, "-m", "posed", "view", "golden/scenes/column.toml", "--size", "64x48"]
    ran = subprocess.run(words, env=environment, cwd=ROOT, check=False, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr.endswith(
        "posed: no window can be opened here: there is no display; `posed render` and `posed live` draw to files\n"
    )
