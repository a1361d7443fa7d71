"""Scenes and snapshots shown: a traced picture, what stands where and plays what, the joints of a pose."""

from __future__ import annotations

from posed.errors import PosedError
from posed.fitting import fit
from posed.notebook.page import Shown, figure, folded_table, paragraph, row, table
from posed.notebook.pictures import traced
from posed.overlay import bones
from posed.overlay.joints import joints_of
from posed.scene.description import Object, Scene, scene_known
from posed.snapshot import Posed
from posed.words import counted
from posed.world import World


def scene(value: Scene) -> Shown:
    """Show a scene as it begins: at tick 0, with what it plays."""

    def blocks() -> list[str]:
        rows = [
            (
                one.name,
                one.model.path.name,
                _played(one),
                len(one.model.clips),
                sum(len(skin.joints) for skin in one.model.skins),
                *(round(float(x), 4) for x in one.matrix[:3, 3]),
                "" if one.visible else "hidden",
            )
            for one in value.objects
        ]
        titles = ("object", "mesh", "plays", "clips", "joints", "x", "y", "z", "")
        lights = [(light.kind, light.intensity) for light in value.lights]
        return [
            paragraph(f"{value.rate} ticks a second, {counted(len(value.objects), 'object')}"),
            figure(traced(value, World(value).posed()), "tick 0"),
            table(titles, rows) if rows else "",
            folded_table("light", ("light", "intensity"), lights),
            *(paragraph(f"note: {note}") for note in value.notes),
        ]

    return Shown(repr(value), f"Scene {value.path.name}", blocks)


def _played(one: Object) -> str:
    animation = one.animation
    if animation is None:
        return "moves along its path" if one.motion is not None else ""
    if animation.blend:
        return " + ".join(f"{clip} {weight:g}" for clip, weight in animation.blend)
    return "" if animation.clip is None else f"{animation.clip} ({animation.playback})"


def posed(value: Posed) -> Shown:
    """Show a snapshot: in a picture where its scene is at hand, always as a table."""

    def blocks() -> list[str]:
        return [paragraph(_moment(value)), *(_seen(value) or _counts(value))]

    return Shown(repr(value), f"Posed, tick {value.tick}", blocks)


def _moment(value: Posed) -> str:
    between = f" + {value.alpha:g}" if value.alpha else ""
    seconds = float((value.tick + value.alpha) / value.rate)
    return f"tick {value.tick}{between} at {value.rate} a second: {seconds:.6g} s; digest {value.digest}"


def _seen(value: Posed) -> list[str] | None:
    """Return the picture with bones, and where every joint is; None where the scene is not at hand."""
    own = scene_known(value.scene)
    if own is None:
        return None
    try:
        whole = fit(own, value)
        pictures = row(
            figure(traced(own, value, size=(400, 225)), f"of {own.path.name}"),
            figure(traced(own, value, bones(names=False), size=(400, 225)), "with bones"),
        )
    except PosedError as error:
        return [paragraph(str(error)), *_counts(value)]
    joints = [
        (joint.object, joint.name or f"node {joint.node}", *(round(float(x), 4) for x in joint.position))
        for joint in joints_of(own, whole, frozenset(one.name for one in own.objects))
    ]
    return [pictures, folded_table("joint", ("object", "joint", "x", "y", "z in the world"), joints)]


def _counts(value: Posed) -> list[str]:
    names = sorted({*value.models, *value.nodes, *value.palettes, *value.morphs, *value.sprites})
    rows = [
        (
            name,
            sum(len(palette) for palette in value.palettes.get(name, {}).values()),
            len(value.nodes.get(name, {})),
            sum(len(weights) for weights in value.morphs.get(name, {}).values()),
            value.sprites.get(name, ""),
        )
        for name in names
    ]
    known = "its scene is not loaded, so there is no picture" if value.scene else "it names no scene"
    return [paragraph(known), table(("object", "joints", "placed nodes", "morph weights", "frame"), rows)]
