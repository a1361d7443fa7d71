"""Engines that nobody here wrote, against a part of the pack: what docs/conform.md says of them."""

import sys
from pathlib import Path

from posed.conform import Command, ConformResult, chosen, conform
from tests.peers import blender, three_in_chromium

FOREIGN = Path(__file__).parents[3] / "golden/foreign"


def asked(command: str, *rigs: str) -> ConformResult:
    return conform(chosen(rigs), Command(command, timeout=120.0))


def wrong(found: ConformResult) -> dict[str, str]:
    return {one.rig.name: one.sentence() for one in found.rigs if one.word != "right"}


def test_three_js() -> None:
    threejs = f"{sys.executable} {three_in_chromium() / 'conform.py'} {{requests}}"
    rigs = ("step_keys", "loop", "hold", "shared_skin", "morph_before_skin", "sparse", "mirrored_node")
    found = asked(threejs, *rigs, "mirrored_joint", "stretched_joint", "eight_influences")
    said = wrong(found)
    assert set(said) == {"mirrored_joint", "stretched_joint", "eight_influences"}
    assert "mirrored triangles keep the winding of the file" in said["mirrored_joint"]
    assert "normals are turned by the plain matrix" in said["stretched_joint"]
    assert "only the first four influences of a vertex count" in said["eight_influences"]
    assert {one.kind("palettes") for one in found.rigs} == {"right"}
    frames = {one.rig.name: one.kind("frame") for one in found.rigs}
    assert set(frames.values()) == {"right", "wrong"}, "every rig has a frame"


def test_blender() -> None:
    command = f"env -u PYTHONPATH {blender()} {FOREIGN / 'blender/conform.py'} {{requests}}"
    found = asked(command, "step_keys", "late_start", "hold", "arc", "scaled_root", "eight_influences", "cubic_keys")
    assert set(wrong(found)) == {"arc", "cubic_keys"}
    assert {one.kind("vertices") for one in found.rigs} == {"right", "wrong"}, "every rig has vertices"
