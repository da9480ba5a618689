"""Whether memory stays flat: `python -m benchmarks.memory [--comparisons 200] [--quick]`.

One process asks and keeps so many comparisons of three modes, planned and written by models at a server in a process of
its own, without delays. Held to be flat is the memory that the process made for itself, after a collection; what is
resident beside it are mapped files, of which the offline embedder's weights come in as new words are met. With them
threads and open files, which a stream that is never closed would add to.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from benchmarks.served import PLANNER, WRITER, Served, kept, turn_of
from benchmarks.verdicts import Measure, show
from core.archive import Archive
from core.asking import entrants
from core.bench import open_bench
from core.knowledge.shelf import questions
from core.race import compare
from tests.loopback import Loopback, Request, Said

GROWN = 1.05
"""What memory after all comparisons may be of that after the first tenth."""
LOOKED, KEPT = (10, 2, 1), 6
"""The comparisons are divided by these for the moments to look at: 20, 100 and 200 of 200."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the process holds: megabytes of its own, megabytes of mapped files, threads, open files."""

    own: float
    mapped: float
    threads: int
    files: int


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comparisons", type=int, default=200)
    parser.add_argument("--quick", action="store_true", help="ten comparisons, to see that it works")
    given = parser.parse_args()
    count = 10 if given.quick else given.comparisons
    with tempfile.TemporaryDirectory() as home, Served() as served:
        served.do(prepare)
        report(looks(served, Path(home), [count // part for part in LOOKED]))


def prepare(server: Loopback) -> None:
    """A writer of 300 tokens with a thought before, a planner that thinks, searches once and keeps what it finds."""
    search = Said("", "想" * 30, (("search", json.dumps({"queries": ["电梯损坏 举证", "维修费用 承担"]})),))

    def plan(request: Request) -> Said:
        return search if turn_of(request) == 0 else Said(kept(request, KEPT))

    server.always(Said("据资料作答[1]。" * 33, "先看资料再说。" * 5), model=WRITER)
    server.always(plan, model=PLANNER)


def looks(served: Served, home: Path, moments: list[int]) -> dict[int, Look]:
    """What the process holds after so many comparisons each; raises `RuntimeError` where a run did not end well."""
    bench = open_bench(served.settings(home))
    for _ in bench.fill():
        pass
    archive = Archive(home)
    asked = [question.question for question in questions(bench.base).questions]
    found = {}
    for number in range(1, max(moments) + 1):
        comparison = compare(bench, entrants(asked[number % len(asked)], None, None, {}))
        if reasons := {run.stop_reason for run in comparison.runs} - {"answered", "no_hits"}:
            raise RuntimeError(f"comparison {number}: {reasons}")
        archive.keep(comparison)
        if number in moments:
            found[number] = look()
            served.do(forget)
    return found


def forget(server: Loopback) -> None:
    """Let the server forget what it received."""
    server.record.forget()


def look() -> Look:
    """What this process holds now."""
    gc.collect()
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    held = {name: value for name, _, value in (line.partition(":") for line in status.splitlines())}
    own, mapped = (int(held[name].split()[0]) / 1024 for name in ("RssAnon", "RssFile"))
    return Look(own, mapped, threading.active_count(), len(os.listdir("/proc/self/fd")))


def report(found: dict[int, Look]) -> None:
    """Print what came of it."""
    first, last = found[min(found)], found[max(found)]
    measures = [
        Measure(
            f"after {count}",
            f"{now.own:.1f} MB and {now.mapped:.1f} MB mapped, {now.threads} threads, {now.files} open files",
        )
        for count, now in found.items()
    ]
    ratio = last.own / first.own
    measures.append(Measure(f"memory of its own, {max(found)} : {min(found)}", f"×{ratio:.3f}", ratio, GROWN))
    measures.append(Measure("threads added", f"{last.threads - first.threads}", last.threads - first.threads, 0))
    measures.append(Measure("open files added", f"{last.files - first.files}", last.files - first.files, 0))
    show("One process, three modes a comparison", measures)


if __name__ == "__main__":
    main()
