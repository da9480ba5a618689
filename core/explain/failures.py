"""Failure classes: what went wrong with each gold passage, or with the answer as a whole.

Rules, not a judge: only what can be seen in the trace, the marks and the words of the answer is claimed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from core.citations import cited, flags
from core.domain import EVIDENCE, Citation, Passage
from core.knowledge.quantities import stands
from core.knowledge.questions import Question
from core.knowledge.sentences import sentences
from core.llm.extractive import TEMPLATES
from core.runs import Run

Kind = Literal["absent", "unretrieved", "cut", "uncited", "misstated", "refused", "invented"]
"""In the order of a passage's way: not in the base; never retrieved; retrieved and cut (also: not kept); given and not
cited; cited, but a fact of it not stated. Then: refused though the evidence was there; answered though none is."""

KINDS: tuple[Kind, ...] = get_args(Kind)

UNANSWERABLE = "unanswerable"
"""The kind of questions of which a set says that the base holds no answer."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure of one run: its class, and the gold passages or the facts that it concerns.

    `ids` are gold passages that the base does not hold; an unanswerable question has none.
    """

    kind: Kind
    mode: str
    passages: tuple[Passage, ...] = ()
    facts: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


def failures(
    run: Run, question: Question, gold: Sequence[Passage], citations: Sequence[Citation]
) -> tuple[Failure, ...]:
    """The failures of a run on a question of a set, in the order of `Kind`; none where all went well.

    What an unanswerable question asks for is `absent` however the run ended, also where it rightly refused. A run
    that is going, or ended before its evidence stood, has not come so far that more could be said.
    """
    return tuple(sorted(_found(run, question, gold, citations), key=lambda failure: KINDS.index(failure.kind)))


def _found(run: Run, question: Question, gold: Sequence[Passage], citations: Sequence[Citation]) -> Iterator[Failure]:
    held = {passage.id for passage in gold}
    missing = tuple(id for id in question.gold if id not in held)
    unanswerable = question.kind == UNANSWERABLE and not question.gold
    if missing or unanswerable:
        yield Failure("absent", run.mode, ids=missing)
    if _retrieved(run):
        yield from _of_retrieval(run, gold)
    if run.answer.strip() and run.whole:
        yield from _of_answer(run, question, gold, citations)
        if unanswerable and cited(citations) and not refuses(run.answer, citations):
            yield Failure("invented", run.mode)


def _retrieved(run: Run) -> bool:
    return run.whole or any(step.name == EVIDENCE for step in run.steps)


def _of_retrieval(run: Run, gold: Sequence[Passage]) -> Iterator[Failure]:
    """Gold that did not reach the writer."""
    given = {passage.id for passage in run.evidence}
    if unretrieved := tuple(passage for passage in gold if passage.id not in run.touched):
        yield Failure("unretrieved", run.mode, unretrieved)
    if cut := tuple(passage for passage in gold if passage.id in run.touched.keys() - given):
        yield Failure("cut", run.mode, cut)


def _of_answer(
    run: Run, question: Question, gold: Sequence[Passage], citations: Sequence[Citation]
) -> Iterator[Failure]:
    """What the answer made of the gold it was given."""
    given = {passage.id for passage in run.evidence}
    used_ids = cited(citations)
    had = tuple(passage for passage in gold if passage.id in given)
    used = tuple(passage for passage in had if passage.id in used_ids)
    if had and not used and refuses(run.answer, citations):
        yield Failure("refused", run.mode, had)
        return
    if uncited := tuple(passage for passage in had if passage.id not in used_ids):
        yield Failure("uncited", run.mode, uncited)
    unsaid = {p: [fact for fact in question.facts if stands(fact, p.text)] for p in used}
    unsaid = {p: [fact for fact in facts if not stands(fact, run.answer)] for p, facts in unsaid.items()}
    if any(unsaid.values()):
        facts = tuple(dict.fromkeys(fact for said in unsaid.values() for fact in said))
        yield Failure("misstated", run.mode, tuple(p for p, said in unsaid.items() if said), facts)


def refuses(answer: str, citations: Sequence[Citation]) -> bool:
    """Whether an answer says that nothing answers: the offline writer in its words, a model by claiming nothing."""
    if any(answer.startswith(words[kind]) for words in TEMPLATES.values() for kind in ("refusal", "nearest")):
        return True
    said = [answer[start:end] for start, end in sentences(answer)]
    stated = any(re.search(r"\w\w", text) and text[-1] not in "?？" for text in said)  # not a mere question back
    return stated and not cited(citations) and not flags(answer, ())
