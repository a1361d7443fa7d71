"""Depths that are something else: a depth buffer's values, a share of the far plane, a distance along the ray."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.camera import Camera
from posed.verify.recognizing.undoing import Case, Undone, likeliest, recognition
from posed.verify.results import Recognition

JUDGED = ("silhouette", "depth")

BUFFER = "turn a depth buffer's value back to metres along the camera's axis before it is left"


def measured(case: Case) -> Recognition | None:
    """Return the recognition of a depth that is not metres along the camera's axis; None where it is none of these."""
    camera = case.reference.camera
    if camera is None or not case.fails(*JUDGED) or "depth" not in case.live:
        return None
    return likeliest([recognition(case, one) for one in _undone(case, camera)])


def _undone(case: Case, camera: Camera) -> Iterator[Undone]:
    depth = case.live["depth"].astype(np.float64)
    if camera.yfov is not None:
        rays = _ray_lengths(case.live.size, camera.yfov)
        cure = "divide by the length of the ray whose forward part is 1"
        claim = "the live frame's depth is the distance along each pixel's ray"
        yield _one(case, "ray distance", claim, "measured along the camera's axis", cure, depth / rays)
    claim = "the live frame's depth is negative, the z of view space"
    yield _one(case, "negative depth", claim, "negated", "a camera looks along its -Z: leave -z", -depth)
    for code, words, share in (
        ("depth of 0 to 1", "a depth buffer's, 0 at the near plane and 1 at the far one", depth),
        ("depth of -1 to 1", "OpenGL's, -1 at the near plane and 1 at the far one", (depth + 1.0) / 2.0),
        ("reversed depth", "a reversed depth buffer's, 1 at the near plane and 0 at the far one", 1.0 - depth),
    ):
        claim = f"the live frame's depth is {words}"
        yield _one(case, code, claim, "turned back to metres", BUFFER, _unprojected(share, camera))
    if not math.isinf(camera.zfar):
        for code, words, metres in (
            ("depth as a share of far", "of the far plane's distance", depth * camera.zfar),
            (
                "depth as a share of the range",
                "of the way from the near plane to the far one",
                camera.znear + depth * (camera.zfar - camera.znear),
            ),
        ):
            claim = f"the live frame's depth is a share {words}"
            seen = np.where(depth >= 1.0, np.inf, metres)
            yield _one(case, code, claim, "in metres", "multiply it out", seen)


def _one(case: Case, code: str, claim: str, undoing: str, cure: str, depth: Float64) -> Undone:
    layers: dict[str, AnyArray] = {"depth": depth.astype(np.float32)}
    return Undone(code, claim, undoing, cure, layers, JUDGED)


def _unprojected(share: Float64, camera: Camera) -> Float64:
    """Return metres from a depth buffer's value, 0 at the near plane and 1 at the far one; infinite beyond."""
    near, far = camera.znear, camera.zfar
    beyond = ~((share >= 0.0) & (share < 1.0))
    inside = np.where(beyond, 0.5, share)
    if camera.yfov is None:
        metres = near + inside * (far - near)
    elif math.isinf(far):
        metres = near / (1.0 - inside)
    else:
        metres = near * far / (far - inside * (far - near))
    return np.where(beyond, np.inf, metres)


def _ray_lengths(size: tuple[int, int], yfov: float) -> Float64:
    """Return for each pixel the length of its ray whose forward part is 1, (H, W)."""
    width, height = size
    step = 2.0 * math.tan(yfov / 2.0) / height
    right = (np.arange(width) + 0.5 - width / 2.0) * step
    down = (np.arange(height) + 0.5 - height / 2.0) * step
    lengths: Float64 = np.sqrt(1.0 + right[None, :] ** 2 + down[:, None] ** 2)
    return lengths
