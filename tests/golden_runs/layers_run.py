"""The geometry layers of the walker at tick 42, as each backend of the tracer finds them."""

import posed
import tracer
from posed.stage import stage, stage_camera
from tests.golden_runs.way import Record, Way
from tests.golden_runs.world_run import walker

SIZE = (160, 90)
LAYERS = ("depth", "object", "part", "triangle", "material", "position", "normal", "geometric_normal", "barycentric")


def layers_run(way: Way, backend: str | None = None) -> str:
    """Return the hash of the layers.

    Raises
    ------
    tracer.BackendError
        This machine has no such backend.
    """
    world = posed.World(walker())
    for stop in sorted(way.stops(42)):
        world.advance(stop)
    world = way.carried(world, 42)
    snapshot = world.posed()
    staged = stage(world.scene, snapshot)
    camera = stage_camera(snapshot.camera, staged.origin)
    frame = tracer.trace(staged, camera, size=SIZE, integrator="aov", layers=LAYERS, backend=backend)
    record = Record()
    for layer in LAYERS:
        record.array(frame[layer])
    return record.hex()
