"""One correct frame, drawn by lot: what is played, at which tick, in which size, by which camera."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.random import Generator

import posed
from posed.camera import Camera
from posed.scene.description import Scene
from posed.snapshot import Posed
from posed.verify import Verdict, check, compare
from tests.correct.cameras import draw_camera

GOLDEN = Path(__file__).resolve().parents[2] / "golden/scenes"

LARGEST = (640, 360)

ODD_SIZES = ((1, 1), (1, 360), (640, 1), (2, 3), (17, 13), (97, 61), (251, 127), (509, 283), (640, 360))

MOST_TICKS = 600


@dataclass(frozen=True, eq=False)
class Case:
    """A snapshot of a scene, seen in a picture of `size` pixels by `camera`, or its own; `words` tell it to people."""

    scene: Scene
    pose: Posed
    size: tuple[int, int]
    camera: Camera | None
    words: str

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the verdicts that must pass: of the snapshot after a way through its file, and of what is drawn."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "dumped.json"
            self.pose.save(path)
            yield compare(self.pose, Posed.load(path), scene=self.scene)
        yield check(self.scene, self.pose, size=self.size, camera=self.camera)


def draw_case(seed: int, number: int, *, largest: tuple[int, int] = LARGEST) -> Case:
    """Return a case; the same for the same numbers, as long as the scenes are the same."""
    generator = np.random.default_rng((seed, number))
    path = choose(generator)
    scene = load(path)
    played, pose = _played(scene, generator)
    size = _size(generator, largest)
    camera_words, camera = draw_camera(scene, pose, generator)
    words = f"{path.name}: {played}, {size[0]}x{size[1]}, {camera_words}"
    return Case(scene, pose, size, camera, words)


def choose(generator: Generator) -> Path:
    """Return the file of a golden scene or, half of the time, of a model that others made, where there are any."""
    folder = os.environ.get("POSED_TEST_MODELS", "")
    models = sorted(path for path in Path(folder).glob("*.gl*") if "draco" not in path.name) if folder else []
    golden = sorted(GOLDEN.glob("*.toml"))
    chosen = models if models and generator.random() < 0.5 else golden
    return chosen[int(generator.integers(len(chosen)))]


@cache
def load(path: Path) -> Scene:
    """Return the scene of a file, read once."""
    return posed.load(path)


def _played(scene: Scene, generator: Generator) -> tuple[str, Posed]:
    """Play what the scene says, or a mix of clips, and return it in words and the snapshot."""
    world, words = posed.World(scene), []
    for one in scene.objects:
        count = len(one.model.clips)
        if not count or (one.animation is not None and generator.random() < 0.5):
            continue
        clips = generator.integers(count, size=int(generator.integers(1, 4))).tolist()
        playing = world.animate(one.name, clips[0]).speed(round(float(generator.uniform(-2.0, 2.0)), 3))
        playing.playback(str(generator.choice(["loop", "once", "ping_pong"])))
        for clip in clips[1:]:
            playing.blend(clip, round(float(generator.random()), 3))
        playing.done()
        words.append(f"{one.name} mixes clips {'+'.join(map(str, clips))}")
    tick = int(generator.integers(MOST_TICKS))
    world.advance(tick)
    alpha = round(float(generator.random()), 3) if generator.random() < 0.2 else 0.0
    return ", ".join([*words, f"tick {tick + alpha:g}"]), world.posed(alpha)


def _size(generator: Generator, largest: tuple[int, int]) -> tuple[int, int]:
    if generator.random() < 0.3:
        width, height = ODD_SIZES[int(generator.integers(len(ODD_SIZES)))]
        return min(width, largest[0]), min(height, largest[1])
    width, height = (round(side ** generator.uniform(0.4, 1.0)) for side in largest)
    return width, height
