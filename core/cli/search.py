"""`search`: a ranking with its scores."""

from __future__ import annotations

from argparse import Namespace
from typing import get_args

from core.bench import open_bench
from core.cli.output import complain, show, show_json
from core.cli.waiting import explained
from core.documents import search_document
from core.errors import UsageError
from core.race import check_question
from core.retrieval.cosines import EXACT
from core.retrieval.filters import parse_filters
from core.retrieval.ranking import Way
from core.settings import Settings
from core.words import Words
from core.words.passage_types import fitting

MOST = 1_000
"""Hits in one ranking at most."""


def command(given: Namespace, settings: Settings, words: Words) -> int:
    """Rank and print; a query without hits prints the reason."""
    if given.mode not in get_args(Way):
        raise UsageError("mode.unknown", mode=given.mode, known=list(get_args(Way)))
    if not 1 <= given.k <= MOST:
        raise UsageError("parameter.range", name="k", low=1, high=MOST, value=given.k)
    query, wanted = check_question(given.query), parse_filters(given.filter)
    bench = open_bench(settings, given.kb)
    filters = fitting(wanted, bench.base)
    with explained(bench, words):
        ranking = bench.limited(filters.given).for_run().retriever.search(query, given.k, given.mode)
    if given.json:
        own = {"filters": filters.given} if filters.given else {}
        show_json({**search_document(query, given.mode, ranking, words), **own})
        return 0
    for hit in ranking.hits:
        scores = "  ".join(f"{name} {value:.4g}" for name, value in hit.scores.items() if name != EXACT)
        marks = [words("exact.match")] if EXACT in hit.scores else []
        show("  ".join([f"{hit.rank:>3}", hit.passage.id, *marks, scores]))
        show(f"     {hit.passage.text[:100]}")
    if ranking.notice:
        complain(words.say(ranking.notice))
    return 0
