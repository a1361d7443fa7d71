"""The camera's matrices as the live renderer uses them: depth reversed, so that float32 resolves it evenly."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from posed.arrays import Float64
from posed.camera import Camera

NEAREST = 2.0**-20
"""Share of the greatest depth at which a near plane of 0 is put: reversed depth divides by it."""


def view_matrix(camera: Camera, origin: Float64) -> Float64:
    """Return world relative to `origin` -> camera, (4, 4) float64; the camera's matrix is rigid."""
    view = np.eye(4)
    rotation = camera.matrix[:3, :3].T
    view[:3, :3] = rotation
    shift = camera.matrix[:3, 3] - origin
    view[:3, 3] = -(rotation[:, 0] * shift[0] + rotation[:, 1] * shift[1] + rotation[:, 2] * shift[2])
    return view


@dataclass(frozen=True, eq=False)
class Rays:
    """A camera's rays, relative to an origin.

    Of a perspective camera `eye` (4,) float64 is where it stands, then 1, and `ray` (3,) the way through the corner of
    pixel (0, 0), one metre deep. Of an orthographic one `eye` is the unit direction toward the viewer, then 0, and
    `ray` that corner at depth 0. `across` and `down` (3,) are what is added to `ray` for each pixel.
    """

    eye: Float64
    ray: Float64
    across: Float64
    down: Float64


def rays_of(camera: Camera, size: tuple[int, int], origin: Float64) -> Rays:
    """Return the rays through a picture of `size`, (W, H) pixels."""
    width, height = size
    right, up, backward, place = camera.matrix[:3, 0], camera.matrix[:3, 1], camera.matrix[:3, 2], camera.matrix[:3, 3]
    if camera.yfov is not None:
        half, start, eye = math.tan(camera.yfov / 2.0), -backward, np.append(place - origin, 1.0)
    else:
        assert camera.ymag is not None
        half, start, eye = camera.ymag, place - origin, np.append(backward, 0.0)
    pixel = 2.0 * half / height
    corner = start - half * (width / height) * right + half * up
    return Rays(eye, corner, pixel * right, -pixel * up)


def projection_matrix(camera: Camera, aspect: float, farthest: float) -> Float64:
    """Return camera -> clip space, (4, 4) float64: z / w is 1 at `znear` and 0 at `zfar`.

    Parameters
    ----------
    camera
        Perspective or orthographic.
    aspect
        Width over height of the picture.
    farthest
        Depth in metres that nothing visible passes: the far plane of an orthographic camera that has none, and what a
        near plane at a perspective camera's eye is `NEAREST` times of.
    """
    near, far = camera.znear, camera.zfar
    projection = np.zeros((4, 4))
    if camera.yfov is not None:
        near = near or NEAREST * (farthest if farthest > 0.0 else 1.0)
        scale = 1.0 / math.tan(camera.yfov / 2.0)
        projection[0, 0], projection[1, 1], projection[3, 2] = scale / aspect, scale, -1.0
        if math.isinf(far):
            projection[2, 3] = near
        else:
            projection[2, 2], projection[2, 3] = near / (far - near), far / (far - near) * near
        return projection
    assert camera.ymag is not None
    if math.isinf(far):
        far = near + 2.0 * max(farthest - near, 1.0)
    projection[0, 0], projection[1, 1], projection[3, 3] = 1.0 / (camera.ymag * aspect), 1.0 / camera.ymag, 1.0
    projection[2, 2], projection[2, 3] = 1.0 / (far - near), far / (far - near)
    return projection


def clip_rows(camera: Camera, size: tuple[int, int], origin: Float64, farthest: float) -> tuple[Float64, Float64]:
    """Return world relative to `origin` -> clip space, (4, 4), and the sums of the absolute values that it consists of.

    `size` is (W, H) in pixels, `farthest` as for `projection_matrix`.
    """
    view, projection = view_matrix(camera, origin), projection_matrix(camera, size[0] / size[1], farthest)
    products = projection[:, :, None] * view[None]
    clip: Float64 = products.sum(axis=1)
    reach: Float64 = np.abs(products).sum(axis=1)
    return clip, reach
