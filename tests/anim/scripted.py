"""A scripted run whose palettes hash to one value, whatever the machine, the steps or the compiler.

Run as a program it prints the hashes of two ways through the same script.
"""

import hashlib
import pickle
from collections.abc import Iterable
from fractions import Fraction

from anim import Animator, Channel, Clip, ClipEvent, Interpolation, Path, PlayedEvent, Rig, Skeleton, Transform

TICKS = 400


def rig() -> Rig:
    """Six bones in two branches, one sheared, with clips of all three interpolations and morph weights."""
    rest = [Transform((0.1 * i, 0.3, 0.0), (0.1 * i, 0.2, 0.0, 1.0), (1.0, 1.0 + 0.1 * i, 1.0)) for i in range(6)]
    shear = [[1.0, 0.5, 0.0, 0.2], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
    skeleton = Skeleton(
        [f"bone{i}" for i in range(6)],
        [-1, 0, 1, 1, 3, 4],
        rest,
        matrices={3: shear},
        joints=[5, 0, 2, 4, 1],
        morphs={2: [0.25, 0.5]},
    )

    def turns(node: int, kind: Interpolation, count: int, duration: float, seed: float) -> Channel:
        rows = count * (3 if kind is Interpolation.CUBICSPLINE else 1)
        # Any numbers will do, so long as they are made without a library's sine.
        values = [[(seed * (r + 1) * (c + 3)) % 1.0 - 0.4 for c in range(4)] for r in range(rows)]
        return Channel(node, Path.ROTATION, kind, [duration * k / (count - 1) for k in range(count)], values)

    def moves(node: int, path: Path, count: int, duration: float, seed: float, width: int) -> Channel:
        values = [[0.5 + (seed * (r + 1) * (c + 2)) % 0.7 for c in range(width)] for r in range(count)]
        return Channel(node, path, Interpolation.LINEAR, [duration * k / (count - 1) for k in range(count)], values)

    linear, cubic, step = Interpolation.LINEAR, Interpolation.CUBICSPLINE, Interpolation.STEP
    walk = [turns(i, linear, 9, 1.0, 0.37 + i) for i in range(6)] + [moves(0, Path.TRANSLATION, 5, 1.0, 0.21, 3)]
    run = [turns(i, cubic, 5, 0.7083333, 0.53 + i) for i in range(1, 5)] + [moves(2, Path.WEIGHTS, 4, 0.7, 0.9, 2)]
    jump = [turns(i, step, 4, 0.5, 0.71 + i) for i in range(2)] + [moves(4, Path.SCALE, 3, 0.45, 0.3, 3)]
    return Rig(
        skeleton,
        [
            Clip("Walk", walk, [ClipEvent("left", 0.25), ClipEvent("right", 0.75)]),
            Clip("Run", run, [ClipEvent("step", 0.0), ClipEvent("push", 0.7083333)]),
            Clip("Jump", jump, [ClipEvent("land", 0.5)]),
        ],
    )


def commands(animator: Animator, tick: int) -> None:
    """Give what the script says at a tick."""
    if tick == 0:
        animator.play("Walk", tick)
    elif tick == 60:
        animator.crossfade("Run", 0.35, tick, speed=1.1)
    elif tick == 70:
        animator.blend("Walk", 0.3, tick, mask=[1.0, 0.5, 0.0, 1.0, 0.25, 1.0])
    elif tick == 130:
        animator.set_speed(Fraction(-7, 5), tick)
    elif tick == 180:
        animator.play_blend([("Walk", 0.7), ("Run", 0.2), ("Jump", 0.4)], tick, seconds=0.2, playback="ping_pong")
    elif tick == 200:
        animator.additive("Jump", 0.6, tick, reference=("Walk", 0.5))
    elif tick == 260:
        animator.crossfade("Jump", 0.5, tick, playback="once", start=0.1)
    elif tick == 270:
        animator.crossfade("Walk", 1.0, tick, speed=0.123456789123)
    elif tick == 390:
        animator.stop(tick)


COMMANDED = (0, 60, 70, 130, 180, 200, 260, 270, 390)
HASHED = tuple(range(0, TICKS, 3))


def play(stops: Iterable[int] = range(TICKS), *, pickled_at: Iterable[int] = ()) -> tuple[str, list[PlayedEvent]]:
    """Play the script, advancing to the given ticks and to those that need it; return the palettes' hash and events."""
    animator = Animator(rig(), rate=60)
    digest = hashlib.sha256()
    events: list[PlayedEvent] = []
    pickles = set(pickled_at)
    for tick in sorted({*stops, *COMMANDED, *HASHED}):
        commands(animator, tick)
        events += animator.advance(tick)
        if tick in pickles:
            animator = pickle.loads(pickle.dumps(animator))
        if tick in HASHED:
            digest.update(animator.palette(tick).tobytes())
            digest.update(animator.pose(tick).weights.tobytes())
            digest.update(animator.palette(tick + Fraction(1, 3)).tobytes())
    return digest.hexdigest(), events


if __name__ == "__main__":
    print(play()[0], play([], pickled_at=[99, 201, 300])[0])
