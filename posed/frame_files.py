"""Frames in files: PNG for people, multi-layer OpenEXR for other tools, npz for code."""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO

import numpy as np

from posed.arrays import AnyArray, UInt8
from posed.camera import Camera
from posed.color import decode_srgb
from posed.errors import AssetError, PosedError
from posed.files import no_suffix, unreadable, written_whole
from posed.foreign_frames import frame_of_arrays
from posed.frame import FORMATS, LAYERS, Frame, Provenance
from posed.gltf.image import Image
from posed.npz import read_npz, write_npz
from posed.scene.ids import IdTable

CHANNELS: Mapping[str, tuple[str, ...]] = {
    "color": ("R", "G", "B", "A"),
    "depth": ("Z",),
    "position": ("P.X", "P.Y", "P.Z"),
    "normal": ("N.X", "N.Y", "N.Z"),
    "geometric_normal": ("Ng.X", "Ng.Y", "Ng.Z"),
    "albedo": ("albedo.R", "albedo.G", "albedo.B"),
    "emission": ("emission.R", "emission.G", "emission.B"),
    "uv": ("uv.U", "uv.V"),
    "barycentric": ("barycentric.U", "barycentric.V"),
    "object": ("id.object",),
    "part": ("id.part",),
    "triangle": ("id.triangle",),
    "material": ("id.material",),
    "joint": ("id.joint",),
    "motion": ("motion.X", "motion.Y"),
    "variance": ("variance.R", "variance.G", "variance.B"),
}
"""The names of each layer's channels in an EXR; ids are UINT, all else FLOAT."""

META = "posed"
"""The EXR attribute and the npz member that hold size, camera, ids and provenance as JSON."""

LARGEST_SIDE = 1 << 16
"""Pixels of an EXR's side that are read at most."""


def save(frame: Frame, path: Path) -> None:
    """Write `frame` as the suffix of `path` says; see `Frame.save`."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise PosedError(f"{path}: a frame is saved as one of {', '.join(FORMATS)}, {no_suffix(path)}")
    if suffix == ".png":
        _check_color(frame, str(path))
    with written_whole(path) as beside:
        if suffix == ".exr":
            _write_exr(frame, beside)
        else:
            with beside.open("wb") as stream:
                (_write_png if suffix == ".png" else _write_npz)(frame, stream)


def encoded(frame: Frame, suffix: str) -> bytes:
    """Return the content of the file that `save` would write with `suffix`, one of `FORMATS`."""
    if suffix == ".exr":
        return _exr_bytes(frame)
    stream = io.BytesIO()
    if suffix == ".png":
        _check_color(frame, "the frame")
        _write_png(frame, stream)
    else:
        _write_npz(frame, stream)
    return stream.getvalue()


def load(path: Path) -> Frame:
    """Read a frame; see `Frame.load`."""
    readers = {".png": _load_png, ".exr": _load_exr, ".npz": _load_npz}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise PosedError(f"{path}: a frame is read from one of {', '.join(FORMATS)}, {no_suffix(path)}")
    reason = unreadable(path)
    if reason is not None:
        raise PosedError(f"{path}: {reason}")
    try:
        return reader(path)
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise PosedError(f"{path}: is not a frame that can be read ({error!r})") from error


def meta_of(frame: Frame) -> str:
    """Return what a frame carries beside its layers as JSON."""
    return json.dumps(
        {
            "format": "posed frame",
            "version": 1,
            "size": list(frame.size),
            "camera": None if frame.camera is None else frame.camera.to_json(),
            "ids": frame.ids.to_json(),
            "provenance": asdict(frame.provenance),
        }
    )


def _frame(path: Path, layers: Mapping[str, AnyArray], text: str) -> Frame:
    meta = json.loads(text)
    if meta["format"] != "posed frame" or meta["version"] != 1:
        raise PosedError(f"{path}: is a {meta['format']} of version {meta['version']}: expected version 1")
    camera = None if meta["camera"] is None else Camera.from_json(meta["camera"])
    width, height = meta["size"]
    ids, provenance = IdTable.from_json(meta["ids"]), Provenance.from_json(meta["provenance"])
    return Frame(layers, (int(width), int(height)), camera, ids, provenance)


def _check_color(frame: Frame, what: str) -> None:
    if "color" not in frame:
        have = ", ".join(frame) or "no layers"
        raise PosedError(f"{what}: a PNG shows color and this frame has {have}: use .exr or .npz")


def _write_png(frame: Frame, stream: IO[bytes]) -> None:
    write_codes(frame.rgba(), stream)


def write_codes(codes: UInt8, stream: IO[bytes]) -> None:
    """Write sRGB codes, (H, W, 3) or (H, W, 4) uint8 with straight alpha, as a PNG; without alpha if all is opaque."""
    import PIL.Image

    opaque = codes.shape[2] == 3 or bool((codes[..., 3] == 255).all())
    picture = PIL.Image.fromarray(np.ascontiguousarray(codes[..., :3]) if opaque else codes)
    picture.save(stream, "PNG")


def _load_png(path: Path) -> Frame:
    image = Image(path.name, path.read_bytes(), str(path))
    try:
        color = decode_srgb(image.texels)
    except AssetError as error:
        raise PosedError(str(error)) from error
    transparent = bool((image.texels[..., 3] < 255).any())
    color[..., :3] *= color[..., 3:]
    provenance = Provenance(renderer=path.name, background="transparent" if transparent else "")
    return Frame({"color": color}, image.size, provenance=provenance)


def _write_npz(frame: Frame, stream: IO[bytes]) -> None:
    arrays = dict(frame.layers) | {META: np.frombuffer(meta_of(frame).encode(), np.uint8)}
    write_npz(stream, arrays)


def _load_npz(path: Path) -> Frame:
    arrays = read_npz(path)
    if META not in arrays:
        return frame_of_arrays(arrays, str(path))
    return _frame(path, arrays, arrays.pop(META).tobytes().decode())


@contextmanager
def _openexr_errors(path: Path) -> Iterator[None]:
    """Turn what the OpenEXR library raises into an error with the file's name."""
    try:
        yield
    except (RuntimeError, OSError, MemoryError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise PosedError(f"{path}: is not an EXR that can be read or written here: {reason}") from error


def _exr_bytes(frame: Frame) -> bytes:
    """Return an EXR's content: its library writes to names alone, so the file lies in memory where that has names."""
    if hasattr(os, "memfd_create"):
        with os.fdopen(os.memfd_create("frame"), "r+b") as stream:
            _write_exr(frame, Path(f"/proc/self/fd/{stream.fileno()}"))
            return stream.read()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "frame.exr")
        _write_exr(frame, path)
        return path.read_bytes()


def _write_exr(frame: Frame, path: Path) -> None:
    import OpenEXR

    channels = {}
    for name in frame:
        planes = frame[name] if frame[name].ndim == 3 else frame[name][..., None]
        for index, channel in enumerate(CHANNELS[name]):
            channels[channel] = np.ascontiguousarray(planes[..., index])
    stated = {
        f"posed.{name}": str(value)
        for name, value in asdict(frame.provenance).items()
        if name != "shadows" and value not in ("", None)  # a table, and in the JSON already
    }
    header = {
        "compression": OpenEXR.ZIP_COMPRESSION,
        "type": OpenEXR.scanlineimage,
        META: meta_of(frame),
        **stated,
    }
    with _openexr_errors(path), OpenEXR.File(header, channels) as file:
        file.write(str(path))


def _load_exr(path: Path) -> Frame:
    import OpenEXR

    with _openexr_errors(path):
        with OpenEXR.File(str(path), header_only=True) as file:
            header = dict(file.header())  # closing the file empties its own
        low, high = header["dataWindow"]
        width, height = (int(b) - int(a) + 1 for a, b in zip(low, high, strict=True))
        if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
            raise PosedError(f"{path}: is {width} x {height} pixels: at most {LARGEST_SIDE} a side are read")
        with OpenEXR.File(str(path), separate_channels=True) as file:
            planes = {name: channel.pixels for name, channel in file.channels().items()}
    if META not in header and "A" not in planes and "R" in planes:  # another program's opaque picture
        planes["A"] = np.ones_like(planes["R"])
    layers = {}
    for name, channels in CHANNELS.items():
        if all(channel in planes for channel in channels):
            dtype = np.dtype(LAYERS[name][1])
            stacked = np.stack([planes[channel].astype(dtype) for channel in channels], axis=-1)
            layers[name] = stacked if LAYERS[name][0] else stacked[..., 0]
    if META not in header:
        return Frame(layers, (width, height), provenance=Provenance(renderer=path.name))
    return _frame(path, layers, header[META])
