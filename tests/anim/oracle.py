"""Posing written plainly in float64 with NumPy's own functions: what the kernels are measured against."""

import numpy as np

from anim import Channel, Clip, Interpolation, Path, Skeleton


def value(channel: Channel, time: float) -> np.ndarray:
    """Return a channel's value at a time."""
    times, values = channel.times, channel.values
    cubic = channel.interpolation is Interpolation.CUBICSPLINE
    keys = values.reshape(len(times), 3, -1)[:, 1] if cubic else values
    if time <= times[0]:
        return keys[0]
    if time >= times[-1]:
        return keys[-1]
    i = int(np.searchsorted(times, time, side="right")) - 1
    step = times[i + 1] - times[i]
    u = (time - times[i]) / step
    if channel.interpolation is Interpolation.STEP:
        return keys[i]
    if cubic:
        rows = values.reshape(len(times), 3, -1)
        basis = np.array([2 * u**3 - 3 * u**2 + 1, u**3 - 2 * u**2 + u, 3 * u**2 - 2 * u**3, u**3 - u**2])
        out = basis @ np.stack([keys[i], step * rows[i, 2], keys[i + 1], step * rows[i + 1, 0]])
        return out / np.linalg.norm(out) if channel.path is Path.ROTATION else out
    if channel.path is not Path.ROTATION:
        return (1 - u) * keys[i] + u * keys[i + 1]
    a, b = keys[i], keys[i + 1]
    cosine = a @ b
    b, cosine = (-b, -cosine) if cosine < 0 else (b, cosine)
    angle = np.arccos(min(cosine, 1.0))
    if angle < 1e-9:
        return a
    return (np.sin((1 - u) * angle) * a + np.sin(u * angle) * b) / np.sin(angle)


def local_matrix(translation: np.ndarray, rotation: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Return translation @ rotation @ scale as 4x4."""
    x, y, z, w = rotation
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    out = np.eye(4)
    out[:3, :3] = (np.eye(3) + 2 * w * cross + 2 * cross @ cross) @ np.diag(scale)
    out[:3, 3] = translation
    return out


def palette(skeleton: Skeleton, clip: Clip, time: float) -> np.ndarray:
    """Return the joints' matrices of a clip at a time."""
    moved = {(skeleton.bone_of_node(c.node), c.path): value(c, time) for c in clip.channels}
    world: list[np.ndarray] = []
    for bone, rest in enumerate(skeleton.rest):
        keys = [(bone, path) for path in (Path.TRANSLATION, Path.ROTATION, Path.SCALE)]
        if bone in skeleton.matrices and not any(key in moved for key in keys):
            local = skeleton.matrices[bone]
        else:
            parts = (rest.translation, rest.rotation, rest.scale)
            local = local_matrix(*[np.asarray(moved.get(k, p), float) for k, p in zip(keys, parts, strict=True)])
        parent = int(skeleton.parents[bone])
        world.append(local if parent < 0 else world[parent] @ local)
    return np.array([world[bone] @ bind for bone, bind in zip(skeleton.joints, skeleton.inverse_bind, strict=True)])
