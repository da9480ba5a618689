"""`why`: why each mode found or missed a passage."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from core.asking import entrants, mode_ids, parse_pairs
from core.bench import open_bench
from core.cli.output import show, show_json
from core.cli.waiting import explained
from core.errors import UsageError
from core.explain.passage import Explanation, explain
from core.explain.terms import Near, TermRow
from core.modes import Why
from core.retrieval.filters import parse_filters
from core.settings import Settings
from core.words import Words
from core.words.passage_types import fitting

_LONGEST = 400
"""Characters of an id: a file's name and a label are shorter."""


def command(given: Namespace, settings: Settings, words: Words) -> int:
    """Explain and print."""
    wanted = parse_filters(given.filter)
    chosen = entrants(given.question, mode_ids(given.modes), given.k, parse_pairs(given.set))
    bench = open_bench(settings, given.kb)
    filters = fitting(wanted, bench.base).given
    chosen = [(mode, replace(ask, filters=filters)) for mode, ask in chosen]
    passage = bench.base.named(_named(given.passage))
    with explained(bench, words):
        found = explain(bench, chosen, passage)
    if given.json:
        own = {"filters": filters} if filters else {}
        show_json({"question": given.question, **own, **_document(found, words)})
        return 0
    show(f"{passage.id} · {passage.section}")
    show(passage.text)
    for line in _lines(found, words):
        show(line)
    return 0


def _named(given: str) -> str:
    """The id of a passage as it was given, of what is too long for one its beginning; `UsageError` for none at all."""
    if not given.strip():
        raise UsageError("explain.cli.no_passage")
    return given if len(given) <= _LONGEST else f"{given[:_LONGEST]}…"


def _said(found: Explanation, words: Words) -> list[str]:
    return [
        words("why.mode", mode=words.mode(mode), sentence=words.say(why.sentence)) for mode, why in found.modes.items()
    ]


def _document(found: Explanation, words: Words) -> dict[str, Any]:
    terms = found.terms
    return {
        "passage_id": found.passage.id,
        "modes": {mode: _mode(why, words) for mode, why in found.modes.items()},
        "terms": {
            "rows": [_row(row, words) for row in terms.rows],
            "score": terms.score,
            "rank": terms.rank,
            "matching": terms.matching,
            "length": terms.length,
            "mean_length": terms.mean_length,
            "factor": terms.factor,
            "exact": terms.exact,
            "unlike": words.say(found.unlike) if found.unlike else None,
        },
        "meaning": asdict(found.meaning) if found.meaning else None,
        "meaning_unknown": words.say(found.unknown) if found.unknown else None,
        "sentence": words("why.joint").join(_said(found, words)),
        "missed": words.say(found.missed) if found.missed else None,
        "marks": [words.say(mark) for mark in found.marks],
    }


def _mode(why: Why, words: Words) -> dict[str, Any]:
    told = {**why.facts, "sentence": words.say(why.sentence)}
    if why.remedy:
        told["remedy"] = words.say(why.remedy)
        told["remedy_settings"] = {name: why.remedy.values[name] for name in why.settings}
    return told


def _row(row: TermRow, words: Words) -> dict[str, Any]:
    return {
        **asdict(row),
        "note": words.say(row.note) if row.note else None,
        "near": [asdict(near) for near in row.near],
    }


def _lines(found: Explanation, words: Words) -> Iterator[str]:
    """The explanation for a terminal: what decides beside words, every mode, then words, then meaning."""
    for mark in found.marks:
        yield f"\n  ! {words.say(mark)}"
    for said, why in zip(_said(found, words), found.modes.values(), strict=True):
        yield f"\n  {said}"
        if why.remedy:
            yield f"      → {words('explain.cli.remedy', remedy=words.say(why.remedy))}"
    shared = sorted((row for row in found.terms.rows if row.tf), key=lambda row: -row.contribution)
    yield f"\n  {words('explain.cli.terms', score=f'{found.terms.score:.3f}')}"
    for row in shared:
        yield f"      {words('explain.cli.contribution', **_figures(row))}{_notes(row, words)}"
    if found.terms.factor != 1:
        yield f"      {words('confidence.factor', factor=found.terms.factor)}"
    missing = [row for row in found.terms.rows if not row.tf]
    if missing:
        yield f"  {words('explain.cli.terms_missing')}"
    for row in missing:
        yield f"      {words('explain.cli.missing', **_figures(row))}{_notes(row, words)}"
    yield f"  {_meaning(found, words)}"
    if found.missed:
        yield f"\n  {words.say(found.missed)}"


def _figures(row: TermRow) -> dict[str, Any]:
    numbers = {"idf": f"{row.idf:.3f}" if row.df else "—", "contribution": f"{row.contribution:.3f}"}
    return {"term": row.term, "tf": row.tf, "df": row.df, **numbers}


def _notes(row: TermRow, words: Words) -> str:
    notes = [words.say(row.note)] if row.note else []
    notes += [_near(near, words) for near in row.near]
    return f"  ({words('why.joint').join(notes)})" if notes else ""


def _near(near: Near, words: Words) -> str:
    if near.cosine is None:
        return words(f"explain.cli.{near.how}", other=near.other)
    return words("explain.cli.near_meaning", other=near.other, cosine=f"{near.cosine:.2f}")


def _meaning(found: Explanation, words: Words) -> str:
    meaning = found.meaning
    if meaning is None:
        return words("explain.cli.unknown", reason=words.say(found.unknown) if found.unknown else None)
    places = {"rank": meaning.rank, "vectors": meaning.vectors, "passages": meaning.passages}
    told = words("explain.cli.meaning", cosine=f"{meaning.cosine:.4f}", **places)
    code = "meaning_candidate" if meaning.candidate_rank else "meaning_no_candidate"
    beside = words(f"explain.cli.{code}", rank=meaning.candidate_rank, candidates=meaning.candidates)
    return words("why.joint").join((told, beside))
