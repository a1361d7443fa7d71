"""Findings on images: sizes, and bytes that are no image."""

from __future__ import annotations

from collections.abc import Iterator

from posed.errors import AssetError
from posed.gltf.image import LARGEST_SIDE as REFUSED_SIDE
from posed.lint.asset import Asset, called
from posed.lint.finding import Finding

LARGEST_SIDE = 4096
"""Texels; what every GPU of the last ten years takes, and 64 MiB as RGBA."""


def check_images(asset: Asset) -> Iterator[Finding]:
    """Yield what is suspicious about images; one that is not too large is decoded to its end."""
    for index, record in enumerate(asset.records["images"]):
        with asset.tolerant():
            image = asset.images.image(index)
            name = called(record, "image", index)
            try:
                width, height = image.size
            except AssetError:
                yield asset.finding(
                    "P702",
                    record.pointer,
                    f"{name} is no PNG, JPEG or WebP image of at most {REFUSED_SIDE} texels a side",
                )
                continue
            if max(width, height) > LARGEST_SIDE:
                yield asset.finding("P701", record.pointer, f"{name} is {width} x {height}")
                continue
            try:
                _ = image.texels
            except AssetError:
                yield asset.finding("P702", record.pointer, f"{name}, {width} x {height}, ends early or is damaged")
