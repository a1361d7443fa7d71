"""Golden frames in files: named, read back, and replaced all together or not at all."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posed.errors import PosedError
from posed.frame import Frame
from posed.golden import Golden, Sidecar, golden_path, read_golden, stamped, write_goldens
from posed.snapshot import Posed
from tests.posed.golden.test_sidecar import ACCEPTED
from tests.posed.live.literals import scene
from tests.posed.verify.report.literals import frame, put


def golden(depth: float = 5.0) -> Golden:
    changed = frame({"depth": put((6, 6), depth)})
    return Golden(changed, Sidecar.of(changed, "gpu", ACCEPTED))


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_name_tells_test_tick_renderer_and_backend() -> None:
    path = golden_path(Path("golden/frames"), "walker", 42, "posed live", "wgpu Vulkan")
    assert path == Path("golden/frames/walker/42.posed-live.wgpu-vulkan.exr")
    assert golden_path(Path("f"), "walker", 0, "threejs", "").name == "0.threejs.any.exr"


@pytest.mark.parametrize("name", ["", "..", "../up", "a/b", "a\\b", ".hidden", "a\nb", "-x"])
def test_a_test_whose_name_no_folder_can_have_is_refused(name: str) -> None:
    with pytest.raises(PosedError, match="is no name for a folder of golden frames"):
        golden_path(Path("f"), name, 0, "live", "")


def test_a_frame_is_kept_with_what_comparisons_look_at_and_whose_it_is() -> None:
    drawn = frame()
    with_more = Frame(dict(drawn.layers) | {"joint": drawn["object"]}, drawn.size, None, drawn.ids)
    kept = stamped(with_more, scene(), Posed(tick=7, rate=60))
    assert sorted(kept) == ["depth", "motion", "normal", "object", "part", "triangle"]
    assert (kept.provenance.tick, kept.provenance.scene) == (7, scene().digest)
    assert kept.provenance.posed == Posed(tick=7, rate=60).digest


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "walker" / "3.live.any.exr"
    write_goldens([(path, golden())])
    found = read_golden(path)
    assert found is not None
    assert found.sidecar == golden().sidecar
    assert (found.frame["depth"] == golden().frame["depth"]).all()
    assert sorted(files(tmp_path)) == ["walker/3.live.any.exr", "walker/3.live.any.json"]


def test_nothing_there_is_none(tmp_path: Path) -> None:
    assert read_golden(tmp_path / "3.live.any.exr") is None


def test_half_a_golden_or_another_s_half_is_refused(tmp_path: Path) -> None:
    one, other = tmp_path / "1.live.any.exr", tmp_path / "2.live.any.exr"
    write_goldens([(one, golden()), (other, golden(5.5))])
    one.with_suffix(".json").rename(tmp_path / "kept")
    with pytest.raises(PosedError, match=r"1.live.any.json: there is no such file.*accept the frame again"):
        read_golden(one)
    other.with_suffix(".json").rename(one.with_suffix(".json"))
    with pytest.raises(PosedError, match="its pixels are not those that Ada accepted on 2026-11-30"):
        read_golden(one)
    one.with_suffix(".json").write_bytes(b"\xff")
    with pytest.raises(PosedError, match="accept the frame again"):
        read_golden(one)


def failing_after(moves: int) -> Any:
    """An `os.replace` that works a number of times."""
    replace, left = os.replace, [moves]

    def fails(source: Path, target: Path) -> None:
        if not str(Path(target).name).startswith(".") and not left[0]:
            left[0] = -1
            raise OSError(28, "No space left on device", str(target))
        left[0] -= 1
        replace(source, target)

    return fails


@pytest.mark.parametrize("moves", [4, 5, 6, 7])
def test_a_failure_half_way_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    """Two frames are written whole beside their places (two moves in `Frame.save`), then four files are moved."""
    paths = [tmp_path / f"{tick}.live.any.exr" for tick in (1, 2)]
    write_goldens([(paths[0], golden())])
    before = files(tmp_path)
    monkeypatch.setattr(os, "replace", failing_after(moves - 2))
    with pytest.raises(PosedError, match="No space left on device; nothing changed"):
        write_goldens([(path, golden(6.0)) for path in paths])
    assert files(tmp_path) == before


def test_a_frame_that_cannot_be_encoded_leaves_everything_as_it_was(tmp_path: Path) -> None:
    paths = [tmp_path / f"{tick}.live.any.exr" for tick in (1, 2)]
    write_goldens([(paths[0], golden())])
    before = files(tmp_path)
    empty = Frame({}, (1, 1))
    with pytest.raises(PosedError):
        write_goldens([(paths[0], golden(6.0)), (paths[1], Golden(empty, golden().sidecar))])
    assert files(tmp_path) == before


def test_the_bits_survive(tmp_path: Path) -> None:
    odd = frame({"depth": put((0, 0), np.float32(1) / np.float32(3)), "triangle": put((0, 0), 0xFFFFFFFF)})
    path = tmp_path / "odd.exr"
    write_goldens([(path, Golden(odd, Sidecar.of(odd, "exact", ACCEPTED)))])
    assert read_golden(path) is not None, "its digests are those of the file"
