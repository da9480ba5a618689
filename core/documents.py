"""The JSON documents of the command line and of exports; fields may be added, names and meanings stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.citations import cite
from core.domain import Hit, Step
from core.knowledge.tokeniser import Tokeniser
from core.pricing import cost
from core.retrieval.ranking import Ranking
from core.runs import Comparison, Run
from core.words import Words

_SPEAKERS = {"write": "writer", "judge": "planner"}
"""Which role's settings the steps of a name were sent with."""


def comparison_document(comparison: Comparison, tokeniser: Tokeniser, words: Words) -> dict[str, Any]:
    """The document of `ask`."""
    base = comparison.base
    return {
        "id": comparison.id,
        "question": comparison.question,
        "created": comparison.created,
        "kb": {"name": base.name, "title": base.title, "version": base.version, "passages": base.passages},
        "settings": _settings(comparison),
        "seconds": comparison.seconds,
        "runs": [_run(run, comparison.prices, tokeniser, words) for run in comparison.runs],
    }


def _settings(comparison: Comparison) -> dict[str, Any]:
    """The settings with what was really sent in place of what was asked for; a list where calls differed."""
    settings = dict(comparison.settings)
    for name, role in _SPEAKERS.items():
        calls = [step.sent for run in comparison.runs for step in run.steps if step.name == name and step.sent]
        if not calls:
            continue
        for asked in [key for key in settings if key.startswith(f"{role}_") and not key.startswith(f"{role}_cheap")]:
            del settings[asked]
        for key in dict.fromkeys(key for call in calls for key in call):
            values = list({repr(call[key]): call[key] for call in calls if key in call}.values())
            settings[f"{role}_{key}"] = values[0] if len(values) == 1 else values
    return settings


def _run(run: Run, prices: Mapping[str, Any] | None, tokeniser: Tokeniser, words: Words) -> dict[str, Any]:
    citations = cite(run.answer, run.evidence, tokeniser)
    amounts = cost(run, prices).amounts or {}
    costs = [{"amount": amount, "currency": currency} for currency, amount in amounts.items()]
    return {
        "mode": run.mode,
        "k": run.ask.k,
        "parameters": dict(run.ask.parameters),
        "answer": run.answer,
        "citations": [
            {
                "number": c.number,
                "passage_id": c.passage.id if c.passage else None,
                "quote": c.quote,
                "status": c.status,
            }
            for c in citations
        ],
        "evidence": [passage.id for passage in run.evidence],
        "hits": hits_document(run.hits),
        "steps": [_step(step, new, words) for step, new in zip(run.steps, run.new, strict=True)],
        "usage": asdict(run.usage),
        "seconds": run.seconds,
        "first_token_seconds": run.first_token_seconds,
        "times": dict(run.times),
        "cost": costs[0] if len(costs) == 1 else None,
        "costs": costs,
        "stop_reason": run.stop_reason,
        "fingerprint": run.fingerprint,
        "reasoning": "\n\n".join(run.thoughts.values()),
        "error": words.say(run.error) if run.error else None,
        "error_code": run.error.code if run.error else None,
    }


def hits_document(hits: Sequence[Hit]) -> list[dict[str, Any]]:
    """Hits in the order of the list, which is their rank in it."""
    return [
        {"passage_id": hit.passage.id, "rank": rank, "score": hit.score, "scores": dict(hit.scores)}
        for rank, hit in enumerate(hits, 1)
    ]


def _step(step: Step, new: int, words: Words) -> dict[str, Any]:
    return {
        "name": step.name,
        "detail": words.say(step.detail),
        "code": step.detail.code,
        "call": {"tool": step.call.tool, "arguments": dict(step.call.arguments)} if step.call else None,
        "seconds": step.seconds,
        "times": dict(step.times),
        "hits": [hit.passage.id for hit in step.hits],
        "read": [passage.id for passage in step.seen],
        "kept": list(step.kept),
        "new": new,
        "sent": dict(step.sent),
        "usage": asdict(step.usage) if step.usage else None,
        "error": words.say(step.error) if step.error else None,
    }


def search_document(query: str, mode: str, ranking: Ranking, words: Words) -> dict[str, Any]:
    """The document of `search`."""
    return {
        "query": query,
        "mode": mode,
        "hits": [
            {**shown, "section": hit.passage.section, "text": hit.passage.text}
            for shown, hit in zip(hits_document(ranking.hits), ranking.hits, strict=True)
        ],
        "reason": words.say(ranking.notice) if ranking.notice else None,
    }
