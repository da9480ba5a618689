"""Whether modes at once slow one another's streams: `python -m benchmarks.streams [--rounds 7] [--quick]`.

A model server in a process of its own answers at a fixed pace: the first token a second after the request, then a
hundred a second; planning takes two turns at the same pace. Each round runs every mode alone and then all at once, so
that both sides of a ratio see the same machine. Vectors and SDKs are there before the clock runs.

First token: seconds from the run's start, medians. Late: the share of tokens that came more than 50 ms after they were
due, where due is the line at the stream's pace through its earliest token.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from statistics import median

from benchmarks.served import PLANNER, WRITER, Served, kept, paced, turn_of
from benchmarks.verdicts import Measure, show
from core.asking import entrants
from core.bench import Bench, open_bench
from core.domain import Token
from core.knowledge.shelf import questions
from core.race import compare
from core.runs import Run
from tests.loopback import Loopback, Request, Said

MODES = ("bm25", "rerank", "agentic")
FIRST, RATE, TOKENS = 1.0, 100.0, 300
"""Seconds to a reply's first token, tokens a second, tokens of an answer."""
SLOWER = 1.05
"""A mode's first token beside the others may take this much of its time alone."""
LATE = 0.050
"""Seconds after which a token is late."""
KEPT, THOUGHT = 6, 30
"""Passages that the planner keeps; tokens that it thinks before it calls."""


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--quick", action="store_true", help="one short round, to see that it works")
    given = parser.parse_args()
    rounds, first, tokens = (1, 0.3, 60) if given.quick else (given.rounds, FIRST, TOKENS)
    with tempfile.TemporaryDirectory() as home, Served() as served:
        bench = open_bench(served.settings(home))
        for _ in bench.fill():
            pass
        question = next(q.question for q in questions(bench.base).questions if "demo:opening" in q.tags)
        served.do(prepare, question, 0.0, 10)
        compare(bench, entrants(question, MODES, None, {}))
        served.do(prepare, question, first, tokens)
        report(*measured(bench, question, rounds))


def prepare(server: Loopback, question: str, first: float, tokens: int) -> None:
    """Set what the server answers: a writer of so many tokens, a planner that searches once and keeps what it finds."""
    answer = Said("据" * tokens)
    search = Said("", "想" * THOUGHT, (("search", json.dumps({"queries": aspects(question)}, ensure_ascii=False)),))

    def plan(request: Request) -> Said:
        return paced(search if turn_of(request) == 0 else Said(kept(request, KEPT)), first, RATE)

    server.always(paced(answer, first, RATE), model=WRITER)
    server.always(plan, model=PLANNER)


def aspects(question: str) -> list[str]:
    """The question in up to four parts, as a planner would ask it."""
    parts = [part.strip() for part in question.replace("？", "。").replace("，", "。").split("。")]
    return [part for part in parts if part][:4]


def measured(bench: Bench, question: str, rounds: int) -> tuple[dict[str, list[Run]], dict[str, list[Run]]]:
    """The runs of each mode alone, and at once."""
    alone: dict[str, list[Run]] = {mode: [] for mode in MODES}
    beside: dict[str, list[Run]] = {mode: [] for mode in MODES}
    for _ in range(rounds):
        for mode in MODES:
            alone[mode] += compare(bench, entrants(question, [mode], None, {})).runs
        for run in compare(bench, entrants(question, MODES, None, {})).runs:
            beside[run.mode].append(run)
    return alone, beside


def report(alone: dict[str, list[Run]], beside: dict[str, list[Run]]) -> None:
    """Print what came of it; raises `RuntimeError` where a run did not end well."""
    for run in (run for runs in (*alone.values(), *beside.values()) for run in runs):
        if run.stop_reason != "answered":
            raise RuntimeError(f"{run.mode}: {run.stop_reason} {run.error}")
    rounds = len(alone[MODES[0]])
    measures = []
    for mode in MODES:
        own, other = first_token(alone[mode]), first_token(beside[mode])
        shown = f"{own:.3f} → {other:.3f} s, ×{other / own:.3f}"
        measures.append(Measure(f"{mode}: alone → at once", shown, other / own, SLOWER))
    show(f"Time to first token, medians of {rounds}", measures)
    measures = [
        Measure(f"{mode}: alone → at once", f"{late(alone[mode]):.2%} → {late(beside[mode]):.2%}") for mode in MODES
    ]
    worst = max(max(lateness(run)) for runs in beside.values() for run in runs)
    show(
        f"Tokens later than {LATE * 1000:.0f} ms",
        [*measures, Measure("latest of all, at once", f"{worst * 1000:.0f} ms")],
    )


def first_token(runs: Sequence[Run]) -> float:
    """Median seconds to the first token."""
    return median(run.first_token_seconds or 0.0 for run in runs)


def late(runs: Sequence[Run]) -> float:
    """The share of tokens that were late."""
    waits = [wait for run in runs for wait in lateness(run)]
    return sum(wait > LATE for wait in waits) / len(waits)


def lateness(run: Run) -> list[float]:
    """Seconds that each token of the answer came after it was due."""
    at = [timed.at for timed in run.events if isinstance(timed.event, Token) and timed.event.kind == "answer"]
    over = [moment - number / RATE for number, moment in enumerate(at)]
    return [wait - min(over) for wait in over]


if __name__ == "__main__":
    main()
