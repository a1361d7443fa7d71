"""A long range, killed again and again: every frame there in the end, with the hashes of an undisturbed run.

    python -m tests.soak.kills --ticks 2400 --size 480x270 --kills 10 --workers 2
    python -m tests.soak.kills --ticks 2400 --size 480x270 --cluster 3 --kills 5

The first form kills the whole command at random moments and starts it again. The second renders on a Dask cluster of
its own, kills one of its workers at a time and, once, the scheduler. Prints what was found; exit status 1 if a frame is
missing, differs, or was made again although the manifest had it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import distributed

from posed.farm.claim import LEFT_OVER
from posed.farm.job import CHUNK
from posed.farm.manifest import NAME
from posed.farm.rendering import unsaved_at_most

SCENE = Path(__file__).resolve().parents[2] / "golden/scenes/walker.toml"


class Run:
    """One folder and the command that fills it."""

    def __init__(self, folder: Path, options: argparse.Namespace, *more: str) -> None:
        self.folder = folder
        words = ["render", str(SCENE), "--ticks", f"0:{options.ticks}", "--size", options.size, "--samples"]
        words.append(str(options.samples))
        self.words = [sys.executable, "-m", "posed", *words, "-o", str(folder / "%04d.png"), *more]

    def start(self) -> subprocess.Popen[str]:
        """Start the command in a process group of its own."""
        pipe = subprocess.PIPE
        return subprocess.Popen(self.words, start_new_session=True, stdout=pipe, stderr=pipe, text=True)

    def frames(self) -> dict[str, str]:
        """Return the manifest's hash of each tick, empty before there is one."""
        try:
            content = json.loads((self.folder / NAME).read_text())
        except FileNotFoundError:
            return {}
        return {tick: frame["hash"] for tick, frame in content["frames"].items()}

    def times(self) -> dict[str, int]:
        """Return when each frame that the manifest has was written."""
        return {tick: (self.folder / f"{int(tick):04d}.png").stat().st_mtime_ns for tick in self.frames()}

    def written(self) -> int:
        """Return how many frames lie in the folder, in the manifest or not."""
        return sum(1 for path in self.folder.glob("*.png") if not LEFT_OVER.fullmatch(path.name))

    def wait_for(self, process: subprocess.Popen[str], count: int) -> bool:
        """Return when so many frames lie there, False when the command ends before."""
        while process.poll() is None:
            if self.written() >= count:
                return True
            time.sleep(0.02)
        return False


def moments(options: argparse.Namespace) -> list[int]:
    """Return the numbers of frames at which something is killed, in order: by chance, the same in every run."""
    chance = random.Random(options.seed)
    return sorted(chance.sample(range(1, options.ticks - 1), options.kills))


def kill_the_command(run: Run, options: argparse.Namespace) -> Iterator[str]:
    """Kill the command at each moment; yield what is wrong."""
    kept: dict[str, int] = {}
    for moment in moments(options):
        process = run.start()
        if not run.wait_for(process, moment):
            yield f"the command ended by itself before frame {moment}: {process.communicate()[1]}"
            return
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        loose = run.written() - len(run.frames())
        if loose > unsaved_at_most(run.written()):
            yield f"{loose} frames of {run.written()} were written that the manifest does not have"
        now = run.times()
        yield from (f"tick {tick} was made again" for tick, made in kept.items() if now.get(tick) != made)
        print(f"killed at {run.written()} frames, {loose} of them not in the manifest", flush=True)
        kept = now
    process = run.start()
    print(process.communicate()[0].strip(), flush=True)
    now = run.times()
    yield from (f"tick {tick} was made again" for tick, made in kept.items() if now.get(tick) != made)


@contextmanager
def cluster(count: int, port: int) -> Iterator[tuple[str, subprocess.Popen[bytes], list[subprocess.Popen[bytes]]]]:
    """Start a scheduler and `count` workers of one thread, each a process group; kill what is left at the end."""
    address = f"tcp://127.0.0.1:{port}"
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    remembering = os.environ | {"DASK_DISTRIBUTED__ADMIN__LOW_LEVEL_LOG_LENGTH": "1000000"}
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", str(port), "--no-dashboard"]
    scheduler = subprocess.Popen([*dask, "--host", "127.0.0.1"], env=remembering, **quiet)
    workers = [start_worker(address) for _ in range(count)]
    try:
        await_workers(address, count)
        yield address, scheduler, workers
    finally:
        for process in (scheduler, *workers):
            end(process)


def await_workers(address: str, count: int) -> None:
    """Return when so many workers have come to the scheduler."""
    with distributed.Client(address, timeout=60, set_as_default=False) as client:
        client.wait_for_workers(count, timeout=120)


def made_again(address: str) -> int:
    """Return how often the cluster finished a chunk that it had finished before, as its scheduler remembers."""
    with distributed.Client(address, timeout=60, set_as_default=False) as client:
        keys = client.run_on_scheduler(finished_keys)
    return len(keys) - len(set(keys))


def finished_keys(dask_scheduler: Any) -> list[str]:
    """Return the key of each chunk that a worker has finished; runs in the scheduler."""
    done = [entry[:3] for entry in dask_scheduler.transition_log]
    return [str(key) for key, start, end in done if (start, end) == ("processing", "memory") and "work" in str(key)]


def start_worker(address: str) -> subprocess.Popen[bytes]:
    """Start a worker without a nanny: a killed one stays dead until somebody starts another."""
    words = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny"]
    environment = os.environ | {"NUMBA_NUM_THREADS": "1"}
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        [*words, "--no-dashboard"], stdout=quiet, stderr=quiet, start_new_session=True, env=environment
    )


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and wait for its end."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def kill_workers(folder: Path, options: argparse.Namespace) -> Iterator[str]:
    """Kill workers one by one, starting another for each, then the scheduler; yield what is wrong."""
    with cluster(options.cluster, options.port) as (address, scheduler, workers):
        run = Run(folder, options, "--cluster", address)
        process = run.start()
        half = moments(options)
        for index, moment in enumerate(half):
            if not run.wait_for(process, moment):
                yield f"the command ended before frame {moment}: {process.communicate()[1]}"
                return
            end(workers[index % len(workers)])
            workers[index % len(workers)] = start_worker(address)
            print(f"killed worker {index % len(workers)} at {run.written()} frames", flush=True)
        lost = (half[-1] + options.ticks) // 2
        if not run.wait_for(process, lost):
            yield f"the command ended before frame {lost}: {process.communicate()[1]}"
            return
        again, most = made_again(address), options.kills * 2 * options.cluster
        print(f"{again} chunks were made again: at most {most} were in flight when workers were killed", flush=True)
        if again > most:
            yield f"{again} chunks of {CHUNK} frames were made again, where at most {most} were in flight"
        end(scheduler)
        begun = time.monotonic()
        out, words = process.communicate(timeout=120)
        took = time.monotonic() - begun
        print(f"killed the scheduler; {took:.0f} s later, status {process.returncode}: {words.strip()}")
        if process.returncode != 2 or "scheduler is gone" not in words:
            yield f"the loss of the scheduler is not said: {process.returncode} {out} {words}"
        kept = run.times()
    with cluster(options.cluster, options.port + 1) as (address, _, _):
        run = Run(folder, options, "--cluster", address)
        print(run.start().communicate()[0].strip(), flush=True)
        now = run.times()
        yield from (f"tick {tick} was made again" for tick, made in kept.items() if now.get(tick) != made)


def main() -> int:
    """Run one of the two and compare with an undisturbed run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ticks", type=int, default=240)
    parser.add_argument("--size", default="480x270")
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cluster", type=int, default=0, metavar="N", help="Workers of a Dask cluster of its own.")
    parser.add_argument("--port", type=int, default=18786)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    root = Path(tempfile.mkdtemp(prefix="kills-"))
    calm, disturbed = root / "calm", root / "disturbed"
    begun = time.monotonic()
    undisturbed = Run(calm, options, "--workers", str(options.workers))
    print(undisturbed.start().communicate()[0].strip(), f"in {time.monotonic() - begun:.0f} s, undisturbed", flush=True)
    if options.cluster:
        faults = list(kill_workers(disturbed, options))
        run = Run(disturbed, options)
    else:
        run = Run(disturbed, options, "--workers", str(options.workers))
        faults = list(kill_the_command(run, options))
    here, there = undisturbed.frames(), run.frames()
    if len(here) != options.ticks:
        faults.append(f"the undisturbed run has {len(here)} frames")
    faults += [
        f"tick {tick}: {there.get(tick)}, undisturbed {here[tick]}" for tick in here if there.get(tick) != here[tick]
    ]
    names = {f"{tick:04d}.png" for tick in range(options.ticks)} | {NAME}
    faults += [f"left behind: {name}" for name in set(os.listdir(disturbed)) - names]
    for fault in faults[:20]:
        print("FAULT", fault)
    print(f"{len(there)} frames, {len(faults)} faults")
    shutil.rmtree(root)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
