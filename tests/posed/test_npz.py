"""Arrays in npz files: what is refused before anything is allocated."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from posed.errors import PosedError
from posed.npz import read_npz, write_npz


def member(path: Path, content: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.npy", content)
    return path


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    arrays = {"a/b": np.arange(6, dtype=np.float32).reshape(2, 3), "empty": np.zeros((0, 4), np.uint32)}
    with (tmp_path / "x.npz").open("wb") as stream:
        write_npz(stream, arrays)
    read = read_npz(tmp_path / "x.npz")
    assert {name: (one.dtype, one.tolist()) for name, one in read.items()} == {
        name: (one.dtype, one.tolist()) for name, one in arrays.items()
    }


def test_a_claim_of_more_than_is_there_is_refused_unread(tmp_path: Path) -> None:
    """2^40 numbers in a file of 8."""
    content = io.BytesIO()
    np.lib.format.write_array_header_1_0(content, {"shape": (1 << 40,), "fortran_order": False, "descr": "<f8"})
    path = member(tmp_path / "x.npz", content.getvalue() + bytes(64))
    said = r"x.npz: .*: expected 8796093022208 bytes for float64 \(1099511627776,\), found 64: save it again"
    with pytest.raises(PosedError, match=said):
        read_npz(path)


def test_a_stream_that_does_not_unpack_is_no_npz(tmp_path: Path) -> None:
    with (tmp_path / "x.npz").open("wb") as stream:
        write_npz(stream, {"x": np.arange(1000)})
    data = bytearray((tmp_path / "x.npz").read_bytes())
    data[40:80] = b"\xff" * 40
    (tmp_path / "x.npz").write_bytes(data)
    with pytest.raises(ValueError, match="not an npz"):
        read_npz(tmp_path / "x.npz")


def test_a_member_too_large_to_unpack_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("posed.npz.LARGEST_MEMBER", 100)
    with (tmp_path / "x.npz").open("wb") as stream:
        write_npz(stream, {"x": np.arange(100)})
    with pytest.raises(PosedError, match=r"x.npz: x.npy unpacks to 928 bytes: too large to read"):
        read_npz(tmp_path / "x.npz")


def test_another_version_of_an_array_is_refused(tmp_path: Path) -> None:
    content = io.BytesIO()
    np.lib.format.write_array(content, np.arange(3), version=(2, 0))
    with pytest.raises(
        PosedError, match=r"x.npz: .*: is an array of another version than 1\.0: save it with numpy.savez"
    ):
        read_npz(member(tmp_path / "x.npz", content.getvalue()))


def test_a_file_that_has_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(PosedError, match="x.npz: cannot be read: No such file or directory"):
        read_npz(tmp_path / "x.npz")


def test_objects_are_refused_by_name(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", color=np.array([{}], dtype=object))
    with pytest.raises(PosedError, match="x.npz: color: holds Python objects: save numbers alone"):
        read_npz(tmp_path / "x.npz")
