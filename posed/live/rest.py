"""The rest pose, for what a snapshot leaves out; worked out once a model."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from posed.gltf.model import Model
from posed.model_pose import ModelPose, rest_pose

_at_rest: WeakKeyDictionary[Model, ModelPose] = WeakKeyDictionary()


def at_rest(model: Model) -> ModelPose:
    """Return what the file's own node transforms and morph weights do to `model`."""
    if model not in _at_rest:
        _at_rest[model] = rest_pose(model)
    return _at_rest[model]
