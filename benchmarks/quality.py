"""What each mode finds on a base's own question set, by kind: `python -m benchmarks.quality [--kb elevator]`.

Every mode runs retrieval-only, first at its own budget, then at equal evidence budgets of 5 and 10 passages (the
candidate pools grow with them). Gold recall is a mean over questions; `read` is passages given to the writer.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable
from statistics import mean

from core import environment
from core.asking import entrants
from core.bench import Bench, open_bench
from core.knowledge.questions import Question
from core.knowledge.shelf import questions
from core.measures import evidence_recall, recall_at
from core.race import compare
from core.runs import Run

BUDGETS = (None, 5, 10)


def main() -> None:
    """Print the table for both halves of the set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kb", default="elevator")
    given = parser.parse_args()
    bench = open_bench(environment.load(), given.kb)
    for _ in bench.fill():
        pass
    asked = [question for question in questions(bench.base).questions]
    for split in dict.fromkeys(question.split for question in asked):
        print(f"\n### {split}: {sum(q.split == split for q in asked)} questions\n")
        _print(bench, [question for question in asked if question.split == split])


def _print(bench: Bench, asked: Iterable[Question]) -> None:
    by_kind: dict[str, list[Question]] = defaultdict(list)
    for question in asked:
        by_kind[question.kind].append(question)
    print("| kind (n) | mode | recall@5 | evidence recall, own budget (read) | at 5 | at 10 |")
    print("|---|---|---|---|---|---|")
    for kind, some in by_kind.items():
        if any(question.gold for question in some):
            _rows(bench, kind, some)
        else:
            _unanswerable(bench, kind, some)


def _rows(bench: Bench, kind: str, some: list[Question]) -> None:
    runs = {budget: [_runs(bench, question, budget) for question in some] for budget in BUDGETS}
    for mode in runs[None][0]:
        own = [found[mode] for found in runs[None]]
        five = mean(recall_at(run, q.gold, 5) for run, q in zip(own, some, strict=True))
        cells = [
            mean(evidence_recall(found[mode], q.gold) for found, q in zip(runs[budget], some, strict=True))
            for budget in BUDGETS
        ]
        read = mean(len(run.evidence) for run in own)
        evidence = f"{cells[0]:.2f} ({read:.1f}) | {cells[1]:.2f} | {cells[2]:.2f}"
        print(f"| {kind} ({len(some)}) | {mode} | {five:.2f} | {evidence} |")


def _unanswerable(bench: Bench, kind: str, some: list[Question]) -> None:
    found = [_runs(bench, question, None) for question in some]
    for mode in found[0]:
        read = mean(len(runs[mode].evidence) for runs in found)
        print(f"| {kind} ({len(some)}) | {mode} | – | – ({read:.1f}) | – | – |")


def _runs(bench: Bench, question: Question, budget: int | None) -> dict[str, Run]:
    chosen = entrants(question.question, None, budget, {})
    return {run.mode: run for run in compare(bench, chosen, retrieval_only=True).runs}


if __name__ == "__main__":
    main()
