"""Sizes of images, and bytes that are none."""

import io
from pathlib import Path

import PIL.Image
import pytest

from tests.gltf_literals import Literal
from tests.posed.lint.literals import Case, Spoil, primitive_of, spoiled


def show(file: Literal, png: bytes) -> None:
    """Give the clean file's material a picture."""
    file.root["images"] = [{"bufferView": file.view(png), "mimeType": "image/png", "name": "cloth"}]
    file.root["textures"] = [{"source": 0}]
    file.root["materials"][0]["pbrMetallicRoughness"] = {"baseColorTexture": {"index": 0}}
    primitive_of(file)["attributes"]["TEXCOORD_0"] = file.accessor([[0, 0], [1, 0], [0, 1]])


def picture(width: int, height: int) -> bytes:
    stream = io.BytesIO()
    PIL.Image.effect_noise((width, height), 50).save(stream, "PNG")
    return stream.getvalue()


def a_wide_texture(file: Literal) -> None:
    show(file, picture(4097, 1))


def bytes_of_another_kind(file: Literal) -> None:
    show(file, b"GIF89a")


def an_image_that_ends_early(file: Literal) -> None:
    show(file, picture(64, 64)[:2000])


CASES: list[Case] = [
    (
        a_wide_texture,
        [
            '/images/0: P701 warning: image 0 "cloth" is 4097 x 1',
        ],
    ),
    (
        bytes_of_another_kind,
        [
            ('/images/0: P702 error: image 0 "cloth" is no PNG, JPEG or WebP image of at most 16384 texels a side'),
        ],
    ),
    (
        an_image_that_ends_early,
        [
            '/images/0: P702 error: image 0 "cloth", 64 x 64, ends early or is damaged',
        ],
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), CASES)
def test_one_fault_and_what_is_said_of_it(spoil: Spoil, expected: list[str], tmp_path: Path) -> None:
    assert spoiled(spoil, tmp_path) == expected


def test_an_image_of_4096_texels_is_not_named(tmp_path: Path) -> None:
    assert spoiled(lambda file: show(file, picture(4096, 1)), tmp_path) == []
