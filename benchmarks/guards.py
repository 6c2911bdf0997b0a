"""Which conditions of the package guard a verdict: the rule of the mutation campaign.

A verdict is one of the words in ``VERDICTS``. A function of a verdict is one whose code names
such a word, as a name, an attribute, a keyword or a text, and every function or method of the
same folder that it calls, directly or not, unless that returns a text. A guard is what decides
there: a condition and its parts, ``all`` and ``any``, a flag, an error that is raised, a value
that is returned, and the end of a loop or of one of its turns. What only counts or words is none.
Nor is the very point at which a limit with a name of its own is reached, which is a matter of
effort (whether the limit is heeded is a guard), nor None for False, which decide alike.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

VERDICTS = frozenset("proved proven proof verified same complete infeasible optimal".split())

IN_PROSE = frozenset("proved verified infeasible optimal".split())
"""Those that are verdicts in a sentence, too, where the others may be any word."""

WORDING = frozenset(("str", "list[str]", "tuple[str, ...]", "Iterator[str]", "Iterable[str]"))
"""What a function returns that words or draws."""


def names_verdict(text: str) -> bool:
    """Return whether one of a text's or a name's words is a verdict."""
    words = re.split(r"[^a-z]+", text.lower())
    return not (IN_PROSE if " " in text.strip() else VERDICTS).isdisjoint(words)


def verdict_lines(modules: Iterable[Path]) -> dict[Path, set[int]]:
    """Return the lines of the functions of verdicts in each module."""
    folders: defaultdict[Path, list[Path]] = defaultdict(list)
    for module in modules:
        folders[module.parent].append(module)
    lines: dict[Path, set[int]] = {}
    for inside in folders.values():
        functions = [(module, function) for module in inside for function in _functions(module)]
        by_name: defaultdict[str, list[int]] = defaultdict(list)
        for number, (_, function) in enumerate(functions):
            by_name[function.name].append(number)
        waiting = [
            number
            for number, (_, function) in enumerate(functions)
            if any(names_verdict(name) for name in _names(function))
        ]
        found = set(waiting)
        while waiting:
            for name in _called(functions[waiting.pop()][1]):
                for number in by_name.get(name, ()):
                    if number not in found and not _words(functions[number][1]):
                        found.add(number)
                        waiting.append(number)
        for module in inside:
            lines[module] = set()
        for number in found:
            module, function = functions[number]
            lines[module].update(range(function.lineno, (function.end_lineno or 0) + 1))
    return lines


def guards(tree: ast.AST, lines: set[int]) -> set[ast.AST]:
    """Return the nodes of a module that guard a verdict, given the lines that may."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.comprehension):
            found.update(
                part for test in node.ifs if test.lineno in lines for part in ast.walk(test)
            )
        if getattr(node, "lineno", 0) not in lines:
            continue
        match node:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                found.update((node, *ast.walk(test)))
            case ast.Compare() | ast.BoolOp():
                found.update(ast.walk(node))
            case ast.Call(func=ast.Name(id="all" | "any")) | ast.Constant(value=bool()):
                found.add(node)
            case ast.Raise() | ast.Return() | ast.Continue() | ast.Break():
                found.add(node)
    return {node for node in found if not _decides_alike(node)}


def _decides_alike(node: ast.AST) -> bool:
    """Return whether an altered node decides as before, but for one point of a limit."""
    match node:
        case ast.Return(value=ast.Constant(value=False)):
            return True
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            ordered = isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
            return ordered and any(_is_limit(side) for side in (left, right))
    return False


def _is_limit(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.isupper()
    return False


def _functions(module: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    return [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def _words(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return function.returns is not None and ast.unparse(function.returns) in WORDING


def _names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Yield the names and texts of a function's code, without its docstring and annotations."""
    yield function.name
    for statement in function.body[ast.get_docstring(function) is not None :]:
        for node in ast.walk(statement):
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                    yield name
                case ast.keyword(arg=str(name)) | ast.Constant(value=str(name)):
                    yield name


def _called(function: ast.AST) -> set[str]:
    """Return the names of the functions and methods that a function calls."""
    return {
        called.id if isinstance(called, ast.Name) else called.attr
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(called := node.func, ast.Name | ast.Attribute)
    }
