"""Each planted fault, looked at in a small picture: the verdict fails where it must, and names what is broken."""

import pytest

from posed.live import Renderer
from posed.verify import compare
from tests.planted.fault import Fault, found
from tests.planted.faults import FAULTS
from tests.planted.stage import TICKS, stage_of

SIZE = (240, 135)


@pytest.mark.parametrize("name", TICKS)
def test_without_a_fault_nothing_is_found(name: str, renderer: Renderer) -> None:
    stage = stage_of(name, SIZE)
    compare(stage.truth, stage.draw(), scene=stage.scene).check()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_fails_at_its_layer_with_its_object_and_joint_named(fault: Fault, renderer: Renderer) -> None:
    verdict = fault.verdict(SIZE, shaded=fault.expected.layer == "color")
    finding = found(verdict)
    assert fault.is_found(finding), f"expected {fault.expected}, found {finding}: {verdict.sentence()}"
