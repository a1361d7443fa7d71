"""What the docstring of a public name has to say, found by reading it beside the name's own source.

Four rules, each with few false alarms:

- ``docstring``: a public function, class, method or property has one.
- ``shape``: where an annotation holds an array, the text states a shape, such as (N, 3), and a kind of number; by
  itself, or by a reference in backquotes to a name whose text does.
- ``unit``: where a parameter or an answer is a float, the text has a unit, a range or what it is a share of.
- ``errors``: what raises, by itself or by a private helper that it calls, says so.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

PACKAGES = (
    *("posed", "posed.live", "posed.overlay", "posed.plot", "posed.notebook", "posed.farm", "posed.verify"),
    *("anim", "tracer"),
)

ARRAY = re.compile(r"\b(AnyArray|Float32|Float64|UInt8|Bool|Int64|NDArray|ndarray|ArrayLike|Floats|Array)\b")
SHAPE = re.compile(r"\((?:[A-Z][A-Za-z]*|\d+|\.\.\.)(?: ?[+*-] ?\d+)?,[^()]*\)")
NUMBER = re.compile(
    r"float(32|64)|u?int(8|16|32|64)|\bbool|numbers?\b|integers?\b|mask|weights?\b|unit|metres|radians|ids\b"
)
UNIT = re.compile(
    r"\bunits?\b|metres?|seconds?|radians|degrees|ticks?|pixels?|texels?|shares?|weights?|factor|speed|phase|fraction|ratio|"
    r"\[0, 1\]|0 to 1|above 0|0 or more|percent|lux|candela|linear|bytes|probability",
    re.IGNORECASE,
)
ERRORS = re.compile(r"\bRaises\b|\braises?\b|\brefus|Error\b")
FLOAT = re.compile(r"\bfloat\b|\bNumber\b")


@dataclass(frozen=True)
class Finding:
    """A rule that a public name breaks."""

    name: str
    rule: str

    def __str__(self) -> str:
        return f"{self.name}: {self.rule}"


def public(packages: tuple[str, ...] = PACKAGES) -> Iterator[tuple[str, Any]]:
    """Yield every public function, class, method and property once, under its shortest name."""
    seen: set[int] = set()
    for package in packages:
        module = importlib.import_module(package)
        for name in module.__all__:
            for found, value in members(f"{package}.{name}", getattr(module, name)):
                if id(value) not in seen:
                    seen.add(id(value))
                    yield found, value


def members(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a public value and, of a class, what its own body defines."""
    if isinstance(value, ModuleType):
        return
    if isinstance(value, FunctionType) or inspect.isclass(value):
        yield name, value
    if inspect.isclass(value):
        for part, held in vars(value).items():
            function = getattr(held, "fget", None) or getattr(held, "__func__", None) or getattr(held, "func", held)
            if not part.startswith("_") and isinstance(function, FunctionType):
                yield f"{name}.{part}", function


def findings(name: str, value: Any, texts: dict[str, str]) -> Iterator[Finding]:
    """Yield the rules that a public name breaks; `texts` are all docstrings by name."""
    text = inspect.getdoc(value) or ""
    if not text.strip() or (inspect.isclass(value) and text.startswith(f"{value.__name__}(")):  # a dataclass's own
        yield Finding(name, "docstring")
        return
    if inspect.isclass(value):
        told = f"{text} {_field_texts(value)}"
        if any(ARRAY.search(str(one)) for one in _own_annotations(value)) and not _told(name, told, texts, _has_shape):
            yield Finding(name, "shape")
        return
    tree = _tree(value)
    arguments = tree.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    written = [ast.unparse(one.annotation) for one in parameters if one.annotation is not None]
    written += [ast.unparse(tree.returns)] if tree.returns is not None else []
    if any(ARRAY.search(one) for one in written) and not _told(name, text, texts, _has_shape):
        yield Finding(name, "shape")
    if any(FLOAT.search(one) for one in written) and not _told(name, text, texts, _has_unit):
        yield Finding(name, "unit")
    if _raises(value, tree) and not _told(name, text, texts, lambda one: bool(ERRORS.search(one))):
        yield Finding(name, "errors")


def _own_annotations(kind: type) -> list[str]:
    return [str(one) for name, one in vars(kind).get("__annotations__", {}).items() if not name.startswith("_")]


def _field_texts(kind: type) -> str:
    """Return what stands below the fields of a class."""
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    texts = [one.value.value for one in body.body if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)]
    return " ".join(str(one) for one in texts)


def _told(name: str, text: str, texts: dict[str, str], says: Any) -> bool:
    """Return whether a text says something, by itself or by a reference."""
    if says(text):
        return True
    owner = name.rpartition(".")[0]
    for word in re.findall(r"`([\w.]+)[(`]", text):
        last = word.split(".")[-1]
        named = [
            one for one in (f"{owner}.{last}", f"{owner.rpartition('.')[0]}.{last}") if one in texts and one != name
        ]
        named = named or [one for one in texts if one.endswith(f".{last}") and one != name]
        if named and says(texts[named[0]]):
            return True
    return False


def _has_shape(text: str) -> bool:
    return bool(SHAPE.search(text)) and bool(NUMBER.search(text))


def _has_unit(text: str) -> bool:
    return bool(UNIT.search(text))


def _tree(function: Any) -> ast.FunctionDef:
    tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree


def _raises(function: Any, tree: ast.FunctionDef) -> bool:
    """Return whether a function raises, by itself or by a private function of its module or class that it calls."""
    if _raises_itself(tree):
        return True
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    own = {
        node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "self"
    }
    module = inspect.getmodule(function)
    owner: Any = module
    for word in function.__qualname__.split(".")[:-1]:
        owner = getattr(owner, word, None)
    helpers = [getattr(module, name, None) for name in called if name.startswith("_")]
    helpers += [vars(owner).get(name) for name in own if name.startswith("_")] if inspect.isclass(owner) else []
    return any(_raises_itself(_tree(one)) for one in helpers if isinstance(one, FunctionType))


def _raises_itself(tree: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Raise) and node.exc is not None for node in ast.walk(tree))
