"""The verdict: whether a live frame agrees with the trace, which layer fails first, and where."""

from posed.verify.comparing import check, compare
from posed.verify.policy import POLICIES, Policy
from posed.verify.verdict import Blob, Evidence, LayerPixels, LayerVerdict, Verdict

__all__ = ["POLICIES", "Blob", "Evidence", "LayerPixels", "LayerVerdict", "Policy", "Verdict", "check", "compare"]
