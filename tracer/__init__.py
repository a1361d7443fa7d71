"""Rays, materials, light and film: static triangles in, layers out. Knows no rigs."""
