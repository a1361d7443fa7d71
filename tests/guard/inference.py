"""The little that the guard's rules have to know of values: which are sets, which are whole, which are float32."""

import ast

_SET_METHODS = ("difference", "intersection", "symmetric_difference", "union")
_SET_TYPES = ("AbstractSet", "MutableSet", "Set", "frozenset", "set")


def set_names(tree: ast.AST) -> set[str]:
    """Return the names, and attributes of `self`, that are assigned a set or annotated as one anywhere in a tree."""
    names: set[str] = set()
    before = -1
    while len(names) > before:
        before = len(names)
        for node in ast.walk(tree):
            match node:
                case ast.AnnAssign(target=target, annotation=kind) if _is_set_type(kind):
                    names.add(ast.unparse(target))
                case ast.arg(arg=name, annotation=ast.expr() as kind) if _is_set_type(kind):
                    names.add(name)
                case ast.Assign(targets=targets, value=value) if is_set(value, names):
                    names.update(ast.unparse(target) for target in targets)
    return names


def _is_set_type(kind: ast.expr) -> bool:
    return ast.unparse(kind).partition("[")[0].rpartition(".")[2] in _SET_TYPES


def is_set(node: ast.expr, names: set[str]) -> bool:
    """Say whether an expression is known to be a set."""
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Name() | ast.Attribute():
            return ast.unparse(node) in names
        case ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.Call(func=ast.Attribute(value=of, attr=name)) if name in _SET_METHODS:
            return is_set(of, names)
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() | ast.Sub() | ast.BitXor(), right=right):
            return is_set(left, names) or is_set(right, names)
        case ast.IfExp(body=one, orelse=other):
            return is_set(one, names) or is_set(other, names)
    return False


def is_whole(terms: ast.expr) -> bool:
    """Say whether what is summed is made of whole numbers, to be seen from the expression alone."""
    match terms:
        case ast.GeneratorExp(elt=element) | ast.ListComp(elt=element):
            return is_whole(element)
        case ast.Constant(value=value):
            return isinstance(value, int)
        case ast.Call(func=ast.Name(id="int" | "len")):
            return True
        case ast.Compare():
            return True
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv(), right=right):
            return is_whole(left) and is_whole(right)
    return False


def narrow_names(function: ast.FunctionDef) -> set[str]:
    """Return a kernel's names that hold float32: parameters annotated so, and what is assigned from them."""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    names = {one.arg for one in arguments if one.annotation and "np.float32" in ast.unparse(one.annotation)}
    before = -1
    while len(names) > before:
        before = len(names)
        for node in ast.walk(function):
            if not isinstance(node, ast.Assign):
                continue
            for target in node.targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=False))
                names.update(to.id for to, value in pairs if isinstance(to, ast.Name) and is_narrow(value, names))
    return names


def is_narrow(node: ast.expr, names: set[str]) -> bool:
    """Say whether an expression is known to be float32."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np"), attr="float32")):
            return True
        case ast.Name(id=name):
            return name in names
        case ast.Subscript(value=of):
            return is_narrow(of, names)
        case ast.UnaryOp(operand=of):
            return is_narrow(of, names)
        case ast.BinOp(left=left, right=right):
            return is_narrow(left, names) and is_narrow(right, names)
    return False


def uses_width(literal: ast.expr, other: ast.expr, names: set[str]) -> bool:
    """Say whether a bare number stands beside a float32, whose width then depends on who reads it."""
    if isinstance(literal, ast.UnaryOp):
        literal = literal.operand
    bare = isinstance(literal, ast.Constant) and isinstance(literal.value, int | float)
    return bare and is_narrow(other, names)
