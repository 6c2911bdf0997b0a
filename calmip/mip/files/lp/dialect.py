"""The texts of an LP file that programs read differently."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise

from calmip._base.errors import InputError
from calmip.mip.files.findings import Finding, Findings
from calmip.mip.files.lp import HEAD, LABEL, TOKEN, Section, Token, lp_sections, read_lp
from calmip.mip.files.mps import INFINITY
from calmip.mip.files.text_source import TextFile


def find_lp_differences(source: TextFile) -> list[Finding]:
    """Return what programs read differently in an LP file."""
    return _LpChecker(source).check()


SPELLINGS = {
    r"(?:subject\s+to|such\s+that|st|s\.t\.)\s*:": "subject-to-colon",
    r"such\s+that\b": "such-that",
    r"st\.": "st-point",
    r"int$": "heading-int",
    r"(?:min|max)imise\b": "sense-british",
    r"(?:min|max)imum\b": "sense-words",
    r"gen$|bin$": "integers-heading",
}
"""Headings that not all programs know."""

EQUIVALENCE = re.compile(r"(=\s*[01]\s)\s*<-(?:>|(?=\s))")
"""The arrow of an equivalence, which is no relation."""

LONGEST = 255
ROWS_OF_ODD = dict.fromkeys("[]", "name-brackets") | dict.fromkeys("/;", "name-slash")
ROWS_OF_SECTIONS = {
    "semi": "semi-continuous",
    "semi_integers": "semi-integer",
    "sets": "sos",
    "functions": "general-constraint",
}
ODD = re.compile(r"^[/;]|[\[\]|]|[^ -~]")


class _LpChecker:
    """A pass over the tokens of an LP file; ``place`` is that of the next token of a section."""

    def __init__(self, source: TextFile) -> None:
        self.source = source
        self.findings = Findings("lp")
        self.tokens: Sequence[Token] = ()
        self.position = 0
        self.rows: dict[str, None] = {}
        self.used: dict[str, None] = {}

    def check(self) -> list[Finding]:
        lines = [text.partition("\\")[0].strip() for text in self.source.lines]
        end = next((n for n, text in enumerate(lines) if text.lower() == "end"), None)
        if end is None:
            self.findings.add("no-end", None)
            self.source = TextFile(self.source.name, (*self.source.lines, "End"))
        else:
            after = next((n for n, text in enumerate(lines) if n > end and text), None)
            if after:
                self.findings.add("after-end", after + 1)
            self.source = TextFile(self.source.name, self.source.lines[: end + 1])
            lines = lines[: end + 1]
        self.check_lines(lines)
        if ("lp-subject-to-colon", "") in self.findings.found:
            return self.findings.listed()
        try:
            sections = lp_sections(self.source)
        except InputError as error:
            self.findings.refuse(error)
            return self.findings.listed()
        self.check_sections(dict(sections))
        kinds = [kind for kind, _ in sections]
        for kind, part in sections:
            if part and kind in ROWS_OF_SECTIONS:
                self.findings.add(ROWS_OF_SECTIONS[kind], part[0].line)
        for at, (kind, part) in enumerate(sections):
            if kind == "bounds" and {"binaries", "integers"} & set(kinds[:at]) and part:
                self.findings.add("bounds-after-binaries", part[0].line)
            for token in part:
                unknown = token.text not in self.used
                if kind in ("binaries", "integers") and token.kind == "name" and unknown:
                    self.findings.add("column-only-in-binaries", token.line, token.text)
        self.check_model(sections)
        return self.findings.listed()

    def check_model(self, sections: Sequence[Section]) -> None:
        """List what calmip's reader refuses, or the bounds that no value satisfies."""
        unnamed = ("lp-row-without-name", "")
        found = [at for key, (at, _) in self.findings.found.items() if key != unnamed]
        seen = {line for at in found for line in at}
        try:
            model = read_lp(self.source)
        except InputError as error:
            if error.line not in seen:
                self.findings.refuse(error)
        else:
            for kind, name in model.without_value():
                part = dict(sections).get("bounds" if kind == "column" else "rows", ())
                self.findings.contradict(name, [t.line for t in part if t.text == name])

    def check_lines(self, lines: Sequence[str]) -> None:
        """List what the words of all lines show, but of sets and functions, which are no sums."""
        section = ""
        for number, text in enumerate(lines, start=1):
            head = HEAD.fullmatch(text)
            section = str(head.lastgroup) if head else section
            if head or section not in ("sets", "functions", "lines"):
                self.check_spelling(number, text)

    def check_spelling(self, number: int, text: str) -> None:
        """List what the words of one line show."""
        for pattern, row in SPELLINGS.items():
            if found := re.match(pattern, text, re.IGNORECASE):
                self.findings.add(row, number, found[0])
        if HEAD.fullmatch(text):
            return
        label = LABEL.match(text)
        if label and not ((name := TOKEN.fullmatch(label[1])) and name.lastgroup == "name"):
            row = "relation" if "=" in label[1] else "digit" if label[1][0].isdigit() else "sign"
            self.findings.add(f"row-name-{row}", number, label[1])
            text = text[label.end(1) :]
        text = EQUIVALENCE.sub(r"\1", text)
        self.check_blanks(number, text)
        for match in TOKEN.finditer(text):
            kind, word = str(match.lastgroup), match.group()
            if kind == "number" and "/" in word:
                self.findings.add("rational", number, word)
            elif kind == "number" and word.startswith("."):
                self.findings.add("numbers", number, word)
            elif kind == "relation" and word in ("<", ">", "=<", "=>"):
                self.findings.add("strict" if len(word) == 1 else "reversed", number, word)
            elif kind == "name" and len(word) > LONGEST:
                self.findings.add("long-name", number, word)
            elif kind == "name" and word != "/" and (odd := ODD.search(word)):
                self.findings.add(ROWS_OF_ODD.get(odd[0], "name-bar"), number, word)

    def check_blanks(self, number: int, text: str) -> None:
        """List the words of one line without a blank between them."""
        joined_sign = False
        for before, match in pairwise(TOKEN.finditer(text)):
            joined, kinds = before.end() == match.start(), (before.lastgroup, match.lastgroup)
            pair, row = before.group() + match.group(), ""
            if kinds == ("number", "name"):
                row = "no-blank"
            elif "relation" in kinds:
                row = "joined-relation"
            elif before.group() == ":":
                row = "joined-colon"
            elif kinds in (("number", "sign"), ("name", "sign")) or (
                kinds == ("sign", "name") and joined_sign
            ):
                row = "joined-sign"
            if joined and row:
                self.findings.add(row, number, pair)
            joined_sign = joined and kinds[1] == "sign"

    def check_sections(self, sections: dict[str, list[Token]]) -> None:
        for kind, tokens in sections.items():
            self.tokens, self.position = tokens, 0
            if kind in ("minimise", "maximise"):
                self.check_objective()
            elif kind == "rows":
                self.check_rows()
            elif kind == "bounds":
                binaries = {token.text for token in sections.get("binaries", ())}
                lines = {token.line for token in tokens}
                for line in sorted(lines):
                    self.check_bound([t for t in tokens if t.line == line], binaries)
        if not self.rows:
            self.findings.add("no-rows", None)

    def at(self, ahead: int = 0) -> Token:
        index = self.position + ahead
        return self.tokens[index] if index < len(self.tokens) else Token("end", "", 0)

    def is_label(self) -> bool:
        return self.at().kind == "name" and self.at(1).text == ":"

    def check_objective(self) -> None:
        self.position += self.at().text == ":"
        named = self.is_label()
        self.position += 2 * named
        part = self.tokens[self.position :]
        if not part:
            line = self.tokens[0].line if self.tokens else None
            self.findings.add("objective-empty" if named else "objective-absent", line)
        elif not (names := self.check_sum(part)) and [t.text for t in part] == ["0"]:
            self.findings.add("objective-zero", part[0].line)
        elif part[0].kind == "number" and part[0].text in names:
            self.findings.add("objective-constant-first", part[0].line, part[0].text)
        else:
            for number, line in names.items():
                self.findings.add("objective-constant", line, number)

    def check_sum(self, part: Sequence[Token]) -> dict[str, int]:
        """List what a sum shows; return its numbers without a variable, with their lines."""
        alone: dict[str, int] = {}
        total: dict[str, Fraction] = {}
        factor = Fraction(1)
        for at, token in enumerate(part):
            after = part[at + 1] if at + 1 < len(part) else Token("end", "", 0)
            if token.kind == "sign":
                factor = -factor if token.text == "-" else factor
                if after.kind == "sign":
                    self.findings.add("two-signs", token.line, f"{token.text} {after.text}")
                continue
            if token.kind == "number":
                factor *= self.number(token)
                if after.kind == "number":
                    self.findings.add("two-factors", token.line, f"{token.text} {after.text}")
                elif after.kind != "name" and after.text not in ("*", "["):
                    alone[token.text] = token.line
                    factor = Fraction(1)
                continue
            if token.text in ("[", "^"):
                self.findings.add("quadratic", token.line, token.text)
                return alone
            if token.text == "*":
                self.findings.add("asterisk", token.line, token.text)
                continue
            if token.kind == "name":
                self.check_name(token)
                if token.text in total:
                    cancels = total[token.text] + factor == 0
                    row = "cancelling" if cancels else "repeated-variable"
                    self.findings.add(row, token.line, token.text)
                total[token.text] = total.get(token.text, 0) + factor
            factor = Fraction(1)
        if total or [t.text for t in part] != ["0"]:
            return alone
        return {}

    def check_name(self, token: Token) -> None:
        self.used[token.text] = None
        word = token.text.lower()
        if word in INFINITY:
            self.findings.add("name-inf", token.line, token.text)
        elif word == "free":
            self.findings.add("name-free", token.line, token.text)
        elif HEAD.fullmatch(word):
            self.findings.add("name-st", token.line, token.text)

    def take_while(self, keep: Callable[[Token], bool]) -> list[Token]:
        taken = []
        while self.position < len(self.tokens) and keep(self.at()):
            taken.append(self.at())
            self.position += 1
        return taken

    def check_rows(self) -> None:
        last = 0
        while self.position < len(self.tokens):
            start = self.at()
            if start.line == last:
                self.findings.add("two-rows-on-a-line", start.line)
            if self.is_label():
                if start.text in self.rows:
                    self.findings.add("duplicate-row", start.line, start.text)
                self.rows[start.text] = None
                self.position += 2
            else:
                self.rows[f"\\{len(self.rows)}"] = None
                self.findings.add("row-without-name", start.line)
            self.check_condition()
            left = self.take_while(lambda token: token.kind != "relation")
            if self.position == len(self.tokens):
                return  # The reader says what is missing.
            relation = self.at()
            self.position += 1
            if any(token.kind == "name" and token.text.lower() not in INFINITY for token in left):
                for number, line in self.check_sum(left).items():
                    self.findings.add("constant-on-the-left", line, number)
                self.check_right(relation)
            elif left:
                self.check_reversed(left)
            else:
                self.findings.add("empty-row", start.line)
                self.check_right(relation)
            last = self.tokens[min(self.position, len(self.tokens)) - 1].line

    def check_condition(self) -> None:
        """List a condition such as ``b = 1 ->``, and pass over it."""
        ahead = [self.at(n).text for n in range(5)]
        if ahead[1] == "=" and (ahead[3] == "->" or ahead[3:] in (["<", "->"], ["<", "-"])):
            self.findings.add("indicator" if ahead[3] == "->" else "equivalence", self.at().line)
            self.used[ahead[0]] = None
            self.position += 4 + (ahead[3] == "<")

    def check_right(self, relation: Token) -> None:
        """List what the right-hand side of a row shows."""
        signs = self.take_while(lambda token: token.kind == "sign")
        side, line = self.at(), relation.line
        self.position += 1
        if signs and side.kind == "number":
            text = self.source.lines[side.line - 1].partition("\\")[0]
            if re.search(rf"[<>=]\s*[+-]\s+{re.escape(side.text)}", text):
                self.findings.add("signed-side", side.line, f"{signs[0].text} {side.text}")
        rest = []
        if side.kind == "name" and side.text.lower() in INFINITY:
            self.findings.add("infinite-side", line, side.text)
        elif side.kind == "name":
            self.check_name(side)
            self.findings.add("variable-on-the-right", line, side.text)
        following = self.at()
        if following.line == side.line and following.kind == "relation":
            self.findings.add("range-after", following.line)
            rest = self.take_while(lambda token: token.line == following.line)
        elif following.line == side.line and not self.is_label():
            rest = self.take_while(lambda token: token.line == following.line)
            sums = any(token.kind == "name" for token in rest)
            self.findings.add("variables-on-the-right" if sums else "sum-on-the-right", line)
        for token in rest:
            if token.kind == "name":
                self.used[token.text] = None

    def check_reversed(self, left: list[Token]) -> None:
        """List what a row with a number on the left shows."""
        middle: list[Token] = []
        while self.position < len(self.tokens) and (
            self.at().kind == "sign" or not middle or middle[-1].kind in ("sign", "number")
        ):
            middle.append(self.at())
            self.position += 1
        if self.at().text == ":":
            self.findings.add("range-before-name", left[0].line)
            self.position += 1
            self.take_while(lambda token: token.line == left[0].line)
            return
        self.check_sum(middle)
        if self.at().kind == "relation":
            row = "range-negative" if left[0].text == "-" else "range"
            self.findings.add(row, self.at().line)
            self.position += 1
            self.take_while(lambda token: token.kind == "sign")
            self.position += 1
        else:
            self.findings.add("side-on-the-left", left[0].line, left[0].text)

    def check_bound(self, line: list[Token], binaries: set[str]) -> None:
        """List what a line of Bounds shows."""
        names = [t for t in line if t.kind == "name" and t.text.lower() not in INFINITY]
        words = [token for token in line if token.text.lower() == "infinity"]
        relations = [token.text for token in line if token.kind == "relation"]
        self.used.update(dict.fromkeys(token.text for token in names[:1]))
        number, first = line[0].line, line[0]
        for token in words:
            self.findings.add("infinity", number, token.text)
        if len([t for t in names if t.text.lower() != "free"]) > 1:
            self.findings.add("bounds-one-line", number)
        values = [t.kind == "number" for t in line]
        scaled = any(x and t in names for x, t in zip(values, line[1:], strict=False))
        if scaled and len(relations) == 1:
            self.findings.add("bound-coefficient", number)
        elif first not in names and len(relations) == 1:
            self.findings.add("bound-on-the-left", number)
        if first not in names and len(relations) == 2 and ">" in relations[0]:
            self.findings.add("bound-reversed", number)
        text = self.source.lines[number - 1].partition("\\")[0]
        if re.search(r"(?:^|[<>=])\s*[+-]\s+[0-9.]", text):
            self.findings.add("bound-spaced-sign", number)
        inside = all(0 <= self.number(t) <= 1 for t in line if t.kind == "number")
        free = any(token.text.lower() in (*INFINITY, "free") for token in line[1:])
        for token in names[:1]:
            if token.text in binaries and (free or not inside):
                self.findings.add("binary-with-bounds", number, token.text)

    def number(self, token: Token) -> Fraction:
        """Return the number of a token, 0 if it is none that is read; then the reader says so."""
        with suppress(InputError):
            return Fraction(self.source.exact(token.text, token.line))
        return Fraction(0)
