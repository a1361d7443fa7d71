"""Diverge: the first tick at which two runs part, where, and why."""

from posed.verify.diverging.divergence import Divergence
from posed.verify.diverging.search import diverge

__all__ = ["Divergence", "diverge"]
