"""A thousand ticks of sprites: exact steps of awkward rates, all playbacks, changes while playing, and a pool."""

from collections.abc import Callable
from fractions import Fraction

from anim import SpritePlayer, SpritePool
from tests.golden_runs.literals import RATE, sheet
from tests.golden_runs.way import Record, Way

TICKS = 1000

COMMANDS: dict[int, Callable[[SpritePlayer, int], None]] = {
    0: lambda one, tick: one.play("run", tick),
    120: lambda one, tick: one.set_speed(-0.7, tick),
    260: lambda one, tick: one.play("blink", tick, speed=21, playback="ping_pong"),
    400: lambda one, tick: one.set_playback("loop", tick),
    510: lambda one, tick: one.set_start(1.1, tick),
    600: lambda one, tick: one.play("spark", tick, speed=Fraction(1, 7)),
    800: lambda one, tick: one.stop(tick),
    820: lambda one, tick: one.play("run", tick, playback="once", start=0.1),
}


def sprite_run(way: Way) -> str:
    """Return the hash of every tick's frames and of all events."""
    record, stops, events = Record(), way.stops(TICKS), []
    one = SpritePlayer(sheet(), rate=RATE)
    others = [SpritePlayer(sheet(), rate=RATE) for _ in range(7)]
    for number, other in enumerate(others):
        clip, speed = ("run", "blink", "spark")[number % 3], Fraction(number + 1, 5)
        other.play(clip, number * 9, speed=speed, playback=("loop", "once", "ping_pong")[number // 3])
    pool = SpritePool([one, *others])
    for tick in range(TICKS + 1):
        if tick in COMMANDS:
            COMMANDS[tick](one, tick)
        if tick in stops:
            events += one.advance(tick)
        if tick == way.saved_at:
            pool = way.carried(pool, tick)
            one = pool.players[0]
        record.text(one.frame(tick))
        record.array(pool.frames(tick))
    record.text(*events)
    return record.hex()
