"""Which modules the guard watches, and every exception with its reason."""

from pathlib import Path

from tests.guard.rules import words

HOUSE = Path(__file__).parents[2]

POSED = words(
    "actor arrangement arrays baking builder camera digest events fitting game matrices model_pose skinning snapshot "
    "stage stage_layout stage_vertices still tracing world"
)
"""Modules of `posed` on the way from a tick to the tracer's scene, beside all of `posed.scene`."""


def watched() -> list[Path]:
    """Return the sources that are watched, relative to the checkout."""
    files = [path for package in ("anim", "tracer", "posed/scene") for path in (HOUSE / package).rglob("*.py")]
    files += [HOUSE / "posed" / f"{name}.py" for name in POSED]
    return sorted(path.relative_to(HOUSE) for path in files)


SHADING = {
    "tracer/environment_image.py": "light from a picture",
    "tracer/ggx_sampling.py": "directions of the path integrator",
    "tracer/light_sampling.py": "lights chosen by the path integrator",
    "tracer/path.py": "the path integrator",
    "tracer/pixel_filter.py": "weights of color's samples",
    "tracer/scattering.py": "reflection in the path integrator",
}
"""What only color comes from, whose bits are promised for one machine: libraries may compute there."""

LIFTED = frozenset(("function", "power", "reduction"))
"""Rules that `SHADING` is free of."""

EXCEPTIONS: dict[str, dict[tuple[str, str], str]] = {
    "anim/compiled.py": {
        ("power", "FINEST ** 2"): "the square of a whole number",
    },
    "anim/kernel.py": {
        ("compiler", "from numba.np import linalg"): "keeps numba from loading what no kernel here calls",
        ("compiler", "numba.njit"): "the door: with a cache, without fastmath",
        ("compiler", "from numba.core import event"): "counts what is compiled, for those who wait",
    },
    "anim/kernel_helpers.py": {
        ("compiler", "from numba import types, version_info"): "asks which numba this is",
        ("compiler", "from numba.core.codegen import JITCodeLibrary"): "code that is optimized in its callers alone",
        ("compiler", "from numba.core.compiler import Compiler"): "numba's own passes, with that for the code",
    },
    "anim/pool.py": {
        ("reduction", "sum((part.sample_count for part in parts))"): "counts of samples",
    },
    "anim/skeleton.py": {
        ("reduction", "np.cumsum([0, *(len(weights.get(b, ())) for b in range(count))])"): "counts of morph weights",
    },
    "tracer/candidates.py": {
        ("compiler", "from numba import carray, types"): "reads the memory that Embree's callback gets",
    },
    "tracer/compiling.py": {
        ("compiler", "import llvmlite.ir"): "casts an address to a pointer for functions that C calls",
        ("compiler", "from numba.extending import intrinsic"): "the cast itself; it computes nothing",
        ("compiler", "numba.cfunc"): "the tracer's door for the filter that Embree calls",
    },
    "tracer/embree.py": {
        ("compiler", "import llvmlite.binding as llvm"): "names Embree's functions for the linker",
        ("function", "np.allclose"): "checks the library's struct layout on a known ray; no layer is made of it",
    },
    "tracer/lights.py": {
        ("reduction", "sum((abs(c) for c in self.direction))"): "only asked whether it is above 0",
    },
    "tracer/nearest.py": {
        ("compiler", "from numba import carray, types"): "reads the memory that Embree's callback gets",
    },
    "tracer/proposals.py": {
        ("compiler", "from numba import carray, types"): "reads the memory that Embree's callback gets",
    },
    "posed/scene/notes.py": {
        ("reduction", "sum((part.mode < TRIANGLES and len(part.positions) > 0 for part in parts))"): "counts of parts",
    },
    "posed/scene/panorama.py": {
        ("reduction", "sum(counts)"): "counts of numbers in a file",
    },
    "posed/stage_layout.py": {
        ("reduction", "sum(counts)"): "counts of vertices",
    },
}
"""By file: a rule and the code it refuses, as `ast.unparse` writes it, and why it may stand."""
