"""A page in a browser that speaks WebDriver: what is in it, and hands on it.

`Page` has what tests/helpers/browsing.py asks of a page, so hands do the same in every engine.
"""

from __future__ import annotations

import json
import re
import time
from typing import Any, Protocol

from browsing import WAIT_SECONDS, IdleError
from processes import Idle

KEYS = {
    "Enter": "\ue006",
    "Escape": "\ue00c",
    "Delete": "\ue017",
    "Backspace": "\ue003",
    "Tab": "\ue004",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
    "Space": " ",
}


class Fault(Exception):
    """What a browser answered instead of a result."""


class Browser(Protocol):
    """What a page asks of its browser; pages have names."""

    def reload(self, page: str) -> None:
        """Load a page anew, and wait until it is there."""

    def call(self, page: str, function: str, text: str) -> str:
        """Return what an asynchronous function of a text gives, a text."""

    def act(self, page: str, source: dict[str, Any]) -> None:
        """Do what a source of actions of WebDriver does."""


class Page:
    """A page: what is in it, and hands on it."""

    def __init__(self, browser: Browser, name: str) -> None:
        self.browser = browser
        self.name = name
        self.keyboard = Keyboard(self)
        self.mouse = Pointer(self, "mouse")
        self.finger = Pointer(self, "touch")

    def reload(self) -> None:
        """Load it anew."""
        self.browser.reload(self.name)

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """Return what a function gives, or the value of an expression; both speak JSON."""
        calls = re.match(r"\s*(async\s*)?(\([^()]*\)|\w+)\s*=>", script)
        body = f"({script})(JSON.parse(text))" if calls else script
        function = f"async text => JSON.stringify(await ({body}) ?? null)"
        return json.loads(self.browser.call(self.name, function, json.dumps(argument)))

    def wait_for_function(self, script: str, *, arg: Any = None) -> None:
        """Wait until a script gives something true, in the page that may just be loaded anew."""
        end = time.monotonic() + WAIT_SECONDS
        fault: Fault | None = None
        idle = Idle()
        while True:
            try:
                if self.evaluate(script, arg):
                    return
            except Fault as raised:
                fault = raised
            assert time.monotonic() < end, f"never so: {script} {arg} {fault or ''}"
            if idle.lasts():
                raise IdleError(f"idle, and never so: {script} {arg} {fault or ''}")
            time.sleep(0.05)

    def wait_for_selector(self, selector: str) -> None:
        """Wait until such an element is there."""
        self.wait_for_function("at => document.querySelector(at) !== null", arg=selector)

    def locator(self, selector: str) -> Locator:
        """Return the elements of a selector of CSS."""
        return Locator(self, selector)

    def press(self, name: str) -> None:
        """Click the button with a text, once it is shown."""
        find = """name => [...document.querySelectorAll('button')].find(one => one.checkVisibility()
            && (one.querySelector('span') ?? one).textContent === name)"""
        self.wait_for_function(f"name => Boolean(({find})(name))", arg=name)
        at = self.evaluate(
            """name => {
                const one = (FIND)(name);
                one.scrollIntoView({block: 'nearest'});
                const {x, y, width, height} = one.getBoundingClientRect();
                return [x + width / 2, y + height / 2];
            }""".replace("FIND", find),
            name,
        )
        self.mouse.click(*at)


class Locator:
    """The elements of a selector; what is done is done to the first."""

    def __init__(self, page: Page, selector: str) -> None:
        self.page, self.selector = page, selector

    def count(self) -> int:
        """Return how many there are."""
        return int(self.page.evaluate("at => document.querySelectorAll(at).length", self.selector))

    def focus(self) -> None:
        """Give it the focus."""
        self.page.evaluate("at => void document.querySelector(at).focus()", self.selector)

    def middle(self) -> tuple[float, float]:
        """Return where its middle is on the screen, once it is there."""
        self.page.wait_for_selector(self.selector)
        x, y = self.page.evaluate(
            """at => {
                const one = document.querySelector(at);
                one.scrollIntoView({block: 'nearest'});
                const {x, y, width, height} = one.getBoundingClientRect();
                return [x + width / 2, y + height / 2];
            }""",
            self.selector,
        )
        return x, y

    def click(self) -> None:
        """Click it."""
        self.page.mouse.click(*self.middle())

    def tap(self) -> None:
        """Tap it."""
        self.page.finger.click(*self.middle())


class Keyboard:
    """Its keys."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        value = KEYS.get(key, key)
        steps = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.page.browser.act(self.page.name, {"type": "key", "id": "k", "actions": steps})


class Pointer:
    """A mouse, or a finger."""

    def __init__(self, page: Page, kind: str) -> None:
        self.page, self.kind = page, kind
        self.at = (0.0, 0.0)

    def _do(self, *steps: dict[str, Any]) -> None:
        source: dict[str, Any] = {"type": "pointer", "id": self.kind, "actions": list(steps)}
        source["parameters"] = {"pointerType": self.kind}
        self.page.browser.act(self.page.name, source)

    def move(self, x: float, y: float, *, steps: int = 1) -> None:
        """Move there in steps."""
        (left, top), self.at = self.at, (x, y)
        parts = [part / steps for part in range(1, steps + 1)]
        self._do(*(_move(left + part * (x - left), top + part * (y - top)) for part in parts))

    def down(self) -> None:
        """Press."""
        self._do({"type": "pointerDown", "button": 0})

    def up(self) -> None:
        """Let go."""
        self._do({"type": "pointerUp", "button": 0})

    def click(self, x: float, y: float) -> None:
        """Press and let go there."""
        self.at = (x, y)
        press, release = ({"type": f"pointer{kind}", "button": 0} for kind in ("Down", "Up"))
        self._do(_move(x, y), press, release)


def _move(x: float, y: float) -> dict[str, Any]:
    return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}
