"""Pools and systems: the same palettes as one by one, failures named, components in place."""

import gc
import tracemalloc
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from anim import (
    AnimationSystem,
    Animator,
    AnimatorPool,
    AnimatorRef,
    AnimError,
    Channel,
    Clip,
    Interpolation,
    JointPalette,
    Path,
    Rig,
    StateAnimator,
)
from tests.anim import scripted
from tests.rigs import chain, two_bone

RIG = scripted.rig()


def animators(count: int) -> list[Animator]:
    made = []
    for i in range(count):
        animator = Animator(RIG, rate=60)
        animator.play(i % 3, 0, speed=Fraction(i + 1, 7), start=Fraction(i, 10))
        if i % 2:
            animator.crossfade((i + 1) % 3, 0.5, 0)
            animator.blend(i % 3, 0.4, 0, mask=np.linspace(0, 1, 6))
        made.append(animator)
    made[0].play(0, 0, speed=Fraction(1, 10**17 + 1))  # too wide for 64 bits
    return made


def test_a_pool_gives_the_bits_of_its_animators() -> None:
    made = animators(40)
    pool = AnimatorPool(made)
    for tick in (0, 7, 29, 10**6):
        together = pool.palettes(tick).reshape(40, 5, 4, 4)
        for animator, palette in zip(made, together, strict=True):
            assert palette.tobytes() == animator.palette(tick).tobytes()


def test_a_pool_notices_commands_and_writes_where_it_is_told() -> None:
    made = animators(3)
    pool = AnimatorPool(made)
    pool.palettes(5)
    made[1].stop(5)
    out = np.zeros((20, 4, 4), np.float32)
    pool.palettes(5, out=out, firsts=np.array([10, 0, 15]))
    assert np.array_equal(out[:5], RIG.skeleton.palette())
    assert np.array_equal(out[10:15], made[0].palette(5))
    assert not out[5:10].any()


def test_a_pool_is_of_one_rig() -> None:
    with pytest.raises(AnimError, match="of several rigs"):
        AnimatorPool([Animator(RIG, rate=60), Animator(Rig(two_bone()), rate=60)])
    with pytest.raises(AnimError, match="a pool of no animators"):
        AnimatorPool([])


def walker() -> StateAnimator:
    states = StateAnimator(RIG, rate=60)
    states.add_clip_state("walk", "Walk")
    states.add_event("walk", "step", 0.25)
    states.play("walk")
    return states


def test_a_system_moves_both_kinds_and_keeps_palettes_in_one_buffer() -> None:
    system, states, plain = AnimationSystem(), walker(), animators(2)
    refs = [
        system.add(plain[0]),
        system.add(states),
        system.add(plain[1]),
        system.add(Animator(Rig(two_bone()), rate=60)),
    ]
    assert len(system) == 4
    system.update(20)
    assert system.offsets.tolist() == [0, 5, 10, 15, 17]
    assert system.palettes.flags.c_contiguous
    assert np.array_equal(system.palette(refs[1]), states.palette())
    assert np.array_equal(system.palette(refs[2]), plain[1].palette(20))
    assert np.array_equal(system.palette(refs[3]), two_bone().palette())
    assert (1, (15, "walk", "step")) in system.events
    system.update()
    assert (system.tick, system.updates) == (21, 2)
    assert np.array_equal(system.palette(refs[2]), plain[1].palette(21))


def test_one_that_fails_does_not_stop_the_others_and_is_named() -> None:
    system, idle, states = AnimationSystem(), StateAnimator(RIG, rate=60), walker()
    system.add(walker())
    system.add(idle)
    ref = system.add(states)
    with pytest.raises(AnimError, match="animator 1 failed: nothing plays; call play first"):
        system.update(3)
    assert (system.tick, system.updates) == (3, 0)
    assert states.ticks == 3
    assert np.array_equal(system.palette(ref), states.palette())


def test_clear_begins_anew() -> None:
    system = AnimationSystem()
    ref = system.add(walker())
    system.update()
    system.clear()
    assert (len(system), system.tick, system.updates, len(system.palettes)) == (0, 0, 0, 0)
    with pytest.raises(AnimError, match="animator 0 is not in the system, which has 0"):
        system.palette(ref)
    with pytest.raises(AnimError, match="ticks is -1"):
        system.update(-1)


class World:
    """As much of an entity world as `publish` uses."""

    def __init__(self) -> None:
        self.entities: dict[int, dict[type, object]] = {}

    def get_component(self, component_type: type) -> list:
        return [(e, parts[component_type]) for e, parts in self.entities.items() if component_type in parts]

    def try_component(self, entity: int, component_type: type) -> object:
        return self.entities[entity].get(component_type)

    def add_component(self, entity: int, component: object) -> None:
        self.entities[entity][type(component)] = component


def test_palettes_are_published_in_place() -> None:
    system, world = AnimationSystem(), World()
    ref = system.add(walker())
    world.entities = {1: {AnimatorRef: ref}, 2: {}, 3: {AnimatorRef: ref}}
    system.update(5)
    assert system.publish(world) == 2
    first = world.entities[1][JointPalette].matrices
    system.update(5)
    assert not np.array_equal(first, system.palette(ref))
    assert system.publish(world) == 2
    assert world.entities[1][JointPalette].matrices is first
    assert np.array_equal(first, system.palette(ref))
    assert JointPalette not in world.entities[2]


def test_the_world_may_be_esper() -> None:
    esper = pytest.importorskip("esper", reason="the extra 'ecs' brings esper")
    system = AnimationSystem()
    entity = esper.create_entity(system.add(walker()))
    system.update()
    assert system.publish(esper) == 1
    assert np.array_equal(esper.component_for_entity(entity, JointPalette).matrices, system.palettes)


def test_whatever_fails_keeps_its_palette_and_the_others_go_on() -> None:
    system, (ahead, steady), states = AnimationSystem(), animators(2), walker()
    refs = [system.add(ahead), system.add(steady), system.add(states)]
    system.update(3)
    before = system.palette(refs[0]).copy()
    ahead.play(1, 50)  # a command at a later tick than the system comes to
    states.speed = "fast"  # type: ignore[assignment]
    with pytest.raises(AnimError, match="animator 0 failed: tick 8 comes after tick 50"):
        system.update(5)
    assert np.array_equal(system.palette(refs[0]), before)
    assert np.array_equal(system.palette(refs[1]), steady.palette(8))


def long_rig() -> Rig:
    """Four thousand bones that all turn, so that any array of theirs is many kilobytes long."""
    turn = [[0.0, 0.0, 0.0, 1.0], [0.6, 0.0, 0.0, 0.8]]
    channels = [Channel(bone, Path.ROTATION, Interpolation.LINEAR, [0.0, 1.0], turn) for bone in range(4000)]
    return Rig(chain(4000), [Clip("a", channels), Clip("b", channels[:2000])])


def most_allocated(call: Callable[[], object], times: int = 20) -> int:
    """Return the bytes that Python and NumPy hold at most beyond what they held before, over some calls."""
    tracemalloc.start()
    try:
        for _ in range(50):
            call()  # what is allocated once is
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        for _ in range(times):
            call()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def test_a_steady_state_allocates_no_arrays() -> None:
    """A translation for each bone takes 96,000 bytes, a palette 256,000; the objects of Python's own calls some."""
    made, system = long_rig(), AnimationSystem()
    animators = [Animator(made, rate=60) for _ in range(8)]
    for animator in animators:
        animator.play("a", 0)
        animator.blend("b", 0.5, 0)
        system.add(animator)
    states = StateAnimator(made, rate=60)
    states.add_clip_state("a", "a")
    states.add_clip_state("b", "b")
    states.play("a")
    states.play("b", fade_seconds=1000)
    system.add(states)
    world = World()
    world.entities = {i: {AnimatorRef: AnimatorRef(i)} for i in range(9)}
    system.update()
    system.publish(world)
    out = np.zeros((4000, 4, 4), np.float32)
    for call in (
        system.update,
        lambda: system.publish(world),
        lambda: states.palette(out=out),
        lambda: animators[0].palette(7, out=out),
    ):
        assert most_allocated(call) < 64_000
