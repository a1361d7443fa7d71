"""Comparing frames: what agrees, what fails first, and what is said about it."""

import io
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from rich.console import Console

import posed
from posed.errors import PosedError, VerdictError
from posed.frame import Frame, Provenance
from posed.live import Renderer
from posed.scene.ids import IdTable, PartId
from posed.verify import Policy, Verdict, check, compare
from posed.verify.policy import IdLimit
from tests.posed.live.literals import camera, model, primitive, rectangle, scene, translation
from tests.posed.live.literals import posed as snapshot

IDS = IdTable(("box", "ground"), (PartId(1, "box", 0, 0, "lid"), PartId(2, "ground", 0, 0, "plane")))


def frame(**changes: Any) -> Frame:
    """4 x 3 pixels: the box on the left two columns, the ground on the third, nothing on the fourth."""
    ids = np.tile(np.array([1, 1, 2, 0], np.uint32), (3, 1))
    seen = ids > 0
    layers: dict[str, NDArray[Any]] = {
        "object": ids,
        "part": ids.copy(),
        "triangle": seen.astype(np.uint32),
        "depth": np.where(seen, 5.0, np.inf).astype(np.float32),
        "normal": (seen[..., None] * np.array([0, 0, 1])).astype(np.float32),
        "motion": (seen[..., None] * np.array([0.5, -2])).astype(np.float32),
    }
    for name, change in changes.items():
        layers[name] = layers[name].copy()
        change(layers[name])
    return Frame(layers, (4, 3), None, IDS, Provenance(tick=3))


def put(where: Any, value: Any) -> Any:
    return lambda layer: layer.__setitem__(where, value)


def test_equal_frames_pass_in_every_layer() -> None:
    verdict = compare(frame(), frame())
    assert verdict.passed
    assert verdict.first_failure is None
    verdict.check()
    assert [one.layer for one in verdict.layers] == [
        "pose",
        "vertices",
        "silhouette",
        "object",
        "part",
        "triangle",
        "depth",
        "normal",
        "motion",
        "color",
    ]
    assert all(one.compared and one.differing == 0 for one in verdict.layers[2:9])


@pytest.mark.parametrize(
    ("changes", "layer", "differing"),
    [
        ({"object": put((0, 3), 2)}, "silhouette", 1),
        ({"object": put((slice(None), 2), 1)}, "object", 3),
        ({"part": put((0, 0), 2)}, "part", 1),
        ({"triangle": put((1, 1), 2)}, "triangle", 1),
        ({"depth": put((2, 2), 5.0006)}, "depth", 1),
        ({"depth": put((2, 2), np.nan)}, "depth", 1),
        ({"depth": put((2, 2), np.inf)}, "depth", 1),
        ({"normal": put((0, 0), (0, np.sin(0.01), np.cos(0.01)))}, "normal", 1),
        ({"normal": put((0, 0), (0, 0, 0))}, "normal", 1),
        ({"motion": put((0, 0), (0.55, -2.05))}, "motion", 1),
        ({"motion": put((0, slice(0, 2)), (0, 0))}, "motion", 2),
        ({"motion": put((0, 0), (np.nan, 0))}, "motion", 1),
    ],
)
def test_each_layer_fails_on_its_own(changes: dict[str, Any], layer: str, differing: int) -> None:
    verdict = compare(frame(), frame(**changes))
    assert not verdict.passed
    assert verdict.first_failure is verdict[layer]
    assert verdict[layer].differing == verdict[layer].unexplained == differing
    assert verdict[layer]["unexplained"].margin == -differing
    assert verdict[layer].status == "failed"
    with pytest.raises(VerdictError, match=rf"^{layer}: {differing} pixels? unexplained \(limit 0\)"):
        verdict.check()


def test_what_is_no_number_is_said_to_be_none() -> None:
    assert compare(frame(), frame(depth=put((2, 2), np.nan)))["depth"].note == "1 pixel of the live frame is no number"
    motion = compare(frame(), frame(motion=put((0, slice(0, 2)), (np.nan, 0))))["motion"]
    assert motion.note == "2 pixels of the live frame are no number"
    assert compare(frame(), frame(depth=put((2, 2), np.inf)))["depth"].note == ""


@pytest.mark.parametrize(
    ("changes", "is_exact"),
    [
        ({"depth": put((2, 2), 5.0004)}, False),
        ({"normal": put((0, 0), (0, np.sin(0.008), np.cos(0.008)))}, False),
        ({"normal": put((0, 0), (0, 0, 2))}, True),
        ({"motion": put((0, 0), (0.53, -2.04))}, False),
    ],
)
def test_gpu_allows_rounding_and_exact_nothing_but_a_normal_s_length(changes: dict[str, Any], is_exact: bool) -> None:
    assert compare(frame(), frame(**changes)).passed
    assert compare(frame(), frame(**changes), policy="exact").passed == is_exact


def test_a_layer_that_the_live_frame_lacks_is_not_compared_and_never_a_pass() -> None:
    full = frame()
    depth_only = Frame({name: full[name] for name in ("object", "depth")}, full.size, None, IDS)
    verdict = compare(full, depth_only)
    assert verdict.passed
    assert not verdict["triangle"].compared
    assert not verdict["triangle"].passed
    assert verdict["triangle"].note == "the live frame has no part or triangle layer"
    nothing = Frame({}, full.size, None, IDS)
    assert not compare(full, nothing).passed
    with pytest.raises(VerdictError, match="nothing was compared"):
        compare(full, nothing).check()


@pytest.mark.parametrize("layer", ["object", "depth", "normal"])
def test_a_silhouette_is_told_by_whatever_a_frame_has(layer: str) -> None:
    full = frame()
    one = Frame({layer: full[layer]}, full.size, None, IDS)
    assert compare(full, one)["silhouette"].passed
    value = {"object": 1, "depth": 5.0, "normal": (0, 0, 1)}[layer]
    grown = frame(**{layer: put((0, 3), value)})
    found = compare(full, Frame({layer: grown[layer]}, full.size, None, IDS))["silhouette"]
    assert found["unexplained"].value == 1


def test_a_picture_s_silhouette_is_where_it_covers_half_of_a_pixel() -> None:
    full = frame()
    color = np.zeros((3, 4, 4), np.float32)
    color[:, :3] = (0.5, 0.5, 0.5, 1.0)
    color[0, 2] = (0.3, 0.3, 0.3, 0.6)
    clear = Provenance(background="transparent")
    assert compare(full, Frame({"color": color}, full.size, provenance=clear))["silhouette"].passed
    color[0, 2] = (0.2, 0.2, 0.2, 0.4)
    found = compare(full, Frame({"color": color}, full.size, provenance=clear))["silhouette"]
    assert found["unexplained"].value == 1
    opaque = compare(full, Frame({"color": color}, full.size))["silhouette"]
    assert opaque.note == "the live frame has no object or depth or normal layer"


def test_frames_of_another_size_tick_or_camera_are_refused() -> None:
    full = frame()
    other_size = Frame({}, (3, 3))
    with pytest.raises(PosedError, match=r"the live frame is 3x3 and its reference 4x3"):
        compare(full, other_size)
    late = replace(full, provenance=Provenance(tick=4))
    with pytest.raises(PosedError, match=r"of tick 4 and its reference of tick 3"):
        compare(full, late)
    assert compare(full, replace(full, provenance=Provenance())).passed
    here, there = camera(), camera(matrix=translation(0, 0, 0.01))
    with pytest.raises(PosedError, match="another camera"):
        compare(replace(full, camera=here), replace(full, camera=there))
    nearly = camera(matrix=translation(0, 0, 1e-7))
    assert compare(replace(full, camera=here), replace(full, camera=nearly)).passed
    with pytest.raises(PosedError, match=r'no policy "loose": the presets are exact, gpu'):
        compare(full, full, policy="loose")


def test_a_policy_of_one_s_own_allows_pixels() -> None:
    lenient = Policy("mine", part=IdLimit(unexplained=2))
    assert compare(frame(), frame(part=put((0, slice(0, 2)), 2)), policy=lenient)["part"].passed
    verdict = compare(frame(), frame(part=put((slice(0, 3), 0), 2)), policy=lenient)
    assert verdict["part"]["unexplained"].margin == -1
    assert not verdict.passed


def test_blobs_name_where_it_fails() -> None:
    verdict = compare(
        frame(), frame(object=put((slice(1, 3), slice(0, 2)), 2), part=put((slice(1, 3), slice(0, 2)), 2))
    )
    (blob,) = verdict["object"].blobs
    assert (blob.object, blob.part, blob.pixels, blob.box) == ("box", "box/lid/0", 4, (0, 1, 2, 3))
    assert blob.distance == 2.0, "the ground that the live frame shows in column 0 is seen from column 2 on"
    with pytest.raises(VerdictError, match=r'most of them on object "box" \(box/lid/0, columns 0 to 1, rows 1 to 2\)'):
        verdict.check()
    grown = compare(frame(), frame(object=put((0, 3), 2), part=put((0, 3), 2)))
    assert grown["silhouette"].blobs[0].object == "ground"


def test_the_verdict_keeps_the_frames_and_the_pixels_it_was_found_in() -> None:
    one, other = frame(), frame(depth=put((2, 2), 5.5))
    verdict = compare(one, other)
    assert (verdict.reference.frame, verdict.live.frame) == (one, other)
    depth = verdict["depth"].pixels
    assert depth is not None
    assert np.argwhere(depth.differing).tolist() == np.argwhere(depth.blobs == 1).tolist() == [[2, 2]]
    assert not (depth.explained | depth.tied).any()
    assert depth.measure is not None
    assert depth.measure[2, 2] == pytest.approx(0.1)
    assert verdict["part"].pixels is not None
    assert verdict["part"].pixels.measure is None
    assert Verdict.from_json(json.loads(json.dumps(verdict.to_json()))) == verdict, "pictures are no part of it"


def test_the_verdict_is_data_and_a_table() -> None:
    verdict = compare(frame(), frame(depth=put((2, 2), 5.01)))
    data = json.loads(json.dumps(verdict.to_json()))
    assert (data["passed"], data["first_failure"], data["size"]) == (False, "depth", [4, 3])
    assert data["policy"]["depth"] == {"relative": 1e-4, "unexplained": 0}
    depth = next(one for one in data["layers"] if one["layer"] == "depth")
    assert (depth["unexplained"], depth["status"]) == (1, "failed")
    assert [(one["name"], one["limit"], one["passed"]) for one in depth["measures"]] == [
        ("unexplained", 0, False),
        ("largest", 1e-4, False),
    ]
    console = Console(width=160, record=True, file=io.StringIO())
    console.print(verdict.table())
    text = console.export_text()
    assert "failed (gpu)" in text
    assert "FAIL" in text
    assert "depth: 1 pixel unexplained (limit 0)" in text


def two_boxes() -> Any:
    """A body and a limb of two metres on an upright plane, a metre apart."""
    body = model(primitive(rectangle(-1.5, -1, -0.5, 1, -4)))
    limb = model(primitive(rectangle(0.5, -1, 1.5, 1, -4)))
    return scene(body, limb)


def test_a_correct_frame_passes_its_check(renderer: Renderer) -> None:
    drawn, pose = two_boxes(), snapshot()
    verdict = check(drawn, pose, size=(96, 64))
    assert verdict.passed, verdict.first_failure
    assert verdict.live.origin.startswith("posed live")
    assert (verdict.scene, verdict.reference.pose) == (drawn, pose)
    assert check(drawn, pose, renderer.render(drawn, pose, size=(32, 24))).size == (32, 24)


def test_a_limb_moved_by_two_pixels_fails_at_the_silhouette_with_its_object_named(renderer: Renderer) -> None:
    drawn, pose = two_boxes(), snapshot()
    # 64 pixels show 8 metres at depth 4: two pixels are a quarter of a metre.
    moved = renderer.render(drawn, snapshot(models={"b": translation(0.25, 0, 0)}), size=(96, 64))
    verdict = check(drawn, pose, moved)
    assert verdict.first_failure is verdict["silhouette"]
    assert verdict["silhouette"].unexplained == 2 * 2 * 16
    assert {blob.object for blob in verdict["silhouette"].blobs} == {"b"}


def slanted() -> Any:
    """A triangle whose long edges cross pixel centres at all distances."""
    return scene(model(primitive([(-3.1, -1.9, -4), (2.9, -1.3, -4), (0.37, 1.83, -4)], ((0, 1, 2),))))


@pytest.mark.parametrize(
    ("shift", "bits", "finding"),
    [(0.0, 8, ""), (0.02, 8, "pixels unexplained ("), (0.155, 4, "pixels at edges (")],
)
def test_a_shift_by_part_of_a_pixel_is_found(renderer: Renderer, shift: float, bits: int, finding: str) -> None:
    # 1024 pixels show 8 metres at depth 4. A grid of 1/16 pixel explains each pixel of a shift by 0.155, not so many.
    size, drawn = (1536, 1024), slanted()
    live = renderer.render(drawn, snapshot(models={"a": translation(shift / 128, 0, 0)}), size=size)
    verdict = check(drawn, snapshot(), live, policy=Policy("grid", subpixel_bits=bits))
    assert verdict.passed == (not finding)
    assert finding in verdict["silhouette"].sentence()


def test_public_names_are_those_of_the_package() -> None:
    assert posed.compare is compare
    assert posed.check is check
