"""Pictures of every page and state, in both languages and themes and at three widths, for somebody to look at."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page

LOCALES, SCHEMES, WIDTHS = ("zh-CN", "en-US"), ("light", "dark"), (1440, 900, 390)
_HEIGHT, _TALLEST = 1000, 8000
"""Pixels of a window, and of the longest page that is taken whole."""
_QUIET = 1500
"""Milliseconds a page gets to draw after its script has ended."""


@dataclass(frozen=True)
class Told:
    """What the pictures are taken of: the app's address, a question, kept comparisons by name, a passage's id."""

    address: str
    question: str
    kept: Mapping[str, str]
    passage: str


def take_all(browser: Browser, told: Told, folder: Path) -> int:
    """Take every state at every width, in both languages and themes; returns how many pictures were taken."""
    folder.mkdir(parents=True, exist_ok=True)
    taken = 0
    for locale, scheme, width in product(LOCALES, SCHEMES, WIDTHS):
        context = browser.new_context(
            locale=locale,
            color_scheme=scheme,
            viewport={"width": width, "height": _HEIGHT},
            timezone_id="Asia/Shanghai",
        )
        page = context.new_page()
        for name, state in STATES.items():
            state(page, told)
            _whole(page, width, folder / f"{name}-{locale[:2]}-{scheme}-{width}.png")
            taken += 1
        context.close()
    return taken


def _whole(page: Page, width: int, target: Path) -> None:
    """The whole page, however long: the window is made as high as it, since the page scrolls inside it."""
    page.wait_for_timeout(_QUIET)
    high = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": width, "height": max(_HEIGHT, min(_TALLEST, high))})
    page.wait_for_timeout(_QUIET)
    page.screenshot(path=target)
    page.set_viewport_size({"width": width, "height": _HEIGHT})


def _open(path: str) -> Callable[[Page, Told], None]:
    def state(page: Page, told: Told) -> None:
        page.goto(told.address + path.format(passage=told.passage, **told.kept))
        _settle(page)

    return state


def _settle(page: Page) -> None:
    """Wait until the script has run to its end."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=60_000)


def press(page: Page, key: str) -> None:
    """Click the visible button, switch or example with this key."""
    page.locator(f".st-key-{key.replace('.', '-')}").locator("button, label").locator("visible=true").first.click()


def ask(page: Page, told: Told, question: str) -> None:
    """Put a question on the Compare page, without waiting for its end."""
    _open("/")(page, told)
    page.locator(".st-key-question textarea").fill(question)
    press(page, "run")


def _streaming(page: Page, told: Told) -> None:
    ask(page, told, told.question)
    page.wait_for_timeout(400)


def _stopped(page: Page, told: Told) -> None:
    ask(page, told, told.question)
    page.locator(".st-key-stop button:enabled").first.click()
    page.wait_for_url(re.compile("[?&]c="))
    _settle(page)


def _refused(page: Page, told: Told) -> None:
    ask(page, told, " ")
    _settle(page)


def _unfolded(page: Page, told: Told) -> None:
    _open("/?c={finished}")(page, told)
    press(page, "unfold")
    _settle(page)


def _presented_together(page: Page, told: Told) -> None:
    _open("/?c={finished}&present=1")(page, told)
    page.keyboard.press("ArrowLeft")


def _learning(topic: str) -> Callable[[Page, Told], None]:
    return _open(f"/learn?topic={topic}")


def _explained(part: int) -> Callable[[Page, Told], None]:
    """A part of the explanation: the matrix, the ranks, the gains or the overlap."""

    def state(page: Page, told: Told) -> None:
        _open("/?c={finished}")(page, told)
        page.locator(".st-key-explain-part [role=radio]").nth(part).click()
        _settle(page)

    return state


def _explained_passage(detail: int) -> Callable[[Page, Told], None]:
    """The second passage of the matrix explained, with its terms, its meaning, the agent's queries or a try-out."""

    def state(page: Page, told: Told) -> None:
        _open("/?c={finished}")(page, told)
        page.locator(".matrix tr[data-row]").nth(2).click()
        page.locator(".st-key-explain-detail [role=radio]").nth(detail).click()
        _settle(page)

    return state


STATES: Mapping[str, Callable[[Page, Told], None]] = {
    "compare-empty": _open("/"),
    "compare-streaming": _streaming,
    "compare-stopped": _stopped,
    "compare-refused": _refused,
    "compare-unknown": _open("/?c=nonesuch"),
    "compare-finished": _open("/?c={finished}"),
    "compare-unfolded": _unfolded,
    "compare-no-hits": _open("/?c={no_hits}"),
    "compare-failed": _open("/?c={failed}"),
    "compare-retrieval-only": _open("/?c={bare}"),
    "compare-one-mode": _open("/?c={single}"),
    "explain-flow": _explained(1),
    "explain-timeline": _explained(2),
    "explain-overlap": _explained(3),
    "explain-terms": _explained_passage(0),
    "explain-meaning": _explained_passage(1),
    "explain-queries": _explained_passage(2),
    "explain-try-out": _explained_passage(3),
    "presenter-one": _open("/?c={finished}&present=1"),
    "presenter-all": _presented_together,
    "library": _open("/library"),
    "library-passage": _open("/library?p={passage}"),
    "learn": _open("/learn"),
    "learn-lesson": _learning("lesson"),
    "learn-failures": _learning("failures"),
    "learn-failure": _learning("failures&class=absent"),
    "learn-blind": _learning("blind"),
    "learn-voting": _learning("blind&c={finished}"),
    "learn-playback": _learning("playback&c={finished}"),
    "learn-to-play": _learning("playback"),
    "settings": _open("/settings"),
}
"""Every page and state by the name its pictures get."""
