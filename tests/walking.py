"""A random walk over the lab of the page, the same in every browser: nothing may lock or fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PUZZLES = ["a-puzzle-a-day", "heart-set1", "crea-makes", "jarringwords"]
"""Puzzles whose relaxations are quick."""

WALK = (Path(__file__).parent / "page" / "walk.js").read_text(encoding="utf-8").partition("\n")[2]


def walk(page: Any, seed: int, actions: int) -> None:
    """Do random things to the lab; then everything in it must still work."""
    for start in range(0, actions, 100):
        number = min(100, actions - start)
        fault = page.evaluate(WALK, [seed + start, number, PUZZLES])
        assert fault == "", f"seed {seed + start}: {fault}"
        works(page)


def works(page: Any) -> None:
    """Relax and branch on a date, in whatever state the lab is, and stop what runs."""
    page.evaluate(
        """() => {
            document.querySelector('.tabs [data-key=lab]').click();
            const tools = [...document.querySelectorAll('.lab button')];
            tools.find((one) => one.textContent === 'Stop').click();
            const choose = document.querySelector('#puzzle');
            choose.value = 'a-puzzle-a-day';
            choose.dispatchEvent(new Event('change', {bubbles: true}));
        }"""
    )
    page.wait_for_function(
        "['idle', 'failed'].includes(document.querySelector('.lab').dataset.state)"
    )
    for name in ("Start over", "Relax"):
        page.evaluate(
            """name => [...document.querySelectorAll('.lab button')]
                .find((one) => one.textContent === name).click()""",
            name,
        )
    page.wait_for_function(
        "document.querySelector('.lab .facts').innerText.includes('you: 1 node')"
    )
    page.wait_for_function("document.querySelector('.lab').dataset.state === 'idle'")
