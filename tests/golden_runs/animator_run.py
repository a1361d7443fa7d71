"""Four hundred ticks of one animator: plays, blends, crossfades, changes of speed, a clip played once, a stop."""

from collections.abc import Callable
from fractions import Fraction

from anim import Animator
from tests.golden_runs.literals import BONES, RATE, rig
from tests.golden_runs.way import Record, Way

TICKS = 400

_HALF_MASK = tuple(bone / (BONES - 1) for bone in range(BONES))

COMMANDS: dict[int, Callable[[Animator, int], None]] = {
    0: lambda one, tick: one.play("stroll", tick),
    37: lambda one, tick: one.crossfade("reach", 0.4, tick, speed=0.75),
    50: lambda one, tick: one.blend("nod", 0.35, tick, mask=_HALF_MASK),
    90: lambda one, tick: one.crossfade("pulse", 0.25, tick, playback="ping_pong"),
    111: lambda one, tick: one.set_speed(-1.25, tick),
    130: lambda one, tick: one.additive("nod", 0.6, tick, reference=("nod", 0.25)),
    141: lambda one, tick: one.additive("nod", 0.3, tick, space="local", mask=_HALF_MASK),
    150: lambda one, tick: one.play_blend([("stroll", 3), ("reach", 1.5), ("pulse", 0.25)], tick, seconds=0.5),
    200: lambda one, tick: one.set_weight("reach", 4, tick),
    222: lambda one, tick: one.crossfade("reach", 0.7, tick),
    225: lambda one, tick: one.crossfade("stroll", 0.5, tick, speed=Fraction(1, 3)),
    229: lambda one, tick: one.crossfade("pulse", 0.6, tick),
    233: lambda one, tick: one.crossfade("nod", 0.5, tick),
    237: lambda one, tick: one.crossfade("stroll", 0.5, tick),
    280: lambda one, tick: one.play("reach", tick, playback="once", start=0.1, speed=1.5),
    330: lambda one, tick: one.set_start(0.2, tick),
    340: lambda one, tick: one.set_playback("ping_pong", tick),
    360: lambda one, tick: one.stop(tick),
    370: lambda one, tick: one.play("stroll", tick, speed=Fraction(-7, 3), start=0.3),
}


def animator_run(way: Way) -> str:
    """Return the hash of every tick's palette, of some poses in full and between ticks, and of all events."""
    record, stops, events = Record(), way.stops(TICKS), []
    animator = Animator(rig(), rate=RATE)
    for tick in range(TICKS + 1):
        if tick in COMMANDS:
            COMMANDS[tick](animator, tick)
        if tick in stops:
            events += animator.advance(tick)
        animator = way.carried(animator, tick)
        record.array(animator.palette(tick))
        if tick % 7 == 3:
            record.array(animator.palette(tick + Fraction(2, 7)))
            pose = animator.pose(tick)
            record.array(pose.weights)
            record.array(pose.globals())  # float64: palettes hide what a last bit is off by
    record.text(*events)
    return record.hex()
