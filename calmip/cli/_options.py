"""The types of options, checks of what was typed, and where a result goes."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from calmip._base.errors import InputError, clip, join_words
from calmip.cli._command import Explained
from calmip.cli._stdin import SUFFIX, check_kind
from calmip.cli._streams import ReaderLeft, note, put
from calmip.mip.display import PAPER, PAPERS
from calmip.puzzle.render.characters import Style
from calmip.puzzle.render.palette import AUTO, THEMES
from calmip.puzzle.render.report import PICTURES
from calmip.solvers import SOLVERS, solver_named

if TYPE_CHECKING:
    from calmip.puzzle.puzzle import Puzzle

STDOUT = Path("-")
"""The output that is stdout."""

BINARY = ("png", "pdf", "stl", "3mf")

PLAIN = ("text", "md", "json", "jsonl", "csv", "tex", "tikz")
"""Formats without colours."""

MAX_SHEET_TILINGS = 1000
"""The tilings on one sheet unless a limit is given."""

COMMON = {
    "flip": click.option(
        "--flip/--no-flip", default=None, help="Allow or forbid turning pieces over."
    ),
    "log": click.option("-v", "--verbose", is_flag=True, help="Show the solver's log on stderr."),
    "quiet": click.option(
        "-q", "--quiet", is_flag=True, help="Print nothing; only set the exit code."
    ),
    "reveal": click.option(
        "--reveal", metavar="LABELS", help="Leave labels uncovered: Feb,29 or month=Feb,day=29."
    ),
    "date": click.option(
        "--date",
        metavar="DATE",
        help="Leave a date uncovered: 2024-02-29, today, +3 days. Also tomorrow, or several dates "
        "with commas between them.",
    ),
    "placed": click.option(
        "--placed",
        metavar="PIECES",
        help="Start with pieces on the board: 'U:Jan+Mar O6:4,0+5,2'. A place is labels, or "
        "row,column.",
    ),
    "integer_default": click.option(
        "--integer-default",
        type=click.Choice(["1", "inf"]),
        help="Bound integers without bounds in MPS files so.",
    ),
    SUFFIX: click.option(
        "--suffix",
        SUFFIX,
        metavar="SUFFIX",
        callback=check_kind,
        help="Read stdin (-) as such a file. Its first lines show it otherwise.",
    ),
    "theme": click.option(
        "--theme",
        type=click.Choice([*THEMES, AUTO]),
        default=AUTO,
        show_default=True,
        help="Use these colours; auto: dark on dark screens (SVG, HTML), else light.",
    ),
    "paper": click.option(
        "--paper",
        type=click.Choice([*PAPERS], case_sensitive=False),
        default=PAPER,
        show_default=True,
        help="Fill sheets of this paper (PDF).",
    ),
}
"""Options that several commands share, by their name or the parameter of a task."""


def format_option(forms: Sequence[str], *, by_suffix: bool) -> Callable[[Callable[..., Any]], Any]:
    """Return the option ``--format``; see `choose_form`."""
    by = f"Write this format. By default it is that of the suffix of -o, else {forms[0]}."
    text = by if by_suffix else f"Print this format. The default is {forms[0]}."
    return click.option("--format", "form", type=click.Choice(forms), help=text)


class Names(Explained):
    """Several words with commas between them; the option may be repeated instead."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Return the words; if the option explains its words, others are refused."""
        words = [word.strip() for word in value.split(",")]
        return tuple(
            super(Names, self).convert(word, param, ctx) if self.about else word for word in words
        )

    def get_metavar(self, *_: Any, **__: Any) -> str:
        """Return the placeholder of the help."""
        return "NAMES"


class Named(click.ParamType):  # type: ignore[type-arg] # generic in newer versions only
    """A number for what has a name, ``PLACEMENT=NUMBER``; or a CSV file of names and numbers."""

    def __init__(self, what: str) -> None:
        self.name, self._form = f"{what}=NUMBER", f"{what},NUMBER"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, float]:
        """Return the numbers by name."""
        from calmip.mip.files.points import is_csv, read_numbers

        name, _, number = value.rpartition("=")
        if not name and is_csv(value):
            return read_numbers(Path(value), self._form, "name,2.5")
        try:
            found = {name: float(number if name else "")}
        except ValueError:
            self.fail(f"{self.name} is needed, not '{clip(value)}'", param, ctx)
        return found


class Read(click.ParamType):  # type: ignore[type-arg] # generic in newer versions only
    """A value that a function reads from a text, or refuses with a `ValueError`."""

    def __init__(self, name: str, read: Callable[[], Callable[[str], Any]]) -> None:
        self.name, self._read = name, read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value of a text."""
        try:
            return self._read()(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class OutputPath(click.Path):
    """A path to write; ``-`` is stdout, and ``./-`` a file of this name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path."""
        path = Path(super().convert(value, param, ctx))  # type: ignore[arg-type]
        return Path.cwd() / path if path == STDOUT and value != "-" else path


def note_faults(puzzle: Puzzle) -> None:
    """Note faults in a puzzle's labels on stderr, unless the command is quiet."""
    if not click.get_current_context().params.get("quiet"):
        for fault in puzzle.label_faults():
            note(f"note: {fault}")


def options_again() -> list[str]:
    """Return the options of the instance, as they were given, for a shell."""
    given = click.get_current_context().params
    options = [f"--{one} {quote(given[one])}" for one in ("reveal", "date", "placed") if given[one]]
    flip = given["flip"]
    return options if flip is None else [*options, "--flip" if flip else "--no-flip"]


def flag_of(name: str) -> str:
    """Return an option or an argument by its parameter's name, as it was typed."""
    context = click.get_current_context()
    parameter = next(one for one in context.command.params if one.name == name)
    if isinstance(parameter, click.Argument):
        return (parameter.metavar or name).strip("[]")
    off = parameter.secondary_opts if context.params.get(name) is False else []
    return max(off or parameter.opts, key=len)


def is_given(name: str) -> bool:
    """Return whether an option or an argument stands on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def refuse_unused(needed: str, *names: str) -> None:
    """Refuse options on the command line that would change nothing.

    Parameters
    ----------
    needed
        What they go with.
    names
        The options, as parameters of the command.

    Raises
    ------
    InputError
        If one of them was given.
    """
    for name in names:
        if is_given(name):
            raise InputError(f"{flag_of(name)} goes with {needed} only, and changes nothing here")


def refuse_unheeded(solver: str) -> None:
    """Raise `InputError` if a seed or threads were given that this solver ignores."""
    for name in solver_named(solver).unused:
        if not is_given(name):
            continue  # and the other solvers need not be loaded
        others = [one for one in SOLVERS if name not in solver_named(one).unused]
        *first, last = others
        refuse_unused(f"--solver {', '.join(first)}{' or ' if first else ''}{last}", name)


def choose_form(
    form: str | None, output: Path | None, allowed: Iterable[str], texts: Sequence[str] = ("txt",)
) -> str:
    """Return the format: as given, else by the file's suffix, else the first one allowed.

    Parameters
    ----------
    form
        The format, if one is given.
    output
        The file; none for stdout.
    allowed
        The formats of the command.
    texts
        The suffixes of the format text, for the error.

    Raises
    ------
    InputError
        If the suffix contradicts the format or belongs to none, a binary format would go to a
        terminal, or the file's folder is missing.
    """
    if output is not None and not output.parent.is_dir():
        raise InputError(
            f"cannot be written: there is no folder '{output.parent}'; make it first", path=output
        )
    allowed = tuple(allowed)
    suffix = _suffix(output)
    if form is None:
        names = (texts if one == "text" else [one] for one in allowed)
        known = {name: one for one, some in zip(allowed, names, strict=True) for name in some}
        form = known.get(suffix, allowed[0])
        if suffix and suffix not in known:
            raise InputError(
                f"the suffix .{clip(suffix)} is not one of "
                f"{join_words([f'.{name}' for name in known])}; "
                "choose one of them, or give --format",
                path=output,
            )
    elif suffix != form and (suffix in PICTURES or (form in BINARY and suffix in allowed)):
        raise InputError(
            f"--format {form} does not suit the file's suffix .{suffix}; give one of the two",
            path=output,
        )
    if form in PLAIN:
        refuse_unused("a picture, such as -o NAME.svg,", "theme")
    if form != "pdf":
        refuse_unused("a PDF, such as -o NAME.pdf,", "paper")
    if form in BINARY and output is None and sys.stdout.isatty():
        raise InputError(
            f"{form} is a binary format; name a file with -o NAME.{form}, or use a pipe"
        )
    return form


def check_suffix(output: Path | None, what: str, own: Sequence[str]) -> None:
    """Raise `InputError` if a file's suffix is not one of a format."""
    suffix = _suffix(output)
    if suffix and suffix not in own:
        names = " or ".join(f".{one}" for one in own)
        raise InputError(
            f"the suffix .{clip(suffix)} is not that of {what}; use {names}", path=output
        )


def _suffix(output: Path | None) -> str:
    return "" if output is None else output.suffix.lower().removeprefix(".")


def terminal_style(output: Path | None) -> Style:
    """Return colours and boxes for a terminal, plain characters for all else.

    ``NO_COLOR`` (no-color.org) and a dumb terminal get plain characters. ``FORCE_COLOR`` and
    ``CLICOLOR_FORCE`` (force-color.org, bixense.com/clicolors) stand for a terminal, but a file
    has no colours, and ``NO_COLOR`` comes first, as in Python itself.
    """
    set_to = os.environ.get
    forced = any(set_to(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE"))
    shown = forced or (sys.stdout.isatty() and set_to("TERM") != "dumb")
    if output is not None or set_to("NO_COLOR") or not shown:
        return Style()
    try:
        "└".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return Style(colour=True)
    return Style(colour=True, boxes=True)


def deliver(data: bytes, form: str, output: Path | None) -> None:
    """Write a result atomically to a file, or to stdout until its reader leaves."""
    if output is not None:
        from calmip._base.files import write_atomically

        write_atomically(output, data)
        note_written(output)
        return
    with contextlib.suppress(ReaderLeft):
        put(data if form in BINARY else data.decode())


def note_written(output: Path) -> None:
    """Note on stderr which file was written, unless the command is quiet."""
    if not click.get_current_context().params.get("quiet"):
        note(f"wrote {clip(output, 300)}")


@contextlib.contextmanager
def output_stream(output: Path | None) -> Iterator[Callable[[str], None]]:
    """Yield a function that writes and flushes a text to stdout or to a growing file.

    It raises `ReaderLeft` when the reader of stdout has left.
    """
    if output is None:
        yield put
        return
    from calmip._base.files import part_file

    with part_file(output) as grow:
        yield grow
    note_written(output)
