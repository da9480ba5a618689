"""`ask`: one question through several modes."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.archive import Archive
from core.asking import entrants, mode_ids, parse_pairs
from core.bench import open_bench
from core.citations import cite
from core.cli.output import complain, show, show_json
from core.cli.waiting import explained
from core.documents import comparison_document
from core.errors import StoreError
from core.knowledge.tokeniser import Tokeniser
from core.pricing import cost
from core.race import compare
from core.retrieval.filters import Filters, parse_filters
from core.runs import Comparison, Run
from core.settings import Settings
from core.spending import unpriced
from core.words import Words
from core.words.passage_types import fitting


def command(given: Namespace, settings: Settings, words: Words) -> int:
    """Run the comparison, keep it, print it; 1 when every run failed."""
    wanted = parse_filters(given.filter)
    chosen = entrants(given.question, mode_ids(given.modes), given.k, parse_pairs(given.set))
    bench = open_bench(settings, given.kb)
    filters = fitting(wanted, bench.base).given
    chosen = [(mode, replace(ask, filters=filters)) for mode, ask in chosen]
    if models := unpriced(settings, bench.prices):
        complain(words("spend.unpriced", models=models))
    with explained(bench, words):
        comparison = compare(bench, chosen, retrieval_only=given.retrieval_only, one_by_one=given.one_by_one)
    try:
        Archive(settings.home).keep(comparison)
    except StoreError as unkept:
        complain(words.say(unkept.say))
    tokeniser = bench.retriever.tokeniser
    if given.json:
        show_json(comparison_document(comparison, tokeniser, words))
    else:
        _print(comparison, tokeniser, words)
    return 1 if all(run.error for run in comparison.runs) else 0


def _print(comparison: Comparison, tokeniser: Tokeniser, words: Words) -> None:
    base = comparison.base
    show(words("cli.base", title=base.title, passages=base.passages, version=base.version))
    if comparison.filters:
        show(words("filter.in_force", filters=Filters.of(comparison.filters).told()))
    for run in comparison.runs:
        show()
        show(f"── {words.mode(run.mode)} ── {words(f'stop.{run.stop_reason}')} · {run.seconds:.2f} s")
        for step in run.steps:
            show(f"  · {words.say(step.detail)}" + (f" — {words.say(step.error)}" if step.error else ""))
        _print_answer(run, tokeniser, words)
        if run.error:
            show(words.say(run.error))
        if run.usage.calls:
            _print_cost(run, comparison.prices, words)


def _print_cost(run: Run, prices: Mapping[str, Any] | None, words: Words) -> None:
    """What the run's models were sent, said, and cost."""
    amounts = cost(run, prices).amounts or {}
    told = " + ".join(f"{amount:.4g} {currency}" for currency, amount in amounts.items()) or "—"
    usage = run.usage
    show(words("cli.usage", calls=usage.calls, prompt=usage.prompt, completion=usage.completion, cost=told))


def _print_answer(run: Run, tokeniser: Tokeniser, words: Words) -> None:
    if run.answer:
        show()
        show(run.answer)
    cited = {c.number: c for c in cite(run.answer, run.evidence, tokeniser)}
    for number, passage in enumerate(run.evidence, 1):
        mark = "*" if number in cited else " "
        show(f"  {mark}[{number}] {passage.id} · {passage.section}")
    for number in sorted(n for n in cited if n > len(run.evidence)):
        show("   " + words("citation.dangling", numbers=number))
