"""Where a rule-based policy finds the next hop: the names and the articles that the best passages mention."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain import Passage
from core.retrieval.ranking import Retriever

_NAME = re.compile(r"(?<![\w'’-])[A-Z][\w'’-]*(?:\s+(?:of|the|de|van|von|and)?\s*[A-Z][\w'’-]*)*|《([^》]{2,30})》")
_START = re.compile(r"(?:^|[.!?:;]\s+|[\"“(]\s*)$")
_ARTICLE = re.compile(r"第[0-9]+条")


def names(question: str, passages: Sequence[Passage], most: int) -> list[str]:
    """Names in the best passages that the question lacks, a passage's own title first."""
    asked = question.casefold()
    found: dict[str, None] = {}
    for passage in passages:
        if passage.title and passage.title[:1].isupper():
            found.setdefault(passage.title)
        for match in _NAME.finditer(passage.text):
            name = (match[1] or match[0]).strip()
            single_start = " " not in name and not match[1] and _START.search(passage.text[: match.start()])
            if len(name) > 2 and not single_start:
                found.setdefault(name)
    return [name for name in found if name.casefold() not in asked][:most]


def articles(retriever: Retriever, passage: Passage) -> list[str]:
    """Other articles that a passage refers to, in the tokeniser's canonical form (`第6条`)."""
    own = set(retriever.tokeniser.tokens(passage.title))
    return [term for term in retriever.tokeniser.query(passage.text) if _ARTICLE.fullmatch(term) and term not in own]
