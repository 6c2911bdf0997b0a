"""The directions of the imports, and what a plain import loads."""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import public_names
import pytest
from requirements import need_library
from trades import TRADES, missing

import calmip
from calmip import features
from calmip.features import DOORS, OWN, Feature, load
from calmip.puzzle.render import reports
from calmip.puzzle.render.report import DEFAULT
from calmip.puzzle.tasks.results import Result

ROOT = Path(calmip.__file__).parent

# What stands below all folders, each below the next: the modules of ``_base``.
BASE = (
    "bits",
    "errors",
    "verbs",
    "registry",
    "trades",
    "version",
    "signals",
    "limits",
    "files",
    "shards",
    "highs_library",
    "highs",
)

# Who may import whom, by folder, and nothing back: each line names only lines above it. A line
# that names a folder from which nobody there imports fails as well: the table says what is, not
# what might be. ``.files`` is ``puzzle.files``; ``puzzle`` is the modules beside its folders.
TABLE = """
_base:
processes: _base
features: _base
mip: _base processes
solvers: _base processes mip
plugins: _base mip solvers
puzzle: _base features mip
.files: _base mip puzzle
.documents: _base mip puzzle
models: _base mip puzzle
.search: _base processes mip puzzle .files
.tasks: _base processes mip solvers puzzle .files .documents .search models
.render: _base features mip solvers puzzle .documents .tasks
year: _base features mip puzzle .documents .search .tasks .render
proofs: _base processes features mip solvers puzzle .files .tasks .render
design: _base processes features mip solvers puzzle .files .documents .search .tasks .render models
bench: _base processes features mip solvers puzzle .files .documents .search .tasks .render models
course: _base processes features mip puzzle .files .documents .search .tasks .render models
workshop: _base features mip puzzle .tasks .render
cli: _base features mip solvers puzzle .documents .tasks .render models
__init__: _base features mip puzzle .documents .tasks .render models \
    year proofs design bench course workshop
__main__: _base cli
"""


def read_table(text: str) -> dict[str, set[str]]:
    """Return the folders of a table, and those from which each imports."""
    found = {}
    for line in text.replace(" .", " puzzle.").strip().splitlines():
        folder, _, names = line.partition(":")
        found[f"puzzle{folder}" if folder.startswith(".") else folder] = {*names.split()}
    return found


ALLOWED = read_table(TABLE)

HEAVY = {
    "pulp",
    "pyomo",
    "highspy",
    "scipy",
    "matplotlib",
    "rich",
    "ortools",
    "yaml",
    "pyscipopt",
    "gurobipy",
    "z3",
    "dratify",
}

MAY_BE_HEAVY = {
    "models/pulp.py": {"pulp"},
    "models/pyomo.py": {"pyomo"},
    "plugins/pulp.py": {"pulp"},
    "plugins/pyomo.py": {"pyomo"},
}


# Who may import by a string, which no tool sees: the lazy package, doors and what features name,
# and a new process, which is told what to call.
BY_STRING = {
    "__init__.py": 1,
    "mip/__init__.py": 1,
    "course/handouts.py": 1,  # the cell of a notebook
    "features.py": 2,
    "processes/__init__.py": 2,  # what is named, and the folder itself in the child's first line
}

IMPORTERS = ("import_module", "__import__", "resolve_name", "run_module", "locate")

PATHS = {
    ".".join(["calmip", *path.relative_to(ROOT).with_suffix("").parts]).removesuffix(
        ".__init__"
    ): path
    for path in sorted(ROOT.rglob("*.py"))
}
"""The modules by their names."""


def modules() -> Iterator[tuple[str, Path]]:
    for path in PATHS.values():
        yield path.relative_to(ROOT).as_posix(), path


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> list[tuple[str, bool]]:
    """Return every imported module's name, and whether the import is at the top level."""
    found = list(_imports(tree_of(path)))
    stubs = [path.with_suffix(".pyi"), path.with_name("_namespaces.pyi")]
    # The package imports what its stubs name, on first use.
    for stub in filter(Path.is_file, stubs if stubs[0].is_file() else ()):
        named = (name for name, _ in _imports(ast.parse(stub.read_text("utf-8"))))
        found += [(name, False) for name in named if name != "calmip._namespaces"]
    return found


def _imports(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    top = set(ast.iter_child_nodes(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node in top
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            found = [name for name in inside if name in PATHS]
            yield from ((name, node in top) for name in found or [node.module])


def by_string(path: Path) -> Iterator[ast.AST]:
    """Yield what imports a module by a string, in this process or in one that is started."""
    tree = tree_of(path)
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            found = getattr(node.func, "attr", getattr(node.func, "id", "")) in IMPORTERS
        else:  # code that another Python runs
            text = node.value if isinstance(node, ast.Constant) and node not in texts else None
            found = isinstance(text, str) and re.search(r"\b(from|import) calmip", text) is not None
        if found:
            yield node


@pytest.mark.long  # reads every module
def test_few_imports_are_by_string() -> None:
    found = {name: len(list(by_string(path))) for name, path in modules()}
    assert {name: number for name, number in found.items() if number} == BY_STRING


def folder_of(module: str) -> str:
    """Return the line of ``ALLOWED`` to which a module belongs."""
    parts = module.split(".")[1:] or ["__init__"]
    inner = ".".join(parts[:2])
    return inner if inner in ALLOWED else parts[0]


def is_lower(module: str, imported: str) -> bool:
    """Return whether a module of ``_base`` may import another one, by their order."""
    place, other = (name.split(".")[2] for name in (module, imported))
    return BASE.index(other) < BASE.index(place)


@pytest.mark.long  # reads every module
def test_imports_go_one_way() -> None:
    found: dict[str, set[str]] = {folder: set() for folder in ALLOWED if folder not in missing()}
    for name, path in PATHS.items():
        folder = folder_of(name)
        for imported, _ in imports(path):
            if imported.partition(".")[0] != "calmip":
                continue
            other = folder_of(imported)
            if other != folder:
                found[folder].add(other)
                assert other in ALLOWED[folder], f"{name} imports {imported}"
            elif folder == "_base":
                assert is_lower(name, imported), f"{name} imports {imported}"
    used = {folder: others for folder, others in ALLOWED.items() if folder in found}
    assert found == used, "an allowance that nobody uses"


def test_folders_stand_in_the_order_of_the_flow() -> None:
    order = list(ALLOWED)
    for folder in order:
        assert all(order.index(other) < order.index(folder) for other in ALLOWED[folder]), folder


def test_no_trade_is_imported_by_another_one_or_from_below() -> None:
    found = {folder for folder, others in ALLOWED.items() if others & {*TRADES}}
    assert found <= {"__init__"}


def circles(graph: Mapping[str, set[str]]) -> list[str]:
    """Return what is in or above a circle of a graph."""
    left = dict(graph)
    while leaves := [name for name, to in left.items() if not to & set(left)]:
        for name in leaves:
            del left[name]
    return sorted(left)


def test_circles_are_found() -> None:
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}) == ["a", "b", "c"]


@pytest.mark.long  # reads every module
def test_no_imports_go_in_a_circle() -> None:
    """Late imports count as well, and those for type checking."""
    assert not circles(
        {
            name: {to for to, _ in imports(path) if to in PATHS} - {name}
            for name, path in PATHS.items()
        }
    )


@pytest.mark.long  # reads every module
def test_no_folders_go_in_a_circle() -> None:
    """In each folder, the modules and the folders import one another one way."""
    for folder in sorted({name.rpartition(".")[0] for name in PATHS} - {"", "calmip"}):
        inside = re.compile(rf"{re.escape(folder)}\.(\w+)")
        graph: dict[str, set[str]] = {}
        for name, path in PATHS.items():
            if place := inside.match(name):
                others = (inside.match(imported) for imported, _ in imports(path))
                graph.setdefault(place[1], set()).update(one[1] for one in others if one)
        assert not circles({name: to - {name} for name, to in graph.items()}), folder


PAGE = ROOT.parent / "docs" / "explanation" / "architecture.md"


def wing_of(folder: str) -> str:
    return folder.partition(".")[0]


@pytest.mark.skipif(not PAGE.is_file(), reason="in the repository only")
def test_the_drawing_shows_every_folder_above_those_that_it_imports() -> None:
    """The folders of ``puzzle`` are one; it shares its floor with ``models``."""
    drawing = PAGE.read_text(encoding="utf-8").split("```")[1]
    floors = [
        re.findall(r"\| (\w+):", floor)
        for floor in reversed(re.split(r"^\+.*$", drawing, flags=re.M))
    ]
    heights = {name: height for height, floor in enumerate(floors) for name in floor}
    wings = {wing_of(folder) for folder in ALLOWED} - {"__init__", "__main__"}
    assert heights.keys() == wings
    assert heights["models"] == heights["puzzle"]
    for folder, others in ALLOWED.items():
        wing = wing_of(folder)
        for other in {wing_of(other) for other in others} - {wing}:
            if wing in wings and {wing, other} != {"models", "puzzle"}:
                assert heights[other] < heights[wing], f"{folder} above {other}"


# What serves any mixed-integer model, and knows no puzzle.
MIP = ("_base", "processes", "mip", "solvers", "plugins")


def is_of_mip(module: str) -> bool:
    return folder_of(module) in MIP


def puzzle_imports(path: Path) -> list[str]:
    """Return what a module takes from a puzzle, also late or for type checking."""
    return [
        name
        for name, _ in imports(path)
        if name.partition(".")[0] == "calmip" and not is_of_mip(name)
    ]


@pytest.mark.long
def test_a_mixed_integer_model_needs_no_puzzle() -> None:
    found = {name: puzzle_imports(path) for name, path in PATHS.items() if is_of_mip(name)}
    assert {name.split(".")[1] for name in found} == {*MIP}
    assert {name: some for name, some in found.items() if some} == {}


@pytest.mark.parametrize(
    "text",
    [
        "from calmip.puzzle.cover import ExactCover",
        "import calmip.puzzle.tasks.solve",
        "from calmip.puzzle.files import covers",
        "def late():\n    from calmip.puzzle.tiling import Tiling",
        "if TYPE_CHECKING:\n    from calmip.puzzle.instance import Instance",
        "import calmip",
    ],
)
def test_an_import_of_a_puzzle_is_found(text: str, tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(f"from calmip.mip.model import Model\n{text}\n")
    assert len(puzzle_imports(path)) == 1


ALONE = """
import sys
{}
from calmip.mip.files.model_files import read_model
from calmip.mip.pool import EVERY, PoolSearch
from calmip.solvers.model_solving import solve_model
model = read_model(sys.argv[1])
print(len(list(PoolSearch(model, EVERY))), solve_model(model).status)
print(*(name for name in sys.modules if name.partition(".")[0] == "calmip"))
"""


@pytest.mark.long
def test_pools_and_solutions_of_files_load_no_puzzle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_library(monkeypatch)
    model = tmp_path / "mixed.mps"
    model.write_text(
        "ROWS\n N cost\n G r\nCOLUMNS\n x cost 1 r 1\n y cost 2 r 1\n"
        "RHS\n rhs r 1\nBOUNDS\n BV b x\n UI b y 2\nENDATA\n"
    )
    # PuLP and Pyomo, which the plugins need, take seconds to import.
    modules = [n for n in PATHS if is_of_mip(n) and not n.startswith("calmip.plugins.")]
    for more in ("", "import calmip.puzzle.tiling"):
        code = ALONE.format("\n".join([*(f"import {name}" for name in modules), more]))
        done = subprocess.run(
            [sys.executable, "-c", code, model], capture_output=True, text=True, check=True
        )
        answer, loaded = done.stdout.splitlines()
        assert answer == "5 optimal"
        strange = {n for n in loaded.split() if not is_of_mip(n)} - {"calmip"}
        assert bool(strange) is bool(more), strange


@pytest.mark.long  # reads every module
def test_heavy_packages_are_imported_late() -> None:
    found = {
        name: {imported.split(".")[0] for imported, top in imports(path) if top} & HEAVY
        for name, path in modules()
    }
    assert {name: heavy for name, heavy in found.items() if heavy} == MAY_BE_HEAVY


def test_a_plain_import_loads_nothing_heavy() -> None:
    code = (
        "import sys, calmip; calmip.solve; calmip.read_instance('a-puzzle-a-day', reveal='Jan,1');"
        f"print(sorted({HEAVY - {'yaml'}!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "instances/feb29.yaml", "--solver", "exact-cover"],
        ["solve", "instances/tiny.yaml", "--formulation", "packing"],
        ["solve", "instances/tiny.yaml", "--formulation", "cells"],
        ["hint", "instances/feb29.yaml"],
        ["count", "instances/feb29.yaml"],
        ["count", "instances/feb29.yaml", "--up-to-symmetry"],
        ["today", "a-puzzle-a-day"],
        ["puzzles"],
        ["puzzles", "a-puzzle-a-day"],
        ["export", "instances/feb29.yaml", "-o", "MPS"],
        ["solve", "MODEL"],
        ["enumerate", "MODEL", "--optimal"],
        ["enumerate", "MODEL", "--gap", "10%", "--distinct", "x"],
        ["enumerate", "MODEL", "--count", "--optimal"],
    ],
)
def test_short_commands_import_nothing_slow(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They import neither numpy, which takes as long as such a command, nor parsers for nothing.

    Nor do those of puzzles import the search of models.
    """
    if {"--formulation", "MODEL"} & {*arguments}:
        need_library(monkeypatch)
    model = tmp_path / "mixed.lp"
    model.write_text(
        "min 3 x + 2 y + z\nst\n r: x + y + 0.5 z >= 2.5\n x + y <= 4\n"
        "bounds\n 0 <= x <= 5\n 0 <= y <= 5\ngeneral\n x y\nend\n"
    )
    files = {"MODEL": str(model), "MPS": str(tmp_path / "new.mps")}
    slow = {"numpy", "csv", "email", "zipfile"}
    slow |= set() if "MODEL" in arguments else {"calmip.mip.pool"}
    if arguments[0] in ("puzzles", "export"):
        slow |= {"bz2", "lzma", "calmip.mip.constructs", "calmip.puzzle.tasks.enumerate"}
    arguments = [files.get(one, one) for one in arguments]
    code = (
        "import sys; from calmip.cli import main; code = main(sys.argv[1:])\n"
        f"found = {slow!r} & {{*sys.modules}}\n"
        "sys.exit(' '.join(found) or code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_public_names_exist_and_are_described() -> None:
    for found in pkgutil.walk_packages(calmip.__path__, "calmip."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        assert module.__doc__
        if found.name.rpartition(".")[2].startswith("_"):
            continue
        for name, value in vars(module).items():
            made_here = getattr(value, "__module__", "") == found.name
            named_so = getattr(value, "__name__", "") == name and not name.startswith("_")
            if made_here and named_so:
                assert value.__doc__, f"{found.name}.{name}"


@pytest.mark.skipif(not PAGE.is_file(), reason="in the repository only")
def test_a_module_lists_its_names_if_the_reference_documents_them() -> None:
    """Besides packages, the door of features, and what a tutorial shows whole."""
    pages = PAGE.parents[1].joinpath("reference").rglob("*.md")
    found = re.findall(r"^::: (\S+)\.", "".join(path.read_text("utf-8") for path in pages), re.M)
    named = {*found, "calmip.features", "calmip.models.pulp", "calmip.models.pyomo"}
    for name, path in modules():
        module = ("calmip/" + name).removesuffix(".py").replace("/", ".")
        if path.name != "__init__.py" and module not in named:
            assert "\n__all__" not in path.read_text("utf-8"), f"{module} is not in the reference"


@pytest.mark.long
def test_no_folder_takes_the_place_of_a_function() -> None:
    """An import of `calmip.year.calendar` leaves `calmip.year` a function."""
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    functions = {*calmip.__all__} - {"models"}
    shared = sorted(functions & folders)
    code = (
        "import importlib, sys, calmip\n"
        "for name in sys.argv[1:]:\n"
        "    folder = importlib.import_module(f'calmip.{name}')\n"
        "    assert callable(getattr(calmip, name)), name\n"
        "    assert importlib.reload(folder) and callable(getattr(calmip, name)), name\n"
    )
    assert shared
    subprocess.run([sys.executable, "-c", code, *shared], check=True)


def names_in(folder: str) -> set[str]:
    return {path.stem for path in (ROOT / folder).glob("*.py") if not path.stem.startswith("_")}


# The function of a command has its name, but for one that is the name of a folder.
FUNCTIONS = {name: "installed_solvers" if name == "solvers" else name for name in OWN}

FEATURES = [one for above in OWN.values() for one in (above, *above.commands)]


def test_a_command_a_module_and_a_function_have_one_name() -> None:
    """The pages of the reference are compared in tests/documentation/test_site_pages.py."""
    about_itself = {"config", "completion"}
    assert names_in("cli") == {"features", *about_itself}, "each command is made of its feature"
    assert all(OWN[name].home == f"calmip.cli.{name}" for name in about_itself)
    assert not about_itself & set(calmip.__all__)
    for name, feature in OWN.items():
        if name in about_itself:
            assert not feature.homes
            continue
        module = importlib.import_module(feature.home)
        assert feature.home.endswith(f".{name}")
        if feature.task:
            assert FUNCTIONS[name] in vars(module)
            assert feature.homes[FUNCTIONS[name]] == feature.home
        assert callable(getattr(calmip, FUNCTIONS[name]))
        # The second function of a command is an attribute: export_dates is calmip.export.dates.
        for one, home in feature.homes.items():
            made = getattr(importlib.import_module(home), one)
            if one.startswith(f"{name}_"):
                verb = one.removeprefix(f"{name}_")
                assert getattr(getattr(calmip, name), verb) is made
                assert verb in dir(getattr(calmip, name))
                assert one not in calmip.__all__
                continue
            others = one.startswith("read_") or not one[0].islower()
            assert others or one == FUNCTIONS[name]
            assert one in calmip.__all__


def test_every_place_that_a_feature_names_is_there() -> None:
    for feature in FEATURES:
        places = [feature.task, feature.run, feature.choose, *feature.reports.values()]
        for one in feature.parameters.values():
            places += [one.reads, one.parts, *([one.words] if isinstance(one.words, str) else ())]
        for place in filter(None, places):
            assert load(place) is not None


@pytest.mark.long
def test_the_stub_has_the_public_names() -> None:
    """Type checkers read it; the package does not."""
    if not missing():
        assert public_names.written()
    done = subprocess.run(
        [sys.executable, "-c", "from calmip import *; print(*dir())"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(calmip.__all__) <= set(done.stdout.split())
    stub = public_names.stub()
    assert set(re.findall(r"(\w+) as \1\b", stub)) == set(calmip.__all__)
    for feature in OWN.values():
        assert stub.count(f"# {feature.line}\n") == bool(feature.homes)


def test_a_stub_of_other_names_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    feature = OWN["solve"]._replace(names=("solve",))
    monkeypatch.setitem(OWN, "solve", feature)  # type: ignore[arg-type]
    assert "Solution as Solution" not in public_names.stub()
    assert not public_names.written()


def result_of(feature: Feature) -> type:
    """Return the type that the task of a command returns, the first if there are two."""
    task = load(feature.task)
    returned = inspect.signature(task).return_annotation.partition(" | ")[0]
    kind: type = getattr(inspect.getmodule(task), returned)
    return kind


def test_each_form_of_a_result_is_written_by_a_function_of_its_report() -> None:
    """What it asks for beside the result is given by name; a text comes first, or JSON."""
    for feature in FEATURES:
        for kind, place in feature.reports.items():
            forms = load(place).forms
            assert next(iter(forms)) in ("text", "json") or feature.name == "cut"
            for form, write in forms.items():
                _, *asked = inspect.signature(write).parameters
                assert set(asked) <= {"form", "theme", "style", "paper"}, f"{kind} as {form}"
                assert write.__doc__, f"{kind} as {form}"


def test_a_report_is_found_by_the_type_of_its_result() -> None:
    """A result without a report has the default one."""
    for feature in FEATURES:
        if feature.task:
            kind = result_of(feature)
            assert kind.__name__ == next(iter(feature.reports)), feature.name
            assert reports.output_of(kind) is load(feature.reports[kind.__name__])
    assert reports.output_of(Nameless) is DEFAULT


class Nameless:
    """A type of which no feature tells."""


def test_a_door_is_passed_if_its_trade_is_not_there() -> None:
    """But a fault in a door is told."""
    found = [one for door in DOORS for one in features.features_at(door)]
    assert set(OWN) == {one.name for one in found if not one.above}
    assert {f"{one.above} {one.name}" for one in found if one.above} <= {
        f"{name} {below}" for name, feature in OWN.items() for below in feature.below
    }
    assert features.features_at("calmip.nosuch.features") == ()
    assert features.features_at("calmip.proofs.nosuch") == ()


def test_a_door_that_cannot_be_opened_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_door.py").write_text("import nosuch_package\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="nosuch_package"):
        features.features_at("broken_door")


@pytest.mark.parametrize(
    ("words", "doors"), [(["solve", "--help"], 1), (["--help"], len(DOORS) - len(missing()))]
)
def test_only_the_doors_that_are_asked_are_opened(words: list[str], doors: int) -> None:
    """And no trade is imported behind them."""
    code = (
        "import sys; from calmip.cli import main; from calmip.features import DOORS, OWN\n"
        "main(sys.argv[1:])\n"
        "print(len([door for door in DOORS if door in sys.modules]))\n"
        "print(len([one for one in OWN.values() if one.home in sys.modules]))\n"
        "print('numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    *_, opened, tasks, numpy = done.stdout.split()
    assert (int(opened), int(tasks), numpy) == (doors, 0, "False")


def test_a_task_returns_a_result_with_one_status() -> None:
    for feature in FEATURES:
        if not feature.task:
            continue
        kind = result_of(feature)
        assert issubclass(kind, Result)
        assert dataclasses.is_dataclass(kind)
        assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]


def test_all_public_names_of_the_package_resolve() -> None:
    for name in calmip.__all__:
        assert getattr(calmip, name) is not None
    assert set(calmip.__all__) <= set(dir(calmip))
    with pytest.raises(AttributeError):
        calmip.nosuch  # noqa: B018


@pytest.mark.trade("bench", "course")
def test_the_names_of_a_namespace_are_named() -> None:
    with pytest.raises(AttributeError, match=r"these are .*calmip\.bench\.report"):
        calmip.bench.nosuch  # type: ignore[attr-defined] # noqa: B018
    with pytest.raises(TypeError, match=r"is no function; these are .*calmip\.bench\.run"):
        calmip.bench("campaign.yaml")  # type: ignore[operator]
    assert inspect.signature(calmip.grade).parameters.keys() >= {"exercise", "path"}


@pytest.mark.long  # reads every module
def test_one_name_is_one_thing() -> None:
    named: dict[str, list[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                named.setdefault(node.name, []).append(path.relative_to(ROOT).as_posix())
    assert not {name: places for name, places in named.items() if len(places) > 1}
