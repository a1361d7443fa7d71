"""A system of twelve animators of both kinds over 120 ticks, their palettes in one buffer."""

from fractions import Fraction

from anim import AnimationSystem, Animator
from tests.golden_runs.literals import RATE, rig
from tests.golden_runs.state_run import machine
from tests.golden_runs.way import Record, Way

TICKS = 120
SHOWN = frozenset(range(0, TICKS + 1, 12))
"""Ticks whose palettes are looked at."""


def system_run(way: Way) -> str:
    """Return the hash of the palettes and of all events."""
    record, stops, events = Record(), way.stops(TICKS) | SHOWN, []
    system, now = _system(), 0
    for tick in sorted(stops - {0}):
        system.update(tick - now)
        now = tick
        events += [(event.tick, index, event.clip, event.event) for index, event in system.events]
        system = way.carried(system, tick)
        if tick in SHOWN:
            record.array(system.palettes)
    record.text(*sorted(events))
    return record.hex()


def _system() -> AnimationSystem:
    system = AnimationSystem()
    for number in range(12):
        if number % 3 == 2:
            states = machine()
            states.speed = 0.5 + number / 8
            states.play(("move", "turn", "strike")[number % 2])
            system.add(states)
        else:
            animator = Animator(rig(), rate=RATE)
            animator.play("stroll", 0, speed=Fraction(number + 1, 7))
            animator.blend("reach", number / 12, 0)
            system.add(animator)
    return system
