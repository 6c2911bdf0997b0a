"""The manual pages: one for each command, with all that its help has, as groff reads it."""

import re
import shutil
import subprocess
from pathlib import Path

import click
import man_pages
import pytest
import requirements

from calmip.cli import cli
from calmip.features import OWN

PAGES = man_pages.pages()


def plain(text: str) -> str:
    """Return a page without its marks."""
    return text.replace("\\-", "-").replace("\\&", "").replace("\\e", "\\")


def test_every_command_has_a_page_with_its_options_and_examples() -> None:
    names = {f"calmip-{name}.1" for name, one in OWN.items() if one.task}
    names |= {f"calmip-{name}-{one}.1" for name in OWN for one in OWN[name].below}
    assert set(PAGES) == names | {"calmip.1"}
    for name, feature in OWN.items():
        assert f"calmip-{name}(1)" in plain(PAGES["calmip.1"])
        if not feature.task:
            continue
        text = plain(PAGES[f"calmip-{name}.1"])
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                assert re.search(rf"^\\fB.*{max(option.opts, key=len)}\b", text, re.MULTILINE)
        assert all(example in text for example in feature.lines)
        assert "\n.SH EXIT STATUS\n" in text


def test_a_line_that_begins_with_a_full_stop_is_text() -> None:
    assert man_pages.roff(".mps and\n 'x' \\ -o") == "\\&.mps and 'x' \\e \\-o"
    assert man_pages.roff("'x'") == "\\&'x'"
    for text in PAGES.values():
        marks = {line.split(maxsplit=1)[0] for line in text.splitlines() if line[0] in ".'"}
        assert marks <= {".TH", ".SH", ".PP", ".TP", ".nf", ".fi"}
        assert not re.search(r"\\(?![-&e]|f[BR])", text)


@pytest.mark.long
def test_groff_reads_the_pages_without_a_warning(tmp_path: Path) -> None:
    if shutil.which("groff") is None:
        requirements.missing("groff")
    for name, text in PAGES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        command = ["groff", "-man", "-Tutf8", "-ww", "-Wbreak", str(tmp_path / name)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert not done.stderr, f"{name}: {done.stderr}"
    assert "enumerate a-puzzle-a-day" in subprocess.run(
        ["groff", "-man", "-Tascii", str(tmp_path / "calmip-enumerate.1")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.replace("\b", "")
