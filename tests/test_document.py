"""The document reader: both parsers agree, and what is refused is refused with its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import pytest
import yaml

from calmip import InputError
from calmip.document import Node, read_document

Read = Callable[[str | bytes], Node]


@pytest.fixture(params=["libyaml", "pure Python"])
def read(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Read texts with one of the two parsers that PyYAML has; messages call the file F."""
    if request.param == "pure Python":
        monkeypatch.delattr(yaml, "CBaseLoader", raising=False)
    elif not hasattr(yaml, "CBaseLoader"):
        pytest.skip("PyYAML without libyaml")
    return lambda text: read_with(tmp_path / "document.yaml", text)


def read_with(path: Path, text: str | bytes) -> Node:
    path.write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
    return read_document(path, "F")


def complaint(read: Read, text: str | bytes) -> str:
    with pytest.raises(InputError) as caught:
        read(text)
    return str(caught.value)


def test_many_keys_take_no_longer_than_as_many_entries(read: Read) -> None:
    def seconds(text: str) -> float:
        start = perf_counter()
        assert len(read(text)) == 20_000
        return perf_counter() - start

    # Comparing every key with every other took a hundred times as long.
    entries = min(seconds("".join(f"- {n}\n" for n in range(20_000))) for _ in range(2))
    keys = min(seconds("".join(f"k{n}: v\n" for n in range(20_000))) for _ in range(2))
    assert keys < 12 * entries


@pytest.mark.parametrize(
    "character", ["\0", "\x01", "\x1b", "\x7f", "\x85", "\u2028", "\u2029", "\ufeff", "\ufffe"]
)
@pytest.mark.parametrize("before", ["", "é: ü\n" * 30, "a: b\r" * 3, "a: b\r\n" * 3])
def test_a_character_that_is_not_allowed_is_named_with_its_line(
    read: Read, character: str, before: str
) -> None:
    # The file's own line: neither bytes for characters, nor breaks that no editor counts.
    line = 1 + len(before.splitlines())
    text = f"{before}key: x{character}\nlast: line\n"
    said = complaint(read, text)
    assert said.startswith(f"F:{line}: is not valid YAML: the invisible character ")
    assert f"U+{ord(character):04X} is not allowed; remove it" in said


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_editors_do(read: Read, end: str) -> None:
    assert complaint(read, f"a: 1{end}b: 2{end}a: 3{end}").startswith("F:3: key 'a'")
    assert complaint(read, f"a: 1{end}b: ä".encode("latin-1")).startswith("F:2: is not UTF-8")
    assert read(f"\ufeffa: ä{end}b: 😀{end}") == {"a": "ä", "b": "😀"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # A grid's row that lost its first label without a word.
        ("grid:\n- ! 2 3", "F:2: YAML tags (!) are not allowed; quote a text that starts with '!'"),
        ("a: ! [b]", "F:1: YAML tags (!) are not allowed; quote a text that starts with '!'"),
        ("a: !!str b", "F:1: YAML tags (tag:yaml.org,2002:str) are not allowed; quote a"),
        ("a: !mine b", "F:1: YAML tags (!mine) are not allowed"),
        ("a: !%1B b", "F:1: YAML tags (!\\x1b) are not allowed"),
        ("a: !<%E2%80%AE> b", "F:1: YAML tags (\\u202e) are not allowed"),
        (f"a: !{'x' * 5000} b", f"F:1: YAML tags (!{'x' * 59}...) are not allowed"),
        ("%TAG ! tag:x,2000:\n---\n!a b: c", "F:1: YAML tags (%TAG) are not allowed"),
        ("a: &b [c]", "F:1: YAML anchors (&b) are not allowed; quote a text that starts with '&'"),
        ("&b a: c", "F:1: YAML anchors (&b) are not allowed"),
        ("\na: *b", "F:2: YAML aliases (*name) are not allowed; quote a text that starts"),
    ],
)
def test_tags_anchors_and_aliases_are_refused(read: Read, text: str, message: str) -> None:
    assert complaint(read, text).startswith(message)
    assert len(complaint(read, text)) < 200


def test_many_tag_directives_take_no_time(read: Read) -> None:
    text = "".join(f"%TAG !a{n}! b\n" for n in range(55_000)) + "--- a\n"
    start = perf_counter()
    assert complaint(read, text).startswith("F:1: YAML tags (%TAG)")
    assert perf_counter() - start < 2  # it was 6 s in libyaml, where Ctrl-C does not reach


@pytest.mark.parametrize(
    ("text", "line", "remedy"),
    [
        ("grid:\n- * 1 2\n", 2, "quote a text that starts with '*'"),
        ("a: & b", 1, "quote a text that starts with '&'"),
        ("- a\n- @b", 2, "quote a text that starts with '@'"),
        ("a: %b", 1, "quote a text that starts with '%'"),
        ("a: `b", 1, "quote a text that starts with '`'"),
        ("a: !e!x b", 1, "quote a text that starts with '!'"),
        ("a: |b", 1, "quote a text that starts with '|' or '>'"),
        ("a:\n\tb: c", 2, "indent with blanks, not with tabs"),
        ("note: so: it is", 1, "quote a text with ': ' in it"),
        ("a: 1\n b: 2", 2, "indent keys alike"),
        ("pieces: [##, #.]", 1, "quote a text with any of #,:[]{} in it"),
        ("grid: [\n1,\n2", 3, "close every bracket"),
        ('a: "b\n\n', 3, "close every quote"),
        ('a: "\\q"', 1, "write a backslash in double quotes as \\\\"),
        ("a: 'it's'", 1, "quote a text as a whole or not at all"),
        ("a: 1\n- b", 2, "indent entries alike"),
    ],
)
def test_what_is_no_yaml_is_told_its_line_and_a_remedy(
    read: Read, text: str, line: int, remedy: str
) -> None:
    said = complaint(read, text)
    assert said.startswith(f"F:{line}: is not valid YAML: ")
    assert remedy in said
    assert len(said) < 300


def test_an_open_bracket_is_told_where_it_begins(read: Read) -> None:
    said = complaint(read, "a: b\ngrid: [1,\n" + "2,\n" * 30 + "pieces: x: y\n")
    assert said.startswith("F:33: ")
    assert "while parsing a flow sequence from line 2 on" in said


def test_a_complaint_is_short_and_harmless(read: Read) -> None:
    for text in (f"%YAML {'9' * 5000}.1\n--- a", f"--- !{'e' * 5000}!x b", '"\\UFFFFFFFF"'):
        said = complaint(read, text)
        assert len(said) < 300
        assert said.isprintable()
