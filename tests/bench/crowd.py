"""A crowd: many skinned instances of one character, the processor's time and the device's for each frame.

    python -m tests.bench.crowd [--instances 1000] [--vertices 15000] [--joints 60] [--size 1920x1080] [--frames 60]

Every instance has a palette of its own, new in every frame, and the one before for motion; palettes are given. The
processor's time, that of the thread which draws, is that of `set_poses`, of everything that `draw` does but waiting,
and of the submission. The device's is between two timestamps around the frame's passes; without such, only frames a
second are told. Nothing is read back, and at most two frames are under way. `--singly` gives a pose an instance, with
both palettes, in place of one for the crowd. With few instances it runs on a software adapter too:

    python -m tests.bench.crowd --instances 9 --vertices 2000 --size 480x270 --frames 5
"""

import argparse
import math
import statistics
import time
from typing import Any

import numpy as np
import wgpu

from posed.camera import Camera
from posed.live import LAST, CrowdPose, InstancePose, Lighting, MeshData, Renderer, SkinData
from posed.live.drawing import View
from posed.scene.lights import Environment, Light

SUN = Light("sun", intensity=3.0, direction=(-0.48, -0.8, -0.36))
SKY = Environment((0.2, 0.2, 0.2), (0.5, 0.6, 0.8))
CYCLE = 16
"""Frames after which the crowd's palettes come again."""

KINDS: dict[str, tuple[tuple[str, ...], Lighting]] = {
    "color": (("color",), Lighting((), SKY)),
    "color, sun with shadows": (("color",), Lighting((SUN,), SKY)),
    "ids, depth, normals": (("object", "depth"), Lighting()),
    "motion": (("motion",), Lighting()),
}


def character(vertices: int, joints: int) -> tuple[MeshData, SkinData]:
    """A tube of 2 metres, upright, each of its vertices bound to the four nearest of a chain of joints.

    Every fourth column of quads is a seam with vertices of its own on either side, as the borders of texture islands
    are in exported characters: some 1.6 triangles a vertex.
    """
    islands = max(round(math.sqrt(vertices) / 11), 1)
    rings = max(-(-vertices // (5 * islands)), 2)
    ring, column = (grid.ravel() for grid in np.mgrid[0:rings, 0 : 5 * islands])
    side = column // 5 * 4 + column % 5
    angle, height = 2 * math.pi * side / (4 * islands), 2.0 * ring / (rings - 1)
    out = np.stack([np.cos(angle), np.zeros_like(angle), np.sin(angle)], axis=1)
    width = 0.15 + 0.08 * np.sin(height * 7)
    row, quad = (grid.ravel() for grid in np.mgrid[0 : rings - 1, 0 : 4 * islands])
    corner = row * 5 * islands + quad // 4 * 5 + quad % 4
    above = corner + 5 * islands
    triangles = np.stack([corner, above, corner + 1, corner + 1, above, above + 1], axis=1)
    along = height / 2.0 * (joints - 1)
    near = np.clip(np.round(along[:, None] + np.array([-1.5, -0.5, 0.5, 1.5])), 0, joints - 1).astype(int)
    weights = 1.0 / (0.25 + (near - along[:, None]) ** 2)
    data = MeshData(
        out * width[:, None] + np.stack([np.zeros_like(height), height, np.zeros_like(height)], axis=1),
        triangles.reshape(-1, 3),
        normals=out,
    )
    return data, SkinData(near, weights / weights.sum(axis=1, keepdims=True))


def palettes(instances: int, joints: int, frame: int) -> np.ndarray[Any, Any]:
    """Everybody sways in a time of their own, (N, J, 4, 4) float32."""
    share = np.linspace(0.0, 1.0, joints)
    angle = 0.3 * np.sin(2 * math.pi * (frame / CYCLE + np.arange(instances)[:, None] * 0.37)) * share
    made = np.zeros((instances, joints, 4, 4), np.float32)
    made[..., 0, 0] = made[..., 1, 1] = np.cos(angle)
    made[..., 0, 1], made[..., 1, 0] = -np.sin(angle), np.sin(angle)
    made[..., 2, 2] = made[..., 3, 3] = 1.0
    return made


class Flight:
    """A frame under way: the buffer that its timestamps come back in, which is there when the frame is done."""

    def __init__(self, device: Any, timed: bool) -> None:
        usage = wgpu.BufferUsage
        self._device = device
        self._set = device.create_query_set(type="timestamp", count=2) if timed else None
        self._resolved = device.create_buffer(size=16, usage=usage.QUERY_RESOLVE | usage.COPY_SRC | usage.COPY_DST)
        self._read = device.create_buffer(size=16, usage=usage.MAP_READ | usage.COPY_DST)
        self._mapping: Any = None

    def mark(self, encoder: Any, index: int) -> None:
        """Write the time when all after begins (0), or when all before is done (1)."""
        if self._set is not None:
            side = ("beginning", "end")[index]
            writes = {"query_set": self._set, f"{side}_of_pass_write_index": index}
            encoder.begin_compute_pass(timestamp_writes=writes).end()

    def submit(self, encoder: Any) -> None:
        if self._set is not None:
            encoder.resolve_query_set(self._set, 0, 2, self._resolved, 0)
        encoder.copy_buffer_to_buffer(self._resolved, 0, self._read, 0, 16)
        self._device.queue.submit([encoder.finish()])

    def ask(self) -> None:
        """Ask for the times, once submitted."""
        self._mapping = self._read.map_async("READ")

    def wait(self) -> float:
        """Wait for the frame; return how many milliseconds it took the device."""
        if self._mapping is None:
            return math.nan
        self._mapping.sync_wait()
        before, after = np.frombuffer(self._read.read_mapped(0, 16), np.uint64).tolist()
        self._read.unmap()
        self._mapping = None
        return (after - before) / 1e6


class Crowd:
    """The instances, their palettes and the camera that sees all of them."""

    def __init__(
        self, renderer: Renderer, count: int, vertices: int, joints: int, size: tuple[int, int], singly: bool
    ) -> None:
        self.renderer, self.size, self.singly = renderer, size, singly
        self.data, skin = character(vertices, joints)
        mesh = renderer.upload_skinned_mesh(self.data, skin)
        side = math.ceil(math.sqrt(count))
        self.instances = []
        for number in range(count):
            matrix = np.eye(4)
            matrix[0, 3], matrix[2, 3] = number % side - side / 2, -(number // side)
            self.instances.append(renderer.add(mesh, matrix))
        self.cycle = [palettes(count, joints, frame) for frame in range(CYCLE)]
        tilt, back = -0.5, side * 0.75 + 2.0
        eye = np.eye(4)
        eye[1:3, 1:3] = [[math.cos(tilt), -math.sin(tilt)], [math.sin(tilt), math.cos(tilt)]]
        eye[:3, 3] = 0.0, back * 0.75, back * 0.45
        self.camera = Camera(eye, yfov=math.radians(50), znear=0.1)

    def draw(self, number: int, flight: Flight, layers: tuple[str, ...], lighting: Lighting) -> tuple[float, float]:
        """Draw a frame; return the milliseconds of the processor for its poses and for all else."""
        now, before = self.cycle[number % CYCLE], self.cycle[(number - 1) % CYCLE]
        given: list[InstancePose | CrowdPose] = [CrowdPose(self.instances, now, LAST)]
        if self.singly:
            given = [InstancePose(one, now[i], before[i]) for i, one in enumerate(self.instances)]
        view = View(self.camera, self.camera, self.size, lighting)
        renderer = self.renderer
        started = time.thread_time()
        renderer.set_poses(given)
        posed = time.thread_time()
        encoder = renderer._gpu.device.create_command_encoder()
        flight.mark(encoder, 0)
        encoder, *_ = renderer._drawing.encode(encoder, renderer._instances, view, layers)
        flight.mark(encoder, 1)
        flight.submit(encoder)
        done = time.thread_time()
        flight.ask()
        return (posed - started) * 1e3, (done - posed) * 1e3


def measure(crowd: Crowd, frames: int, layers: tuple[str, ...], lighting: Lighting) -> str:
    """Draw `frames` frames and say how long they took."""
    device = crowd.renderer._gpu.device
    timed = "timestamp-query" in device.features
    flights = [Flight(device, timed) for _ in range(2)]
    poses, draws, device_times = [], [], []
    for number in range(-3, frames):
        if number == 0:
            for flight in flights:
                flight.wait()
            started = time.perf_counter()
        flight = flights[number % 2]
        device_times.append(flight.wait())
        pose, draw = crowd.draw(number, flight, layers, lighting)
        if number >= 0:
            poses.append(pose)
            draws.append(draw)
    device_times += [flight.wait() for flight in flights]
    rate = frames / (time.perf_counter() - started)
    known = [value for value in device_times[-frames:] if not math.isnan(value)]
    left = crowd.renderer._drawing.culling.left()
    told = f"{statistics.median(known):8.2f} ms" if timed else "     untimed"
    return (
        f"device {told}   poses {statistics.median(poses):5.2f} ms   draw {statistics.median(draws):5.2f} ms   "
        f"{rate:6.1f} frames a second" + (f"   {left} triangles left" if left else "")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=1000)
    parser.add_argument("--vertices", type=int, default=15000)
    parser.add_argument("--joints", type=int, default=60)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--singly", action="store_true", help="a pose an instance, with the palette before")
    parser.add_argument("--culling", choices=("auto", "on", "off"), default="auto", help="see posed.live.Renderer")
    parser.add_argument("--adapter")
    chosen = parser.parse_args()
    width, height = (int(side) for side in chosen.size.split("x"))
    renderer = Renderer(chosen.adapter, culling={"auto": None, "on": True, "off": False}[chosen.culling])
    crowd = Crowd(renderer, chosen.instances, chosen.vertices, chosen.joints, (width, height), chosen.singly)
    adapter = renderer.adapter
    print(f"{adapter.name}, {adapter.driver}, {adapter.backend}")
    print(
        f"{chosen.instances} instances of {len(crowd.data.positions)} vertices, {len(crowd.data.triangles)} triangles, "
        f"{chosen.joints} joints; {width} x {height}; medians of {chosen.frames} frames"
    )
    for kind, (layers, lighting) in KINDS.items():
        print(f"{kind:24} {measure(crowd, chosen.frames, layers, lighting)}", flush=True)


if __name__ == "__main__":
    main()
