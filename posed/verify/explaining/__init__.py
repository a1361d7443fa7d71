"""Explain: from a pixel to the object, triangle, vertices, joints, clips and keys that put it there."""

from posed.verify.explaining.explanation import Explanation
from posed.verify.explaining.pixel import explain

__all__ = ["Explanation", "explain"]
