"""What source may not do on the way from a tick to its pixels, found in its syntax tree: see docs/determinism.md."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tests.guard.inference import is_set, is_whole, narrow_names, set_names, uses_width


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


MATH = words(
    "ceil copysign e fabs floor frexp gcd inf isclose isfinite isinf isnan isqrt lcm ldexp modf nan nextafter pi sqrt "
    "tau trunc ulp"
)
"""Of `math`: what IEEE 754 or whole numbers define to the last bit."""

NUMPY = words(
    "abs absolute all any append arange argmax argmin argsort argwhere array array_equal asarray ascontiguousarray "
    "atleast_1d atleast_2d bincount bitwise_and bitwise_or bool_ broadcast_to ceil clip concatenate copysign "
    "count_nonzero cumsum diff divide dtype empty empty_like equal errstate eye fabs finfo flatnonzero flip float32 "
    "float64 floating floor frombuffer full full_like fromiter generic iinfo inf int8 int16 int32 int64 intp integer "
    "isfinite isinf isnan issubdtype lexsort logical_and logical_not logical_or maximum max meshgrid min minimum "
    "moveaxis multiply nan nan_to_num ndarray ndim nextafter nonzero ones ones_like packbits pad repeat reshape "
    "result_type rint roll round searchsorted shape sign signbit sort spacing split sqrt square stack subtract take "
    "tile transpose trunc typing uint8 uint16 uint32 uint64 uintp unique unpackbits void vstack where zeros zeros_like"
)
"""Of `numpy`: layouts, whole numbers, comparisons, and what IEEE 754 defines to the last bit, element by element."""

NUMBA = words("config core.types get_num_threads prange threading_layer types")
"""Of `numba`: what compiles nothing."""

REDUCTIONS = words("average cumprod cumsum dot mean prod std sum var")
"""Methods of arrays whose order of additions, or library, depends on the machine."""

FORBIDDEN = {
    "clock": words("calendar datetime sched time timeit"),
    "random": words("random secrets uuid"),
    "function": frozenset(("cmath", "scipy", "statistics")),
    "compiler": frozenset(("llvmlite",)),
}
"""Modules, by the rule that refuses them."""

UNORDERED = words("as_completed imap_unordered")
LISTINGS = words("glob iglob iterdir listdir rglob scandir walk")
ORDER_FREE = words("all any frozenset len max min set sorted")
"""What takes a set, or a listing, without caring for its order."""


_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Finding(NamedTuple):
    """A place in a source that a rule refuses."""

    line: int
    rule: str
    """`function`, `reduction`, `product`, `power`, `compiler`, `clock`, `random`, `order` or `width`."""
    code: str
    """The expression as Python writes it."""


def findings(source: str) -> list[Finding]:
    """Return what the rules refuse in a source, by line."""
    tree = ast.parse(source)
    found = {*_imports(tree), *_names(tree), *_arithmetic(tree), *_orders(tree), *_widths(tree)}
    return sorted(found)


def _found(node: ast.AST, rule: str) -> Finding:
    return Finding(getattr(node, "lineno", 0), rule, ast.unparse(node))


def _imports(tree: ast.Module) -> Iterator[Finding]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            modules = [node.module or ""]
            for alias in node.names:
                rule = _refusal(f"{node.module}.{alias.name}")
                if rule:
                    yield _found(node, rule)
        else:
            continue
        for module in modules:
            for rule, names in FORBIDDEN.items():
                if module.partition(".")[0] in names:
                    yield _found(node, rule)


def _names(tree: ast.Module) -> Iterator[Finding]:
    """Find names of `math`, `numpy` and `numba` that are not listed."""
    aliases = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _is_dotted_name(node):
            dotted = ast.unparse(node)
            root, _, rest = dotted.partition(".")
            rule = _refusal(f"{aliases[root]}.{rest}") if root in aliases else ""
            if rule:
                yield _found(node, rule)


def _is_dotted_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and _is_dotted_name(node.value))


def _refusal(dotted: str) -> str:
    """Return the rule that refuses a dotted name, or nothing."""
    module, _, name = dotted.partition(".")
    first = name.partition(".")[0]
    if module == "math" and first not in MATH:
        return "function"
    if module == "numpy" and first not in NUMPY:
        return "random" if first == "random" else "function"
    if module == "numba" and not any(f"{name}.".startswith(f"{one}.") or one.startswith(f"{name}.") for one in NUMBA):
        return "compiler"
    return ""


def _arithmetic(tree: ast.Module) -> Iterator[Finding]:
    """Find matrix products, powers, sums of unknown order, and fast math."""
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(op=ast.MatMult()) | ast.AugAssign(op=ast.MatMult()):
                yield _found(node, "product")
            case ast.BinOp(op=ast.Pow(), left=base, right=exponent):
                if not _is_exact_power(base, exponent):
                    yield _found(node, "power")
            case ast.AugAssign(op=ast.Pow()):
                yield _found(node, "power")
            case ast.Call(func=ast.Name(id="sum"), args=[terms, *_]):
                if not is_whole(terms):
                    yield _found(node, "reduction")
            case ast.Call(func=ast.Name(id="pow" | "hash" as name)):
                yield _found(node, "power" if name == "pow" else "order")
            case ast.Call(func=ast.Attribute(attr=name)) if name in REDUCTIONS:
                if not _names_a_whole_dtype(node):
                    yield _found(node, "reduction")
            case ast.keyword(arg="fastmath") | ast.Constant(value="fastmath"):
                yield Finding(node.lineno, "compiler", "fastmath")


def _is_exact_power(base: ast.expr, exponent: ast.expr) -> bool:
    """Say whether a power is one of whole literals, or of two: no library computes it."""
    if isinstance(exponent, ast.UnaryOp):
        exponent = exponent.operand
    if not (isinstance(base, ast.Constant) and isinstance(exponent, ast.Constant)):
        return False
    return isinstance(exponent.value, int) and (isinstance(base.value, int) or base.value == 2.0)


def _names_a_whole_dtype(call: ast.Call) -> bool:
    dtype = next((word.value for word in call.keywords if word.arg == "dtype"), None)
    return isinstance(dtype, ast.Attribute) and dtype.attr.lstrip("u").startswith("int")


def _orders(tree: ast.Module) -> Iterator[Finding]:
    """Find what is walked in an order that no one has chosen; names are those of a function, `self.x` the module's."""
    held = {name for name in set_names(tree) if "." in name}
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    outside = set_names(ast.Module(body=[node for node in tree.body if not isinstance(node, _SCOPES)], type_ignores=[]))
    for function in functions:
        yield from _orders_within(function, held | outside | set_names(function))
    yield from _orders_within(tree, held | outside)


def _orders_within(tree: ast.AST, sets: set[str]) -> Iterator[Finding]:
    consumed = {
        id(argument)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ORDER_FREE
        for argument in node.args
    }
    for node in ast.walk(tree):
        match node:
            case ast.For(iter=walked) if is_set(walked, sets):
                yield _found(walked, "order")
            case ast.GeneratorExp() | ast.ListComp() | ast.DictComp() if id(node) not in consumed:
                yield from (_found(part.iter, "order") for part in node.generators if is_set(part.iter, sets))
            case ast.Starred(value=walked) if is_set(walked, sets) and id(node) not in consumed:
                yield _found(node, "order")
            case ast.Call(func=ast.Name(id=name), args=[walked, *_]) if (
                name in ("dict", "enumerate", "iter", "list", "map", "tuple", "zip") and id(node) not in consumed
            ):
                yield from (_found(node, "order") for given in node.args if is_set(given, sets))
            case ast.Call(func=ast.Attribute(attr="join" | "fromkeys" | "extend"), args=[walked, *_]) if is_set(
                walked, sets
            ):
                yield _found(node, "order")
            case ast.Call(func=ast.Attribute(value=of, attr="pop"), args=[]) if is_set(of, sets):
                yield _found(node, "order")
            case ast.Call(func=ast.Attribute(attr="argsort" | "argpartition")):
                if not any(word.arg == "kind" and ast.unparse(word.value) == "'stable'" for word in node.keywords):
                    yield _found(node, "order")
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in UNORDERED | LISTINGS:
                if id(node) not in consumed or name in UNORDERED:
                    yield _found(node, "order")


def _widths(tree: ast.Module) -> Iterator[Finding]:
    """Find bare literals beside float32 in kernels: numba widens there what NumPy keeps narrow."""
    for function in ast.walk(tree):
        if not (isinstance(function, ast.FunctionDef) and _is_compiled(function)):
            continue
        names = narrow_names(function)
        for node in ast.walk(function):
            match node:
                case ast.BinOp(left=left, right=right) | ast.AugAssign(target=left, value=right):
                    if uses_width(left, right, names) or uses_width(right, left, names):
                        yield _found(node, "width")


def _is_compiled(function: ast.FunctionDef) -> bool:
    names = [ast.unparse(one.func if isinstance(one, ast.Call) else one) for one in function.decorator_list]
    return any(name.rpartition(".")[2] in ("kernel", "leaf", "callback") for name in names)
