"""Signatures and docstrings of functions, read from the source of modules that are not imported.

The help of a command needs no more than the text of its task, and a task imports what it solves
with. What the text alone does not tell, such as a default that is computed, is imported.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

OWN = "calmip."
"""The start of the names of the modules whose decorators keep a function's signature."""


class Described(NamedTuple):
    """The signature and the docstring of a function.

    Attributes
    ----------
    parameters
        Its parameters by their names, with annotations as texts.
    text
        Its docstring.
    module
        The name of the module that defines it.
    """

    parameters: dict[str, inspect.Parameter]
    text: str
    module: str


def of_object(found: Callable[..., Any]) -> Described:
    """Return the signature and the docstring of an object; without parameters if it has none."""
    try:
        parameters = dict(inspect.signature(found).parameters)
    except (TypeError, ValueError):
        parameters = {}
    return Described(parameters, inspect.getdoc(found) or "", getattr(found, "__module__", ""))


def described(place: str, load: Callable[[str], Any]) -> Described:
    """Return the signature and the docstring of the function at a place.

    Parameters
    ----------
    place
        The place, such as ``calmip.puzzle.tasks.solve.solve``.
    load
        Imports the object at a place, where its source does not say everything.
    """
    module, name = _home(place)
    return _read(module, name) or of_object(load(f"{module}.{name}"))


def constant(place: str, load: Callable[[str], Any]) -> Any:
    """Return the object at a place; without an import if it is a literal of a module of calmip."""
    module, _, name = place.rpartition(".")
    try:
        return _named(name, module)
    except LookupError:
        return load(place)


@cache
def _statements(module: str) -> dict[str, ast.stmt]:
    """Return what a module of calmip binds at its top level, by the names; the last one counts."""
    spec = find_spec(module)
    text = getattr(spec and spec.loader, "get_source", lambda _: None)(module)
    bound: dict[str, ast.stmt] = {}
    for one in ast.parse(text or "").body:
        if isinstance(one, ast.ImportFrom):
            bound |= {alias.asname or alias.name: one for alias in one.names}
        elif isinstance(one, ast.FunctionDef | ast.ClassDef):
            bound[one.name] = one
        elif isinstance(one, ast.Assign | ast.AnnAssign):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            bound |= {target.id: one for target in targets if isinstance(target, ast.Name)}
    return bound


def _home(place: str) -> tuple[str, str]:
    """Return the module that defines what is at a place, if that is known without an import."""
    module, _, name = place.rpartition(".")
    while module.startswith(OWN) and module not in sys.modules:
        found = _statements(module).get(name)
        if not isinstance(found, ast.ImportFrom) or found.module is None:
            break
        name = next(one.name for one in found.names if name in (one.asname, one.name))
        module = found.module
    return module, name


def _read(module: str, name: str) -> Described | None:
    """Return a function's description from the source; none if that does not say everything."""
    if not module.startswith(OWN):
        return None
    if module in sys.modules:
        return of_object(getattr(sys.modules[module], name))
    found = _statements(module).get(name)
    made = found
    if isinstance(found, ast.ClassDef) and not found.decorator_list:
        made = {getattr(one, "name", ""): one for one in found.body}.get("__init__")
    if not isinstance(found, ast.FunctionDef | ast.ClassDef) or not isinstance(
        made, ast.FunctionDef
    ):
        return None
    try:
        parameters = _parameters(made.args, module)
    except LookupError:
        return None
    if made is not found:
        del parameters[made.args.args[0].arg]
    return Described(parameters, ast.get_docstring(found) or "", module)


def _parameters(listed: ast.arguments, module: str) -> dict[str, inspect.Parameter]:
    """Return the parameters of a function; raise `LookupError` for a default that is computed."""
    kinds = inspect.Parameter
    plain = [*listed.posonlyargs, *listed.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(listed.defaults))
    found: list[tuple[ast.arg | None, Any, ast.expr | None]] = [
        (
            one,
            (kinds.POSITIONAL_OR_KEYWORD, kinds.POSITIONAL_ONLY)[one in listed.posonlyargs],
            value,
        )
        for one, value in zip(plain, [*defaults, *listed.defaults], strict=True)
    ]
    found.append((listed.vararg, kinds.VAR_POSITIONAL, None))
    found += [
        (one, kinds.KEYWORD_ONLY, value)
        for one, value in zip(listed.kwonlyargs, listed.kw_defaults, strict=True)
    ]
    found.append((listed.kwarg, kinds.VAR_KEYWORD, None))
    return {
        one.arg: kinds(
            one.arg,
            kind,
            default=kinds.empty if value is None else _value(value, module),
            annotation=kinds.empty if one.annotation is None else ast.unparse(one.annotation),
        )
        for one, kind, value in found
        if one is not None
    }


def _value(node: ast.expr, module: str) -> Any:
    """Return the value of a literal or of a name that stands for one, or raise `LookupError`."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        pass
    match node:
        case ast.Dict():
            pairs = zip(node.keys, node.values, strict=True)
            return {_value(one, module): _value(other, module) for one, other in pairs if one}
        case ast.Subscript():  # such as the first of several words
            return _value(node.value, module)[_index(node.slice)]
        case ast.Call(func=ast.Name(id="tuple"), args=[words], keywords=[]):
            return tuple(_value(words, module))
        case ast.Name():
            return _named(node.id, module)
    raise LookupError(ast.unparse(node))


def _named(name: str, module: str) -> Any:
    """Return the value that a name has in a module, or raise `LookupError`."""
    module, name = _home(f"{module}.{name}")
    if not module.startswith(OWN):
        raise LookupError(name)
    if module in sys.modules:
        return getattr(sys.modules[module], name)
    value = getattr(_statements(module).get(name), "value", None)
    if not isinstance(value, ast.expr):
        raise LookupError(name)
    return _value(value, module)


def _index(node: ast.expr) -> Any:
    """Return a literal index, or raise `LookupError`."""
    try:
        if isinstance(node, ast.Slice):
            ends = (node.lower, node.upper, node.step)
            return slice(*(None if one is None else ast.literal_eval(one) for one in ends))
        return ast.literal_eval(node)
    except ValueError:
        raise LookupError(ast.unparse(node)) from None
