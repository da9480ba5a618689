"""How soon Stop is heard while models are silent: `python -m benchmarks.stopping [--rounds 7]`.

A model server in a process of its own says nothing: before its headers, or after a first thought. Three modes run at
once over each kind of SDK, are closed while all wait, and the clock runs until the last worker has ended.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from contextlib import closing
from statistics import median

from benchmarks.served import WRITER, Served
from benchmarks.verdicts import Measure, show
from core.asking import entrants
from core.bench import Bench, open_bench
from core.knowledge.shelf import questions
from core.race import Race
from tests.loopback import SOON, Loopback, Said, Silent

HEARD = 1.0
"""Seconds within which a stop is heard."""
FAMILIES = ("openai", "zhipu")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, Served() as served:
        show(
            "From Stop to the end of the last of three modes",
            measured(served, home, given.rounds),
        )


def measured(served: Served, home: str, rounds: int) -> list[Measure]:
    """A line for each kind of silence and of SDK; the slowest round is held to the target."""
    found = []
    for silence, work in (("before the headers", without_headers), ("after a thought", after_a_thought)):
        served.do(work)
        for family in FAMILIES:
            bench = open_bench(
                served.settings(home, WORKBENCH_PLANNER="offline", WORKBENCH_WRITER=f"{family}:{WRITER}")
            )
            seconds = [stopped(bench) for _ in range(rounds)]
            shown = f"median {median(seconds):.3f} s, slowest {max(seconds):.3f} s"
            found.append(Measure(f"{family}, silent {silence}", shown, max(seconds), HEARD))
    return found


def without_headers(server: Loopback) -> None:
    """Let the writer say nothing at all."""
    server.always(Silent(headers=False), model=WRITER)


def after_a_thought(server: Loopback) -> None:
    """Let the writer think once and say nothing more."""
    server.always(Silent(Said("", "想")), model=WRITER)


def stopped(bench: Bench) -> float:
    """Seconds from closing a race whose modes all wait for the writer until its workers have ended.

    Raises `RuntimeError` where a mode ended by itself, or goes on.
    """
    question = next(q.question for q in questions(bench.base).questions if "demo:opening" in q.tags)
    with closing(Race(bench, entrants(question, None, None, {}))) as race:
        for _ in race:
            if all(run.evidence for run in race.comparison.runs):
                break
        time.sleep(0.3)  # until each has sent its request
        began = time.perf_counter()
        race.close()
        race.join(10 * SOON)
        seconds = time.perf_counter() - began
    if (reasons := {run.stop_reason for run in race.comparison.runs}) != {"stopped"} or seconds > SOON:
        raise RuntimeError(f"{reasons} after {seconds:.1f} s")
    return seconds


if __name__ == "__main__":
    main()
