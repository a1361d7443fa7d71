import pytest

import posed
from posed.farm import Job
from posed.farm.job import CHUNK
from posed.farm.state import thaw


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
