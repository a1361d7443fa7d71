"""The verdict: whether a live side agrees with the trace, which layer fails first, where, and why."""

from posed.verify.comparing import check, compare
from posed.verify.diagnosing import Diagnosis, Family, Finding, Hypothesis, diagnose
from posed.verify.diverging import Divergence, diverge
from posed.verify.explaining import Explanation, explain
from posed.verify.object_vertices import expected_vertices
from posed.verify.policy import POLICIES, Policy
from posed.verify.results import Blob, LayerResult, Measure, Pixels, Recognition
from posed.verify.suite.result import CheckResult, SuiteResult
from posed.verify.verdict import Side, Verdict
from posed.verify.vertices import Vertices

__all__ = [
    "POLICIES",
    "Blob",
    "CheckResult",
    "Diagnosis",
    "Divergence",
    "Explanation",
    "Family",
    "Finding",
    "Hypothesis",
    "LayerResult",
    "Measure",
    "Pixels",
    "Policy",
    "Recognition",
    "Side",
    "SuiteResult",
    "Verdict",
    "Vertices",
    "check",
    "compare",
    "diagnose",
    "diverge",
    "expected_vertices",
    "explain",
]
