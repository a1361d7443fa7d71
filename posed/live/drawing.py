"""Frames being drawn: passes recorded over instances as a camera sees them, and what is read back of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.camera import Camera
from posed.errors import PosedError
from posed.frame import ShadowBand
from posed.live import layout
from posed.live.camera import clip_rows, projection_matrix, rays_of, view_matrix
from posed.live.color import NAMED, Color, Lighting, color_pass, merges
from posed.live.culling import Culling, Sight
from posed.live.device import DEFAULT_LIMITS, Gpu
from posed.live.draws import encode_pass
from posed.live.flat import FlatScene, composite
from posed.live.flat.drawing import FlatPass
from posed.live.instances import Instance, Instances, Shown
from posed.live.passes import MADE_OF, Places, drawn_layers, passes_for, places_of
from posed.live.pictures import blank, write_picture
from posed.live.readback import Region
from posed.live.skin_store import SkinStore
from posed.live.streams import FrameStream
from posed.live.targets import Targets
from posed.live.vertices import PosedVertices, read_vertices
from posed.live.window import around, draw_windows, seen_draws

NAMING = ("object", "part", "triangle", "joint")
"""The layers of ids."""


@dataclass(frozen=True, eq=False)
class View:
    """How a frame is seen: `camera`, the camera `before` it for motion, (W, H) in pixels, and what shines on it.

    `flat` is what is drawn over it.
    """

    camera: Camera
    before: Camera
    size: tuple[int, int]
    lighting: Lighting
    flat: FlatScene | None = None


class Drawn(NamedTuple):
    """What passes have drawn: into which textures, where in them each layer is, and the region outside of which nothing
    but the sky shows."""

    targets: Targets
    places: Places
    window: Region


class Drawing:
    """Draws instances on a device, triangles that cannot show left out by `culling` (see `Culling`).

    What a frame is drawn into stays for the next one of its size.
    """

    def __init__(self, gpu: Gpu, skins: SkinStore, culling: bool | None = None) -> None:
        self._gpu = gpu
        self.culling = Culling(gpu, culling)
        self._stream = FrameStream(gpu, skins)
        self._color = Color(gpu)
        self._flat = FlatPass(gpu)
        self._targets: Targets | None = None

    def pictures(
        self, instances: Instances, view: View, layers: Sequence[str]
    ) -> tuple[dict[str, AnyArray], tuple[ShadowBand, ...] | None]:
        """Return `layers` by name, (H, W) or (H, W, C), and the bands of the shadows, None where there is no color.

        Raises
        ------
        PosedError
            A size out of range, a layer that this renderer does not write, or more lights than it draws.
        PoseError
            See `Instances.frame`.
        """
        drawn = drawn_layers(layers)
        encoder, drawing, bands = self.encode(self._gpu.device.create_command_encoder(), instances, view, drawn)
        regions = {target: drawing.window for name in drawn for target, _ in drawing.places[name]}
        if "color" in drawn and not view.lighting.transparent:
            regions |= {target: Region(0, 0, *view.size) for target, _ in drawing.places["color"]}
        reading = drawing.targets.read(encoder, regions)
        finished = blank(layers, view.size)
        with reading as texels:
            read = dict(zip(regions, texels, strict=True))
            for name in layers:
                for target, held in drawing.places[MADE_OF.get(name, name)]:
                    write_picture(name, finished[name], read[target], held, regions[target], view.camera)
        if view.flat is not None and "color" in finished:
            finished["color"] = composite(self._flat.color(view.flat, view.size), finished["color"])
        return finished, bands

    def encode(
        self, encoder: Any, instances: Instances, view: View, layers: Sequence[str]
    ) -> tuple[Any, Drawn, tuple[ShadowBand, ...] | None]:
        """Record the passes of a frame; return the encoder with what is not submitted yet, what is drawn by them, and
        the bands of its shadows."""
        targets = self._targets_of(view.size)
        shown = instances.frame(view.camera)
        frame_group = self._bound(shown, view)
        lit = bands = None
        if "color" in layers:
            encoder, lit, bands = self._color.cast(encoder, frame_group, shown, view.size, view.lighting)
        boxes = shown.low, shown.high, shown.reach
        windows = draw_windows(view.camera, view.size, shown.draws, boxes, shown.origin)
        sight = Sight(*clip_rows(view.camera, view.size, shown.origin, shown.farthest), view.size)
        draws = self.culling.kept(encoder, frame_group, seen_draws(shown.draws, windows), sight)
        named = merges(layers, draws)
        passes = passes_for(set(layers) - NAMED.layers if named else layers)
        for one in passes:
            encode_pass(self._gpu, encoder, one, targets, frame_group, draws)
        if lit is not None:
            sky = not view.lighting.transparent
            encoder = self._color.encode(encoder, targets, frame_group, draws, lit, named=named, sky=sky)
        places = places_of([color_pass(draws, named=named), *passes])
        return encoder, Drawn(targets, places, around(windows)), bands

    def ids(self, instances: Instances, view: View, x: int, y: int) -> dict[str, int]:
        """Return the layers of `NAMING` at one pixel."""
        pixel = Region(x, y, 1, 1)
        targets = self._targets_of(view.size)
        shown = instances.frame(view.camera)
        frame_group = self._bound(shown, view)
        encoder = self._gpu.device.create_command_encoder()
        passes = passes_for(NAMING)
        for one in passes:
            encode_pass(self._gpu, encoder, one, targets, frame_group, shown.draws, pixel)
        places = places_of(passes)
        held = {name: places[name][0] for name in NAMING}
        regions = {target: pixel for target, _ in held.values()}
        with targets.read(encoder, regions) as texels:
            read = dict(zip(regions, texels, strict=True))
            return {name: int(read[target][0, 0, one.first]) for name, (target, one) in held.items()}

    def flat_draw(self, view: View, x: int, y: int) -> tuple[int, int] | None:
        """Return the draw, and the sprite in it, that the flat scene shows at one pixel."""
        if view.flat is None:
            return None
        number = int(self._flat.number(view.flat, view.size, Region(x, y, 1, 1))[0, 0])
        return view.flat.find(number) if number else None

    def vertices(self, instances: Instances, wanted: dict[int, Instance], camera: Camera) -> dict[int, PosedVertices]:
        """Return the posed vertices of some of the instances, by the numbers of `wanted`."""
        shown = instances.frame(camera)
        frame_group = self._bound(shown, View(camera, camera, (1, 1), Lighting()))
        places = {one: index for index, one in enumerate(shown.instances)}
        return {number: read_vertices(self._gpu, frame_group, one.mesh, places[one]) for number, one in wanted.items()}

    def _bound(self, shown: Shown, view: View) -> Any:
        """Write what changes from frame to frame; return its bind group."""
        frame = np.zeros(1, layout.FRAME)
        aspect = view.size[0] / view.size[1]
        now = before = _matrices(view.camera, aspect, shown)
        if view.before is not view.camera:
            before = _matrices(view.before, aspect, shown)
        for prefix, (seen, projected) in (("", now), ("previous_", before)):
            frame[f"{prefix}view"][0], frame[f"{prefix}projection"][0] = seen.T, projected.T
        frame["size"][0, :2] = view.size
        frame["size"][0, 2] = all(
            np.array_equal(frame[name], frame[f"previous_{name}"]) for name in ("view", "projection")
        )
        rays = rays_of(view.camera, view.size, shown.origin)
        frame["eye"][0], frame["ray"][0, :3] = rays.eye, rays.ray
        frame["ray_across"][0, :3], frame["ray_down"][0, :3] = rays.across, rays.down
        return self._stream.write(frame, shown.records)

    def _targets_of(self, size: tuple[int, int]) -> Targets:
        largest = DEFAULT_LIMITS["max-texture-dimension-2d"]
        if not all(1 <= side <= largest for side in size):
            raise PosedError(f"size {size[0]}x{size[1]}: the live renderer draws 1 to {largest} pixels a side")
        if self._targets is None or self._targets.size != tuple(size):
            self._targets = Targets(self._gpu, (size[0], size[1]))
        return self._targets


def _matrices(camera: Camera, aspect: float, shown: Shown) -> tuple[Float64, Float64]:
    """Return what takes the world, relative to the frame's origin, to the camera, and that to clip space."""
    return view_matrix(camera, shown.origin), projection_matrix(camera, aspect, shown.farthest)
