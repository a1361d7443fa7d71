"""The row of numbers that says everything about a surface where a ray meets it: its columns, float64."""

from typing import Final

POSITION: Final = 0
GEOMETRIC: Final = 3
"""geometric normal, facing the viewer"""
SHADING: Final = 6
"""shading normal, turned with the geometric one; normal map applied"""
LIFTED: Final = 9
"""where shadow rays start"""
ALBEDO: Final = 12
"""base color"""
ALPHA: Final = 15
EMITTED: Final = 16
DIFFUSE: Final = 19
"""c_diff"""
REFLECTANCE: Final = 22
"""f0"""
WITHHELD: Final = 25
"""g0: f0 as the diffuse knows it, which a tinted dielectric's strongest channel darkens as a whole"""
GRAZING: Final = 28
"""f90"""
ROUGH: Final = 29
"""alpha of GGX: roughness squared"""
PASSES: Final = 30
"""share of the diffuse light that goes straight through"""
IS_UNLIT: Final = 31
UNDER: Final = 32
"""share of what lies under coat and sheen that the viewer sees: 1 where there is neither"""
COAT: Final = 33
"""share of the coat's reflection, its Fresnel term applied: 0 where there is none"""
COAT_NORMAL: Final = 34
COAT_ROUGH: Final = 37
"""its alpha"""
SHEEN: Final = 38
"""its color, black where there is none"""
SHEEN_ROUGH: Final = 41
"""its roughness, at least `sheen.LEAST_ROUGHNESS`"""
SHEEN_ALBEDO: Final = 42
"""what a sheen of color 1 would send of light from everywhere to the viewer"""
SURFACE_COLUMNS: Final = 43
