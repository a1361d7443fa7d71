"""Faults of what is uploaded: the live side draws another scene than the one that was traced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from posed.fixtures.png import write_png
from posed.gltf.image import Image
from posed.gltf.material import Material, Texture
from posed.gltf.mesh import Primitive
from posed.scene.description import Object, Scene
from posed.verify.sides import Compared
from tests.planted.fault import planted
from tests.planted.stage import Stage


@planted("walker", layer="object", object="walker", joint="thigh_R")
def one_joint_s_weights_swapped(stage: Stage) -> Compared:
    """Where a thigh has the largest weight, it and the smallest one have changed places."""
    model = stage.scene.object("walker").model
    row = [model.nodes[one].name for one in model.skins[0].joints].index("thigh_R")

    def swap(one: Primitive) -> Primitive:
        if one.joints is None or one.weights is None:
            return one
        weights = one.weights.copy()
        here = np.arange(len(weights))
        most = weights.argmax(axis=1)
        of_thigh = one.joints[here, most] == row
        least = np.where(weights > 0.0, weights, np.inf).argmin(axis=1)
        weights[here[of_thigh], most[of_thigh]] = one.weights[here[of_thigh], least[of_thigh]]
        weights[here[of_thigh], least[of_thigh]] = one.weights[here[of_thigh], most[of_thigh]]
        return replace(one, weights=weights)

    return stage.draw(scene=_remade(stage.scene, "walker", swap))


@planted("walker", layer="silhouette", object="walker")
def only_the_first_influence(stage: Stage) -> Compared:
    """Each vertex follows the first joint that it lists, as if that had all the weight."""

    def first(one: Primitive) -> Primitive:
        if one.weights is None:
            return one
        weights = np.zeros_like(one.weights)
        weights[:, 0] = 1.0
        return replace(one, weights=weights)

    return stage.draw(scene=_remade(stage.scene, "walker", first))


@planted("column", layer="object", object="mirrored")
def a_mirrored_winding(stage: Stage) -> Compared:
    """The mirrored column's triangles wind the other way: what is seen of it is its inside."""
    return stage.draw(
        scene=_remade(stage.scene, "mirrored", lambda one: replace(one, triangles=one.triangles[:, ::-1]))
    )


@planted("walker", layer="normal", object="walker")
def smooth_normals_left_out(stage: Stage) -> Compared:
    """The walker has no normals, so that each triangle is flat."""
    return stage.draw(scene=_remade(stage.scene, "walker", lambda one: replace(one, normals=None)))


@planted("flag", layer="normal", object="swaying")
def morphs_without_their_normals(stage: Stage) -> Compared:
    """The targets move the flag's vertices but not their normals."""

    def still(one: Primitive) -> Primitive:
        return replace(one, targets=tuple(replace(target, normals=None) for target in one.targets))

    return stage.draw(scene=_remade(stage.scene, "swaying", still))


@planted("column", layer="silhouette", object="lift")
def a_part_drawn_twice(stage: Stage) -> Compared:
    """The box is drawn once more, half a metre above itself."""
    one = stage.scene.object("lift")
    (node,) = one.model.nodes
    twice = np.tile(np.eye(4), (2, 1, 1))
    twice[1, 1, 3] = 0.5
    model = replace(one.model, nodes=(replace(node, instances=twice),))
    return stage.draw(scene=_with(stage.scene, replace(one, model=model)))


@planted("walker", layer="color", object="ground")
def a_texture_off_by_a_row(stage: Stage) -> Compared:
    """The ground's picture begins with its second row."""
    ground = stage.scene.object("ground").material
    assert ground is not None
    assert ground.color_texture is not None
    texels = np.roll(ground.color_texture.image.texels, -1, axis=0)
    image = Image("rolled", write_png(np.ascontiguousarray(texels)), "rolled.png")
    return stage.draw(scene=_painted(stage.scene, "ground", replace(ground, color_texture=_showing(ground, image))))


@planted("walker", layer="color", object="ground")
def a_light_s_color_wrong(stage: Stage) -> Compared:
    """The sun's green and blue have changed places."""
    (sun,) = stage.scene.lights
    red, green, blue = sun.color
    return stage.draw(scene=replace(stage.scene, lights=(replace(sun, color=(red, blue, green)),)))


@planted("column", layer="color", object="lift")
def a_rough_box_polished(stage: Stage) -> Compared:
    """The box has a quarter of its roughness."""
    box = stage.scene.object("lift").material
    assert box is not None
    return stage.draw(scene=_painted(stage.scene, "lift", replace(box, roughness=box.roughness / 4.0)))


@planted("props", layer="silhouette", object="leaf")
def an_alpha_cutoff_wrong(stage: Stage) -> Compared:
    """The leaf is cut out at 0.4, not at 0.5."""
    leaf = stage.scene.object("leaf").material
    assert leaf is not None
    return stage.draw(scene=_painted(stage.scene, "leaf", replace(leaf, alpha_cutoff=0.4)))


def _remade(scene: Scene, name: str, change: Callable[[Primitive], Primitive]) -> Scene:
    """Return the scene with every primitive of an object changed."""
    one = scene.object(name)
    meshes = tuple(
        replace(mesh, primitives=tuple(change(primitive) for primitive in mesh.primitives)) for mesh in one.model.meshes
    )
    return _with(scene, replace(one, model=replace(one.model, meshes=meshes)))


def _painted(scene: Scene, name: str, material: Material) -> Scene:
    return _with(scene, replace(scene.object(name), material=material))


def _showing(material: Material, image: Image) -> Texture:
    assert material.color_texture is not None
    return replace(material.color_texture, image=image)


def _with(scene: Scene, changed: Object) -> Scene:
    return replace(scene, objects=tuple(changed if one.name == changed.name else one for one in scene.objects))
