"""Commands made of their tasks: options from the signature, their help from the docstring.

A command whose task takes an instance or a puzzle and returns a result needs no module of its
own: one `About` in `calmip.cli.GROUPS` declares it. The task's parameters are its options, the
first sentence of what the docstring says of each is its help, and the forms of its result are
those of the report.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from calmip.cli._command import About, Command
from calmip.cli._options import (
    instance_options,
    note,
    placed_option,
    quiet_option,
    seconds,
    terminal_style,
)
from calmip.cli._pictures import PICTURES, chosen_form, deliver_data, format_option, theme_option
from calmip.documents.reader import read_instance
from calmip.problem.status import Status
from calmip.render.reports import data, forms

__all__ = ["declared"]

METAVARS = {"time_limit": "SECONDS", "memory_limit": "MB"}
"""What stands for an option's value where its type says too little."""

TYPES: dict[str, Any] = {"int": click.INT, "float": click.FLOAT, "str": click.STRING,
                         "Path": click.Path(path_type=Path)}  # fmt: skip


def declared(name: str, about: About, codes: Mapping[Status, int]) -> click.Command:
    """Return the command that runs the task of a name, prints its result and gives an exit code."""
    task: Callable[..., Any] = getattr(import_module(f"calmip.tasks.{name}"), name)
    writers = forms(name)
    text, helps = _documented(task)
    signature = inspect.signature(task).parameters

    def run(form: str | None, output: Path | None, quiet: bool, theme: str = "auto",
            **given: Any) -> int:  # fmt: skip
        form = chosen_form(form, output, writers)
        if "instance" in signature:
            chosen = {one: given.pop(one) for one in ("reveal", "date", "flip", "placed")}
            given["instance"] = read_instance(given.pop("source"), **chosen)
        result = task(**given)
        if output is not None or not quiet:
            deliver_data(data(result, form, theme, terminal_style(output)), form, output)
        if form in PICTURES:
            report = import_module(f"calmip.render.reports.{name}")
            for line in report.said(result):
                note(line)
        return codes[result.status]

    for parameter in reversed(list(signature.values())):
        if parameter.name == "instance":
            run = instance_options(placed_option(run))
        else:
            run = _option(parameter, helps[parameter.name])(run)
    run = format_option(*writers)(run)
    if any(form in PICTURES for form in writers):
        run = theme_option(run)
    run = click.option(
        "-o", "--output", type=click.Path(path_type=Path), help="Write the result to a file."
    )(quiet_option(run))
    paragraphs = [*text, about.exits] if about.exits else text
    made = click.command(name, cls=Command, help="\n\n".join(paragraphs))(run)
    made.params.sort(key=lambda one: isinstance(one, click.Option) and one.name in OF_ALL)
    made.examples = about.examples
    return made


OF_ALL = ("form", "theme", "output", "quiet")
"""The options of every command, which its help lists last."""


def _option(parameter: inspect.Parameter, text: str) -> Callable[[Any], Any]:
    """Return the option for a parameter of a task."""
    kind = str(parameter.annotation).removesuffix(" | None")
    flag = f"--{parameter.name.replace('_', '-')}"
    shown = parameter.default is not None
    if kind == "bool":
        both = f"{flag}/--no-{flag[2:]}" if parameter.default is not False else flag
        return click.option(both, default=parameter.default, is_flag=True, help=text)
    return click.option(
        flag,
        type=seconds if parameter.name == "time_limit" else TYPES[kind],
        metavar=METAVARS.get(parameter.name),
        default=parameter.default,
        show_default=shown,
        help=text,
    )


def _documented(task: Callable[..., Any]) -> tuple[list[str], dict[str, str]]:
    """Return the paragraphs of a docstring before its sections, and a sentence per parameter."""
    text = (inspect.getdoc(task) or "").replace("``", "").replace("`", "")
    # A section is a line with a line of dashes under it.
    parts = re.split(r"^(\w+)\n-+\n", text, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    found = re.findall(
        r"^(\S.*)\n((?:    .*\n?|\n)+)", sections.get("Parameters", ""), re.MULTILINE
    )
    helps: dict[str, str] = {}
    for names, body in found:
        sentence = re.split(r"(?<=\.)\s", " ".join(body.split()), maxsplit=1)[0]
        helps |= dict.fromkeys(names.split(", "), sentence)
    return [" ".join(part.split()) for part in parts[0].split("\n\n") if part.strip()], helps
