"""The viewer: a window that plays a scene by tick, turns around it, and says what a pixel shows."""

from posed.viewer.orbit import Orbit
from posed.viewer.session import Session

__all__ = ["Orbit", "Session"]
