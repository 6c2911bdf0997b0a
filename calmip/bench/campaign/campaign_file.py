"""The YAML file of a campaign: instances and model files, solvers, seeds and limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from calmip._base.errors import InputError, clip, did_you_mean, join_words
from calmip._base.limits import Limits
from calmip.mip.files.model_files import READERS, Known, is_model
from calmip.models import FORMULATIONS
from calmip.puzzle.dates import parse_date
from calmip.puzzle.documents.reader import parse_reveal, puzzle_of, read_instance
from calmip.puzzle.documents.yaml import (
    Items,
    Node,
    Table,
    Text,
    check_keys,
    choice_of,
    flag_of,
    integer_of,
    locate_errors,
    name_of,
    read_table,
    text_of,
    texts_of,
)
from calmip.puzzle.instance import Instance
from calmip.solvers import SOLVERS, solver_named

FILE_KEYS = ("files", "goal", "why", "answer", "reason", "tags")
INSTANCE_KEYS = (
    "puzzle",
    "dates",
    "reveal",
    "free",
    "flip",
    "name",
    "goal",
    "why",
    "answer",
    "reason",
    "tags",
)

ANSWERS = {"feasible": "feas", "infeasible": "inf"}
"""The answers that an entry can give, and the words of a ``.solu`` file for them."""

GOALS = ("solve", "count")
"""Find one solution or prove that there is none; or count all solutions."""


class ModelFile(NamedTuple):
    """A model file, and its name without suffixes."""

    path: Path
    name: str


def _files_of(entry: Table, path: Path) -> list[ModelFile]:
    """Return the model files of an entry ``files``, relative to the campaign's folder, sorted."""
    check_keys(entry, FILE_KEYS)
    pattern = text_of(entry, "files", default="")
    base = Path(pattern)
    root = Path(base.anchor) if base.is_absolute() else path.parent
    inner = base.relative_to(base.anchor) if base.is_absolute() else base
    try:
        found = sorted(file for file in root.glob(str(inner)) if file.is_file())
    except (ValueError, NotImplementedError, OSError) as error:
        raise InputError(f"'{clip(pattern)}' is not a pattern of files: {error}") from None
    models = [file for file in found if is_model(file)]
    if not models:
        raise InputError(
            f"no model file ({join_words(READERS)}, or .gz) matches '{clip(pattern)}' in "
            f"{clip(root, 200)}",
            where=("files",),
        )
    return [
        ModelFile(file, re.sub(r"(\.gz|\.mps|\.lp)+$", "", file.name, flags=re.I))
        for file in models
    ]


def _instances_of(entry: Table, path: Path, name: str) -> Iterator[Instance]:
    """Yield the instances of an entry ``puzzle``: its dates, its labels, or the whole year."""
    check_keys(entry, INSTANCE_KEYS)
    flip = flag_of(entry, "flip", default=True) if "flip" in entry else None
    node = entry.get("puzzle")
    if isinstance(node, Table):
        title = name_of(entry, "name", default="puzzle")
        with locate_errors(name, entry, "puzzle"):
            puzzle = puzzle_of(node, title)
        puzzle = puzzle if flip is None else puzzle.with_flip(flip)
        instance = Instance(puzzle, (), tuple(puzzle.groups), title)
    elif isinstance(node, Text) and node:
        beside = path.parent / node
        source: str | Path = beside if beside.is_file() else str(node)
        settled = not ("dates" in entry or flag_of(entry, "free", default=False))
        reveal = parse_reveal(text_of(entry, "reveal", default="")) if "reveal" in entry else None
        instance = read_instance(source, reveal=reveal, flip=flip, free=not settled)
        puzzle, title = instance.puzzle, name_of(entry, "name", default=instance.name)
    else:
        raise InputError("puzzle is a name, a path or the puzzle itself", where=("puzzle",))
    if "dates" not in entry:
        yield replace(instance, name=_stem(title))  # a file's name has no blanks
        return
    if entry["dates"] == "all":
        for stem, labels in puzzle.named_dates().items():
            yield Instance.reveal(puzzle, labels, name=stem)
        return
    dates = texts_of(entry, "dates")
    if not dates:
        raise InputError("dates is a list of one or more, or all", where=("dates",))
    for number, text in enumerate(dates):
        with locate_errors(name, entry, "dates", number):
            day = parse_date(text)
            stem = _stem(puzzle.id or title) + ("" if puzzle.flip else "-no-flip")
            yield Instance.of_date(puzzle, day, name=f"{stem}-{day.isoformat()}")


def _answer_of(entry: Table) -> Known | None:
    """Return the answer that an entry gives for all its instances, if any."""
    if "answer" not in entry:
        if "reason" in entry:
            raise InputError("reason needs an answer; give the key answer too", where=("reason",))
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
    "instances",
    "formulations",
    "solvers",
    "seeds",
    "time_limit",
    "cpu_limit",
    "memory_limit",
    "goal",
    "shuffle",
    "reference_every",
    "logs",
    "name",
    "note",
)
SOLVER_KEYS = ("name", "settings", "options")

SETTINGS = ("stock", "calmip")
"""A solver as its authors ship it; or with calmip's options for models of puzzles."""

UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}

WALL_FACTOR = 3
"""The wall-clock limit as a multiple of the limit of CPU seconds, if only the latter is given."""

MAX_RUNS = 10_000_000

SUITES = Path(__file__).parents[1] / "suites"


class Setting(NamedTuple):
    """A solver, and its options by their own names, sorted, each with its value as a text.

    ``settings`` is one of `SETTINGS`: the options to which these are added.
    """

    solver: str
    options: tuple[tuple[str, str], ...] = ()
    settings: str = SETTINGS[0]


class CampaignInstance(NamedTuple):
    """An instance or a model file, its goal, the answer that the file gives, and its tags."""

    what: Instance | ModelFile
    goal: str
    known: Known | None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Campaign:
    """The runs to be done: each instance with each formulation, setting and seed.

    Parameters
    ----------
    instances
        Instances and model files (which are formulations themselves).
    time_limit, cpu_limit, memory_limit
        The wall-clock seconds of each run, the processor seconds of its processes together, or
        None, and their bytes, or None.
    shuffle
        The seed of the order of the runs.
    reference_every
        The number of runs between two reference jobs, which show how fast the machine is;
        0 for no such job.
    logs
        Whether the solvers' logs are kept.
    """

    instances: tuple[CampaignInstance, ...]
    formulations: tuple[str, ...]
    settings: tuple[Setting, ...]
    seeds: tuple[int, ...]
    time_limit: float
    cpu_limit: float | None
    memory_limit: int | None
    shuffle: int
    reference_every: int
    logs: bool
    name: str


def bundled_suites() -> tuple[str, ...]:
    """Return the names of the suites that come with the package, sorted."""
    return tuple(sorted(path.stem for path in SUITES.glob("*.yaml")))


def read_campaign(source: str | Path) -> Campaign:
    """Return the campaign in a YAML file, or a bundled suite with HiGHS and CBC.

    Raises
    ------
    InputError
        If the file cannot be read or something in it is wrong, with the line.
    """
    name = str(source)
    path = SUITES / f"{name}.yaml" if name in bundled_suites() else Path(source)
    if not path.exists():
        near = did_you_mean(name, bundled_suites())
        raise InputError(
            f"no such file or suite{f' (did you mean {near}?)' if near else ''}; "
            f"the suites are {join_words(bundled_suites())}",
            path=clip(name, 200),
        )
    document = read_table(path, name, f"a campaign is a mapping with the keys {join_words(KEYS)}")
    with locate_errors(name, document):
        return _campaign(document, path, name)


def _campaign(document: Table, path: Path, name: str) -> Campaign:
    check_keys(document, KEYS)
    goal = choice_of(document, "goal", GOALS, default="solve")
    cpu_limit = _seconds(document, "cpu_limit", 60) if "cpu_limit" in document else None
    campaign = Campaign(
        instances=tuple(_instances(document, path, name, goal)),
        formulations=tuple(_formulations(document)),
        settings=tuple(_settings(document, name)),
        seeds=tuple(
            integer_of(text, ("seeds", n)) for n, text in enumerate(_texts(document, "seeds", "0"))
        ),
        time_limit=_seconds(
            document, "time_limit", 60 if cpu_limit is None else WALL_FACTOR * cpu_limit
        ),
        cpu_limit=cpu_limit,
        memory_limit=_bytes(document),
        shuffle=integer_of(text_of(document, "shuffle", default="0"), ("shuffle",)),
        reference_every=integer_of(
            text_of(document, "reference_every", default="50"), ("reference_every",)
        ),
        logs=flag_of(document, "logs", default=True),
        name=name_of(document, "name", default=path.stem),
    )
    for number, seed in enumerate(campaign.seeds):
        with locate_errors(name, document, "seeds", number):
            Limits(campaign.time_limit, seed)
    runs = len(campaign.instances) * len(campaign.formulations)
    if runs * len(campaign.settings) * len(campaign.seeds) > MAX_RUNS:
        raise InputError(f"the campaign has more than {MAX_RUNS:,} runs; split it into several")
    return campaign


def _instances(document: Table, path: Path, name: str, goal: str) -> Iterator[CampaignInstance]:
    entries = document.get("instances")
    if not isinstance(entries, Items) or not entries:
        raise InputError(
            "instances is a list of {puzzle: NAME, dates: [...]}, {files: 'lib/*.mps'} "
            f"and {{suite: NAME}}; the suites are {join_words(bundled_suites())}",
            where=("instances",),
        )
    for number, entry in enumerate(entries):
        with locate_errors(name, document, "instances", number):
            if not isinstance(entry, Table):
                raise InputError("an entry is a mapping with the key puzzle, files or suite")
            if "suite" in entry:
                check_keys(entry, ("suite", "tags"))
                suite, more = choice_of(entry, "suite", bundled_suites()), _tags_of(entry)
                for item in read_campaign(suite).instances:
                    yield item._replace(tags=tuple(dict.fromkeys((*item.tags, *more))))
                continue
            own = choice_of(entry, "goal", GOALS, default=goal)
            found = _files_of(entry, path) if "files" in entry else _instances_of(entry, path, name)
            answer, tags = _answer_of(entry), _tags_of(entry)
            yield from (CampaignInstance(one, own, answer, tags) for one in found)


def _tags_of(entry: Table) -> tuple[str, ...]:
    """Return the tags of an entry, each a word of at most 40 characters."""
    tags = texts_of(entry, "tags")
    for number, tag in enumerate(tags):
        if not re.fullmatch(r"[\w.+-]{1,40}", tag):
            raise InputError(
                f"tags: '{clip(tag)}' is not a word of up to 40 letters, digits and .+-_",
                where=("tags", number),
            )
    return tuple(dict.fromkeys(tags))


def _settings(document: Table, name: str) -> Iterator[Setting]:
    entries = document.get("solvers", Items([Text("highs", 1), Text("cbc", 1)]))
    if not isinstance(entries, Items) or not entries:
        raise InputError(
            "solvers is a list of names and of {name: cbc, settings: stock, options: {...}}",
            where=("solvers",),
        )
    seen: set[Setting] = set()
    for number, entry in enumerate(entries):
        with locate_errors(name, document, "solvers", number):
            setting = _setting(entry)
            if setting in seen:
                raise InputError(
                    f"{setting.solver} is a duplicate, with the same settings and options"
                )
            seen.add(setting)
            yield setting


def _setting(entry: Node) -> Setting:
    if isinstance(entry, Text):
        entry, solver = Table(), entry
        entry["name"] = solver
    if not isinstance(entry, Table):
        raise InputError("a solver is a name, or {name: cbc, settings: stock, options: {...}}")
    check_keys(entry, SOLVER_KEYS)
    options = entry.get("options", Table())
    if not isinstance(options, Table) or not all(isinstance(v, Text) for v in options.values()):
        raise InputError("options is a mapping from names to values", where=("options",))
    for option, value in options.items():
        if not re.fullmatch(r"[A-Za-z][\w./:-]*", option) or not str(value).isprintable():
            raise InputError(f"'{clip(option)}' is not the name of an option", where=("options",))
    pairs = sorted((str(name), str(value)) for name, value in options.items())
    name = choice_of(entry, "name", SOLVERS)
    settings = choice_of(entry, "settings", SETTINGS, default=SETTINGS[0])
    if settings == "calmip" and not getattr(solver_named(name), "tuned", {}):
        raise InputError(
            f"calmip has no settings of its own for {name}; leave settings out",
            where=("settings",),
        )
    return Setting(name, tuple(pairs), settings)


def _formulations(document: Table) -> list[str]:
    found = _texts(document, "formulations", "matrix")
    for number, text in enumerate(found):
        if text not in FORMULATIONS or text in found[:number]:
            known = join_words(FORMULATIONS)
            fault = "is a duplicate" if text in FORMULATIONS else f"is not one of {known}"
            raise InputError(
                f"formulations: '{clip(text)}' {fault}", where=("formulations", number)
            )
    return found


def _texts(document: Table, key: str, default: str) -> list[str]:
    texts = texts_of(document, key) if key in document else [default]
    if not texts:
        raise InputError(f"{key} is a list of one or more, as in [{default}]", where=(key,))
    return texts


def _seconds(document: Table, key: str, default: float) -> float:
    text = text_of(document, key, default=str(default))
    try:
        seconds = float(text)
        Limits(seconds)
    except (ValueError, InputError):
        raise InputError(
            f"{key}: '{clip(text)}' is not a number of seconds above 0", where=(key,)
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
            f"memory_limit: '{clip(text)}' is not a size such as 500MB or 2GB, from 1MB on",
            where=("memory_limit",),
        )
    return size
