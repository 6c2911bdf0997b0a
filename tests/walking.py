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
    """Relax and branch on a date, in whatever state the lab is, and stop what runs.

    A way back that the walk asked for may come late, and lead elsewhere: then once more.
    """
    for _ in range(20):
        page.evaluate(
            """() => {
                window.late = false;
                window.listens ??= addEventListener('popstate', () => (late = true)) ?? true;
                document.querySelector('.tabs [data-key=lab]').click();
                const tools = [...document.querySelectorAll('.lab button')];
                tools.find((one) => one.textContent === 'Stop').click();
                const choose = document.querySelector('#puzzle');
                choose.value = 'a-puzzle-a-day';
                choose.dispatchEvent(new Event('change', {bubbles: true}));
            }"""
        )
        page.wait_for_function(
            "late || ['idle', 'failed'].includes(document.querySelector('.lab').dataset.state)"
        )
        page.evaluate(
            """() => {
                for (const name of late ? [] : ['Start over', 'Relax']) {
                    [...document.querySelectorAll('.lab button')]
                        .find((one) => one.textContent === name).click();
                }
            }"""
        )
        page.wait_for_function(
            "late || (document.querySelector('.lab .facts').innerText.includes('you: 1 node')"
            " && document.querySelector('.lab').dataset.state === 'idle')"
        )
        if not page.evaluate("late"):
            return
    raise AssertionError("the way back never ends")
