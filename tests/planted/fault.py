"""What a fault is, what a verdict must say of it, and the list of all of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from posed.verify import Verdict, compare
from posed.verify.sides import Compared
from tests.planted.stage import Stage, stage_of

SIZE = (320, 180)


class Finding(NamedTuple):
    """What a verdict's sentence names: the first failing layer, an object and a joint; empty where it names none."""

    layer: str = ""
    object: str = ""
    joint: str = ""


@dataclass(frozen=True)
class Fault:
    """One fault: `plant` gives the broken live side of a stage.

    The verdict must fail first at `expected.layer` and name the object there, and the joint; an empty joint is not
    asked for, as where the object has none, or all of them are wrong alike.
    """

    plant: Callable[[Stage], Compared]
    scene: str
    expected: Finding

    @property
    def name(self) -> str:
        """What the function is called, in words."""
        return self.plant.__name__.replace("_", " ")

    def verdict(self, size: tuple[int, int] = SIZE, *, shaded: bool = True) -> Verdict:
        """Return what is found when the fault is looked at, in color too where `shaded`."""
        stage = stage_of(self.scene, size, shaded=shaded)
        return compare(stage.truth, self.plant(stage), scene=stage.scene)

    def is_found(self, finding: Finding) -> bool:
        """Say whether a finding is the right one."""
        asked = self.expected if self.expected.joint else self.expected._replace(joint=finding.joint)
        return finding == asked


FAULTS: list[Fault] = []
"""Every fault, in the order of definition; `tests.planted.faults` fills it."""

_OBJECT = re.compile(r'object "([^"]+)"|(?:joint|node|part) ([^/\s]+)/')
_JOINT = re.compile(r"joint [^/\s]+/([^\s,;)]+)")


def planted(
    scene: str, *, layer: str, object: str, joint: str = ""
) -> Callable[[Callable[[Stage], Compared]], Callable[[Stage], Compared]]:
    """Add the decorated function to `FAULTS`."""

    def add(plant: Callable[[Stage], Compared]) -> Callable[[Stage], Compared]:
        FAULTS.append(Fault(plant, scene, Finding(layer, object, joint)))
        return plant

    return add


def found(verdict: Verdict) -> Finding:
    """Return what a verdict tells a reader, taken from the sentence of the first failing layer.

    Of several names the one counts where most of the pixels lie; else the last.
    """
    failure = verdict.first_failure
    if failure is None:
        return Finding()
    before, most, place = failure.sentence().partition("most of them on ")
    where = place.partition(";")[0] if most else before
    owners = ["".join(groups) for groups in _OBJECT.findall(where)]
    joints = _JOINT.findall(where)
    return Finding(failure.layer, owners[-1] if owners else "", joints[-1] if joints else "")
