"""Features: the commands of calmip, and those of other packages.

A trade declares its features at its door, a module ``features`` with the tuple ``FEATURES``. A
feature names functions by their places, such as ``calmip.year.year.year``; each is imported
when it is needed. Another package declares a feature by an entry point of the group
``calmip.features``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from calmip._base.errors import CalmipError, describe_error
from calmip._base.registry import Offer, Registry
from calmip._base.trades import TRADES

__all__ = [
    "DOORS",
    "FEATURES",
    "GROUPS",
    "OWN",
    "Call",
    "Feature",
    "Parameter",
    "Steps",
    "all_groups",
    "feature_named",
    "features_at",
    "groups",
    "load",
    "place_of",
    "public_names",
    "report_of",
    "verbs_of",
]

DOORS = tuple(f"calmip.{folder}.features" for folder in ("puzzle", *TRADES, "cli"))
"""The modules that declare features: of puzzles, of the trades that are there, of the rest."""

GROUPS = {
    "Your puzzle": "Play, get hints, and print the days of a year.",
    "Any model": "A puzzle, or an MPS, LP, OPB or CNF file: every answer is verified.",
    "Teach": "Show how integer programs are solved, and mark exercises.",
    "Compare solvers": "Run several solvers on many instances.",
    "Make": "Design a puzzle of your own, build it, and prove what it holds.",
    "Set-up": "Set defaults, and let the shell complete what you type.",
}
"""The headings of ``calmip --help`` in their order, with a sentence each."""

OTHERS = "Other packages"
"""The group of features that name none."""


def load(place: str) -> Any:
    """Return the object at a place such as ``calmip.puzzle.tasks.solve.solve``."""
    module, _, name = place.rpartition(".")
    return getattr(import_module(module), name)


class Parameter(NamedTuple):
    """What a command declares of a parameter of its function, beside its type and its text.

    Attributes
    ----------
    words
        The words that it accepts, optionally with a sentence for each; or their place.
    value
        The placeholder of its value in the help.
    default
        The default, if it is not that of the task.
    needs
        The option that it requires.
    excludes
        The options that contradict it.
    reads
        The place of a function that reads its value from a text, or raises `ValueError`.
    parts
        The place of a function whose own parameters are options instead, and whose result is the
        argument; it also takes sources of the command.
    hidden
        Whether it is a parameter of Python alone.
    """

    words: str | Sequence[str] | Mapping[str, Any] = ()
    value: str = ""
    default: Any = None
    needs: str = ""
    excludes: tuple[str, ...] = ()
    reads: str = ""
    parts: str = ""
    hidden: bool = False


class Steps(NamedTuple):
    """The progress of a command, and what Ctrl-C leaves.

    Attributes
    ----------
    counts
        What the command counts while it is running, in the plural; it has the parameter
        ``progress``.
    left
        The text that follows the number of finished parts after Ctrl-C; it may contain
        ``{option}``.
    unfinished
        The message after Ctrl-C, if it has no number.
    part
        Whether FILE.part keeps partial results until FILE is written, for ``--resume``.
    """

    counts: str = ""
    left: str = ""
    unfinished: str = ""
    part: bool = False


class Call(Protocol):
    """A command that has been typed, for the function that runs it."""

    given: dict[str, Any]
    """The arguments by the parameters' names; sources are read."""

    form: str
    """The form of the result."""

    output: Path | None
    """The file to write the result to, unless the task itself writes it."""

    def refuse_unused(self, needed: str, *names: str) -> None:
        """Raise `InputError` if one of these options is typed; it goes with what is needed."""

    def work(self, output: Path | None, **changed: Any) -> Any:
        """Call the task with some arguments changed, deliver the result, and return it."""

    def code(self, result: Any) -> int:
        """Return the exit code for a result."""

    def once(self) -> int:
        """Call the task, deliver the result, and return the exit code."""

    def note(self, line: str) -> None:
        """Print a line on stderr."""


class Feature(NamedTuple):
    """A command, and the function that it calls.

    The parameters of the function are its arguments and options, and the first sentence of each
    in the docstring is its help.

    Attributes
    ----------
    name
        The word after ``calmip``, or the last of ``calmip bench run``.
    line
        The line in ``calmip --help``.
    group
        The heading above that line.
    after
        The command below which the line stands. Its messages name this one for an option or a
        suffix that only this one has.
    task
        The place of the function, which returns a `Result`. A command without one has only
        commands below it.
    names
        What the module of the function adds to the public names of calmip; another module, by a
        place.
    reports
        The place of the `Output` of each type of result, by the type's name, that of the help
        first. Without one, a result prints its fields as lines and tables.
    page
        The address of a page about it, which the help names.
    examples
        Lines for the help, as they are typed; the first two stand at its head.
    exits
        The help's text on the exit codes, if they differ from those of ``calmip --help``.
    above
        The command of another door below which it stands, which is ``extended``.
    extended
        Whether other doors have commands below it. All doors are opened for such a command.
    commands
        The commands below it, such as ``calmip bench run``.
    choose
        The place of a function that chooses one of these if none is named. It is given the words
        and the names of the options that are typed, and returns the last word of a command, or
        nothing, and what the options that this command lacks go with.
    run
        The place of a function that runs the command, given a `Call`, and returns the exit code;
        without one, the task is called once.
    parameters
        What is declared of parameters, by their names.
    models
        The options that go with a model instead of an instance; ``form`` if its pictures do.
    only_models
        Those of these options that go with a model only.
    output
        The parameter for the path that the function writes, which ``-o`` gives.
    files
        What such a file is, and its suffixes.
    makes_folder
        Whether the folder of ``-o`` is made if it is missing, as other programs type the command.
    free
        Whether groups without a label are left free.
    remembered
        Whether the remembered puzzle is taken if none is named.
    steps
        The progress, and what Ctrl-C leaves.
    """

    name: str
    line: str = ""
    group: str = ""
    after: str = ""
    task: str = ""
    names: tuple[str, ...] = ()
    reports: Mapping[str, str] = MappingProxyType({})
    page: str = ""
    examples: tuple[str, ...] = ()
    exits: str = ""
    above: str = ""
    extended: bool = False
    commands: tuple[Feature, ...] = ()
    choose: str = ""
    run: str = ""
    parameters: Mapping[str, Parameter] = MappingProxyType({})
    models: tuple[str, ...] = ()
    only_models: tuple[str, ...] = ()
    output: str = "output"
    files: tuple[str, ...] = ()
    makes_folder: bool = False
    free: bool = False
    remembered: bool = False
    steps: Steps = Steps()
    offer: Offer | None = None

    @property
    def below(self) -> dict[str, Feature]:
        """The commands below it, by their last words."""
        return {one.name: one for one in self.commands}

    @property
    def lines(self) -> tuple[str, ...]:
        """The examples, those of the commands below it last."""
        return (*self.examples, *(line for one in self.commands for line in one.examples))

    @property
    def home(self) -> str:
        """The module of its function."""
        return (self.task or self.commands[0].task).rpartition(".")[0]

    @property
    def homes(self) -> dict[str, str]:
        """The modules of its public names, and of those of the commands below it.

        What is about the command line itself has none.
        """
        own = (name.rpartition(".") for name in self.names)
        found = {name: place or self.home for place, _, name in own}
        for one in self.commands:
            found |= one.homes
        return found

    @property
    def verbs(self) -> dict[str, str]:
        """The places of its other functions: ``bench_log`` is ``calmip.bench.log``."""
        start = f"{self.name}_"
        found = self.homes.items()
        return {
            name.removeprefix(start): f"{home}.{name}"
            for name, home in found
            if name.startswith(start)
        }

    @property
    def public(self) -> dict[str, str]:
        """The places of its public names; those of its verbs alone have none."""
        verbs = self.verbs
        named = {name: f"{home}.{name}" for name, home in self.homes.items()}
        found = {name: place for name, place in named.items() if place not in verbs.values()}
        return {self.name: "", **found} if verbs else found

    def load(self, place: str) -> Any:
        """Return the object at a place that it names.

        Raises
        ------
        SolverMissing
            If it is of another package, and cannot be imported.
        """
        if self.offer is None:
            return load(place)
        try:
            return load(place)
        except (Exception, SystemExit) as error:  # an import runs any code of the package
            raise self.offer.fault(describe_error(error)) from error

    def parameter(self, name: str) -> Parameter:
        """Return what is declared of a parameter."""
        return self.parameters.get(name) or PLAIN


PLAIN = Parameter()


def features_at(door: str) -> tuple[Feature, ...]:
    """Return the features at a door; none if its trade is not there."""
    try:
        found: tuple[Feature, ...] = import_module(door).FEATURES
    except ModuleNotFoundError as error:
        if not f"{door}.".startswith(f"{error.name}."):
            raise
        return ()
    return found


class _Own(MutableMapping[str, Feature]):
    """The features of calmip itself; a door is opened if those before it lack a name."""

    def __init__(self) -> None:
        self._found: dict[str, Feature] = {}
        self._doors = list(DOORS)
        self._opened: list[Feature] = []

    def _open(self) -> None:
        features = features_at(self._doors.pop(0))
        self._opened += features
        for one in features:
            if one.above:
                above = self._found[one.above]
                self._found[one.above] = above._replace(commands=(*above.commands, one))
            else:
                self._found[one.name] = one

    def walk(self) -> Iterator[Feature]:
        """Yield the features door by door; no door is opened before it is needed."""
        yielded = 0
        while yielded < len(self._opened) or self._doors:
            if yielded == len(self._opened):
                self._open()
            found = self._opened[yielded:]
            yield from found
            yielded += len(found)

    def __getitem__(self, name: str) -> Feature:
        while self._doors and (name not in self._found or self._found[name].extended):
            self._open()
        return self._found[name]

    def __setitem__(self, name: str, feature: Feature) -> None:
        self._found[name] = feature

    def __delitem__(self, name: str) -> None:
        del self._found[name]

    def __iter__(self) -> Iterator[str]:
        while self._doors:
            self._open()
        return iter(_in_order(self._found))

    def __len__(self) -> int:
        return len(list(iter(self)))


def _in_order(found: Mapping[str, Feature]) -> list[str]:
    """Return names by groups, each below the one that it follows."""
    headings = list(dict.fromkeys([*GROUPS, *(one.group for one in found.values())]))
    names = list(found)
    for name in [name for name in names if found[name].after in found]:
        names.remove(name)
        names.insert(names.index(found[name].after) + 1, name)
    return sorted(names, key=lambda name: headings.index(found[name].group))


def _offered(offer: Offer) -> Feature:
    """Return the feature of another package."""
    found = offer.load()
    if not isinstance(found, Feature):
        raise offer.fault(f"it is a {type(found).__name__}, not a calmip.features.Feature")
    if found.name != offer.name:
        raise offer.fault("its name is another; the name of the entry point is the command's")
    below = tuple(one._replace(offer=offer) for one in found.commands)
    return found._replace(commands=below, offer=offer)


OWN = _Own()
"""The features of calmip itself."""

FEATURES: Registry[Feature] = Registry("calmip.features", OWN, _offered)
"""The features by their names; other packages add theirs by entry points of this group."""


def feature_named(name: str) -> Feature | None:
    """Return the feature of a command such as ``solve`` or ``prove check``; None without one."""
    first, _, last = name.partition(" ")
    feature = FEATURES.get(first)
    return feature.below.get(last) if feature and last else feature


def place_of(name: str) -> str | None:
    """Return the place of a public name of a feature; None without one."""
    own = (one for one in OWN.walk() if not one.above)
    return next((one.public[name] for one in own if name in one.public), None)


def verbs_of(name: str) -> dict[str, str]:
    """Return the places of the functions that are attributes of a public name."""
    return OWN[name].verbs if name in OWN else {}


def public_names() -> dict[str, str]:
    """Return the places of the public names of all features of calmip."""
    return {name: place for feature in OWN.values() for name, place in feature.public.items()}


def report_of(kind: type) -> Any:
    """Return the report of a type of results; None if no feature declares it."""
    own = kind.__module__.startswith("calmip.")
    for feature in OWN.walk() if own else _others():
        for one in (feature, *feature.commands):
            if kind.__name__ in one.reports:
                return one.load(one.reports[kind.__name__])
    return None


def groups() -> dict[str, list[Feature]]:
    """Return the features of calmip itself by the headings of ``calmip --help``, in its order."""
    return _by_headings(OWN.values())


def all_groups() -> dict[str, list[Feature]]:
    """Return all features by headings; one that cannot be loaded has the reason as its line."""
    return _by_headings([*OWN.values(), *(_others() if FEATURES.is_offered() else ())])


def _by_headings(features: Iterable[Feature]) -> dict[str, list[Feature]]:
    found: dict[str, list[Feature]] = {}
    for feature in features:
        found.setdefault(feature.group or OTHERS, []).append(feature)
    return found


def _others() -> Iterator[Feature]:
    """Yield the features of other packages."""
    for name in FEATURES:
        if name not in OWN:
            try:
                yield FEATURES[name]
            except CalmipError as error:
                yield Feature(name, str(error))
