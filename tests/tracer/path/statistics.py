"""Pearson's test of directions against the density they claim, and what a picture's noise allows."""

import math

import numpy as np

import tracer

SIGMAS = 4.0
"""Standard errors: exceeded by chance once in 16,000 tries."""

F32 = 2.0**-22
"""Relative: two float32 roundings."""


def pictured(made, camera, **options):
    """Trace by path; return color, alpha and the standard error of color's mean, (H, W, ..) float64."""
    options = {"size": (16, 16), "samples": 64, "layers": ("color", "variance")} | options
    layers = tracer.trace(made, camera, integrator="path", **options)
    color = layers["color"].astype(np.float64)
    return color[..., :3], color[..., 3], np.sqrt(layers["variance"].astype(np.float64))


def mean_color(made, camera, **options):
    """Trace a patch of even color; return its mean and the standard error of that, (3,) float64 each."""
    color, _, error = pictured(made, camera, **options)
    return color.mean(axis=(0, 1)), np.sqrt((error**2).mean(axis=(0, 1)) / error[..., 0].size)


def assert_matches(counts, expected):
    """Hold counts to the expected ones by Pearson's chi-squared, at the one-sided level of `SIGMAS`.

    Cells that expect fewer than five are pooled. The limit is Wilson and Hilferty's: the cube root of chi-squared over
    its degrees of freedom is nearly normal.
    """
    counts, expected = np.ravel(counts).astype(np.float64), np.ravel(expected).astype(np.float64)
    assert abs(counts.sum() - expected.sum()) < 1e-3 * expected.sum(), "the density does not integrate to what is drawn"
    rare = expected < 5.0
    counts = np.append(counts[~rare], counts[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    if expected[-1] < 5.0:
        assert counts[-1] < 40.0, "something is drawn where the density is nearly zero"
        counts, expected = counts[:-1], expected[:-1]
    freedom = len(counts) - 1
    spread = 2.0 / (9.0 * freedom)
    limit = freedom * (1.0 - spread + SIGMAS * math.sqrt(spread)) ** 3
    assert ((counts - expected) ** 2 / expected).sum() < limit


def sphere_counts(directions, rows, columns):
    """Count unit directions, (N, 3), in cells of equal solid angle around (0, 0, 1)."""
    z, around = directions[:, 2], np.arctan2(directions[:, 1], directions[:, 0])
    counts, _, _ = np.histogram2d(z, around, (rows, columns), range=((-1.0, 1.0), (-math.pi, math.pi)))
    return counts


def sphere_expected(density, rows, columns, order=10):
    """Integrate a density per steradian, a function of x, y, z, over the cells of `sphere_counts`, by Gauss."""
    points, weights = np.polynomial.legendre.leggauss(order)
    expected = np.zeros((rows, columns))
    half_height, half_width = 1.0 / rows, math.pi / columns
    for row in range(rows):
        for column in range(columns):
            for z_point, z_weight in zip(points, weights, strict=True):
                z = (2 * row + 1 + z_point) * half_height - 1.0
                radius = math.sqrt(1.0 - z * z)
                for point, weight in zip(points, weights, strict=True):
                    around = (2 * column + 1 + point) * half_width - math.pi
                    value = density(radius * math.cos(around), radius * math.sin(around), z)
                    expected[row, column] += value * weight * z_weight * half_height * half_width
    return expected
