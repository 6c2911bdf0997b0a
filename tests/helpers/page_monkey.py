"""A random walk over the page, the same in every browser: nothing may lock or fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PUZZLES = ["a-puzzle-a-day", "heart-set1", "crea-makerspace", "jarringwords"]
"""Puzzles whose relaxations are quick."""

LANGUAGES = ["en", "de", "fr", "es", "zh"]

SCRIPT = Path(__file__).parents[1] / "page" / "walk.js"
WALK = SCRIPT.read_text(encoding="utf-8").partition("\n")[2]


def walk(page: Any, seed: int, actions: int) -> None:
    """Do random things to the lab; then everything in it must still work."""
    for start in range(0, actions, 100):
        some(page, seed + start, min(100, actions - start), "lab")
        works(page)


def walk_everywhere(page: Any, seed: int, actions: int) -> None:
    """Do random things to the whole page, in each language; then everything must still work."""
    for number, start in enumerate(range(0, actions, 100), start=1):
        speak(page, LANGUAGES[number % len(LANGUAGES)])
        some(page, seed + start, min(100, actions - start), "page")
        speak(page, "en")
        plays(page)
        works(page)


def some(page: Any, seed: int, actions: int, part: str) -> None:
    """Do a number of random actions; a busy machine needs long for ten."""
    for start in range(seed, seed + actions, 10):
        number = min(10, seed + actions - start)
        fault = page.evaluate(WALK, [start, number, PUZZLES, part])
        assert fault == "", f"seed {start}: {fault}"


def speak(page: Any, language: str) -> None:
    """Choose a language; the page begins anew in it, where it was."""
    page.evaluate(
        """code => {
            const one = document.querySelector('#language');
            window.isBefore = true;
            setTimeout(() => {
                one.value = code;
                one.dispatchEvent(new Event('change', {bubbles: true}));
            });
        }""",
        language,
    )
    page.wait_for_function(
        """code => !window.isBefore && document.documentElement.lang === code
            && document.querySelector('main > *') !== null""",
        arg=language,
    )


def chosen(page: Any, at: str, value: str) -> None:
    page.evaluate(
        """([at, value]) => {
            const one = document.querySelector(at);
            one.value = value;
            one.dispatchEvent(new Event('change', {bubbles: true}));
        }""",
        [at, value],
    )


def clicked(page: Any, at: str) -> None:
    page.evaluate("at => document.querySelector(at).click()", at)


def plays(page: Any) -> None:
    """Play, and look at the year and the model, in whatever state the page is."""
    clicked(page, ".tabs [data-key=play]")
    chosen(page, "#puzzle", "a-puzzle-a-day")
    chosen(page, "#date", "2024-02-29")
    chosen(page, "#assist", "full")
    lies = "n => document.querySelectorAll('.pieces .piece').length === n"
    clicked(page, ".play .tools button:last-child")
    page.wait_for_function(lies, arg=0)
    clicked(page, ".play .tools button:nth-child(6)")
    for button, pieces in ((4, 1), (5, 0), (4, 1)):
        page.wait_for_function(lies, arg=pieces)
        clicked(page, f".play .tools button:nth-child({button})")
    page.wait_for_function(lies, arg=0)
    clicked(page, ".tabs [data-key=year]")
    page.wait_for_function("document.querySelector('.year progress')?.hidden === true")
    clicked(page, ".tabs [data-key=model]")
    page.wait_for_function("document.querySelectorAll('.equation button').length > 5")


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
