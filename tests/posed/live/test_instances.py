"""Instances: one mesh repeated under many transforms of its node, drawn and checked against the trace."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from posed.live import Renderer
from posed.scene.load import load
from posed.still import still_posed
from posed.verify import check
from tests.gltf_literals import Literal
from tests.posed.live.literals import model, posed, primitive, rectangle, scene, translation


def test_copies_are_drawn_where_they_stand_under_one_part_number(renderer: Renderer) -> None:
    """A square of two metres at depth 5, of which the picture shows ten: a fifth wide, at -4 and 2 metres."""
    square = model(primitive(rectangle(-1, -1, 1, 1, -5)))
    copies = np.stack([translation(-4, 0, 0), translation(2, 0, 0)])
    repeated = replace(square, nodes=(replace(square.nodes[0], instances=copies),))
    frame = renderer.render(scene(repeated), posed(), size=(10, 10), layers=["part", "triangle"])
    expected = np.zeros((10, 10), np.uint32)
    expected[4:6, 0:2] = expected[4:6, 6:8] = 1
    np.testing.assert_array_equal(frame["part"], expected)
    assert set(np.unique(frame["triangle"])) == {0, 1, 2}
    assert list(renderer.vertices(scene(repeated), posed())) == [1]


def test_a_node_of_no_copies_shows_nothing(renderer: Renderer) -> None:
    square = model(primitive(rectangle(-1, -1, 1, 1, -5)))
    nothing = replace(square, nodes=(replace(square.nodes[0], instances=np.zeros((0, 4, 4))),))
    frame = renderer.render(scene(nothing), posed(), size=(4, 4), layers=["part"])
    assert not frame["part"].any()


def test_a_file_with_instances_passes_its_check(renderer: Renderer, tmp_path: Path) -> None:
    """Three triangles: as it is, turned and stretched, mirrored; on a node that is itself scaled."""
    literal = Literal(extensionsUsed=["EXT_mesh_gpu_instancing"])
    half = 0.5**0.5
    places = {
        "TRANSLATION": literal.accessor([[0, 0, 0], [2, 0, -0.5], [-1, 0, 0.5]]),
        "ROTATION": literal.accessor(np.array([[0, 0, 0, 1], [0, 0, half, half], [0, 0, 0, 1]])),
        "SCALE": literal.accessor([[1, 1, 1], [1, 2, 1], [-1, 1, 1]]),
    }
    extension = {"EXT_mesh_gpu_instancing": {"attributes": places}}
    literal.node(mesh=literal.mesh(), scale=[1, 1.5, 1], extensions=extension)
    file = load(literal.write(tmp_path))
    verdict = check(file, still_posed(file, 0), size=(96, 64))
    assert verdict.passed, verdict
    frame = renderer.render(file, still_posed(file, 0), size=(96, 64), layers=["part", "depth"])
    assert len(np.unique(np.round(frame["depth"][frame["part"] == 1], 3))) > 3
