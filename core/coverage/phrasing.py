"""Questions made from a passage's own facts, by rule: what a needle test asks where no one wrote a question.

A clause that states a number, a period, an amount or who is responsible becomes a question for it, in plainer words.
Where none has a form of its own (`phrasing_wider`), a row of a table, a named value, a date, a model, an article or who
must, may or must not do something is asked for. Limits: the question keeps words of its passage, so keyword search
finds it more easily than a person's own question; a clause whose subject stands in another sentence is passed over;
facts of other kinds (names, definitions, lists, the steps of a procedure) make no question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.coverage import phrasing_en, phrasing_wider, phrasing_zh
from core.coverage.hard_facts import facts_of, states
from core.coverage.phrase import LONGEST, SHORTEST, Phrased
from core.domain import Passage
from core.knowledge.entities import entities
from core.knowledge.folding import has_han
from core.knowledge.sentences import sentences
from core.knowledge.sheet_rows import body_of

_FULL = re.compile(r"[^。！？!?\n]+")
"""A Chinese sentence up to its full stop: what follows a semicolon often leans on the condition before it."""
_WIDER = 3
"""An English question may have so many times the characters."""


def phrased(passage: Passage) -> Phrased | None:
    """The question that fits the passage best; `None` where it states no fact that a question can be made of."""
    text = body_of(passage).lstrip(" \u3000:：")
    rules = phrasing_zh.questions if has_han(text) else phrasing_en.questions
    spans = [m.span() for m in _FULL.finditer(text)] if has_han(text) else sentences(text)
    found = [each for start, end in spans for each in _usable(rules(text[start:end].strip()), text)]
    found = found or list(_usable(phrasing_wider.questions(passage, text), text))
    return max(found, key=lambda each: each.weight, default=None)


def factual(passage: Passage) -> bool:
    """Whether a passage states a figure, a period, an amount, a share, a date or a model, asked for or not."""
    text = body_of(passage)
    found = entities(text)
    return bool(facts_of(text) or found.models or found.amounts or found.shares or found.dates or found.periods)


def _usable(found: Iterator[Phrased], text: str) -> Iterator[Phrased]:
    """Those of a fair length that neither give their answer away nor repeat the text."""
    wider = 1 if has_han(text) else _WIDER
    for each in found:
        asked = each.question.rstrip("？?")
        fair = SHORTEST * wider <= len(asked) <= LONGEST * wider
        if fair and not states(asked, each.fact) and asked not in text:
            yield each
