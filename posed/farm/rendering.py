"""A job's frames into a folder: those that are there are kept, the others are made, each whole or absent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from posed.errors import PosedError
from posed.farm.chunk import Packed
from posed.farm.claim import claimed
from posed.farm.crew import Crew, crew_of, in_order
from posed.farm.job import CHUNK, Finished, FrameChunk, Job
from posed.farm.manifest import Manifest, hash_of
from posed.files import written_whole

SHARE = 256
"""Of the frames that a manifest has: so many may be added before it is written again, whole as it is."""

Progress = Callable[[int, int], None]
"""Called with the frames that are there and those asked for, after each one."""


@dataclass(frozen=True)
class Summary:
    """What a run did: frames kept from an earlier run and frames made."""

    kept: int
    made: int


def frames(job: Job, *, workers: int = 1, cluster: str | None = None) -> Iterator[Finished]:
    """Yield every frame of `job` in order, as the content of its file, without keeping any.

    Raises
    ------
    PosedError
        A frame is refused, or workers keep ending.
    MissingError
        The machine, or the cluster, lacks something.
    """
    with crew_of(workers, cluster) as crew:
        yield from in_order(crew, _work(job, job.ticks))


def render(
    job: Job,
    name: Callable[[int], Path],
    folder: Path,
    *,
    workers: int = 1,
    cluster: str | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Summary:
    """Make the frames of `job` in `folder`, where a manifest tells which are there.

    Run again after an interruption, however hard, frames whose files still have their hash are kept and the others are
    made. An error leaves whole frames and a true manifest.

    Parameters
    ----------
    job
        What is rendered.
    name
        From a tick to its file, in `folder`.
    folder
        An existing folder. One run at a time may write to it.
    workers, cluster
        Who renders: this process, several of this machine, or the workers of the Dask cluster at an address.
    fresh
        Make all frames again, whatever the folder's manifest says.
    progress
        Called as frames arrive.

    Raises
    ------
    PosedError
        The folder holds frames of something else and `fresh` is not set, another run is at it, it cannot be written,
        or a frame cannot be made.
    """
    with claimed(folder):
        manifest = Manifest(job.asked, _pattern(name, job))
        earlier = None if fresh else Manifest.load(folder)
        if earlier is not None:
            earlier.check_same(manifest, folder)
            manifest = earlier
        kept = _kept(manifest, job, name)
        wanted = [tick for tick in job.ticks if tick not in kept]
        for tick in wanted:
            manifest.frames.pop(tick, None)
        manifest.save(folder)
        if progress is not None:
            progress(len(kept), len(job.ticks))
        if wanted:
            _make(job, name, folder, manifest, wanted, crew_of(workers, cluster), progress)
        return Summary(len(kept), len(wanted))


def unsaved_at_most(frames: int) -> int:
    """Return how many frames may lie in a folder beside the `frames` in its manifest: a kill makes them anew."""
    return max(CHUNK, frames // SHARE)


def _make(
    job: Job,
    name: Callable[[int], Path],
    folder: Path,
    manifest: Manifest,
    wanted: list[int],
    crew: Crew,
    progress: Progress | None,
) -> None:
    there = len(job.ticks) - len(wanted)
    unsaved = 0
    with crew:
        try:
            for frame in in_order(crew, _work(job, wanted)):
                with written_whole(name(frame.tick)) as beside:
                    beside.write_bytes(frame.data)
                manifest.frames[frame.tick] = {"posed": frame.posed, "hash": hash_of(frame.data)}
                there, unsaved = there + 1, unsaved + 1
                if unsaved >= unsaved_at_most(len(manifest.frames)):
                    manifest.save(folder)
                    unsaved = 0
                if progress is not None:
                    progress(there, len(job.ticks))
        finally:
            if unsaved:
                manifest.save(folder)


def _work(job: Job, wanted: Iterable[int]) -> Iterator[tuple[Packed, FrameChunk]]:
    """Yield the chunks of a job's wanted ticks, each with the scene."""
    scene = Packed.of(job.scene)
    for chunk in job.chunks(wanted):
        yield scene, chunk


def _kept(manifest: Manifest, job: Job, name: Callable[[int], Path]) -> set[int]:
    """Return the ticks whose files are as the manifest says."""
    kept = set()
    for tick in job.ticks:
        frame = manifest.frames.get(tick)
        if frame is None:
            continue
        try:
            data = name(tick).read_bytes()
        except OSError:
            continue
        if hash_of(data) == frame["hash"]:
            kept.add(tick)
    return kept


def _pattern(name: Callable[[int], Path], job: Job) -> str:
    """Return the names of the files as one word; two ticks with one name would lose a frame."""
    first = name(0)
    if len(job.ticks) > 1 and name(job.ticks[-1]) == name(job.ticks[0]):
        raise PosedError(f"{first}: every tick would have this name: put a %d where the tick goes")
    return first.name
