"""How long the modes take, warm, and what running them at once adds: `python -m benchmarks.latency [--rounds 15]`.

Retrieval alone, medians over rounds in one process with all passage vectors cached: a short question, the opening
dispute. Then whole runs: each mode alone, and all at once, in turn within each round; the ratio is the median of the
rounds' own.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import median

from core import environment
from core.asking import entrants
from core.bench import Bench, open_bench
from core.knowledge.shelf import questions
from core.race import compare
from core.runs import Comparison

SHORT = 30
"""Characters of a short question."""
TARGETS = {"bm25": (0.005, 0.005), "rerank": (0.060, 0.060), "agentic": (1.5, 1.5)}
"""Seconds of warm retrieval a mode may take: for a short question, for the opening dispute."""
MOST = 1.15
"""How many times as long as the slowest alone three modes at once may take."""


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    bench = open_bench(environment.load())
    for _ in bench.fill():
        pass
    asked = questions(bench.base).questions
    short = next(q.question for q in asked if "demo:footage" in q.tags and len(q.question) <= SHORT)
    opening = next(q.question for q in asked if "demo:opening" in q.tags)
    print(f"short question, {len(short)} characters; opening dispute, {len(opening)} characters; {rounds} rounds\n")
    print("| warm retrieval | short | target | opening | target |\n|---|---|---|---|---|")
    for mode, targets in TARGETS.items():
        cells = []
        for question, target in zip((short, opening), targets, strict=True):
            seconds = median(_retrieval(bench, mode, question) for _ in range(rounds))
            verdict = "met" if seconds <= target else "MISSED"
            cells.append(f"{seconds * 1000:.1f} ms | {verdict} (≤ {target * 1000:.0f})")
        print(f"| {mode} | {' | '.join(cells)} |")
    _at_once(bench, opening, rounds)


def _retrieval(bench: Bench, mode: str, question: str) -> float:
    """Seconds until the evidence stands, the mode alone."""
    return _run(bench, [mode], question, retrieval_only=True).seconds


def _run(bench: Bench, modes: Sequence[str], question: str, **how: bool) -> Comparison:
    return compare(bench, entrants(question, modes, None, {}), **how)


def _at_once(bench: Bench, question: str, rounds: int) -> None:
    """Whole runs of the opening dispute, the writer included."""
    alone = {mode: [] for mode in TARGETS}
    together = []
    for _ in range(rounds):
        for mode, seconds in alone.items():
            seconds.append(_run(bench, [mode], question).seconds)
        together.append(_run(bench, list(TARGETS), question).seconds)
    print("\n| whole run, opening dispute | median | ratio to the slowest alone |\n|---|---|---|")
    slowest = max(median(seconds) for seconds in alone.values())
    for mode, seconds in alone.items():
        print(f"| {mode} alone | {median(seconds):.3f} s | ×{median(seconds) / slowest:.2f} |")
    ratio = median(both / max(each) for both, each in zip(together, zip(*alone.values(), strict=True), strict=True))
    verdict = "met" if ratio <= MOST else "MISSED"
    print(f"| all at once | {median(together):.3f} s | ×{ratio:.2f}, {verdict} (≤ ×{MOST}) |")


if __name__ == "__main__":
    main()
