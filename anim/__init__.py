"""Deterministic animation: skeletons, clips, poses and the animators that play them by integer tick.

Names are loaded when they are first asked for: descriptions need NumPy only, and numba comes with the first kernel.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anim.animator import Animator as Animator
    from anim.blend_tree import MAX_CHILDREN as MAX_CHILDREN
    from anim.blend_tree import BlendTree as BlendTree
    from anim.clip import Channel as Channel
    from anim.clip import Clip as Clip
    from anim.clip import ClipEvent as ClipEvent
    from anim.clip import Interpolation as Interpolation
    from anim.clip import Path as Path
    from anim.errors import AnimError as AnimError
    from anim.files import CLIP_MAGIC as CLIP_MAGIC
    from anim.files import CLIP_VERSION as CLIP_VERSION
    from anim.files import SKELETON_MAGIC as SKELETON_MAGIC
    from anim.files import SKELETON_VERSION as SKELETON_VERSION
    from anim.files import read_clip as read_clip
    from anim.files import read_skeleton as read_skeleton
    from anim.files import write_clip as write_clip
    from anim.files import write_skeleton as write_skeleton
    from anim.hierarchy import joint_palette as joint_palette
    from anim.ik import aim as aim
    from anim.ik import reach as reach
    from anim.marks import MAX_REPEATS as MAX_REPEATS
    from anim.marks import PlayedEvent as PlayedEvent
    from anim.mask import bone_mask as bone_mask
    from anim.moment import mixed as mixed
    from anim.moment import sample as sample
    from anim.placing import Vertices as Vertices
    from anim.placing import place as place
    from anim.pool import AnimatorPool as AnimatorPool
    from anim.pose import Pose as Pose
    from anim.rig import Rig as Rig
    from anim.root_motion import RootMotion as RootMotion
    from anim.rows import MAX_LAYERS as MAX_LAYERS
    from anim.rows import MAX_MIXES as MAX_MIXES
    from anim.rows import Playback as Playback
    from anim.sampling import sample_clip as sample_clip
    from anim.sampling import sample_component as sample_component
    from anim.sampling import sample_rotation as sample_rotation
    from anim.sampling import wrap_time as wrap_time
    from anim.skeleton import Skeleton as Skeleton
    from anim.skinning import MorphTarget as MorphTarget
    from anim.skinning import Skinned as Skinned
    from anim.skinning import Skinning as Skinning
    from anim.skinning import skin as skin
    from anim.sprite import Atlas as Atlas
    from anim.sprite import FrameEvent as FrameEvent
    from anim.sprite import SpriteClip as SpriteClip
    from anim.sprite import SpriteSheet as SpriteSheet
    from anim.sprite_player import PlayedSprite as PlayedSprite
    from anim.sprite_player import SpritePlayer as SpritePlayer
    from anim.sprite_player import SpritePool as SpritePool
    from anim.stack import PlayedLayer as PlayedLayer
    from anim.stack import PlayedMix as PlayedMix
    from anim.state_animator import AnimationState as AnimationState
    from anim.state_animator import StateAnimator as StateAnimator
    from anim.system import AnimationSystem as AnimationSystem
    from anim.system import AnimatorRef as AnimatorRef
    from anim.system import JointPalette as JointPalette
    from anim.transform import Transform as Transform

_MODULES = {
    "animator": ("Animator",),
    "blend_tree": ("MAX_CHILDREN", "BlendTree"),
    "clip": ("Channel", "Clip", "ClipEvent", "Interpolation", "Path"),
    "errors": ("AnimError",),
    "files": (
        "CLIP_MAGIC",
        "CLIP_VERSION",
        "SKELETON_MAGIC",
        "SKELETON_VERSION",
        "read_clip",
        "read_skeleton",
        "write_clip",
        "write_skeleton",
    ),
    "hierarchy": ("joint_palette",),
    "ik": ("aim", "reach"),
    "marks": ("MAX_REPEATS", "PlayedEvent"),
    "mask": ("bone_mask",),
    "placing": ("Vertices", "place"),
    "pool": ("AnimatorPool",),
    "pose": ("Pose",),
    "rig": ("Rig",),
    "root_motion": ("RootMotion",),
    "rows": ("MAX_LAYERS", "MAX_MIXES", "Playback"),
    "moment": ("mixed", "sample"),
    "sampling": ("sample_clip", "sample_component", "sample_rotation", "wrap_time"),
    "skeleton": ("Skeleton",),
    "skinning": ("MorphTarget", "Skinned", "Skinning", "skin"),
    "sprite": ("Atlas", "FrameEvent", "SpriteClip", "SpriteSheet"),
    "sprite_player": ("PlayedSprite", "SpritePlayer", "SpritePool"),
    "stack": ("PlayedLayer", "PlayedMix"),
    "state_animator": ("AnimationState", "StateAnimator"),
    "system": ("AnimationSystem", "AnimatorRef", "JointPalette"),
    "transform": ("Transform",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - one table, not two, says where each name lives


def __getattr__(name: str) -> object:
    """Load the module that defines a public name."""
    if name not in _HOMES:
        raise AttributeError(f"module 'anim' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"anim.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
