"""Panoramas of each kind of file, whole and broken."""

from pathlib import Path

import numpy as np
import OpenEXR
import PIL.Image
import pytest

from posed.errors import AssetError
from posed.gltf.image import LARGEST_SIDE
from posed.scene.lights import Environment
from posed.scene.panorama import LARGEST_EXR, Panorama

HDR = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n" + bytes([128, 64, 32, 129, 0, 0, 255, 136])


def exr(folder: Path, **channels: np.ndarray) -> bytes:
    path = folder / "a.exr"
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    OpenEXR.File(header, channels).write(str(path))
    return path.read_bytes()


def png(folder: Path, size: tuple[int, int], color: tuple[int, ...]) -> bytes:
    PIL.Image.new("RGB", size, color).save(folder / "a.png")
    return (folder / "a.png").read_bytes()


def panorama(data: bytes) -> Panorama:
    return Panorama("a", data, "a.hdr")


def test_a_radiance_picture() -> None:
    read = panorama(HDR)
    assert read.size == (2, 1)
    assert read.texels.tolist() == [[[1.0, 0.5, 0.25], [0.0, 0.0, 255.0]]]
    assert not read.texels.flags.writeable


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.uint32])
def test_an_exr_of_any_type_with_other_channels_beside(tmp_path: Path, dtype: type) -> None:
    values = np.arange(6, dtype=dtype).reshape(2, 3)
    read = panorama(exr(tmp_path, R=values, G=values * dtype(2), B=values * dtype(3), A=values, Z=values))
    assert read.size == (3, 2)
    assert read.texels.dtype == np.float32
    assert read.texels[1, 2].tolist() == [5.0, 10.0, 15.0]


def test_a_png_is_srgb_encoded(tmp_path: Path) -> None:
    read = panorama(png(tmp_path, (3, 2), (128, 255, 0)))
    assert read.size == (3, 2)
    np.testing.assert_allclose(read.texels[1, 2], [0.2158605, 1.0, 0.0], rtol=1e-6)


def test_a_value_below_zero_is_none(tmp_path: Path) -> None:
    values = np.array([[-1.0, 2.0]], np.float32)
    assert panorama(exr(tmp_path, R=values, G=values, B=values)).texels[..., 0].tolist() == [[0.0, 2.0]]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_value_that_is_no_number_is_refused_with_its_place(tmp_path: Path, value: float) -> None:
    values = np.ones((2, 3), np.float32)
    broken = values.copy()
    broken[1, 2] = value
    with pytest.raises(AssetError, match=r"a\.hdr: its texel in column 2 of row 1 is no finite number: clamp and"):
        _ = panorama(exr(tmp_path, R=values, G=broken, B=values)).texels


def test_what_claims_to_be_large_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    head = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n"
    for size in (b"-Y 8192 +X 8192\n", b"-Y 1 +X %d\n" % (LARGEST_SIDE + 1), b"-Y 0 +X 4\n"):
        with pytest.raises(AssetError, match=r"it is \d+ x \d+: at most 33554432 texels are read: scale it"):
            _ = panorama(head + size).size
    many = exr(tmp_path, **{f"c{n}": np.ones((1, 1), np.float16) for n in range(30)})
    place = many.index(b"dataWindow\0box2i\0") + len(b"dataWindow\0box2i\0") + 4
    wide = many[:place] + np.array([0, 0, 4095, 4095], "<i4").tobytes() + many[place + 16 :]
    with pytest.raises(AssetError, match=f"the EXR unpacks to {4096 * 4096 * 4 * 30} bytes: at most {LARGEST_EXR} are"):
        _ = panorama(wide).size


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (HDR[:-1], r"not a Radiance picture that can be read here \(row 0 of 1 ends early"),
        (b"#?RADIANCE\n", r"not a Radiance picture that can be read here \(its head does not end\): export it again"),
        (b"\x76\x2f\x31\x01rubbish", r"not an EXR that can be read here"),
        (b"rubbish", "not a readable PNG, JPEG or WebP image"),
        (b"", "not a readable PNG, JPEG or WebP image"),
    ],
)
def test_what_is_no_picture_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(AssetError, match=message):
        _ = panorama(data).texels


def test_an_exr_without_colors_is_refused(tmp_path: Path) -> None:
    values = np.ones((2, 3), np.float32)
    with pytest.raises(AssetError, match="the EXR has the channels Y: a panorama needs R, G and B"):
        _ = panorama(exr(tmp_path, Y=values)).texels


def test_an_exr_cut_anywhere_is_refused(tmp_path: Path) -> None:
    values = np.random.default_rng(1).random((8, 16)).astype(np.float32)
    whole = exr(tmp_path, R=values, G=values, B=values)
    said = set()
    for end in range(4, len(whole), 37):
        with pytest.raises(AssetError, match="not an EXR that can be read here") as caught:
            _ = panorama(whole[:end]).texels
        said.add(str(caught.value).partition(" (")[2])
    assert "its texels end early or are damaged): export it again" in said


def test_intensity_scales_the_radiance_and_may_not_leave_float32() -> None:
    environment = Environment(intensity=2.0, image=panorama(HDR))
    assert environment.radiance.tolist() == [[[2.0, 1.0, 0.5], [0.0, 0.0, 510.0]]]
    assert not environment.radiance.flags.writeable
    assert Environment().radiance.shape == (0, 0, 3)
    with pytest.raises(AssetError) as caught:
        _ = Environment(intensity=1e37, image=panorama(HDR)).radiance
    assert str(caught.value).endswith(
        ": its brightest texel, 255, times an intensity of 1e+37 leaves what float32 holds: lower the intensity"
    )
