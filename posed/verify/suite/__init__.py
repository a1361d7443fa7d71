"""Suites: which scenes, ticks and renderers are checked, and how strictly, as data; and what a run of one came to."""

from posed.verify.suite.description import Renderer, Suite, Test, Tolerance
from posed.verify.suite.load import load_suite
from posed.verify.suite.result import CheckResult, SuiteResult

__all__ = ["CheckResult", "Renderer", "Suite", "SuiteResult", "Test", "Tolerance", "load_suite"]
