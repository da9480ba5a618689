"""Whether drawing keeps up with three streams: `python -m benchmarks.live_page [--seconds 10] [--quick]`.

The real app and a real Chromium, the models at a server in a process of its own: three modes write at once, a hundred
tokens a second each. Every tenth token is a number, so that the browser, looking ten times a second, sees how far each
column is. Lag is the seconds since the newest number in a column was due at the server; it is told for the first and
the last third of the streams, and at their end.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Page, sync_playwright

from benchmarks.served import PLANNER, WRITER, Served, kept, paced, turn_of
from benchmarks.verdicts import Measure, show
from core.bench import open_bench
from core.knowledge.shelf import questions
from tests.browser.conftest import CHROMIUM, FLAGS, free_port, serve
from tests.loopback import Loopback, Request, Said

FIRST, RATE, UNIT = 1.0, 100.0, 10
"""Seconds to the first token, tokens a second, tokens from one number to the next."""
STREAMS, KEPT = 3, 6
GROWN, BEHIND = 0.25, 1.0
"""Seconds that the lag may be longer in the last third than in the first; seconds to the end after the last token."""

LOOK = """() => {
  window.seen = [];
  const look = () => {
    const text = [...document.querySelectorAll('[data-testid="stColumn"]')].map(column => column.textContent).join();
    const numbers = [...text.matchAll(/№(\\d{4})/g)].map(found => Number(found[1]));
    window.seen.push([(performance.timeOrigin + performance.now()) / 1000, numbers]);
  };
  window.looking = setInterval(look, 100);
}"""


@dataclass(frozen=True, slots=True)
class Lag:
    """What the browser saw of one stream, in seconds: lag in its first and last third, and at its end."""

    first: float
    last: float
    end: float


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--quick", action="store_true", help="two seconds of streaming, to see that it works")
    given = parser.parse_args()
    units = int((2 if given.quick else given.seconds) * RATE / UNIT)
    with tempfile.TemporaryDirectory() as home, Served() as served:
        bench = open_bench(served.settings(home))
        for _ in bench.fill():
            pass
        question = next(q.question for q in questions(bench.base).questions if "demo:opening" in q.tags)
        os.environ.update(served.variables(home))  # the app reads it from there
        report([lag_of(*stream, units) for stream in watched(served, Path(home), question, units)])


def prepare(server: Loopback, units: int) -> None:
    """Each writer's request gets a series of its own; the planner searches once and keeps."""
    server.forget()

    def write(request: Request) -> Said:
        return paced(Said(numbered(1 + _writers(server).index(request), units)), FIRST, RATE)

    def plan(request: Request) -> Said:
        search = Said(calls=(("search", json.dumps({"queries": ["电梯损坏 举证", "维修费用 承担"]})),))
        return search if turn_of(request) == 0 else Said(kept(request, KEPT))

    server.always(write, model=WRITER)
    server.always(plan, model=PLANNER)


def numbered(series: int, units: int) -> str:
    """Text of `units` times `UNIT` tokens in paragraphs, with citations; each unit opens with its number."""
    ends = ["。\n\n" if number % 8 == 0 else "，" for number in range(1, units + 1)]
    return "".join(f"№{series * 1000 + number}须按规定[1]{end}" for number, end in enumerate(ends, 1))


def _writers(server: Loopback) -> list[Request]:
    return [request for request in server.chats if request.model == WRITER]


def started(server: Loopback) -> list[float]:
    """When the writers' requests came, in monotonic seconds, which all processes of a machine share."""
    return [request.at for request in _writers(server)]


def watched(served: Served, home: Path, question: str, units: int) -> list[tuple[float, dict[int, float]]]:
    """For each stream when it was asked for, and when each of its numbers was first seen, in seconds of the epoch."""
    port = free_port()
    app = serve(home, port)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            page = browser.new_page(viewport={"width": 1440, "height": 1000}, locale="zh-CN")
            served.do(prepare, 2)
            ask(page, f"http://localhost:{port}", question)
            served.do(prepare, units)
            looks = ask(page, f"http://localhost:{port}", question)
            browser.close()
    finally:
        app.terminate()
        app.wait(10)
    epoch = time.time() - time.monotonic()
    return [(at + epoch, first_seen(looks, series)) for series, at in enumerate(served.do(started), 1)]


def ask(page: Page, address: str, question: str) -> list[Any]:
    """Ask on a fresh page and wait until the comparison is over; what was seen meanwhile: (moment, numbers)."""
    page.goto(address)
    page.get_by_role("textbox").first.fill(question)
    page.evaluate(LOOK)
    page.get_by_role("button", name="开始对比").click()
    page.wait_for_url("**c=*", timeout=120_000)
    page.get_by_text("汇总").wait_for()
    looks = page.evaluate("() => { clearInterval(window.looking); return window.seen; }")
    return list(looks)


def first_seen(looks: Sequence[Any], series: int) -> dict[int, float]:
    """By look, the newest number of a series, where it is newer than before, and the moment it was seen."""
    seen: dict[int, float] = {}
    for moment, numbers in looks:
        newest = max((number % 1000 for number in numbers if number // 1000 == series), default=0)
        if newest > max(seen, default=0):
            seen[newest] = moment
    return seen


def lag_of(asked: float, seen: dict[int, float], units: int) -> Lag:
    """How far the browser was behind the server; raises `RuntimeError` where it never saw the end."""
    if units not in seen:
        raise RuntimeError(f"the browser saw {max(seen, default=0)} of {units} numbers")
    lags = {unit: moment - asked - FIRST - ((unit - 1) * UNIT + 1) / RATE for unit, moment in seen.items()}
    opening = [lag for unit, lag in lags.items() if unit <= units / 3]
    closing = [lag for unit, lag in lags.items() if unit > units * 2 / 3]
    return Lag(median(opening), median(closing), lags[units] - (UNIT - 2) / RATE)


def report(lags: Sequence[Lag]) -> None:
    """Print what came of it."""
    if len(lags) != STREAMS:
        raise RuntimeError(f"{len(lags)} streams instead of {STREAMS}")
    measures = []
    for number, lag in enumerate(lags, 1):
        grown = lag.last - lag.first
        measures.append(
            Measure(f"stream {number}: lag grows", f"{lag.first:.2f} → {lag.last:.2f} s, {grown:+.2f} s", grown, GROWN)
        )
        measures.append(
            Measure(f"stream {number}: all drawn after its last token", f"{max(lag.end, 0):.2f} s", lag.end, BEHIND)
        )
    show(f"Three columns at {RATE:.0f} tokens a second each", measures)


if __name__ == "__main__":
    main()
