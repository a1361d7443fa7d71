"""What frames take, and strips that have the bits of the whole."""

import os
import subprocess
import sys

import pytest

import posed
from posed.errors import PosedError
from posed.farm import Job, frames
from posed.farm.budget import CHECKS, Cost, amount, fit_check, frame_file, stripped
from posed.farm.job import CHUNK
from posed.frame_files import encoded
from tests.posed.farm.conftest import SCENES

MIB = 1 << 20


@pytest.fixture(scope="module")
def tracing(scene):
    with posed.Tracing(scene) as tracing:
        yield tracing


@pytest.fixture
def pose(world):
    world.advance(9)
    return world.posed()


@pytest.mark.parametrize(
    ("suffix", "settings"),
    [
        (".png", {"samples": 2, "filter": "blackman-harris", "layers": ("color",)}),
        (".png", {"samples": "center", "background": "transparent", "layers": ("color",)}),
        (".png", {"samples": 2, "integrator": "path", "background": (0.1, 0.2, 0.3), "layers": ("color",)}),
        (".exr", {"integrator": "aov"}),
        (".exr", {"integrator": "path", "samples": 2, "layers": ("variance", "object")}),
        (".npz", {"samples": "center"}),
    ],
)
@pytest.mark.parametrize("rows", [1, 7, 16])
def test_a_file_made_in_strips_has_the_bytes_of_one_made_whole(tracing, pose, suffix, settings, rows):
    settings = {"size": (48, 27), **settings}
    assert stripped(tracing, pose, settings, suffix, rows) == encoded(tracing.trace(pose, **settings), suffix)


def test_strips_have_the_bits_of_the_whole_under_the_tree_too(scene, pose):
    with posed.Tracing(scene, backend="bvh") as tracing:
        settings = {"size": (20, 11), "samples": "center"}
        assert stripped(tracing, pose, settings, ".npz", 3) == encoded(tracing.trace(pose, **settings), ".npz")


def test_a_frame_is_traced_whole_where_two_fit_and_in_strips_below(tracing, pose):
    cost = Cost({"size": (100, 100), "samples": 1, "layers": ("color",)}, ".png")
    # color: 16 bytes a pixel; a copy of it, three indices and four codes while it is encoded; three of codes, the file
    assert (cost.made, cost.coding, cost.strip, cost.joined) == (16, 51, 63, 8)
    assert cost.rows(10_000 * (2 * 16 + 51)) is None
    assert cost.rows(10_000 * (2 * 16 + 51) - 1) == 100, "one strip, and nothing encoded meanwhile"
    assert cost.rows(10_000 * 8 + 100 * 63 * 40) == 32
    assert cost.rows(10_000 * 8 + 100 * 63 * 16) == 16
    with pytest.raises(posed.PosedError):
        cost.rows(10_000 * 8 + 100 * 63 * 16 - 1)


def test_layers_of_the_geometry_are_made_together_and_kept_as_asked():
    cost = Cost({"size": (4, 4), "integrator": "aov", "layers": ("depth", "normal")}, ".exr")
    # 27 numbers and a mark; the two layers' four numbers once more as planes, and as the file
    assert (cost.made, cost.coding, cost.strip, cost.joined) == (109, 32, 109 + 16, 48)


def test_what_does_not_fit_even_in_strips_is_refused_with_the_cure(tracing, pose):
    settings = {"size": (16384, 16384), "integrator": "aov"}
    with pytest.raises(posed.PosedError) as refused:
        frame_file(tracing, pose, settings, ".exr", 2048 * MIB)
    assert str(refused.value) == (
        "a frame of 16384x16384 with 14 layers takes 81.1 GiB, more than the 2.0 GiB that a worker may take: name "
        "fewer layers, choose a smaller size, or give it more memory (--memory)"
    )


def test_overlays_are_not_drawn_in_strips(tracing, pose):
    settings = {"size": (96, 54), "layers": ("color",), "overlays": ("bones",)}
    with pytest.raises(posed.PosedError, match="^a frame of 96x54 with 1 layer takes "):
        frame_file(tracing, pose, settings, ".png", MIB // 2)
    with pytest.raises(posed.PosedError, match="^overlays are drawn into a whole picture: leave out rows$"):
        tracing.trace(pose, **settings, rows=(0, 9))


def test_a_job_in_strips_gives_the_same_frames_one_by_one(world):
    settings = {"size": (96, 54), "samples": 1, "layers": ("color",)}
    whole, little = Job(world, range(3), settings), Job(world, range(3), settings, memory=MIB // 4)
    assert [len(chunk.ticks) for chunk in whole.chunks(range(CHUNK))] == [CHUNK]
    assert [(len(chunk.ticks), chunk.rows) for chunk in little.chunks(range(3))] == 3 * [(1, 32)]
    assert list(frames(little)) == list(frames(whole))
    assert little.asked == whole.asked


def test_amounts_in_words():
    assert [amount(size) for size in (1 << 29, 3 << 29)] == ["512.0 MiB", "1.5 GiB"]


def peak(folder, size, memory):
    """Bytes that a command took at most while it rendered a picture."""
    words = [sys.executable, "-m", "posed", "render", str(SCENES / "walker.toml"), "--samples", "center"]
    words += ["--memory", memory, "--size", size, "-o", str(folder / f"{size}.png")]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as command:
        _, status, usage = os.wait4(command.pid, 0)
        command.returncode = os.waitstatus_to_exitcode(status)
    assert command.returncode == 0
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def test_a_large_frame_keeps_to_its_memory(tmp_path):
    """Made whole, it would take 570 MiB."""
    small = peak(tmp_path, "64x64", "4GiB")
    assert peak(tmp_path, "6000x1200", "120MiB") - small < 120 * MIB


def test_a_check_is_whole_or_refused_with_what_it_takes() -> None:
    fit_check((3840, 2160), CHECKS)
    fit_check((1000, 1000), 640_000_000)
    with pytest.raises(PosedError) as refused:
        fit_check((1000, 1000), 639_999_999)
    assert str(refused.value) == (
        "a check of 1000x1000 takes 610.4 MiB, more than the 610.4 MiB that a worker may take, and a verdict looks at "
        "the whole picture: choose a smaller size, or give it more memory (--memory)"
    )
