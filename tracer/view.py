"""Camera rays in float64: what a camera sees through a point of its picture."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from anim import scalar
from tracer.camera import Camera
from tracer.compiling import inlined

ORIGIN: Final = 0
RIGHT: Final = 3
UP: Final = 6
FORWARD: Final = 9
HALF_WIDTH: Final = 12
HALF_HEIGHT: Final = 13
ORTHOGRAPHIC: Final = 14
NEAR: Final = 15
FAR: Final = 16
VIEW_COLUMNS: Final = 17


def view_of(camera: Camera, size: tuple[int, int]) -> NDArray[np.float64]:
    """Give a camera as kernels read it, (17,) float64, for a picture of `size` = (width, height) pixels.

    Half width and height are metres at distance 1 for a perspective camera, metres for an orthographic one.
    """
    view = np.zeros(VIEW_COLUMNS)
    view[ORIGIN : ORIGIN + 3] = camera.matrix[:3, 3]
    for place, axis, sign in ((RIGHT, 0, 1.0), (UP, 1, 1.0), (FORWARD, 2, -1.0)):
        x, y, z = camera.matrix[:3, axis] * sign
        view[place : place + 3] = np.array([x, y, z]) / np.sqrt(x * x + y * y + z * z)
    if camera.yfov is not None:
        half_height = scalar.sin(camera.yfov / 2.0) / scalar.cos(camera.yfov / 2.0)
    else:
        half_height = float(camera.ymag or 0.0)
    view[HALF_WIDTH], view[HALF_HEIGHT] = half_height * (size[0] / size[1]), half_height
    view[ORTHOGRAPHIC] = float(camera.ymag is not None)
    view[NEAR], view[FAR] = camera.znear, camera.zfar
    view.setflags(write=False)
    return view


@inlined
def write_camera_ray(
    view: NDArray[np.float64], x: float, y: float, width: int, height: int, ray: NDArray[np.float64]
) -> None:
    """Write the ray through a point of the picture, in pixels from its top left corner.

    The direction's part along the camera's forward axis is 1, so that distances along the ray are depths.

    Parameters
    ----------
    view
        From `view_of`.
    x, y
        In [0, width] and [0, height].
    width, height
        Pixels.
    ray
        (6,) float64: origin, direction; written.
    """
    right = (2.0 * x / width - 1.0) * view[HALF_WIDTH]
    up = (1.0 - 2.0 * y / height) * view[HALF_HEIGHT]
    for axis in range(3):
        lateral = right * view[RIGHT + axis] + up * view[UP + axis]
        if view[ORTHOGRAPHIC] != 0.0:
            ray[axis] = view[ORIGIN + axis] + lateral
            ray[3 + axis] = view[FORWARD + axis]
        else:
            ray[axis] = view[ORIGIN + axis]
            ray[3 + axis] = view[FORWARD + axis] + lateral


@inlined
def project(
    view: NDArray[np.float64], x: float, y: float, z: float, width: int, height: int
) -> tuple[float, float, bool]:
    """Return where a camera sees a point, in pixels from the picture's top left corner, and whether it lies before the
    camera.

    Parameters
    ----------
    view
        From `view_of`.
    x, y, z
        Relative to the scene's origin.
    width, height
        Pixels.
    """
    x, y, z = x - view[ORIGIN], y - view[ORIGIN + 1], z - view[ORIGIN + 2]
    right = x * view[RIGHT] + y * view[RIGHT + 1] + z * view[RIGHT + 2]
    up = x * view[UP] + y * view[UP + 1] + z * view[UP + 2]
    depth = 1.0
    if view[ORTHOGRAPHIC] == 0.0:
        depth = x * view[FORWARD] + y * view[FORWARD + 1] + z * view[FORWARD + 2]
        if not depth > 0.0:
            return 0.0, 0.0, False
    across = (right / depth / view[HALF_WIDTH] + 1.0) * 0.5 * width
    down = (1.0 - up / depth / view[HALF_HEIGHT]) * 0.5 * height
    return across, down, True
