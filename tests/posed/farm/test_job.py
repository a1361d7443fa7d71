import pickle

import pytest

import posed
from posed.farm import Job
from posed.farm.job import CHUNK, freeze, thaw
from posed.gltf.model import Model


def test_a_thawed_world_plays_on_with_the_same_bits(scene, world):
    world.animate("walker", "Walk").blend("Run", 0.3).fade(0.2)
    world.advance(17)
    twin = thaw(scene, freeze(world))
    assert twin.scene is scene
    assert [twin.advance(40), twin.posed().digest] == [world.advance(40), world.posed().digest]


def test_the_state_is_frozen_without_the_scene(world):
    world.advance(42)
    state = freeze(world)
    assert len(state) < len(pickle.dumps(world.scene)) / 20
    assert Model.__name__.encode() not in state


def test_a_frozen_world_thaws_over_an_equal_scene_of_another_process(scene, world):
    world.advance(9)
    other = pickle.loads(pickle.dumps(scene))
    assert thaw(other, freeze(world)).posed().digest == world.posed().digest


def test_freezing_carries_out_what_a_builder_left_open(scene, world):
    world.animate("walker", "Run")
    assert thaw(scene, freeze(world)).posed().digest == world.posed().digest


def test_chunks_hold_every_wanted_tick_once_and_the_state_before_it(scene, world):
    job = Job(world, range(3, 30, 3))
    wanted = [3, 6, 12, 15, 18, 27]
    chunks = list(job.chunks(wanted))
    assert [tick for chunk in chunks for tick in chunk.ticks] == wanted
    assert max(len(chunk.ticks) for chunk in chunks) <= CHUNK
    straight = posed.World(scene)
    for chunk in chunks:
        played = thaw(scene, chunk.state)
        for tick in chunk.ticks:
            played.advance(tick)
            straight.advance(tick)
            assert played.posed().digest == straight.posed().digest
    assert world.ticks == 0


def test_a_job_says_in_words_what_its_bits_depend_on(scene, world, job):
    same = Job(posed.World(scene), range(50), job.settings)
    assert same.asked == job.asked
    world.animate("walker", "Run").done()
    differing = Job(world, range(50), dict(job.settings) | {"samples": 2})
    assert {word for word in job.asked if differing.asked[word] != job.asked[word]} == {"play", "samples"}


def test_a_job_does_not_play_backwards(world):
    world.advance(5)
    with pytest.raises(posed.PosedError, match=r"^a job plays forward from tick 5: found the ticks range\(4, 9\)$"):
        Job(world, range(4, 9))
