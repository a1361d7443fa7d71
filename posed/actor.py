"""An actor: one object of a world with its animator or sprite player."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

import anim
from posed.arrays import Float64
from posed.errors import PoseError
from posed.gltf.model import Model
from posed.matrices import multiply
from posed.model_pose import ModelPose, model_pose, rest_pose
from posed.scene.description import Object
from posed.sources import animator_source, sprite_source


class Actor:
    """What of one object moves by tick: its rig under an animator, or its atlas under a sprite player.

    `animator` is None for an object whose model has no clips, `sprite` for one that is no sprite. `way` is how far its
    root has walked, where its root motion moves the object: summed at whole ticks, in the space of the root's parent.
    """

    def __init__(self, one: Object, rate: Fraction) -> None:
        self.one = one
        self.way = anim.RootMotion()
        self._advanced = -1
        self.animator: anim.Animator | None = None
        self.sprite: anim.SpritePlayer | None = None
        animation = one.animation
        if animation is not None and animation.sprite is not None:
            self.sprite = anim.SpritePlayer(animation.sprite, rate=rate)
        elif one.model.clips:
            rig = animation.rig if animation is not None and animation.rig is not None else one.model.node_rig()
            self.animator = anim.Animator(rig, rate=rate)

    def begin(self) -> None:
        """Play what the scene file says, from tick 0."""
        animation = self.one.animation
        if animation is None:
            return
        if animation.root_motion and self.animator is not None:
            self.animator.enable_root_motion(root_bone(self.one.model), 0)
        options: dict[str, Any] = {
            "speed": animation.speed,
            "start": animation.start,
            "playback": animation.playback,
        }
        if self.sprite is not None:
            if animation.clip is not None:
                self.sprite.play(animation.clip, 0, **options)
        elif self.animator is not None and animation.blend:
            self.animator.play_blend(list(animation.blend), 0, **options)
        elif self.animator is not None and animation.clip is not None:
            self.animator.play(animation.clip, 0, **options)

    def advance(self, tick: int) -> list[tuple[int, str, str]]:
        """Move to `tick`; return the events passed as (tick, clip, name)."""
        player = self.animator or self.sprite
        if player is None:
            return []
        events = []
        for step in self._steps(tick):
            events += player.advance(step)
            if self.animator is not None and self.animator.has_root_motion:
                self.way = self.way.then(self.animator.take_root_motion())
        self._advanced = tick
        return [(event.tick, event.clip, event.event) for event in events]

    def _steps(self, tick: int) -> Iterable[int]:
        """Return the ticks to stop at on the way: every one where a way is summed, so that any split gives its bits."""
        if self.animator is None or not self.animator.has_root_motion:
            return (tick,)
        return range(self._advanced + 1, tick + 1) or (tick,)

    def walked(self, matrix: Float64) -> Float64:
        """Return the object's matrix after the way its root has gone."""
        if self.way == anim.RootMotion():
            return matrix
        model = self.one.model
        parent = model.nodes[model.bones[root_bone(model)]].parent
        axes = np.eye(4) if parent < 0 else rest_pose(model).globals[model.node_rig().skeleton.bone_of_node(parent)]
        step = np.eye(4)
        step[:3, 3] = axes[:3, 0] * self.way.x + axes[:3, 2] * self.way.z
        return multiply(matrix, step)

    def clip_index(self, clip: str | int) -> int:
        """Return the index of a clip given by name or index.

        Raises
        ------
        PoseError
            Nothing can play here.
        AnimError
            There is no such clip, or several have the name.
        """
        if self.sprite is not None:
            return self.sprite.sheet.clip_index(clip)
        if self.animator is None:
            raise PoseError(f'object "{self.one.name}" has no clips to play')
        return self.animator.rig.clip_index(clip)

    def frozen(self) -> Actor:
        """Return a copy whose state stays as it is now."""
        twin = copy.copy(self)
        twin.animator, twin.sprite = copy.copy(self.animator), copy.copy(self.sprite)
        return twin

    def pose(self, tick: int, alpha: float) -> ModelPose:
        """Return the model's pose at `tick` + `alpha`."""
        if self.animator is None:
            return rest_pose(self.one.model)
        return model_pose(self.one.model, self.animator.pose(tick + Fraction(alpha) if alpha else tick))

    def source(self, tick: int, alpha: float) -> dict[str, Any]:
        """Return what poses the object at `tick` + `alpha` as JSON values: an animator's mixes or a sprite's frame."""
        if self.sprite is not None:
            return sprite_source(self.sprite.playing(tick), self.sprite.frame(tick))
        if self.animator is None:
            return {}
        mixes = self.animator.playing(tick + Fraction(alpha) if alpha else tick)
        return animator_source(mixes, root_motion=self.animator.has_root_motion)

    def frame(self, tick: int) -> int | None:
        """Return the frame that a sprite shows at `tick`, None for what is no sprite."""
        return None if self.sprite is None else self.sprite.frame(tick)


def root_bone(model: Model) -> int:
    """Return the bone whose way over the ground is a model's root motion.

    It is the first joint, parents first, of the first skin that is shown; without a skin the first bone of all.
    """
    skeleton = model.node_rig().skeleton
    for node in model.mesh_nodes:
        skin = model.nodes[node].skin
        if skin is not None:
            return min(skeleton.bone_of_node(joint) for joint in model.skins[skin].joints)
    return 0
