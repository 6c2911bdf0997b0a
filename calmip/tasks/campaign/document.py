"""A campaign as its YAML file says it: what to run, on what, for how long.

What it names are instances of puzzles, and model files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from calmip._limits import Limits
from calmip.documents.reader import parse_reveal, puzzle_of, read_instance
from calmip.documents.yaml import (
    Items,
    Node,
    Table,
    Text,
    check_keys,
    choice_of,
    flag_of,
    located,
    name_of,
    read_document,
    text_of,
    texts_of,
    whole,
)
from calmip.errors import InputError, did_you_mean, listed, shown
from calmip.formats.model_files import Known, is_model
from calmip.models import FORMULATIONS
from calmip.problem.dates import parse_date
from calmip.problem.instance import Instance
from calmip.solvers import SOLVERS

__all__ = [
    "GOALS",
    "Campaign",
    "ModelFile",
    "Setting",
    "answer_of",
    "bundled_suites",
    "files_of",
    "instances_of",
    "read_campaign",
]


FILE_KEYS = ("files", "goal", "why", "answer", "reason")
INSTANCE_KEYS = (
    "puzzle", "dates", "reveal", "free", "flip", "name", "goal", "why", "answer", "reason",
)  # fmt: skip

ANSWERS = {"feasible": "feas", "infeasible": "inf"}
"""What an entry can say of its instances, and the word of a ``.solu`` file for it."""


@dataclass(frozen=True)
class ModelFile:
    """A model file of somebody, and the ``.solu`` files that lie beside it."""

    path: Path
    name: str


def files_of(entry: Table, path: Path) -> list[ModelFile]:
    """Return the model files of an entry ``files``, seen from the campaign's folder, sorted.

    Raises
    ------
    InputError
        If it is no pattern, or none fits.
    """
    check_keys(entry, FILE_KEYS)
    pattern = text_of(entry, "files", default="")
    base = Path(pattern)
    root = Path(base.anchor) if base.is_absolute() else path.parent
    inner = base.relative_to(base.anchor) if base.is_absolute() else base
    try:
        found = sorted(file for file in root.glob(str(inner)) if file.is_file())
    except (ValueError, NotImplementedError, OSError) as error:
        raise InputError(f"'{shown(pattern)}' is no pattern of files: {error}") from None
    models = [file for file in found if is_model(file)]
    if not models:
        raise InputError(
            f"no file .mps or .lp (or .gz) fits '{shown(pattern)}', seen from {shown(root, 200)}",
            where=("files",),
        )
    return [
        ModelFile(file, re.sub(r"(\.gz|\.mps|\.lp)+$", "", file.name, flags=re.I))
        for file in models
    ]


def instances_of(entry: Table, path: Path, name: str) -> Iterator[Instance]:
    """Yield the instances of an entry ``puzzle``: its dates, what it reveals, or the whole year.

    Raises
    ------
    InputError
        If something in the entry is wrong, or the puzzle cannot be read.
    """
    check_keys(entry, INSTANCE_KEYS)
    flip = flag_of(entry, "flip", default=True) if "flip" in entry else None
    node = entry.get("puzzle")
    if isinstance(node, Table):
        title = name_of(entry, "name", default="puzzle")
        puzzle = puzzle_of(node, title, name)
        puzzle = puzzle if flip is None else puzzle.with_flip(flip)
        whole = Instance(puzzle, (), tuple(puzzle.groups), title)
    elif isinstance(node, Text) and node:
        beside = path.parent / node
        source: str | Path = beside if beside.is_file() else str(node)
        settled = not ("dates" in entry or flag_of(entry, "free", default=False))
        reveal = parse_reveal(text_of(entry, "reveal", default="")) if "reveal" in entry else None
        whole = read_instance(source, reveal=reveal, flip=flip, free=not settled)
        puzzle, title = whole.puzzle, name_of(entry, "name", default=whole.name)
    else:
        raise InputError("puzzle is a name, a path or the puzzle itself", where=("puzzle",))
    if "dates" not in entry:
        yield replace(whole, name=_stem(title))  # a file's name has no blanks
        return
    if entry["dates"] == "all":
        for stem, labels in puzzle.named_dates().items():
            yield Instance.reveal(puzzle, labels, name=stem)
        return
    dates = texts_of(entry, "dates")
    if not dates:
        raise InputError("dates is a list of one or more, or all", where=("dates",))
    for number, text in enumerate(dates):
        with located(name, entry, "dates", number):
            day = parse_date(text)
            stem = _stem(puzzle.id or title) + ("" if puzzle.flip else "-no-flip")
            yield Instance.of_date(puzzle, day, name=f"{stem}-{day.isoformat()}")


def answer_of(entry: Table) -> Known | None:
    """Return what an entry says of all its instances: that they have a solution, or none.

    Raises
    ------
    InputError
        If it is another word, or there is no reason for it.
    """
    if "answer" not in entry:
        if "reason" in entry:
            raise InputError("reason is for an answer; name the answer too", where=("reason",))
        return None
    word = ANSWERS[choice_of(entry, "answer", tuple(ANSWERS))]
    if not text_of(entry, "reason", default="").strip():
        raise InputError(
            "an answer needs its reason: why it holds without a solver", where=("answer",)
        )
    return word, None


def _stem(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-")[:60] or "puzzle"


KEYS = (
    "instances", "formulations", "solvers", "seeds", "time_limit", "memory_limit", "goal",
    "shuffle", "reference_every", "name", "note",
)  # fmt: skip
SOLVER_KEYS = ("name", "options")

GOALS = ("solve", "count")
"""Find one solution or prove that there is none; or find how many there are."""

UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}

MOST_RUNS = 10_000_000


@dataclass(frozen=True, order=True)
class Setting:
    """A solver with options of its own.

    Parameters
    ----------
    solver
        Its name.
    options
        Its options by their own names, sorted, each with its value as a text.
    """

    solver: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> str:
        """The options in one line."""
        return " ".join(f"{name}={value}" if value else name for name, value in self.options)


Item = tuple[Instance | ModelFile, str, Known | None]


@dataclass(frozen=True)
class Campaign:
    """What is to be run.

    Parameters
    ----------
    instances
        The puzzles' instances and the model files, each with its goal, and what the
        file says of its answer.
    formulations, settings, seeds
        What each instance is combined with; a model file is a formulation itself.
    time_limit
        Wall-clock seconds of each run.
    memory_limit
        Bytes that the processes of a run may hold together, or None.
    shuffle
        The seed of the order of the runs.
    reference_every
        After so many runs a reference job shows how fast the machine is; 0 for never.
    """

    instances: tuple[Item, ...]
    formulations: tuple[str, ...]
    settings: tuple[Setting, ...]
    seeds: tuple[int, ...]
    time_limit: float
    memory_limit: int | None
    shuffle: int
    reference_every: int
    name: str


def bundled_suites() -> tuple[str, ...]:
    """Return the names of the suites that come with the package, sorted."""
    return tuple(sorted(path.stem for path in _suites().glob("*.yaml")))


def _suites() -> Path:
    return Path(__file__).parents[2] / "suites"


def read_campaign(source: str | Path) -> Campaign:
    """Return the campaign in a YAML file, or a bundled suite with HiGHS and CBC.

    Raises
    ------
    InputError
        If the file cannot be read or something in it is wrong, with the line.
    """
    name = str(source)
    path = _suites() / f"{name}.yaml" if name in bundled_suites() else Path(source)
    if not path.exists():
        near = did_you_mean(name, bundled_suites())
        raise InputError(
            f"no such file or suite{f' (did you mean {near}?)' if near else ''}; "
            f"the suites are {listed(bundled_suites())}",
            path=shown(name, 200),
        )
    document = read_document(path, name)
    if not isinstance(document, Table):
        raise InputError(f"a campaign is a mapping with the keys {listed(KEYS)}", path=name)
    with located(name, document):
        return _campaign(document, path, name)


def _campaign(document: Table, path: Path, name: str) -> Campaign:
    check_keys(document, KEYS)
    goal = choice_of(document, "goal", GOALS, default="solve")
    campaign = Campaign(
        instances=tuple(_instances(document, path, name, goal)),
        formulations=tuple(_names(document, "formulations", tuple(FORMULATIONS), "matrix")),
        settings=tuple(_settings(document, name)),
        seeds=tuple(whole(text, ("seeds", n)) for n, text in enumerate(_texts(document, "seeds"))),
        time_limit=_seconds(document),
        memory_limit=_bytes(document),
        shuffle=whole(text_of(document, "shuffle", default="0"), ("shuffle",)),
        reference_every=whole(
            text_of(document, "reference_every", default="50"), ("reference_every",)
        ),
        name=name_of(document, "name", default=path.stem),
    )
    for number, seed in enumerate(campaign.seeds):
        with located(name, document, "seeds", number):
            Limits(campaign.time_limit, seed)
    runs = len(campaign.instances) * len(campaign.formulations)
    if runs * len(campaign.settings) * len(campaign.seeds) > MOST_RUNS:
        raise InputError(f"the campaign has more than {MOST_RUNS:,} runs; make several of it")
    return campaign


def _instances(document: Table, path: Path, name: str, goal: str) -> Iterator[Item]:
    entries = document.get("instances")
    if not isinstance(entries, Items) or not entries:
        raise InputError(
            "instances is a list of {puzzle: NAME, dates: [...]}, {files: 'lib/*.mps'} "
            f"and {{suite: NAME}}; the suites are {listed(bundled_suites())}",
            where=("instances",),
        )
    for number, entry in enumerate(entries):
        with located(name, document, "instances", number):
            if not isinstance(entry, Table):
                raise InputError("an entry is a mapping with the key puzzle, files or suite")
            if "suite" in entry:
                check_keys(entry, ("suite",))
                suite = choice_of(entry, "suite", bundled_suites())
                yield from read_campaign(suite).instances
                continue
            mine = choice_of(entry, "goal", GOALS, default=goal)
            found = files_of(entry, path) if "files" in entry else instances_of(entry, path, name)
            told = answer_of(entry)
            yield from ((one, mine, told) for one in found)


def _settings(document: Table, name: str) -> Iterator[Setting]:
    entries = document.get("solvers", Items([Text("highs", 1), Text("cbc", 1)]))
    if not isinstance(entries, Items) or not entries:
        raise InputError(
            "solvers is a list of names and of {name: cbc, options: {...}}", where=("solvers",)
        )
    seen: set[Setting] = set()
    for number, entry in enumerate(entries):
        with located(name, document, "solvers", number):
            setting = _setting(entry)
            if setting in seen:
                raise InputError(f"{setting.solver} is there twice with the same options")
            seen.add(setting)
            yield setting


def _setting(entry: Node) -> Setting:
    if isinstance(entry, Text):
        table = Table()
        table["name"] = entry
        entry = table
    if not isinstance(entry, Table):
        raise InputError("a solver is a name, or {name: cbc, options: {...}}")
    check_keys(entry, SOLVER_KEYS)
    options = entry.get("options", Table())
    if not isinstance(options, Table) or not all(isinstance(v, Text) for v in options.values()):
        raise InputError("options is a mapping from names to values", where=("options",))
    for option, value in options.items():
        if not re.fullmatch(r"[A-Za-z][\w./:-]*", option) or not str(value).isprintable():
            raise InputError(f"'{shown(option)}' is no name of an option", where=("options",))
    pairs = sorted((str(name), str(value)) for name, value in options.items())
    return Setting(choice_of(entry, "name", tuple(SOLVERS)), tuple(pairs))


def _names(document: Table, key: str, allowed: tuple[str, ...], default: str) -> list[str]:
    found = _texts(document, key, default)
    for number, text in enumerate(found):
        if text not in allowed or text in found[:number]:
            fault = "is there twice" if text in allowed else f"is none of {listed(allowed)}"
            raise InputError(f"{key}: '{shown(text)}' {fault}", where=(key, number))
    return found


def _texts(document: Table, key: str, default: str = "0") -> list[str]:
    node = document.get(key)
    if node is None:
        return [default]
    if not isinstance(node, Items) or not node or not all(isinstance(e, Text) for e in node):
        raise InputError(f"{key} is a list of one or more, as in [{default}]", where=(key,))
    return [str(entry) for entry in node]


def _seconds(document: Table) -> float:
    text = text_of(document, "time_limit", default="60")
    try:
        seconds = float(text)
        Limits(seconds)
    except (ValueError, InputError):
        raise InputError(
            f"time_limit: '{shown(text)}' is no number of seconds above 0", where=("time_limit",)
        ) from None
    return seconds


def _bytes(document: Table) -> int | None:
    text = text_of(document, "memory_limit", default="")
    if not text:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([kmg]i?b)?", text.strip().lower(), re.ASCII)
    size = int(float(found[1]) * UNITS[found[2] or ""]) if found else 0
    if size < 10**6:
        raise InputError(
            f"memory_limit: '{shown(text)}' is no size such as 500MB or 2GB, from 1MB on",
            where=("memory_limit",),
        )
    return size
