"""Animators of a rig or two, and what is read of them in tests."""

import math

from anim import Animator, Channel, Clip, Interpolation, Path, Pose, Rig, Skeleton, Transform

LINEAR = Interpolation.LINEAR
EXACT = 1e-12


def slide(distance: float, duration: float = 1.0, node: int = 0) -> Channel:
    """x runs from 0 to a distance in metres."""
    return Channel(node, Path.TRANSLATION, LINEAR, [0.0, duration], [[0, 0, 0], [distance, 0, 0]])


def turned(axis: str, degrees: float, node: int = 0) -> Channel:
    half = math.radians(degrees) / 2
    vector = [math.sin(half) if a == axis else 0.0 for a in "xyz"]
    return Channel(node, Path.ROTATION, LINEAR, [0.0], [[*vector, math.cos(half)]])


def at(value: float, node: int = 0) -> Channel:
    return Channel(node, Path.TRANSLATION, LINEAR, [0.0], [[value, 0, 0]])


def rig(*clips: Clip, bones: int = 2) -> Rig:
    """Bones without a parent, the first resting at x = 10."""
    rest = [Transform((10.0, 0.0, 0.0)), *[Transform()] * (bones - 1)]
    return Rig(Skeleton([f"bone{i}" for i in range(bones)], [-1] * bones, rest), clips)


def playing(*channels: Channel, rate: float = 10, **options: object) -> Animator:
    """An animator that began one clip of these channels at tick 0."""
    animator = Animator(rig(Clip("a", channels)), rate=rate)
    animator.play("a", 0, **options)
    return animator


def x(animator: Animator, *ticks: float) -> list[float]:
    return [float(animator.pose(tick).translations[0, 0]) for tick in ticks]


def degrees(pose: Pose, bone: int = 0) -> float:
    return math.degrees(2 * math.acos(min(1.0, abs(pose.rotations[bone, 3]))))


def blended(weight: float, *, second: list[Channel]) -> Animator:
    """A clip that holds x = 2, and another over it at a weight."""
    animator = Animator(rig(Clip("a", [at(2.0), turned("z", 0.0)]), Clip("b", second)), rate=10)
    animator.play("a", 0)
    animator.blend("b", weight, 0)
    return animator
