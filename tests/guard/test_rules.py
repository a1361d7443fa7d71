"""The guard itself: each kind of bad source is found, and its harmless neighbour is not."""

import pytest

from tests.guard.rules import findings


def rules(source: str) -> set[str]:
    return {one.rule for one in findings(source)}


BAD = {
    "function": [
        "import math\nmath.sin(x)",
        "import math as m\nm.hypot(x, y)",
        "import math\nmath.fsum(values)",
        "from math import exp",
        "import numpy as np\nnp.cos(x)",
        "import numpy\nnumpy.power(x, y)",
        "import numpy as np\nnp.linalg.norm(x)",
        "import numpy as np\nturn = np.arctan2",
        "import numpy as np\ntotal = np.sum",
        "import numpy as np\nnp.einsum('ij,jk', a, b)",
        "import numpy as np\nnp.add.reduce(x)",
        "from numpy import dot",
        "from numpy.linalg import inv",
        "import cmath",
        "from scipy.spatial import transform",
    ],
    "reduction": [
        "values.sum(axis=1)",
        "(a * b).mean()",
        "a.dot(b)",
        "import numpy as np\nnp.cumsum(lengths)",
        "import numpy as np\nnp.cumsum(lengths, dtype=np.float64)",
        "sum(values)",
        "sum(part * part for part in parts)",
        "sum([0.5, 0.25])",
    ],
    "product": ["a @ b", "a @= b"],
    "power": ["x ** 2", "x **= 2", "2 ** x", "x ** 0.5", "3.0 ** 2", "pow(x, 2)", "2.0 ** 0.5"],
    "compiler": [
        "import numba\n@numba.njit\ndef f(x): ...",
        "import numba as nb\nnb.jit(f)",
        "from numba import njit",
        "from numba import vectorize",
        "from numba.extending import overload",
        "import llvmlite.ir",
        "kernel(fastmath=True)",
        "options = {'fastmath': True}",
    ],
    "clock": ["import time", "from datetime import datetime", "def f():\n    import time as clock"],
    "random": [
        "import random",
        "from secrets import token_hex",
        "import numpy as np\nnp.random.default_rng(1)",
        "from numpy.random import default_rng",
        "import uuid",
    ],
    "order": [
        "for name in {'a', 'b'}: ...",
        "names = set(words)\nfor name in names: ...",
        "names: set[str]\n[name for name in names]",
        "def f(names: frozenset[str]):\n    return list(names)",
        "def f(a):\n    b = set(a)\n    c = b | {1}\n    return {x: 1 for x in c}",
        "class A:\n    def __init__(self): self.x = set()\n    def f(self): return tuple(self.x)",
        "print(*{1, 2})",
        "','.join({'a', 'b'})",
        "dict.fromkeys(set(words))",
        "set(words).pop()",
        "next(iter(set(words)))",
        "list(set(a).union(b))",
        "hash('name')",
        "import numpy as np\nnp.argsort(x)",
        "x.argsort(axis=0)",
        "from concurrent.futures import as_completed\nfor one in as_completed(jobs): ...",
        "for path in folder.glob('*.py'): ...",
        "import os\nos.listdir('.')",
    ],
    "width": [
        "@kernel\ndef f(x: NDArray[np.float32]):\n    return x[0] * 2.0",
        "@kernel\ndef f(x: NDArray[np.float32]):\n    y = x[0]\n    return 1 - y",
        "@leaf\ndef f(x: NDArray[np.float64]):\n    y, z = np.float32(x[0]), 1.0\n    return y / -3.0",
        "@kernel(parallel=True)\ndef f(x: NDArray[np.float32]):\n    x[0] += 0.1",
        "@kernel\ndef f(a, x: np.float32):\n    return (x + x) * 0.5",
    ],
}

GOOD = [
    "import math\nmath.sqrt(x) + math.floor(y) + math.lcm(2, 3) * math.pi",
    "from math import isfinite, ldexp",
    "from anim.scalar import sin\nsin(x)",
    "math.sin(x)",  # no import of math: an object of that name
    "import numpy as np\nnp.maximum(np.abs(x), 0.0).max(axis=1).reshape(3).tolist()",
    "import numpy as np\nfrom numpy.typing import NDArray\nnp.cumsum(counts, dtype=np.int64)",
    "import numpy as np\ncounts.cumsum(dtype=np.uint32)",
    "sum(1 for word in words)",
    "sum(len(word) + 1 for word in words)",
    "sum(int(x) for x in y)",
    "sum(a < b for a, b in pairs)",
    "2 ** 53 + 10 ** 300 + 2.0 ** -20",
    "import numba\nnumba.prange(3)\nnumba.config.CACHE_DIR",
    "from numba.core import types",
    "sorted({1, 2}) + [max(names), len({3})]",
    "names = {'a'}\nx in names and any(n for n in names) and all(n in names for n in words)",
    "frozenset(x for x in {1, 2})",
    "def f():\n    names = {1}\n    return sorted(names)\ndef g(names):\n    return [n for n in names]",
    "for key in {'a': 1}: ...",
    "import numpy as np\nnp.argsort(x, kind='stable')",
    "sorted(folder.glob('*.py'))",
    "@kernel\ndef f(x: NDArray[np.float32]):\n    return x[0] * np.float32(2.0) < 0.5",
    "@kernel\ndef f(x: NDArray[np.float64], i: int):\n    return x[i + 1] * 2.0",
    "@kernel\ndef f(x: NDArray[np.float32], i: int):\n    return np.float64(x[i * 2]) * 2.0",
    "def f(x: NDArray[np.float32]):\n    return x[0] * 2.0",
    "'a string that says math.sin(x) @ y ** z and import time'",
]


@pytest.mark.parametrize(("rule", "source"), [(rule, source) for rule, sources in BAD.items() for source in sources])
def test_bad_source_is_found(rule: str, source: str) -> None:
    assert rules(source) == {rule}


@pytest.mark.parametrize("source", GOOD)
def test_harmless_source_is_not(source: str) -> None:
    assert findings(source) == []


def test_a_finding_names_its_line_and_code() -> None:
    assert findings("import math\n\ny = 1 + math.tan( x )") == [(3, "function", "math.tan")]


def test_all_that_is_wrong_is_found() -> None:
    assert [one.line for one in findings("import time\nx = a @ b\ny = x ** 2 @ b")] == [1, 2, 3, 3]
