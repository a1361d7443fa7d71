"""Cases drawn by chance: scenes, ticks, sizes and settings, what is done to the command, and what must come of it."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import posed
from posed.farm.claim import LEFT_OVER
from posed.farm.manifest import NAME, hash_of
from posed.frame_files import encoded
from tests.posed.fuzz import mutations
from tests.soak.watching import Command

ENDS = {"kill": (signal.SIGKILL, -signal.SIGKILL), "interrupt": (signal.SIGINT, 130), "ask": (signal.SIGTERM, 143)}
"""How a command is ended: the signal, and the status after it."""

GOLDEN = Path(__file__).resolve().parents[2] / "golden/scenes"


def write_scene(folder: Path, chance: random.Random) -> Path:
    """Write a scene of the walker and some shapes, each playing by chance, and return its file."""

    def numbers(count: int, low: float, high: float) -> str:
        return str([round(chance.uniform(low, high), 3) for _ in range(count)])

    (folder / "walker.glb").write_bytes((GOLDEN / "walker.glb").read_bytes())
    share = round(chance.random(), 2)
    text = f"""format = 1
rate = {chance.choice([24, 30, 60])}
[camera]
position = {numbers(3, 2.0, 4.0)}
target = [0.0, 0.9, 0.0]
fov = {round(chance.uniform(25.0, 60.0), 2)}
[environment]
gradient = [{numbers(3, 0.0, 0.5)}, {numbers(3, 0.2, 1.0)}]
[[light]]
kind = "sun"
direction = [{round(chance.uniform(-0.8, 0.8), 3)}, -1.0, -0.3]
intensity = {round(chance.uniform(0.0, 4.0), 2)}
[meshes.walker]
file = "walker.glb"
[[object]]
name = "walker"
mesh = "walker"
[object.animation]
blend = [{{ clip = "Walk", weight = {1.0 - share} }}, {{ clip = "Run", weight = {share} }}]
speed = {round(chance.uniform(-2.0, 3.0), 2)}
playback = "{chance.choice(["loop", "once", "ping_pong"])}"
"""
    for number in range(chance.randrange(4)):
        alpha = chance.choice(["opaque", "blend"])
        text += f"""[meshes.m{number}]
shape = "{chance.choice(["box", "sphere", "plane"])}"
[materials.m{number}]
color = {numbers(4, 0.1, 1.0)}
alpha = "{alpha}"
metallic = {round(chance.random(), 2)}
[[object]]
name = "o{number}"
mesh = "m{number}"
material = "m{number}"
position = {numbers(3, -2.0, 2.0)}
scale = {round(chance.uniform(0.1, 1.0), 2)}
[object.motion]
times = [0.0, {round(chance.uniform(0.2, 2.0), 2)}]
positions = [{numbers(3, -1.0, 1.0)}, {numbers(3, -1.0, 1.0)}]
playback = "{chance.choice(["loop", "ping_pong"])}"
"""
    path = folder / "scene.toml"
    path.write_text(text)
    return path


def rendered(folder: Path, chance: random.Random) -> Iterator[str]:
    """Render a range, with up to two kills on the way; every file has the hash of a direct trace. Yield faults."""
    scene = write_scene(folder, chance)
    first, count, step = chance.randrange(200), chance.randrange(3, 13), chance.randrange(1, 4)
    ticks = range(first, first + count * step, step)
    size = chance.randrange(8, 161), chance.randrange(8, 91)
    integrator, suffix = chance.choice([("direct", ".png"), ("direct", ".exr"), ("path", ".npz"), ("aov", ".exr")])
    samples = chance.choice([1, 2, 3]) if integrator == "path" else chance.choice([1, 2, "center"])
    out = folder / "frames"
    words = ["render", str(scene), "--ticks", f"{first}:{ticks.stop}:{step}", "--size", f"{size[0]}x{size[1]}"]
    words += ["--integrator", integrator, "--samples", str(samples), "--seed", str(first), "-o", f"{out}/%d{suffix}"]
    words += ["--workers", str(chance.choice([1, 2])), "--memory", chance.choice(["4GiB", "4GiB", "8MiB"])]
    for _ in range(chance.randrange(3)):
        yield from _disturbed(Command(words, folder), out, chance.randrange(count), chance)
    last = Command(words, folder)
    yield from last.faults()
    if last.process.returncode != 0:
        yield f"status {last.process.returncode}: {last.err}"
        return
    settings: dict[str, Any] = {"size": size, "integrator": integrator, "samples": samples, "seed": first}
    settings["layers"] = ("color",) if suffix == ".png" else None
    loaded = posed.load(scene)
    world = posed.World(loaded)
    manifest = json.loads((out / NAME).read_text())["frames"]
    for tick in ticks:
        world.advance(tick)
        right = hash_of(encoded(posed.trace(loaded, world.posed(), **settings), suffix))
        found = hash_of((out / f"{tick}{suffix}").read_bytes())
        if not right == found == manifest[str(tick)]["hash"]:
            yield f"WRONG FRAME {' '.join(words)}: tick {tick}: {found}, {manifest[str(tick)]}, right is {right}"
    names = {f"{tick}{suffix}" for tick in ticks} | {NAME}
    yield from (f"left behind: {name}" for name in sorted(set(os.listdir(out)) - names))


def _disturbed(command: Command, out: Path, frames: int, chance: random.Random) -> Iterator[str]:
    """Kill or interrupt a command, or kill one of its workers, once so many frames are there."""
    how = chance.choice([*ENDS, "worker"])
    while command.watch():
        written = [name for name in os.listdir(out) if not LEFT_OVER.fullmatch(name)] if out.is_dir() else []
        if len(written) > frames:
            break
    time.sleep(chance.random() * 0.2)
    if how == "worker":
        command.kill_a_worker(chance)
    else:
        with suppress(ProcessLookupError):
            command.process.send_signal(ENDS[how][0])
    yield from command.faults()
    if command.process.returncode not in (0, ENDS[how][1] if how in ENDS else 0):
        yield f"after a {how}: status {command.process.returncode}: {command.err}"


def checked(folder: Path, chance: random.Random) -> Iterator[str]:
    """Check a range against the built-in renderer, ended early or not: what is told is true. Yield faults."""
    scene, count = write_scene(folder, chance), chance.randrange(2, 6)
    words = ["check", str(scene), "--ticks", f"0:{count}", "--size", f"{chance.randrange(24, 97)}x54", "--json"]
    junit = folder / "told.xml"
    command = Command([*words, "--workers", str(chance.choice([1, 2])), "--junit", str(junit)], folder)
    until = time.monotonic() + chance.choice([2.0, 6.0, 1e9])
    while command.watch() and time.monotonic() < until:
        pass
    end, after = ENDS[chance.choice(["interrupt", "ask"])]
    is_ended = command.process.poll() is None
    if is_ended:
        command.process.send_signal(end)
    yield from command.faults()
    status = command.process.returncode
    if status not in ((0, 1, after) if is_ended else (0, 1)):
        yield f"status {status}: {command.err}"
    if command.out:
        told = json.loads(command.out)
        if sum(told["counts"].values()) != count or told["passed"] != (status == 0):
            yield f"tells {told['counts']} of {count}, status {status}"
        if junit.read_text().count("<error ") != told["missing"]:
            yield f"{told['missing']} were not checked, the JUnit file says otherwise: {junit.read_text()}"
    elif status in (0, 1) or junit.exists():
        yield f"status {status} without a word"


def refused(folder: Path, chance: random.Random) -> Iterator[str]:
    """Give a command a broken file: an answer or a refusal in a line, nothing else. Yield faults."""
    scene = write_scene(folder, chance)
    whole = chance.choice([scene, folder / "walker.glb"])
    mutate = mutations.mutated_toml if whole is scene else mutations.mutated_glb
    whole.write_bytes(mutate(whole.read_bytes(), chance))
    rest = ["--tick", "3", "--size", "16x9", "--samples", "1", "-o", str(folder / "one.png")]
    words = chance.choice(
        [["render", str(whole), *rest], ["lint", str(whole)], ["pose", str(whole), "-o", str(folder / "p.json")]]
    )
    command = Command(words, folder)
    yield from command.faults()
    if command.process.returncode not in (0, 1, 2):
        yield f"{' '.join(words)}: status {command.process.returncode}: {command.err}"
    if command.process.returncode == 2 and len(command.err.strip().splitlines()) < 1:
        yield f"{' '.join(words)}: refused without a word"
