"""Three hundred ticks of a state machine: trees of one and two parameters, fades, a frozen fade, root motion, IK."""

from collections.abc import Callable

from anim import BlendTree, StateAnimator, aim, reach
from tests.golden_runs.literals import RATE, rig
from tests.golden_runs.way import Record, Way

TICKS = 300
SHOWN = frozenset(range(0, TICKS + 1, 5)) | {31, 33}
"""Ticks whose pose is looked at."""

COMMANDS: dict[int, Callable[[StateAnimator], None]] = {
    0: lambda one: one.play("move"),
    17: lambda one: one.set_parameter("pace", 0.7),
    30: lambda one: one.play("strike", fade_seconds=0.2, start_phase=0.125),
    34: lambda one: one.play("turn", fade_seconds=0.4),
    61: lambda one: one.set_parameter("x", -0.3),
    75: lambda one: one.set_parameter("y", 0.9),
    110: lambda one: setattr(one, "speed", -1.5),
    150: lambda one: one.play("strike", fade_seconds=0.1),
    152: lambda one: setattr(one, "speed", 0.8),
    240: lambda one: one.play("strike", restart=True),
    250: lambda one: one.play("move", fade_seconds=1, start_phase=0.5),
}


def machine() -> StateAnimator:
    """Return a machine of three states: a walk by pace, a turn by two parameters, a strike that ends."""
    one = StateAnimator(rig(), rate=RATE)
    move = BlendTree(rig())
    move.add_parameter("pace", 0.25)
    leaves = move.add_clip("stroll"), move.add_clip("reach", speed=0.9)
    blend = move.add_blend_1d("pace")
    for place, leaf in zip((0.1, 0.8), leaves, strict=True):
        move.add_child(blend, leaf, place)
    turn = BlendTree(rig())
    turn.add_parameter("x", 0.2)
    turn.add_parameter("y", -0.4)
    leaves = turn.add_clip("stroll"), turn.add_clip("reach"), turn.add_clip("nod", speed=1.7), turn.add_clip("pulse")
    blend = turn.add_blend_2d("x", "y")
    for place, leaf in zip(((0.0, 0.0), (1.0, 0.1), (-0.7, 0.6), (0.1, 1.3)), leaves, strict=True):
        turn.add_child(blend, leaf, place)
    one.add_state("move", move)
    one.add_state("turn", turn)
    one.add_clip_state("strike", "reach", loop=False, speed=1.3)
    for state, name, phase in (
        ("move", "left", 0.0),
        ("move", "right", 0.5),
        ("turn", "on", 0.3),
        ("strike", "hit", 0.6),
    ):
        one.add_event(state, name, phase)
    one.enable_root_motion(0, yaw=True)
    return one


def state_run(way: Way) -> str:
    """Return the hash of palettes and bones, with and without IK after them, of the root's way and of all events."""
    record, stops, events = Record(), way.stops(TICKS) | set(COMMANDS) | SHOWN, []
    one, now = machine(), 0
    for tick in sorted(stops):
        if tick > now:
            one.update(tick - now)
            now = tick
        if tick in COMMANDS:
            COMMANDS[tick](one)
        events += one.take_events()
        if tick in SHOWN:
            record.array(one.palette())
            record.array(one.bone_matrices())
            pose = one.pose()
            reach(pose, 4, 5, 6, (0.3, 0.9, -0.4), pole=(0.0, 0.0, 1.0), weight=0.75)
            aim(pose, 7, (2.0, 1.0, 0.5), limit=0.6)
            record.array(pose.globals())
            record.array(one.take_root_motion())
        one = way.carried(one, tick)
    record.text(*events)
    return record.hex()
