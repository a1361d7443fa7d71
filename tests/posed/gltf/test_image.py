"""Images: sides and areas that are refused before they are decoded."""

import struct
import zlib

import numpy as np
import pytest

from posed.errors import AssetError
from posed.fixtures.png import write_png
from posed.gltf.image import Image


def claiming(width, height):
    """Return a PNG of one texel whose head claims another size."""
    data = write_png(np.zeros((1, 1, 4), np.uint8))
    head = b"IHDR" + struct.pack(">II", width, height) + data[24:29]
    return data[:12] + head + struct.pack(">I", zlib.crc32(head)) + data[33:]


@pytest.mark.parametrize(
    ("size", "text"),
    [
        ((100_000, 100_000), "not a readable PNG, JPEG or WebP image"),
        ((16385, 1), "the image is 16385 x 1; at most 16384 a side is read: scale it down"),
        ((8193, 8192), "the image is 8193 x 8192; at most 67108864 texels are read: scale it down"),
    ],
)
def test_sizes_past_the_limits_are_refused_undecoded(size, text):
    with pytest.raises(AssetError) as caught:
        Image("x", claiming(*size), "model.glb", "/images/0").texels  # noqa: B018 - reading is decoding
    assert str(caught.value).startswith(f"model.glb: /images/0: {text}")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"no picture", 'it begins with "no pictu"'),
        (b"", "it is empty"),
        (b"BM\0\0\0\0\0\0", 'it begins with "BM\\x00\\x00\\x00\\x00\\x00\\x00"'),
    ],
)
def test_what_is_no_image_is_named_by_its_first_bytes(data, reason):
    with pytest.raises(AssetError) as caught:
        Image("x", data, "model.glb", "/images/0").size  # noqa: B018 - reading opens it
    assert str(caught.value) == (
        f"model.glb: /images/0: not a readable PNG, JPEG or WebP image ({reason}): export it again"
    )


def test_an_image_that_ends_early_is_refused_when_it_is_decoded():
    data = write_png(np.arange(64 * 64 * 4, dtype=np.uint8).reshape(64, 64, 4))
    cut = Image("x", data[: len(data) // 2], "model.glb", "/images/0")
    assert cut.size == (64, 64)
    with pytest.raises(
        AssetError, match=r"^model.glb: /images/0: not a readable PNG, JPEG or WebP image \(.*export it"
    ):
        cut.texels  # noqa: B018 - reading is decoding
