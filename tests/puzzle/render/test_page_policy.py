"""Pages of results allow their own style sheets and scripts, by their hashes, and nothing else."""

import re
from pathlib import Path

import pytest

from calmip.cli import main
from calmip.puzzle.render.report import hash_of, page

POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
CAMPAIGN = "benchmarks/campaign-general.db"


def refused(text: str) -> list[str]:
    """Return what the policy of a page does not allow of the page itself, and what it allows."""
    (policy,) = POLICY.findall(text)
    rules = {words[0]: set(words[1:]) for one in policy.split(";") if (words := one.split())}
    assert rules.pop("default-src") == {"'none'"}
    assert rules.pop("img-src") == {"data:"}
    found: list[str] = []
    for rule, tag in (("style-src", "style"), ("script-src", "script")):
        own = {f"'{hash_of(one)}'" for one in re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)}
        found += [f"{rule} {one}" for one in own ^ rules.pop(rule, set())]
    assert not rules
    script = "".join(re.findall(r"<script>(.*?)</script>", text, re.DOTALL))
    marked = re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.DOTALL)
    found += re.findall(r"<[a-z][^<>]*\s(?:style|on\w+)=[^<>]*>", marked)
    found += re.findall(r"""\bstyle\s*:|["']style["']|cssText|innerHTML""", script)
    return found


@pytest.mark.parametrize(
    "command",
    [
        ["solve", "tiny"],
        ["puzzles", "heart-set1"],
        ["relax", "tiny"],
        ["tree", "tiny"],
        ["check", "tiny", "tests/data/solutions/tiny.scip.sol"],
        pytest.param(["year", "weekday-8x7"], marks=pytest.mark.trade("year")),
        pytest.param(["year", "heart-set1", "--year", "2027"], marks=pytest.mark.trade("year")),
        pytest.param(
            ["calendar", "heart-set1", "--year", "2027"],
            marks=[pytest.mark.trade("year"), pytest.mark.long],
        ),
        pytest.param(
            ["bench", "report", CAMPAIGN], marks=[pytest.mark.trade("bench"), pytest.mark.long]
        ),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("theme", ["auto", "dark"])
def test_a_page_allows_its_own_styles_and_scripts_alone(
    command: list[str], theme: str, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    assert main([*command, "-o", str(path), "--theme", theme, "-q"]) in (0, 1, 3)
    text = path.read_text(encoding="utf-8")
    assert "unsafe" not in POLICY.findall(text)[0]
    assert refused(text) == []


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (lambda text: text.replace("{margin", "{ margin", 1), "style-src"),
        (lambda text: text.replace("go()", "leave()"), "script-src"),
        (lambda text: text.replace("</body>", "<style>p{}</style></body>"), "style-src"),
        (lambda text: text.replace("<p>", '<p style="color:red">'), "<p style="),
        (lambda text: text.replace("<p>", '<p onclick="go()">'), "<p onclick="),
        (lambda text: text.replace("go()", "draw({style: 1})"), "style:"),
    ],
)
def test_what_is_not_allowed_is_found(fault: object, said: str) -> None:
    whole = page("a", ["<p>b</p>", "<svg><style>c{}</style></svg>"], theme="auto", script="go()")
    assert refused(whole) == []
    assert callable(fault)
    assert any(one.startswith(said) for one in refused(fault(whole)))
