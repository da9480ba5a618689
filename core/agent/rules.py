"""The rule-based policy: no model, the same tools, loop and budget as one would have.

It works in stages, each at most one round: ask the aspects of the question together; look into the documents
that nothing was kept from for what is uncovered; ask that again under the titles of the nearest sections; follow
the names and the articles that kept passages mention; look for cases once rules are found. A stage with nothing
to ask is passed over. Which stage comes next is read off the trace, so the policy holds no state of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.agent.hops import articles, names
from core.agent.judging import Bar, best_cosines, reasons, select
from core.agent.policy import Exchange, State, Turn
from core.agent.tools import QUERIES
from core.domain import Call, Hit, Passage, Say, Token
from core.knowledge.base import JOINT
from core.knowledge.folding import has_han
from core.knowledge.sentences import aspects, content, holding
from core.retrieval.ranking import Retriever

_NUMBER = re.compile(r"^(?:第\S+?(?:部分|编|章|节)|(?:Part|Chapter|Section)\s+\S+)\s+")
"""The number before a section's title, which says nothing of its matter."""

ASPECTS = 9
"""Parts of a question: with the question itself, two searches of five."""
COVERED = 0.7
"""Share of an aspect's content terms that kept passages must hold for it to count as covered."""
TITLES = 2
"""Sections whose titles an uncovered aspect is asked under."""
HOPS = 3
"""Names followed in one round."""
VISITS = 8
"""Sections looked into by themselves."""
SMALL = 60
"""Sections up to which those not yet visited are looked into."""


@dataclass(frozen=True)
class View:
    """What the stages look at: the state with what the last round's judgement will have kept."""

    retriever: Retriever
    state: State
    kept: tuple[Passage, ...]

    @property
    def question(self) -> str:
        """The question."""
        return self.state.question

    @cached_property
    def aspects(self) -> list[str]:
        """Its parts."""
        return aspects(self.question, lambda text: content(self.retriever.tokeniser, text), ASPECTS)

    @cached_property
    def documents(self) -> Collection[str]:
        """The documents of which anything may be found."""
        if not self.retriever.filters.given:
            return self.retriever.base.documents.keys()
        return dict.fromkeys(passage.document for passage in self.retriever.passages)

    @cached_property
    def uncovered(self) -> list[str]:
        """Parts whose content terms the kept passages mostly lack, those that a search found least for first."""
        tokeniser = self.retriever.tokeniser
        held = frozenset().union(*(holding(tokeniser, passage.indexed) for passage in self.kept))
        shares = {aspect: _share(content(tokeniser, aspect), held) for aspect in self.aspects}
        return sorted((a for a in shares if shares[a] < COVERED), key=lambda a: len(self.rankings.get(a, ())))

    @cached_property
    def rankings(self) -> Mapping[str, tuple[Hit, ...]]:
        """Each query's own ranking when it was first searched, over the whole base."""
        found: dict[str, tuple[Hit, ...]] = {}
        for exchange in _exchanges(self.state):
            if exchange.call.tool == "search":
                for query, hits in exchange.result.by_query.items():
                    found.setdefault(query, hits)
        return found


@dataclass(frozen=True, slots=True)
class Stage:
    """One thing to try: the calls it makes from a view, and how strictly its hits are judged."""

    name: str
    ask: Callable[[View], Sequence[Call]]
    bar: Bar


class RulesPolicy:
    """Chooses tool calls by rule."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever

    def plan(self, state: State) -> Generator[Token, None, Turn]:
        """Judge what the last round found, then go to the next stage that has something to ask."""
        yield from ()
        judged, against = self._judge(state)
        known = {passage.id for passage in state.ledger.kept}
        fresh = [reference for reference in judged if reference not in known]
        room = state.ledger.limit - len(known)
        keep = tuple(fresh[:room])
        left = {**against, **_no_room(fresh, room, state.ledger.limit)}
        told = {id: say.as_value() for id, say in left.items() if id not in known}
        view = View(self._retriever, state, (*state.ledger.kept, *self._passages(keep)))
        for stage in () if state.closing else STAGES[_reached(state) :]:
            if calls := stage.ask(view):
                return Turn(tuple(calls), keep, why=Say.of(f"rules.{stage.name}", kept=len(keep), left=told))
        code = "rules.closing" if state.closing else "rules.done" if view.uncovered else "rules.complete"
        return Turn((), keep, judged=True, why=Say.of(code, kept=len(keep), uncovered=view.uncovered, left=told))

    def _judge(self, state: State) -> tuple[tuple[str, ...], Mapping[str, Say]]:
        """What of the last round is relevant: close to the best its query has found, or named by a kept passage.

        The second tells why the rest is not, for those who look at the trace.
        """
        if not state.rounds:
            return (), {}
        best = best_cosines(exchange.result.by_query for exchange in _exchanges(state))
        bar = STAGES[_reached(state) - 1].bar
        pairs = [(hits, best[query]) for e in state.rounds[-1].exchanges for query, hits in e.result.by_query.items()]
        found = dict.fromkeys(select(pairs, bar, self._retriever.scale))
        for exchange in state.rounds[-1].exchanges:
            wanted = exchange.call.arguments.get("pattern", "")
            tokens = self._retriever.tokeniser.tokens
            found.update((p.id, None) for p in exchange.result.seen if wanted and wanted in tokens(p.title))
        against = reasons(pairs, bar, self._retriever.scale)
        return tuple(found), {id: say for id, say in against.items() if id not in found}

    def _passages(self, references: Sequence[str]) -> tuple[Passage, ...]:
        return tuple(self._retriever.base.passage(reference) for reference in references)


def _no_room(fresh: Sequence[str], room: int, limit: int) -> dict[str, Say]:
    """What was judged relevant when the evidence was full; `needed` is the limit that would have let it in.

    Where there was no room at all, an earlier round may have been cut already, and nobody can tell.
    """
    known = limit - room
    return {
        id: Say.of("explain.judged.full", limit=limit, needed=known + place if room else None)
        for place, id in enumerate(fresh, 1)
        if place > room
    }


def _exchanges(state: State) -> list[Exchange]:
    return [exchange for turn in state.rounds for exchange in turn.exchanges]


def _reached(state: State) -> int:
    """The stage after the last one that made a call (calls carry their stage's name as id)."""
    made = [exchange.call.id for exchange in _exchanges(state)]
    return 1 + [stage.name for stage in STAGES].index(made[-1]) if made else 0


def _share(terms: frozenset[str], held: frozenset[str]) -> float:
    return len(terms & held) / len(terms) if terms else 1.0


def _searches(stage: str, queries: Sequence[str], **more: object) -> list[Call]:
    """Searches for all queries, five together."""
    distinct = list(dict.fromkeys(queries))
    groups = [distinct[at : at + QUERIES] for at in range(0, len(distinct), QUERIES)]
    return [Call("search", {"queries": group, **more}, id=stage) for group in groups]


def _split(view: View) -> Sequence[Call]:
    """The whole question first, its aspects beside it."""
    return _searches("split", [view.question, *(part for part in view.aspects if part != view.question)])


def _rephrase(view: View) -> Sequence[Call]:
    """Uncovered aspects again, each under the titles of the sections that stand nearest to it."""
    queries = [f"{title} {aspect}" for aspect in view.uncovered for title in _titles(view, aspect)]
    return _searches("rephrase", queries[: 2 * QUERIES])


def _titles(view: View, aspect: str) -> list[str]:
    """Titles of the best sections for an aspect: of its own hits, then of the whole question's."""
    hits = (*view.rankings.get(aspect, ()), *view.rankings.get(view.question, ()))
    sections = dict.fromkeys(hit.passage.section for hit in hits)
    return [_NUMBER.sub("", section.rsplit(JOINT, 1)[-1]) for section in list(sections)[:TITLES]]


def _hop(view: View) -> Sequence[Call]:
    """Names in the best passages that the question lacks, each asked together with the question."""
    if has_han(view.question):
        return ()
    found = names(view.question, view.kept[:3], QUERIES)
    return _searches("hop", [f"{view.question} {name}" for name in found]) if found else ()


def _refer(view: View) -> Sequence[Call]:
    """Articles that kept passages refer to, looked up in the same document."""
    wanted = {
        (passage.document, article): None
        for passage in view.kept[:HOPS]
        if passage.document in view.documents
        for article in articles(view.retriever, passage)
    }
    return [
        Call("find", {"reference": document, "pattern": article}, id="refer")
        for document, article in list(wanted)[:HOPS]
    ]


def _visit(view: View) -> Sequence[Call]:
    """In a base of few documents, those that nothing was kept from, looked into for what is uncovered."""
    documents = view.documents
    if not 1 < len(documents) <= SMALL:
        return ()
    kept = {passage.document for passage in view.kept}
    unkept = [document for document in documents if document not in kept]
    calls = [
        Call("find", {"reference": document, "pattern": aspect, "kind": "semantic"}, id="visit")
        for aspect in view.uncovered
        for document in unkept
    ]
    return calls[: min(VISITS, view.state.calls_left - 1)]


def _cases(view: View) -> Sequence[Call]:
    """Cases on the question, once rules are found and no case is kept."""
    types = {str(passage.metadata.get("type", "")) for passage in view.kept}
    has_cases = any(p.metadata.get("type") == "case" for p in view.retriever.passages)
    if not has_cases or "article" not in types or "case" in types:
        return ()
    return _searches("cases", [view.question], filters={"type": "case"})


STAGES = (
    Stage("split", _split, Bar(4)),
    Stage("visit", _visit, Bar(1, 0.5)),
    Stage("rephrase", _rephrase, Bar(3)),
    Stage("hop", _hop, Bar(2, 0.5)),
    Stage("refer", _refer, Bar(1)),
    Stage("cases", _cases, Bar(1, 0.0)),
)
