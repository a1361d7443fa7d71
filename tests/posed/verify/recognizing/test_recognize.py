"""Each classic mistake planted in a right frame is told in a sentence with its evidence; anything else is not."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import posed
from posed.camera import Camera
from posed.color import decode_srgb, encode_srgb
from posed.frame import Frame
from posed.verify import Verdict, compare

SIZE = (160, 90)
LAYERS = ["color", "object", "part", "triangle", "depth", "normal", "motion"]
GOLDEN = Path(__file__).parents[4] / "golden" / "scenes"
Picture = NDArray[np.float32]
Plant = Callable[[Frame], dict[str, NDArray[np.generic]]]


def at(tick: int) -> tuple[posed.Scene, posed.Posed]:
    scene = posed.load(GOLDEN / "walker.toml")
    world = posed.World(scene)
    world.advance(tick)
    return scene, world.posed()


def camera() -> Camera:
    looking = at(42)[1].camera
    assert looking is not None
    return replace(looking, zfar=100.0)


@cache
def truth() -> Frame:
    return traced()


def traced(*, tick: int = 42, looking: Camera | None = None, **options: object) -> Frame:
    scene, pose = at(tick)
    given: dict[str, object] = {"integrator": "direct", "samples": "center", "layers": LAYERS, "camera": camera()}
    return posed.trace(scene, pose, size=SIZE, **given | ({"camera": looking} if looking else {}) | options)


def left(layers: dict[str, NDArray[np.generic]], **facts: object) -> Frame:
    """A frame of an engine: the truth's layers, some in place of them, nothing stated."""
    right = truth()
    provenance = replace(right.provenance, tick=None, posed="", scene="", **facts)
    kept = {name: np.ascontiguousarray(layer) for name, layer in (dict(right.layers) | layers).items()}
    return Frame(kept, SIZE, None, right.ids, provenance)


def verdict_of(layers: dict[str, NDArray[np.generic]]) -> Verdict:
    return compare(truth(), left(layers))


def every(change: Callable[[NDArray[np.generic]], NDArray[np.generic]]) -> Plant:
    return lambda frame: {name: change(layer) for name, layer in frame.layers.items()}


def colored(change: Callable[[Picture], Picture]) -> Plant:
    def plant(frame: Frame) -> dict[str, NDArray[np.generic]]:
        color = np.array(frame["color"])
        color[..., :3] = change(color[..., :3])
        return {"color": color}

    return plant


def encoded_twice(color: Picture) -> Picture:
    """What is read of a file whose codes were made from codes."""
    once: Picture = encode_srgb(color).astype(np.float32) / np.float32(255.0)
    return decode_srgb(encode_srgb(once))


def never_encoded(color: Picture) -> Picture:
    return decode_srgb(np.round(np.clip(color, 0, 1) * 255).astype(np.uint8))


def depth(change: Callable[[Picture], Picture]) -> Plant:
    return lambda frame: {"depth": change(np.array(frame["depth"], np.float64)).astype(np.float32)}


def buffer(z: Picture) -> Picture:
    """A depth buffer's value: 0 at the near plane, 1 at the far one and where nothing is."""
    near, far = camera().znear, camera().zfar
    return np.where(np.isfinite(z), far * (z - near) / (np.where(np.isfinite(z), z, 1.0) * (far - near)), 1.0)


def along_rays(z: Picture) -> Picture:
    half = math.tan((camera().yfov or 0.0) / 2.0)
    right = (np.arange(SIZE[0]) + 0.5 - SIZE[0] / 2) * 2 * half / SIZE[1]
    down = (np.arange(SIZE[1]) + 0.5 - SIZE[1] / 2) * 2 * half / SIZE[1]
    return z * np.sqrt(1 + right[None, :] ** 2 + down[:, None] ** 2)


def normals(*rows: tuple[int, int, int]) -> Plant:
    """Normals along other axes: the rows take them there."""
    return lambda frame: {"normal": (frame["normal"] @ np.array(rows, np.float32).T).astype(np.float32)}


def pushed(down: int, right: int) -> Plant:
    return every(lambda layer: np.roll(layer, (down, right), (0, 1)))


PLANTED: dict[str, tuple[Plant, str, str]] = {
    "y": (every(lambda layer: layer[::-1]), "flipped in y", "OpenGL's rows start at the bottom"),
    "x": (every(lambda layer: layer[:, ::-1]), "flipped in x", "points the other way"),
    "x and y": (every(lambda layer: layer[::-1, ::-1]), "flipped in x and y", "read from the far end"),
    "one pixel": (pushed(0, 1), "shifted", "shifted by a pixel right: shifted back, "),
    "three pixels": (pushed(-3, 0), "shifted", "shifted by 3 pixels up: shifted back, "),
    "gamma twice": (colored(encoded_twice), "gamma twice", "decoded once more, "),
    "no gamma": (colored(never_encoded), "gamma missing", "a picture file holds sRGB"),
    "blue first": (colored(lambda color: color[..., ::-1]), "red and blue swapped", "the surface is BGRA"),
    "0 to 1": (depth(buffer), "depth of 0 to 1", "turned back to metres, "),
    "-1 to 1": (depth(lambda z: 2 * buffer(z) - 1), "depth of -1 to 1", "OpenGL's, -1 at the near plane"),
    "1 to 0": (depth(lambda z: 1 - buffer(z)), "reversed depth", "1 at the near plane and 0 at the far one"),
    "share of far": (depth(lambda z: np.minimum(z / 100.0, 1.0)), "depth as a share of far", "multiply it out"),
    "along rays": (depth(along_rays), "ray distance", "the distance along each pixel's ray"),
    "negative": (depth(lambda z: -z), "negative depth", "a camera looks along its -Z"),
    "Z up": (normals((1, 0, 0), (0, 0, -1), (0, 1, 0)), "Z up", "turn (x, y, z) to (x, z, -y)"),
    "left-handed": (normals((1, 0, 0), (0, 1, 0), (0, 0, -1)), "left-handed", "negate z"),
    "packed": (lambda frame: {"normal": frame["normal"] / 2 + np.float32(0.5)}, "packed normals", "2 n - 1"),
    "in view space": (
        lambda frame: {"normal": (frame["normal"] @ camera().matrix[:3, :3]).astype(np.float32)},
        "view space",
        "multiply by the camera's matrix",
    ),
}


@pytest.mark.parametrize(("plant", "code", "words"), PLANTED.values(), ids=PLANTED.keys())
def test_a_planted_mistake_is_told(plant: Plant, code: str, words: str) -> None:
    verdict = verdict_of(plant(truth()))
    assert not verdict.passed
    assert [one.code for one in verdict.recognitions[:1]] == [code]
    best = verdict.recognitions[0]
    assert words in best.sentence
    assert " differing pixels agree; " in best.sentence
    assert best.share > 0.9
    assert best.sentence in verdict.sentence()
    assert best.sentence in json.dumps(verdict.to_json()["recognitions"], ensure_ascii=False)


@pytest.mark.parametrize(("yfov", "aspect", "code"), [(1.15, 1.0, "field of view"), (1.0, 1.25, "aspect")])
def test_another_lens_is_told(yfov: float, aspect: float, code: str) -> None:
    looking = camera()
    assert looking.yfov is not None
    other = traced(looking=replace(looking, yfov=looking.yfov * yfov), layers=[*LAYERS[1:5]], integrator="aov")
    if aspect != 1.0:
        wide = np.floor((np.arange(SIZE[0]) + 0.5 - SIZE[0] / 2) / aspect + SIZE[0] / 2).astype(int)
        other = replace(other, layers={name: layer[:, wide] for name, layer in other.layers.items()})
    found = compare(truth(), left(dict(other.layers))).recognitions
    assert [one.code for one in found[:1]] == [code]
    if code == "field of view":
        degrees = math.degrees(looking.yfov)
        told = float(found[0].sentence.split(": ")[1].split(" degrees")[0])
        assert told == pytest.approx(degrees * yfov, rel=0.01)
        assert f"not {degrees:.1f}" in found[0].sentence
    else:
        told = float(found[0].sentence.split("it is ")[1].split(" times as wide for its height")[0])
        assert told == pytest.approx(aspect, rel=0.01)


@pytest.mark.parametrize(
    ("way", "words"), [((1, 0), "right"), ((-1, 0), "left"), ((0, 1), "down"), ((-1, -1), "up and left")]
)
@pytest.mark.parametrize("layers", [LAYERS[1:5], LAYERS[:1]], ids=["ids", "color"])
def test_half_a_pixel_is_told(way: tuple[int, int], words: str, layers: list[str]) -> None:
    # The middle of a picture with a column more is half a pixel aside: without its last one, all lies to the right.
    scene, pose = at(42)
    looking = camera()
    assert looking.yfov is not None
    more = (SIZE[0] + abs(way[0]), SIZE[1] + abs(way[1]))
    half = math.tan(looking.yfov / 2) * more[1] / SIZE[1]
    larger = posed.trace(
        scene,
        pose,
        size=more,
        integrator="direct" if layers == ["color"] else "aov",
        samples="center",
        layers=layers,
        camera=replace(looking, yfov=2 * math.atan(half)),
    )
    rows, columns = (
        slice(int(step < 0), int(step < 0) + size) for step, size in zip(way[::-1], SIZE[::-1], strict=True)
    )
    live = {name: np.ascontiguousarray(layer[rows, columns]) for name, layer in larger.layers.items()}
    if layers == ["color"]:
        reference = replace(truth(), layers={"color": truth()["color"]}, staged=None)
        frame = Frame(live, SIZE, None, reference.ids)
        found = compare(reference, frame).recognitions
    else:
        found = verdict_of(live).recognitions
    assert [one.code for one in found[:1]] == ["shifted by half a pixel"]
    assert f"shifted by half a pixel {words}: shifted back, " in found[0].sentence


def test_premultiplied_alpha_is_told_where_something_is_seen_through() -> None:
    right = traced(samples=4, background="transparent", layers=["color"])
    assert ((right["color"][..., 3] > 0) & (right["color"][..., 3] < 1)).sum() > 50
    twice = np.array(right["color"])
    twice[..., :3] *= twice[..., 3:]
    live = replace(right, layers={"color": twice}, staged=None)
    policy = replace(posed.verify.POLICIES["gpu"], color=replace(posed.verify.POLICIES["gpu"].color, antialiased=True))
    (found,) = compare(right, live, policy=policy).recognitions
    assert found.code == "premultiplied"
    assert "divided by alpha" in found.sentence


def test_a_frame_that_shows_nothing_is_told() -> None:
    nothing = {name: np.zeros_like(layer) for name, layer in truth().layers.items()}
    verdict = verdict_of(nothing | {"depth": np.full_like(truth()["depth"], np.inf)})
    (found,) = verdict.recognitions
    assert found.code == "blank"
    assert "shows nothing at all 14,400 pixels" in found.sentence


def test_where_nothing_is_wrong_nothing_is_told() -> None:
    verdict = verdict_of({})
    verdict.check()
    assert verdict.recognitions == ()


def test_a_limb_elsewhere_or_another_tick_is_none_of_these_mistakes() -> None:
    other = traced(tick=30)
    assert verdict_of(dict(other.layers)).recognitions == ()
    part = np.array(truth()["part"])
    part[30:60, 60:100] = 3
    assert verdict_of({"part": part}).recognitions == ()
