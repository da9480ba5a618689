"""Looking inside one document: a window of it, or its lines that hold a word or a meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.agent.policy import Result
from core.domain import Hit, Passage, Say
from core.errors import UsageError
from core.knowledge.base import Document
from core.knowledge.folding import fold
from core.knowledge.ids import near
from core.retrieval.ranking import Retriever

WINDOW = 1_800
"""Lines in one window."""
LEAD = 5
"""Lines shown before the one asked for; a continuation within a line has none."""
CHARACTERS = 12_000
"""Characters in one window: about a tenth of a 128k context in Chinese."""
FOUND = 20
"""Lines that `find` returns at most."""
NEAREST = 5
"""Passages that a semantic `find` returns."""
WEIGHED = 60
"""Passages of one document whose meaning is weighed; of a longer one, those that share words with the pattern."""


class Reader:
    """Reads the documents of one base."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever
        self._base = retriever.base

    def document(self, reference: str) -> Document:
        """The document named by its own id or by a passage's.

        Raises `UsageError` with near names, or where the filters let none of its passages through.
        """
        document = self._base.documents.get(reference)
        if document is None and self._base.has(reference):
            document = self._base.document_of(self._base.passage(reference))
        if document is not None:
            if not self._passages_of(document):
                raise UsageError("filter.outside", reference=reference, filters=self._retriever.filters.told())
            return document
        names = [*self._base.documents, *(passage.id for passage in self._base.passages)]
        raise UsageError("tool.reference.unknown", reference=reference, near=near(reference, names) or names[:3])

    def line_of(self, reference: str) -> int:
        """The first line of a passage in its document; 1 for a document."""
        lines = self._base.passage(reference).lines if self._base.has(reference) else None
        return lines[0] if lines else 1

    def window(self, document: Document, line: int, offset: int = 0) -> Result:
        """Lines around `line`, numbered; a line too long for the window is cut and continued by `offset`."""
        line = line if offset else max(1, line - LEAD)
        shown: list[str] = []
        room = CHARACTERS
        rest = ""
        number = line
        for number in range(line, min(len(document.lines), line + WINDOW - 1) + 1):
            text = document.lines[number - 1][offset if number == line else 0 :]
            if len(text) > room:
                start = offset if number == line else 0
                shown.append(f"{number}: {text[:room]}")
                total = len(document.lines[number - 1])
                rest = f"truncated, continue at line={number} offset={start + room} of {total}"
                break
            shown.append(f"{number}: {text}")
            room -= len(text)
        else:
            if number < len(document.lines):
                rest = f"truncated, continue at line={number + 1} of {len(document.lines)}"
        seen = self._passages_between(document, line, number)
        detail = Say.of("step.open", document=document.title, first=line, last=number, total=len(document.lines))
        return Result(detail, "\n".join([*shown, *([rest] if rest else [])]), seen=seen)

    def find_words(self, document: Document, pattern: str) -> Result:
        """Lines that hold `pattern` literally; where none does, lines that hold all its terms."""
        wanted = " ".join(fold(pattern)[0].split())
        numbers = [n for n, text in enumerate(document.lines, 1) if wanted in fold(text)[0]]
        if not numbers and (terms := set(self._retriever.tokeniser.query(pattern))):
            tokens = self._retriever.tokeniser.tokens
            numbers = [n for n, text in enumerate(document.lines, 1) if text.strip() and terms <= set(tokens(text))]
        return self._found(document, pattern, numbers, {})

    def find_meaning(self, document: Document, pattern: str) -> Result:
        """Lines of the document's passages nearest to `pattern` in meaning; without vectors, by its words."""
        candidates = [Hit(p, n, 0.0) for n, p in enumerate(self._weighed(document, pattern), 1)]
        ranking = self._retriever.meaning(pattern, candidates, NEAREST)
        if not ranking.by_meaning:
            return replace(self.find_words(document, pattern), usage=ranking.usage, error=ranking.notice)
        numbers = [hit.passage.lines[0] if hit.passage.lines else 1 for hit in ranking.hits]
        found = self._found(document, pattern, numbers, ranking.times)
        by_query = {pattern: ranking.hits}
        return replace(found, hits=ranking.hits, by_query=by_query, usage=ranking.usage, error=ranking.notice)

    def _weighed(self, document: Document, pattern: str) -> Sequence[Passage]:
        """The passages to compare in meaning, so few that nobody waits for a whole document to be embedded."""
        passages = self._passages_of(document)
        if len(passages) <= WEIGHED:
            return passages
        within = np.array([passage.order for passage in passages], dtype=np.int64)
        ranked = self._retriever.keyword(pattern, WEIGHED, within).hits
        return [hit.passage for hit in ranked] or passages[:WEIGHED]

    def _found(self, document: Document, pattern: str, numbers: list[int], times: Mapping[str, float]) -> Result:
        if self._retriever.filters.given:
            numbers = [number for number in numbers if self._passages_between(document, number, number)]
        shown = [f"{n}: {document.lines[n - 1][:400]}" for n in numbers[:FOUND]]
        if len(numbers) > FOUND:
            shown.append(f"truncated, {len(numbers) - FOUND} more lines")
        seen = {p.id: p for n in numbers[:FOUND] for p in self._passages_between(document, n, n)}
        detail = Say.of("step.find", document=document.title, pattern=pattern, lines=len(numbers))
        return Result(detail, "\n".join(shown) or "no line matches", seen=tuple(seen.values()), times=times)

    def _passages_of(self, document: Document) -> tuple[Passage, ...]:
        """Its passages, as far as the filters let them through; one without passages is not held back."""
        passages, within = self._base.of_document(document.id), self._retriever.within
        if within is None:
            return passages
        allowed = set(within.tolist())
        return tuple(passage for passage in passages if passage.order in allowed)

    def _passages_between(self, document: Document, first: int, last: int) -> tuple[Passage, ...]:
        return tuple(
            p for p in self._passages_of(document) if p.lines is None or (p.lines[0] <= last and p.lines[1] >= first)
        )
