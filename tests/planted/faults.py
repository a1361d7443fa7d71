"""Every planted fault, gathered from the modules that define them."""

from tests.planted import frames, poses, scenes
from tests.planted.fault import FAULTS

__all__ = ["FAULTS", "frames", "poses", "scenes"]
