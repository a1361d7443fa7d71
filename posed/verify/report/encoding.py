"""Pictures as data URIs: WebP without loss, unless a frame's pictures together would grow past their share."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from posed.arrays import UInt8
from posed.errors import PosedError

BYTES_PER_PIXEL = 6.5
"""Of a frame's pictures together at most, encoded: 3.4 MB at 960 x 540, 4.5 MB as text."""

QUALITIES = (90, 70, 45)
"""Of WebP with loss, tried in turn."""

WORKERS = 4

LARGEST_SIDE = 16383
"""Pixels of a WebP's side."""

SIDES = ("reference", "live")

LOSSY = ("color", "albedo", "emission", "normal", "geometric_normal", "depth", "motion")
"""Layers whose two sides may lose exactness, never ids; differences and masks never do."""


def encode(pictures: Mapping[tuple[str, str], UInt8]) -> tuple[dict[tuple[str, str], str], tuple[str, ...]]:
    """Encode pictures by layer and kind; return their data URIs and the layers that were encoded with loss.

    Lossless is small for ids and rendered surfaces. Where noise or photographs make the pictures too large for a report
    to be passed around, the largest sides of `LOSSY` layers are encoded again, with loss.
    """
    with ThreadPoolExecutor(WORKERS) as pool:
        encoded = dict(zip(pictures, pool.map(_lossless, pictures.values()), strict=True))
    most = BYTES_PER_PIXEL * max((one.shape[0] * one.shape[1] for one in pictures.values()), default=0)
    lossy: set[str] = set()
    for quality in QUALITIES:
        for layer in _by_weight(encoded):
            if sum(map(len, encoded.values())) <= most:
                break
            for kind in SIDES:
                encoded[layer, kind] = _webp(pictures[layer, kind], quality=quality, method=2)
            lossy.add(layer)
    uris = {key: "data:image/webp;base64," + base64.b64encode(data).decode() for key, data in encoded.items()}
    return uris, tuple(sorted(lossy))


def _by_weight(encoded: Mapping[tuple[str, str], bytes]) -> list[str]:
    """Return the layers whose sides may lose exactness, heaviest first."""
    weights = {layer: sum(len(encoded[layer, kind]) for kind in SIDES) for layer, _ in encoded if layer in LOSSY}
    return sorted(weights, key=lambda layer: -weights[layer])


def _lossless(picture: UInt8) -> bytes:
    return _webp(picture, lossless=True, quality=30, method=1)


def _webp(picture: UInt8, **options: Any) -> bytes:
    import PIL.Image

    if max(picture.shape[:2]) > LARGEST_SIDE:
        height, width = picture.shape[:2]
        raise PosedError(f"a report shows pictures of up to {LARGEST_SIDE} pixels a side, found {width}x{height}")

    stream = io.BytesIO()
    opaque = bool((picture[..., 3] == 255).all())
    PIL.Image.fromarray(picture[..., :3].copy() if opaque else picture).save(stream, "WEBP", **options)
    return stream.getvalue()
