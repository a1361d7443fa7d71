"""Diagnose: which of the classic mistakes explains how a live side differs from the truth."""

from posed.verify.diagnosing.diagnosis import Diagnosis, Finding
from posed.verify.diagnosing.hypothesis import Family, Hypothesis
from posed.verify.diagnosing.search import diagnose

__all__ = ["Diagnosis", "Family", "Finding", "Hypothesis", "diagnose"]
