"""Why keywords missed a passage, in one sentence: what it shares with the question, and how common that is."""

from __future__ import annotations

from core.bench import Bench
from core.domain import Passage, Say
from core.explain.terms import TermRow, Terms
from core.knowledge.tokeniser import Tokeniser
from core.retrieval.wording import says
from core.runs import Comparison

TOLD = 3
"""Words named in the sentence."""


def keyword_miss(bench: Bench, comparison: Comparison, passage: Passage, found: Terms) -> Say | None:
    """Why BM25 does not rank a passage among as many as a writer got who did not get this one; `None` where it does.

    `found` are its terms for the question.
    """
    stands = bench.retriever.stands(comparison.question, passage)
    missed = [run for run in comparison.runs if run.handed and not run.gave(passage.id)]
    if not found.rows or not any(stands is None or stands[0] > len(run.evidence) for run in missed):
        return None
    if stands and stands[2]:
        return Say.of("explain.missed.literal", rank=stands[0])
    return _shared(bench.retriever.tokeniser, found, len(bench.base.passages))


def _shared(tokeniser: Tokeniser, found: Terms, passages: int) -> Say:
    shared = list({row.term: row for row in found.rows if row.tf}.values())
    if not shared:
        return Say.of("explain.missed.none")
    if len(shared) == 1:
        return Say.of("explain.missed.one", word=shared[0].term, df=shared[0].df, passages=passages)
    shared.sort(key=lambda row: row.df)
    if 2 * shared[0].df > passages:
        told = [row.term for row in shared[:TOLD]]
        return Say.of("explain.missed.common", words=told, count=len(shared), df=shared[0].df, passages=passages)
    lacking = _lacking(tokeniser, found, max(row.idf for row in shared))
    if not lacking:
        return Say.of("explain.missed.weak", count=len(shared), rank=found.rank, matching=found.matching)
    return Say.of("explain.missed.lacking", count=len(shared), words=[row.term for row in lacking])


def _lacking(tokeniser: Tokeniser, found: Terms, least: float) -> list[TermRow]:
    """The words of the question that it lacks, others have, and that weigh at least so much: heaviest first.

    Not those whose characters it has, only cut differently; single characters only where there is nothing else.
    """
    missing = {row.term: row for row in found.rows if not row.tf and row.df and row.idf >= least}.values()
    told = [row for row in missing if says(tokeniser, row.term) and all(near.how != "glued" for near in row.near)]
    told = [row for row in told if len(row.term) > 1] or told
    return sorted(told, key=lambda row: -row.idf)[:TOLD]
