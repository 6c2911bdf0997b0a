"""Write the manual pages of the commands, from their help: python .ci/man_pages.py FOLDER."""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import click  # noqa: E402

from calmip._base.version import __version__  # noqa: E402
from calmip.cli import EPILOG, cli  # noqa: E402
from calmip.cli._command import HEADINGS, Command  # noqa: E402
from calmip.features import GROUPS, OWN, groups  # noqa: E402


def roff(text: str) -> str:
    """Return a text for a line of a manual page."""
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text[:1] in (".", "'") else text


def head(name: str, line: str) -> Iterator[str]:
    """Yield the first lines of a page; without a date, so that it is the same each time."""
    yield f'.TH {name.upper().replace(" ", "-")} 1 "" "calmip {__version__}" "calmip"'
    yield from (".SH NAME", f"{roff(name.replace(' ', '-'))} \\- {roff(line.rstrip('.'))}")


def paragraphs(texts: Iterable[str]) -> Iterator[str]:
    """Yield paragraphs."""
    for text in texts:
        yield from (".PP", roff(text))


def examples(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines as they are typed."""
    yield from (".nf", *map(roff, lines), ".fi")


def options(context: click.Context, command: Command) -> Iterator[str]:
    """Yield the options below their headings, with all of their help."""
    found: dict[str, list[str]] = {}
    for one in command.get_params(context):
        record = one.get_help_record(context) if isinstance(one, click.Option) else None
        if record is not None:
            lines = [".TP", f"\\fB{roff(record[0])}\\fR", roff(record[1])]
            found.setdefault(command.heading_of(one), []).extend(lines)
    for heading in HEADINGS:
        if heading in found:
            yield from (f".SH {heading.upper()}", *found[heading])


def page(name: str) -> str:
    """Return the page of a command, such as ``prove check``."""
    context = click.Context(cli, info_name="calmip")
    command = cli.get_command(context, name)
    assert isinstance(command, Command), name
    own, feature = click.Context(command, context, info_name=name), command.feature
    first, *more = (command.help or "").split("\n\n")
    more = [text for text in more if text != feature.exits]
    usage = " ".join(command.collect_usage_pieces(own))
    lines = [*head(f"calmip {name}", first), ".SH SYNOPSIS", f"\\fB{roff(f'calmip {name}')}\\fR"]
    lines += [roff(usage), ".SH DESCRIPTION", *paragraphs([first, *more])]
    lines += options(own, command)
    if feature.below:
        lines += [
            ".SH COMMANDS",
            roff(", ".join(f"calmip-{name}-{one}(1)" for one in feature.below)),
        ]
    if feature.lines:
        lines += [".SH EXAMPLES", *examples(feature.lines)]
    lines += [".SH EXIT STATUS", roff(feature.exits or exits())]
    lines += [".SH SEE ALSO", roff("calmip(1), https://calmip.github.io/calmip/")]
    return "\n".join(lines) + "\n"


def exits() -> str:
    """Return the exit codes of all commands, without the mark of click."""
    return re.sub(r"\s+", " ", EPILOG.replace("\b", "")).strip().removeprefix("Exit codes: ")


def index() -> str:
    """Return the page of calmip itself."""
    first, *more = (cli.help or "").split("\n\n")
    lines = [*head("calmip", first), ".SH SYNOPSIS", "\\fBcalmip\\fR COMMAND [ARGS]..."]
    lines += [".SH DESCRIPTION", *paragraphs([first, *more])]
    for heading, members in groups().items():
        lines += [f".SH {heading.upper()}", roff(GROUPS[heading])]
        for one in members:
            lines += [".TP", f"\\fB{roff(f'calmip-{one.name}(1)')}\\fR", roff(one.line)]
    lines += [".SH EXIT STATUS", roff(exits())]
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """Return the pages by the names of their files."""
    found = {"calmip.1": index()}
    for name, feature in OWN.items():
        names = [name] * bool(feature.task) + [f"{name} {one}" for one in feature.below]
        found |= {f"calmip-{one.replace(' ', '-')}.1": page(one) for one in names}
    return found


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in pages().items():
        (folder / file).write_text(text, encoding="utf-8", newline="\n")
