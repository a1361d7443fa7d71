import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import posed
from posed.farm import Finished, Job, Summary, frames, render, rendering
from posed.farm.claim import claimed
from posed.farm.manifest import NAME, Manifest, hash_of
from posed.frame_files import encoded
from tests.posed.farm.conftest import SCENES


def hashes(folder):
    return {tick: frame["hash"] for tick, frame in Manifest.load(folder).frames.items()}


def test_frames_are_those_of_a_trace_of_each_tick(scene, job):
    world = posed.World(scene)
    for frame in frames(job):
        world.advance(frame.tick)
        assert frame.data == encoded(posed.trace(scene, world.posed(), **job.settings), ".png")
        assert frame.posed == world.posed().digest


@pytest.mark.parametrize("suffix", [".png", ".exr", ".npz"])
def test_the_files_and_the_manifest_agree(tmp_path, world, suffix):
    job = Job(world, range(3), {"size": (16, 9), "samples": 1}, suffix)
    seen = []
    done = render(job, lambda tick: tmp_path / f"{tick}{suffix}", tmp_path, progress=lambda *now: seen.append(now))
    assert done == Summary(kept=0, made=3)
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert sorted(os.listdir(tmp_path)) == sorted([f"0{suffix}", f"1{suffix}", f"2{suffix}", NAME])
    assert hashes(tmp_path) == {tick: hash_of((tmp_path / f"{tick}{suffix}").read_bytes()) for tick in range(3)}
    assert posed.Frame.load(tmp_path / f"2{suffix}").size == (16, 9)


def test_a_second_run_makes_only_what_is_missing_or_was_changed(tmp_path, job, name):
    render(job, name, tmp_path)
    before = hashes(tmp_path)
    name(4).unlink()
    name(8).write_bytes(name(8).read_bytes()[:-1])
    untouched = name(6).stat().st_mtime_ns
    assert render(job, name, tmp_path) == Summary(kept=8, made=2)
    assert hashes(tmp_path) == before
    assert name(6).stat().st_mtime_ns == untouched
    assert render(job, name, tmp_path) == Summary(kept=10, made=0)
    assert render(job, name, tmp_path, fresh=True) == Summary(kept=0, made=10)


def test_a_longer_range_goes_on_in_the_same_folder(tmp_path, world, job, name):
    render(job, name, tmp_path)
    longer = Job(world, range(0, 24, 2), job.settings)
    assert render(longer, name, tmp_path) == Summary(kept=10, made=2)


def test_frames_of_something_else_are_refused_and_stay(tmp_path, world, job, name):
    render(job, name, tmp_path)
    before = hashes(tmp_path)
    other = Job(world, job.ticks, dict(job.settings) | {"samples": 2})
    with pytest.raises(posed.PosedError, match="were asked for with samples 1, now it is 2: choose another folder"):
        render(other, name, tmp_path)
    assert hashes(tmp_path) == before
    assert render(other, name, tmp_path, fresh=True) == Summary(kept=0, made=10)


def test_one_run_at_a_time(tmp_path, job, name):
    with claimed(tmp_path), pytest.raises(posed.PosedError, match="another run is writing its frames here"):
        render(job, name, tmp_path)


def test_one_name_for_all_ticks_is_refused(tmp_path, job):
    with pytest.raises(posed.PosedError, match="every tick would have this name: put a %d where the tick goes"):
        render(job, lambda tick: tmp_path / "x.png", tmp_path)


def test_two_processes_give_the_same_bits(tmp_path, job, name):
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    alone.mkdir()
    shared.mkdir()
    render(job, lambda tick: alone / f"{tick}.png", alone)
    render(job, lambda tick: shared / f"{tick}.png", shared, workers=2)
    assert hashes(alone) == hashes(shared)


def test_a_disk_that_fills_leaves_whole_frames_and_a_true_manifest(tmp_path):
    """A limit on the size of files stands for the disk: the frame that passes it cannot be written."""
    words = [sys.executable, "-m", "posed", "render", str(SCENES / "walker.toml"), "--size", "96x54", "--samples", "1"]
    words += ["--ticks", "0:6", "-o"]
    before = tmp_path.with_name("before")  # what it compiles is written as files too: not under the limit
    subprocess.run([*words, str(before / "%d.png")], check=True, capture_output=True)
    words += [str(tmp_path / "%d.png")]
    limited = subprocess.run(
        words,
        check=False,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
    )
    assert (limited.returncode, limited.stdout) == (2, "")
    assert limited.stderr == f"posed: {tmp_path / '0.png'}: cannot be written: File too large\n"
    assert os.listdir(tmp_path) == [NAME]
    assert hashes(tmp_path) == {}
    whole = subprocess.run(words, check=False, capture_output=True, text=True)
    assert whole.stdout == f"{tmp_path / '0.png'} .. 5.png: 6 frames, 96 x 54\n"


def test_a_folder_that_turns_read_only_leaves_whole_frames_and_a_true_manifest(tmp_path, job, name, monkeypatch):
    replace, turns = os.replace, []

    def turned(source, target):
        if Path(target).parent != tmp_path:  # a kernel that is compiled meanwhile
            return replace(source, target)
        turns.append(target)
        if len(turns) > 8:  # the manifest, four frames, it again, two frames
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(target))
        return replace(source, target)

    monkeypatch.setattr(os, "replace", turned)
    with pytest.raises(posed.PosedError) as refused:
        render(job, name, tmp_path)
    assert str(refused.value) == f"{tmp_path / NAME}: cannot be written: Read-only file system"
    assert sorted(os.listdir(tmp_path)) == sorted([*(name(tick).name for tick in range(0, 12, 2)), NAME])
    assert hashes(tmp_path) == {tick: hash_of(name(tick).read_bytes()) for tick in range(0, 8, 2)}
    monkeypatch.undo()
    assert render(job, name, tmp_path) == Summary(kept=4, made=6)


def test_a_long_range_does_not_write_its_manifest_ever_more_often(tmp_path, world, monkeypatch):
    """Written whole every four frames, it would cost a long range the square of its length."""
    job, saves, save = Job(world, range(1500), {"size": (1, 1)}), [], Manifest.save

    def saved(manifest, folder):
        saves.append(len(manifest.frames))
        save(manifest, folder)

    monkeypatch.setattr(Manifest, "save", saved)
    monkeypatch.setattr(rendering, "in_order", lambda crew, work: (Finished(tick, "", b"x") for tick in job.ticks))
    render(job, lambda tick: tmp_path / f"{tick}.png", tmp_path)
    # every 4 until there are 1,280 = 5 x 256, then every 5, and what is left
    assert saves == [*range(0, 1280, 4), *range(1281, 1500, 5), 1500]
    assert len(hashes(tmp_path)) == 1500
