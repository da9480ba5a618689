"""The four tools: search, find, open, summarize. Read-only, and tolerant of how models really call them.

A tool answers in compact text with ranks, never raw scores (people see those in the trace). Nothing a document
says can make a tool write or call another.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from core.agent import arguments
from core.agent.ledger import Ledger
from core.agent.policy import Exchange, Result
from core.agent.reading import Reader
from core.domain import Call, Hit, Passage, Say, Usage
from core.errors import UsageError, WorkbenchError
from core.knowledge.folding import fold
from core.ports import TokenCounter
from core.retrieval.cosines import EXACT
from core.retrieval.filters import Filters
from core.retrieval.fusion import fuse
from core.retrieval.ranking import Ranking, Retriever, Way

QUERIES = 5
"""Rewrites in one search."""
LONGEST_QUERY = 500
"""Characters of a rewrite that are searched for."""
LARGEST = 20
"""The largest `k` a caller may name."""

_ALIASES = {"section_id": "reference", "id": "reference"}
_SHAPING = frozenset({"filters", "k", "reference", "pattern", "kind", "line", "offset"})
"""Arguments that change what a tool does, beside the queries; any other is ignored, so it makes no new call."""


@dataclass(frozen=True, slots=True)
class Show:
    """How much a search shows.

    `each` is the hits that a rewrite brings when the caller names no `k`, `most` those of all rewrites together; a
    snippet has `before` characters before the first word in common and `after` from it on.
    """

    each: int = 8
    most: int = 20
    before: int = 60
    after: int = 120


class Toolbox:
    """The tools over one base, with what was already asked and touched in this search."""

    def __init__(
        self,
        retriever: Retriever,
        ledger: Ledger,
        count: TokenCounter,
        way: Way = "rerank",
        pool: int = 20,
        show: Show = Show(),
    ) -> None:
        self._retriever = retriever
        self._ledger = ledger
        self.count = count
        self._way = way
        self._pool = pool
        self._show = show
        self._reader = Reader(retriever)
        self._asked: set[str] = set()
        self._tools: Mapping[str, Callable[[Mapping[str, Any]], Result]] = {
            "search": self._search,
            "find": self._find,
            "open": self._open,
            "summarize": self._summarize,
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The tools there are."""
        return tuple(self._tools)

    def run(self, call: Call) -> Result:
        """Answer one call; what cannot be done goes back as text that says how to do it."""
        tool = self._tools.get(call.tool)
        if tool is None:
            return _refusal(Say.of("tool.unknown", tool=call.tool[:64], known=list(self.names)))
        if call.unread:
            return _refusal(Say.of("tool.arguments.unread", tool=call.tool), got=call.unread[:200])
        key = _normalised(call)
        if key in self._asked and call.tool != "summarize":  # the context fills again, and what is kept may be the same
            return _refusal(Say.of("tool.repeated", tool=call.tool), hint="rephrase, or look elsewhere")
        try:
            result = tool(call.arguments)
        except WorkbenchError as wrong:
            return _refusal(wrong.say)
        self._asked.add(key)
        return result

    def over_limit(self, call: Call) -> Result:
        """The answer to a call past the limit: nothing was run."""
        return _refusal(Say.of("tool.over_limit", tool=call.tool))

    def size(self, question: str, rounds: Iterable[Iterable[Exchange]]) -> int:
        """Tokens of context in use: the question and every live tool output."""
        texts = [question, *(exchange.result.output for exchanges in rounds for exchange in exchanges)]
        return sum(self.count(text) for text in texts)

    def _search(self, given: Mapping[str, Any]) -> Result:
        asked = arguments.texts(given, "queries", "query", "q")
        if not asked:
            raise UsageError("tool.argument.missing", name="queries")
        wanted = arguments.mapping(given, "filters")
        if unknown := [name for name in wanted if name not in Filters.names()]:
            raise UsageError("tool.filter.unknown", name=unknown[0], known=list(Filters.names()))
        queries = list(dict.fromkeys(query[:LONGEST_QUERY] for query in asked))[:QUERIES]
        k = arguments.whole(given, "k", self._show.each, 1, LARGEST)
        within = Filters.of(wanted).within(self._retriever.base)
        rankings = {query: self._retriever.search(query, k, self._way, self._pool, within) for query in queries}
        hits = _merge(rankings, self._show.most)
        new = sum(not self._ledger.knows(hit.passage.id) for hit in hits)
        detail = Say.of("step.search", queries=queries, hits=len(hits), new=new, dropped=len(asked) - len(queries))
        notices = [r.notice for r in rankings.values() if r.notice and bool(r.hits) == bool(hits)]
        return Result(
            detail,
            self._listing(hits, rankings),
            hits=hits,
            by_query={query: ranking.hits for query, ranking in rankings.items()},
            times=_total(rankings.values()),
            usage=_usage(rankings.values()),
            error=notices[0] if notices else None,
        )

    def _listing(self, hits: Sequence[Hit], rankings: Mapping[str, Ranking]) -> str:
        """What a model sees of a search: a line of facts and a snippet a passage; a section is named once."""
        if not hits:
            return json.dumps({"results": 0, "hint": "other words, or fewer filters"})
        lines = []
        named: set[tuple[str, str]] = set()
        for hit in hits:
            passage = hit.passage
            place = (passage.document, passage.section)
            facts = [f"{hit.rank}. [{passage.id}]", *(self._place(passage) if place not in named else ())]
            named.add(place)
            facts += [str(passage.metadata["type"])] if passage.metadata.get("type") else []
            facts += [f"lines {passage.lines[0]}-{passage.lines[1]}"] if passage.lines else []
            by = [str(n) for n, ranking in enumerate(rankings.values(), 1) if _has(ranking, passage)]
            facts += [f"query {','.join(by)}"] if len(rankings) > 1 else []
            facts += ["exact match"] if EXACT in hit.scores else []
            facts += ["seen before"] if self._ledger.knows(passage.id) else []
            lines += [" | ".join(facts), self._snippet(passage, " ".join(rankings))]
        return "\n".join(lines)

    def _place(self, passage: Passage) -> list[str]:
        """Document and section, where the reference does not tell the document."""
        told = passage.id.startswith(f"{passage.document}#")
        return [part for part in ("" if told else passage.document, passage.section) if part]

    def _snippet(self, passage: Passage, query: str) -> str:
        tokeniser = self._retriever.tokeniser
        spans = tokeniser.spans(passage.text, tokeniser.query(query))
        middle = spans[0][0] if spans else 0
        start, end = max(0, middle - self._show.before), min(len(passage.text), middle + self._show.after)
        cut = " ".join(passage.text[start:end].split())
        return f"{'…' if start else ''}{cut}{'…' if end < len(passage.text) else ''}"

    def _find(self, given: Mapping[str, Any]) -> Result:
        reference = arguments.text(given, "reference", "section_id", "id")
        pattern = arguments.text(given, "pattern", "query")
        kind = arguments.text(given, "kind", default="lexical")
        if kind not in ("lexical", "semantic"):
            raise UsageError("tool.find.kind", kind=kind)
        document = self._reader.document(reference)
        if kind == "semantic":
            return self._reader.find_meaning(document, pattern)
        return self._reader.find_words(document, pattern)

    def _open(self, given: Mapping[str, Any]) -> Result:
        reference = arguments.text(given, "reference", "section_id", "id")
        document = self._reader.document(reference)
        line = arguments.whole(given, "line", self._reader.line_of(reference), 1, max(1, len(document.lines)))
        return self._reader.window(document, line, arguments.whole(given, "offset", 0, 0, 10**9))

    def _summarize(self, given: Mapping[str, Any]) -> Result:
        """Kept passages stay whole and citable; the rest of the tool output leaves the context."""
        asked = arguments.texts(given, "keep", "references", "ids")
        kept = list(dict.fromkeys([*(p.id for p in self._ledger.kept), *asked]))
        known = [reference for reference in kept if self._ledger.knows(reference)]
        notes = arguments.text(given, "notes", default="")
        base = self._retriever.base
        bodies = [f"[{reference}] {base.passage(reference).text}" for reference in known]
        unknown = [reference for reference in asked if not self._ledger.knows(reference)]
        remark = [f"not kept, never seen: {', '.join(unknown)}"] if unknown else []
        output = "\n".join([*([f"notes: {notes}"] if notes else []), *bodies, *remark])
        detail = Say.of("step.summarize", kept=len(known), unknown=unknown)
        return Result(detail, output, kept=tuple(r for r in asked if r in known), compresses=True)


def _refusal(say: Say, **more: str) -> Result:
    """A call that was not run: the reason as data a model can read and as a code for people."""
    output = json.dumps({"error": say.code, **say.values, **more}, ensure_ascii=False)
    return Result(Say.of("step.refused"), output, error=say, refused=True)


def _merge(rankings: Mapping[str, Ranking], most: int) -> tuple[Hit, ...]:
    """One list from the rewrites' rankings by reciprocal rank fusion, each passage once.

    Its scores are those of its best rewrite, with its rank under each rewrite n as `query_n`. What any rewrite names
    exactly stands in front.
    """
    best: dict[str, Hit] = {}
    ranks: dict[str, dict[str, float]] = {}
    for number, ranking in enumerate(rankings.values(), 1):
        for hit in ranking.hits:
            known = best.get(hit.passage.id)
            best[hit.passage.id] = hit if known is None or hit.rank < known.rank else known
            own = ranks.setdefault(hit.passage.id, {})
            own[f"query_{number}"] = hit.rank
            own |= {EXACT: max(hit.scores[EXACT], own.get(EXACT, 0.0))} if EXACT in hit.scores else {}
    order = fuse([[hit.passage.id for hit in ranking.hits] for ranking in rankings.values()])
    order = sorted(order, key=lambda pair: -ranks[pair[0]].get(EXACT, 0.0))[:most]
    return tuple(
        Hit(best[key].passage, rank, best[key].score, {**best[key].scores, "rrf": score, **ranks[key]})
        for rank, (key, score) in enumerate(order, 1)
    )


def _has(ranking: Ranking, passage: Passage) -> bool:
    return any(hit.passage.id == passage.id for hit in ranking.hits)


def _total(rankings: Iterable[Ranking]) -> dict[str, float]:
    total: dict[str, float] = {}
    for ranking in rankings:
        for kind, seconds in ranking.times.items():
            total[kind] = total.get(kind, 0.0) + seconds
    return total


def _usage(rankings: Iterable[Ranking]) -> Usage | None:
    told = [ranking.usage for ranking in rankings if ranking.usage]
    return reduce(add, told) if told else None


def _normalised(call: Call) -> str:
    """The same for calls that ask the same: case, width, space, order of queries, aliases aside."""

    def flat(value: Any) -> Any:
        if isinstance(value, str):
            return " ".join(fold(value)[0].split())
        if isinstance(value, list | tuple):
            return sorted(str(flat(item)) for item in value)
        if isinstance(value, dict):
            return {str(key): flat(item) for key, item in value.items()}
        return str(value)

    given = {_ALIASES.get(name, name): value for name, value in call.arguments.items()}
    given = {name: value for name, value in given.items() if name in _SHAPING}
    queries = arguments.texts(call.arguments, "queries", "query", "q")
    return json.dumps([call.tool, flat(queries), flat(given)], sort_keys=True, ensure_ascii=False)
