"""Lint: everything suspicious in a model or a scene file, with codes, places and cures."""

from posed.lint.codes import CODES, Code
from posed.lint.finding import Finding, Severity
from posed.lint.linting import lint

__all__ = ["CODES", "Code", "Finding", "Severity", "lint"]
