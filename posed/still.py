"""A scene with nothing playing but its movers: what a snapshot that leaves things out means."""

from __future__ import annotations

from fractions import Fraction

import anim
from posed.arrangement import arranged
from posed.arrays import Float64
from posed.model_pose import rest_pose
from posed.scene.description import Motion, Object, Scene
from posed.snapshot import Posed


def still_posed(scene: Scene, tick: int, alpha: float = 0.0) -> Posed:
    """Return the snapshot of `scene` at `tick` + `alpha` with all models at rest and all sprites at their still frame.

    Only movers move. It has no `previous`.
    """
    poses = {one.name: rest_pose(one.model) for one in scene.objects}
    matrices = {one.name: mover_matrix(one, scene.rate, tick, alpha) for one in scene.objects}
    models, camera = arranged(scene, matrices, poses)
    return Posed(
        tick=tick,
        alpha=alpha,
        rate=scene.rate,
        scene=scene.digest,
        models=models,
        nodes={name: pose.nodes for name, pose in poses.items() if pose.nodes},
        palettes={name: pose.palettes for name, pose in poses.items() if pose.palettes},
        morphs={name: pose.morphs for name, pose in poses.items() if pose.morphs},
        properties={name: pose.properties for name, pose in poses.items() if pose.properties},
        sprites={
            one.name: one.animation.still_frame()
            for one in scene.objects
            if one.animation is not None and one.animation.sprite is not None
        },
        visible={one.name: one.visible for one in scene.objects},
        camera=camera,
    )


def mover_matrix(one: Object, rate: Fraction, tick: int, alpha: float = 0.0) -> Float64:
    """Return where the mover of `one` has it at `tick` + `alpha`, or where it stands without one, (4, 4) float64."""
    if one.motion is None:
        return one.matrix
    matrix: Float64 = _mover(one.motion, rate).pose(tick + alpha).globals()[0]
    return matrix


def _mover(motion: Motion, rate: Fraction) -> anim.Animator:
    animator = anim.Animator(motion.rig, rate=rate)
    animator.play(motion.clip, 0, playback=motion.playback)
    return animator
