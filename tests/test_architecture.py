"""The directions of the imports, and what a plain import loads."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import calmip

ROOT = Path(calmip.__file__).parent

# Who may import whom, by part of the package: the data's way, and nothing back.
DATA = {"_version", "errors", "lattice", "board", "dates", "puzzle", "instance"}
ALLOWED = {
    "_version": set(),
    "errors": set(),
    "lattice": set(),
    "shapes": set(),
    "dates": {"errors"},
    "board": {"errors", "lattice"},
    "puzzle": {"board", "dates", "errors", "lattice"},
    "instance": {"board", "dates", "errors", "lattice", "puzzle"},
    "document": {"errors"},
    "puzzle_file": DATA | {"document", "shapes"},
    "placing": DATA,
    "instance_file": {"document", "errors", "placing"},
    "reader": DATA | {"document", "puzzle_file", "instance_file", "placing"},
    "cover": DATA,
    "packing": DATA | {"cover"},
    "tiling": {"errors", "packing"},
    "models": DATA | {"cover", "formats"},
    "formats": DATA | {"cover", "tiling"},
    "solvers": {"errors", "formats"},
    "verdict": DATA | {"cover", "packing", "tiling", "models", "solvers", "formats"},
    "search": DATA | {"cover", "tiling", "models", "solvers", "formats", "verdict"},
    "solving": DATA
    | {"cover", "formats", "packing", "tiling", "models", "solvers", "search", "verdict"},
    "enumerating": DATA | {"cover", "tiling", "search", "solving", "models", "solvers"},
    "comparing": DATA
    | {"cover", "tiling", "models", "solvers", "search", "solving", "verdict", "formats"},
    "course": DATA
    | {"cover", "formats", "model_check", "models", "reader", "render", "search", "solvers"},
    "render": DATA
    | {"cover", "formats", "packing", "tiling", "solving", "enumerating", "year", "daily"}
    | {"daily_file"},
    "year": DATA | {"cover", "search"},
    "daily": DATA | {"cover", "search", "tiling"},
    "daily_file": DATA | {"cover", "daily", "tiling"},
    "hints": DATA | {"cover", "tiling", "search"},
    "model_solving": DATA | {"formats", "search", "solvers", "solving"},
    "model_matching": {"cover", "formats"},
    "model_check": {"cover", "errors", "formats", "model_matching", "search"},
    "library": DATA | {"cover", "formats", "models", "search"},
    "rearrange": DATA | {"formats", "search", "solvers"},
    "puzzle_writer": DATA,
    "proofs": DATA | {"cover", "formats", "search"},
}

HEAVY = {"pulp", "pyomo", "highspy", "numba", "scipy", "matplotlib", "rich", "ortools", "yaml",
         "pyscipopt", "gurobipy", "z3", "dratify"}  # fmt: skip

MAY_BE_HEAVY = {"models/pulp.py": {"pulp"}, "models/pyomo.py": {"pyomo"}}


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(ROOT.rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), path


def imports(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """Yield every imported module's name, and whether the import is at the top level."""
    top = set(ast.iter_child_nodes(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node in top
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, node in top
            if node.module == "calmip":
                for alias in node.names:
                    yield f"calmip.{alias.name}", node in top


@pytest.mark.parametrize(("name", "path"), list(modules()), ids=[name for name, _ in modules()])
def test_imports_go_one_way(name: str, path: Path) -> None:
    part = name.split("/", maxsplit=1)[0].removesuffix(".py")
    if part in ("__init__", "__main__", "cli"):
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    drawings = notebook_imports(tree)
    for imported, _ in imports(tree):
        package, _, rest = imported.partition(".")
        if package != "calmip" or not rest or imported in drawings:
            continue
        target = rest.split(".")[0]
        assert target == part or target in ALLOWED[part], f"{name} imports {imported}"


def notebook_imports(tree: ast.AST) -> set[str]:
    """Return what the methods that notebooks call import from render; only they may draw."""
    methods = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name in ("_repr_svg_", "_repr_html_")
    ]
    inside = [imported for method in methods for imported, _ in imports(method)]
    assert all(imported.startswith("calmip.render.") for imported in inside)
    everywhere = [imported for imported, _ in imports(tree) if imported in inside]
    assert len(everywhere) == len(inside), "only these methods may import a renderer"
    return set(inside)


@pytest.mark.parametrize(("name", "path"), list(modules()), ids=[name for name, _ in modules()])
def test_heavy_packages_are_imported_late(name: str, path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {imported.split(".")[0] for imported, top in imports(tree) if top}
    assert found & HEAVY <= MAY_BE_HEAVY.get(name, set())


def test_a_plain_import_loads_nothing_heavy() -> None:
    code = (
        "import sys, calmip; calmip.solve; calmip.read_instance('a-puzzle-a-day', reveal='Jan,1');"
        f"print(sorted({HEAVY - {'yaml'}!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_public_names_exist_and_are_described() -> None:
    for found in pkgutil.walk_packages(calmip.__path__, "calmip."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        assert module.__doc__
        if found.name.rpartition(".")[2].startswith("_"):
            continue
        for name in getattr(module, "__all__", []):
            value = getattr(module, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                assert value.__doc__, f"{found.name}.{name}"


def test_all_public_names_of_the_package_resolve() -> None:
    for name in calmip.__all__:
        assert getattr(calmip, name) is not None
    assert set(calmip.__all__) <= set(dir(calmip))
    with pytest.raises(AttributeError):
        calmip.nosuch  # noqa: B018
