"""Every public name says what its arrays are shaped like, what its numbers mean, and what it raises."""

import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.guard.public import findings, members, public

GOOD = '''
def sizes(matrices: NDArray[np.float64], factor: float) -> float:
    """Return the size of matrices (N, 4, 4) float64 times a factor, in metres.

    Raises
    ------
    ValueError
        They are none.
    """
    raise ValueError
'''

BAD = {
    "docstring": ["def f(): ...", "class A:\n    def m(self): ...", "@dataclass\nclass A:\n    x: int"],
    "shape": [
        'def f(a: ArrayLike):\n    """Take float32."""',
        'def f() -> NDArray[np.float32]:\n    """Return (N, 3)."""',
        'def f(a: Float64):\n    """See `g`."""\n\ndef g(a: int):\n    """Do nothing, and tell of no array."""',
        '@dataclass\nclass A:\n    """Points."""\n    a: NDArray[np.float64]',
    ],
    "unit": [
        'def f(far: float):\n    """Go far."""',
        'class A:\n    """It."""\n    @property\n    def m(self) -> float:\n        """Far."""',
    ],
    "errors": [
        'def f():\n    """Do it."""\n    raise ValueError',
        'def f():\n    """Do it."""\n    _check()\n\ndef _check():\n    raise ValueError',
        'class A:\n    """It."""\n    def m(self):\n        """Do it."""\n        self._no()\n'
        "    def _no(self):\n        raise OSError",
    ],
}


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Make a module of a source."""

    def make(source: str) -> ModuleType:
        return _module(tmp_path, source, monkeypatch)

    return make


def _module(folder: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    head = "import numpy as np\nfrom dataclasses import dataclass\nfrom numpy.typing import ArrayLike, NDArray\n"
    head = "from __future__ import annotations\n" + head + "Float64 = NDArray[np.float64]\n"
    path = folder / "sample.py"
    path.write_text(head + source)
    spec = importlib.util.spec_from_file_location("sample", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "sample", made)  # where dataclasses look
    spec.loader.exec_module(made)
    return made


def rules(made: ModuleType) -> set[str]:
    own = [one for one in vars(made).values() if getattr(one, "__module__", None) == "sample"]
    named = {
        name: value for one in own if one.__name__[0] != "_" for name, value in members(f"sample.{one.__name__}", one)
    }
    texts = {name: inspect.getdoc(value) or "" for name, value in named.items()}
    return {found.rule for name, value in named.items() for found in findings(name, value, texts)}


@pytest.mark.parametrize(("rule", "source"), [(rule, source) for rule, sources in BAD.items() for source in sources])
def test_what_is_left_out_is_found(rule: str, source: str, module: Callable[[str], ModuleType]) -> None:
    assert rule in rules(module(source))


def test_what_is_said_is_not_found(module: Callable[[str], ModuleType]) -> None:
    assert rules(module(GOOD)) == set()
    by_reference = 'def f(a: Float64):\n    """See `g`."""\n\ndef g(a: Float64):\n    """Take (N,) float64."""'
    assert rules(module(by_reference)) == set()


def test_public_names_say_all_of_it() -> None:
    named = dict(public())
    assert len(named) > 400
    texts = {name: inspect.getdoc(value) or "" for name, value in named.items()}
    wrong = [str(found) for name, value in named.items() for found in findings(name, value, texts)]
    assert not wrong, "\n".join([*wrong, "tests/guard/public.py says what each rule asks for"])
