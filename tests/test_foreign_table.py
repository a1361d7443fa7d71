"""The table of foreign renderers, in the small: three.js on one golden scene."""

import sys
from dataclasses import replace
from pathlib import Path

import posed
from posed.verify.suite import load_suite
from posed.verify.suite.run import check_renderer, played
from tests.foreign_table import SHOWN, SUITE, cell
from tests.peers import three_in_chromium

PAGE = (Path(__file__).parents[1] / "docs/foreign.md").read_text()


def test_three_js_draws_what_is_traced_but_for_its_light() -> None:
    three_in_chromium()
    suite = load_suite(SUITE)
    test, renderer = suite.test("column"), suite.renderers["threejs"]
    command = tuple(sys.executable if word == "python" else word for word in renderer.command)
    scene = posed.load(test.scene)
    (pose,) = played(scene, test.ticks)
    here = replace(renderer, command=command)
    verdict = check_renderer(scene, pose, here, size=(160, 90), policy="foreign", folder=SUITE.parent)
    assert verdict.live.origin.startswith("three.js")
    for layer in SHOWN[:-1]:
        assert cell(verdict[layer]) == "agrees", layer
    assert verdict["color"].compared


def test_the_page_has_every_scene_of_the_suite_drawn_by_each_renderer() -> None:
    for test in load_suite(SUITE).tests:
        for renderer in test.renderers:
            assert f"| {test.name} {test.ticks[0]} | {renderer} |" in PAGE
