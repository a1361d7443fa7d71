import os
import signal
import subprocess
import sys
import textwrap
import warnings
from dataclasses import dataclass
from pathlib import Path

import pytest

import posed
from posed.farm import frames
from posed.farm.chunk import Chunk, Packed
from posed.farm.crew import ATTEMPTS, OwnThread, WorkerLostError, in_order
from posed.farm.local import Processes
from posed.farm.worker import Refused, work
from tests.posed.farm.conftest import SCENES


class Losing(OwnThread):
    """A crew that loses every worker whose turn is in `lost`."""

    def __init__(self, lost):
        super().__init__()
        self.turn, self.lost, self.renewed = 0, lost, 0

    def take(self, given):
        self.turn += 1
        if self.turn - 1 in self.lost:
            raise WorkerLostError
        return super().take(given)

    def renew(self):
        self.renewed += 1


def chunks_of(job):
    scene = Packed.of(job.scene)
    return ((scene, chunk) for chunk in job.chunks(job.ticks))


def datas(finished):
    return {frame.tick: frame.data for frame in finished}


def test_the_frames_of_lost_workers_are_made_by_others_in_order(job):
    with Losing({0, 2, 3}) as crew:
        again = list(in_order(crew, chunks_of(job)))
    assert crew.renewed == 3
    assert [frame.tick for frame in again] == list(job.ticks)
    assert datas(again) == datas(frames(job))


def test_a_chunk_that_ends_every_worker_is_named(job):
    with Losing(set(range(99))) as crew, pytest.raises(posed.PosedError) as refused:
        list(in_order(crew, chunks_of(job)))
    assert crew.renewed == ATTEMPTS - 1
    assert str(refused.value).startswith(
        f"ticks 0 to 6: {ATTEMPTS} workers in a row ended without a word while they had them: "
    )


def test_a_worker_with_other_code_refuses(job):
    chunk = next(job.chunks(job.ticks))
    answer = work(Packed.of(job.scene), chunk, "0" * 16)
    assert answer == Refused(
        "a worker runs another version of posed than this process: install the same one on both", 2
    )


@dataclass(frozen=True)
class Pid(Chunk[int]):
    """The worker's process and one that it has started, as an engine is."""

    words = "two processes"

    def carried_out(self, ready):
        return [os.getpid(), subprocess.Popen(["sleep", "60"]).pid]


@dataclass(frozen=True)
class Name(Chunk[str]):
    """The scene that a worker has, and the object that holds it."""

    words = "a name"

    def carried_out(self, ready):
        return [f"{ready.scene.path.name} {id(ready)}"]


def is_alive(pid):
    """Say whether a process runs: one that has ended and that nobody waits for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def ended(pid):
    for _ in range(200):
        if not is_alive(pid):
            return True
        subprocess.run(["sleep", "0.05"], check=True)
    return False


def test_a_worker_goes_with_what_it_has_started(job):
    with Processes(1) as crew:
        pids = list(in_order(crew, [(Packed.of(job.scene), Pid())]))
        assert all(is_alive(pid) for pid in pids)
    assert all(ended(pid) for pid in pids)


def test_a_worker_unpacks_a_scene_once_for_all_of_its_chunks(job):
    scenes = [Packed.of(posed.load(SCENES / name)) for name in ("walker.toml", "column.toml")]
    with OwnThread() as crew:
        names = list(in_order(crew, ((scenes[number % 2], Name()) for number in range(6))))
    assert names[0].split()[0] == "walker.toml"
    assert len(set(names)) == 2
    assert names[:2] * 3 == names


def test_what_a_worker_refuses_is_raised_here(job, world):
    job.settings["layers"] = ("colour",)
    with pytest.raises(posed.PosedError, match='^there is no layer "colour"'):
        list(frames(job))


def test_killed_processes_are_replaced(job):
    with Processes(2) as crew:
        coming = in_order(crew, chunks_of(job))
        got = [next(coming)]
        for process in list(crew._pool._processes.values()):
            os.kill(process.pid, signal.SIGKILL)
        got += list(coming)
        pids = list(crew._pool._processes)
    assert datas(got) == datas(frames(job))
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@dataclass(frozen=True)
class Fatal(Chunk[int]):
    """Ends the first worker that it meets as if that were killed; a file says that it has."""

    place: str
    words = "a trap"

    def carried_out(self, ready):
        if not Path(self.place).exists():
            Path(self.place).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return [7]


def test_a_worker_killed_before_its_first_answer_is_replaced(job, tmp_path):
    with Processes(1) as crew:
        assert list(in_order(crew, [(Packed.of(job.scene), Fatal(str(tmp_path / "sprung")))])) == [7]


def test_workers_end_with_a_killed_parent(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(
        textwrap.dedent("""
        import os, time
        from posed.farm.local import Processes
        if __name__ == "__main__":
            with Processes(1) as crew:
                print(crew._pool.submit(os.getpid).result(), flush=True)
                time.sleep(60)
        """)
    )
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE) as parent:
        pid = int(parent.stdout.readline())
        parent.kill()
    assert ended(pid)


def test_a_script_without_a_main_guard_is_told_so(tmp_path):
    script = tmp_path / "bare.py"
    script.write_text(
        "from posed.farm.local import Processes\ncrew = Processes(1)\ncrew.take(crew.give(b'', None, ''))\n"
    )
    ran = subprocess.run([sys.executable, str(script)], check=False, capture_output=True, text=True)
    assert "the worker processes ended before their first answer: a script that starts workers" in ran.stderr


def test_no_worker_at_all_is_refused():
    with pytest.raises(posed.PosedError, match="^0 workers can do nothing: expected 1 or more$"):
        Processes(0)


def test_a_cluster_gives_the_same_bits(job):
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp"
        ) as cluster:
            shared = list(frames(job, cluster=cluster.scheduler_address))
    assert [frame.tick for frame in shared] == list(job.ticks)
    assert datas(shared) == datas(frames(job))


def test_an_address_where_nobody_answers_is_said(job, monkeypatch):
    pytest.importorskip("distributed")
    from posed.farm import cluster

    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.2)
    warnings.simplefilter("ignore")
    with pytest.raises(posed.MissingError) as missing:
        list(frames(job, cluster="tcp://127.0.0.1:9"))
    assert str(missing.value).startswith("tcp://127.0.0.1:9: no Dask scheduler answers there (")
    assert "start one with `dask scheduler`, and workers with `dask worker tcp://127.0.0.1:9`" in str(missing.value)
