"""Faults of the picture: the live side draws the right thing and hands back, or states, something else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from posed.arrays import AnyArray, Float64
from posed.frame import Frame
from posed.verify.sides import Compared
from tests.planted.fault import planted
from tests.planted.stage import Stage


@planted("walker", layer="silhouette", object="moon")
def a_field_of_view_wrong_by_half_a_percent(stage: Stage) -> Compared:
    """The camera opens a little wider, and the frame does not say which camera it was."""
    assert stage.camera.yfov is not None
    wide = replace(stage.camera, yfov=stage.camera.yfov * 1.005)
    return replace(stage.draw(camera=wide), camera=None)


@planted("column", layer="object", object="bending")
def two_object_ids_swapped(stage: Stage) -> Compared:
    """Two columns have each other's number."""
    frame = stage.draw()
    names = [one.name for one in stage.scene.objects]
    one, other = names.index("bending") + 1, names.index("turning") + 1
    ids = frame["object"].copy()
    ids[frame["object"] == one], ids[frame["object"] == other] = other, one
    return _with(frame, object=ids)


@planted("walker", layer="triangle", object="ground")
def triangles_counted_from_nought(stage: Stage) -> Compared:
    """The first triangle of a part has the number 0."""
    frame = stage.draw()
    return _with(frame, triangle=np.where(frame["object"] != 0, frame["triangle"] - 1, 0).astype(np.uint32))


@planted("column", layer="depth", object="ground")
def depth_as_distance_along_the_ray(stage: Stage) -> Compared:
    """The depth is the distance from the eye, not along the camera's axis."""
    frame = stage.draw()
    return _with(frame, depth=(frame["depth"] * _lengths(stage)).astype(np.float32))


@planted("props", layer="normal", object="egg")
def a_normal_matrix_wrong(stage: Stage) -> Compared:
    """The normals of the stretched egg went through its matrix in place of its cofactors."""
    frame = stage.draw()
    here = frame["object"] == [one.name for one in stage.scene.objects].index("egg") + 1
    matrix = stage.pose.models["egg"][:3, :3]
    squared = (matrix[:, None, :] * matrix[None, :, :]).sum(axis=2)
    turned = (squared * frame["normal"][here][:, None, :]).sum(axis=2)
    normal = frame["normal"].copy()
    normal[here] = turned / np.sqrt((turned * turned).sum(axis=1))[:, None]
    return _with(frame, normal=normal)


@planted("walker", layer="motion", object="walker")
def motion_vectors_zeroed(stage: Stage) -> Compared:
    """Nothing has moved, it says."""
    frame = stage.draw()
    return _with(frame, motion=np.zeros_like(frame["motion"]))


@planted("walker", layer="motion", object="walker")
def motion_upside_down(stage: Stage) -> Compared:
    """Motion counts upwards."""
    frame = stage.draw()
    return _with(frame, motion=frame["motion"] * np.array([1, -1], np.float32))


@planted("column", layer="color", object="ground")
def a_missing_shadow(stage: Stage) -> Compared:
    """One column casts no shadow on the ground."""
    frame = stage.draw()
    without = stage.draw(replace(stage.pose, visible={**stage.pose.visible, "bending": False}))
    ground = frame["object"] == [one.name for one in stage.scene.objects].index("ground") + 1
    return _with(frame, color=np.where(ground[..., None], without["color"], frame["color"]))


@planted("flag", layer="color", object="ground")
def colors_encoded_twice(stage: Stage) -> Compared:
    """What is linear color was taken for light and encoded as sRGB once more."""
    frame = stage.draw()
    color = frame["color"].copy()
    color[..., :3] = color[..., :3] ** np.float32(1.0 / 2.2)
    return _with(frame, color=color)


def _with(frame: Frame, **layers: AnyArray) -> Frame:
    return replace(frame, layers={**frame.layers, **layers})


def _lengths(stage: Stage) -> Float64:
    """Return the length of the ray through each pixel's centre up to depth 1, (H, W)."""
    assert stage.camera.yfov is not None
    width, height = stage.size
    half = np.tan(stage.camera.yfov / 2.0)
    up = (1.0 - (np.arange(height) + 0.5) / height * 2.0) * half
    right = ((np.arange(width) + 0.5) / width * 2.0 - 1.0) * half * width / height
    lengths: Float64 = np.sqrt(1.0 + right[None, :] ** 2 + up[:, None] ** 2)
    return lengths
