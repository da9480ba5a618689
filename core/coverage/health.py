"""Health of a knowledge base: faults that can be seen without asking it anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.coverage.articles import References
from core.coverage.repeats import repeated
from core.domain import Passage, Say
from core.knowledge.base import JOINT, Document, KnowledgeBase
from core.knowledge.building import asides
from core.knowledge.ids import label_of, unrepeated
from core.knowledge.questions import Question
from core.knowledge.splitting import Piece, split
from core.llm.embedded import LONGEST

Severity = Literal["error", "warning", "notice"]
"""An error makes the check fail; a warning is for a person to look at; a notice is worth knowing."""

Kind = Literal[
    "unread",
    "blank",
    "repeated_id",
    "gold",
    "duplicate_article",
    "dangling_reference",
    "empty_section",
    "long_passage",
    "aside",
    "contradiction",
    "near_duplicate",
]

_BLANK = frozenset({"base.file.empty", "base.passage.blank"})
_UNSUPPORTED = "base.file.unsupported"
_NAMED = 5
"""Passages or headings named in one sentence; the finding itself holds all."""

_LIKE = 20
"""Questions that are told which passages are like their missing gold: looking takes its time in a big base."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault: its kind, the ids of the passages concerned in order, the sentence, and how bad it is."""

    kind: Kind
    passages: tuple[str, ...]
    say: Say
    severity: Severity = "warning"


def health(base: KnowledgeBase, questions: Sequence[Question] = (), longest: int = LONGEST) -> tuple[Finding, ...]:
    """All faults of a base, errors first; `longest` is how many characters the embedder reads of a passage at once.

    In a corpus, which brings its own ids, one that ends in `~2` where the same without it exists was given twice.
    """
    found = [
        *_unread(base),
        *_ids(base),
        *_gold(base, questions),
        *_duplicates(base),
        *_dangling(base),
        *_empty(base),
        *_long(base, longest),
        *_asides(base),
    ]
    order: tuple[Severity, ...] = ("error", "warning", "notice")
    return tuple(sorted(found, key=lambda finding: order.index(finding.severity)))


def _unread(base: KnowledgeBase) -> Iterator[Finding]:
    """Files that did not come in: blank ones and kinds that are none of ours are no error."""
    for file, why in base.unread:
        if why.code in _BLANK:
            yield Finding("blank", (), why)
        else:
            say = Say.of("coverage.unread", file=file, reason=why.as_value())
            yield Finding("unread", (), say, "warning" if why.code == _UNSUPPORTED else "error")


def _ids(base: KnowledgeBase) -> Iterator[Finding]:
    """Ids that a corpus gives more than once; those that we make from labels of files may repeat by nature."""
    groups: dict[str, list[str]] = {}
    for passage in base.passages if not base.cuts else ():
        stem = unrepeated(passage.id)
        if stem != passage.id and base.has(stem):
            groups.setdefault(stem, [stem]).append(passage.id)
    for stem, ids in groups.items():
        yield Finding("repeated_id", tuple(ids), Say.of("coverage.repeated_id", id=stem, count=len(ids)), "error")


def _gold(base: KnowledgeBase, questions: Sequence[Question]) -> Iterator[Finding]:
    """Questions whose gold the base does not hold; the first are told what is like it."""
    lacking = [(one, missing) for one in questions if (missing := [id for id in one.gold if not base.has(id)])]
    for at, (question, missing) in enumerate(lacking):
        values = {
            "question": question.id,
            "text": question.question,
            "count": len(missing),
            "ids": missing[:_NAMED],
        }
        like = base.like(missing[0]) if at < _LIKE else []
        say = Say("coverage.gold_near", {**values, "near": like}) if like else Say("coverage.gold", values)
        yield Finding("gold", (), say, "error")


def _duplicates(base: KnowledgeBase) -> Iterator[Finding]:
    """Numbers of articles and cases that a document has twice: an error, unless its numbering begins anew between."""
    for document in base.documents:
        within, across = repeated(base.of_document(document))
        if within:
            yield _duplicate("coverage.duplicate", document, within, "error")
        if across:
            yield _duplicate("coverage.renumbered", document, across, "warning")


def _duplicate(code: str, document: str, groups: Sequence[Sequence[Passage]], severity: Severity) -> Finding:
    labels = [unrepeated(label_of(group[0].id)) for group in groups]
    say = Say(code, {"document": document, "count": len(labels), "labels": labels[:_NAMED]})
    return Finding("duplicate_article", tuple(passage.id for group in groups for passage in group), say, severity)


def _dangling(base: KnowledgeBase) -> Iterator[Finding]:
    """Articles that are referred to and do not exist: one finding for each, with the passages that refer to it."""
    references = References(base)
    missing: dict[tuple[str, str], dict[str, None]] = {}
    for passage in base.passages:
        for reference in references.of(passage):
            if not reference.found:
                missing.setdefault((reference.work, reference.words), {})[passage.id] = None
    for (work, words), ids in missing.items():
        values = {"work": work, "words": words, "count": len(ids), "ids": list(ids)[:_NAMED]}
        yield Finding("dangling_reference", tuple(ids), Say("coverage.dangling", values))


def _empty(base: KnowledgeBase) -> Iterator[Finding]:
    """Headings with nothing below them, and documents that gave no passage; one finding a document."""
    for id, document in base.documents.items():
        passages = base.of_document(id)
        if not passages:
            yield Finding("empty_section", (), Say.of("coverage.empty_document", document=id))
        elif headings := _bare_headings(document, passages):
            values = {"document": id, "count": len(headings), "headings": headings[:_NAMED]}
            yield Finding("empty_section", (), Say("coverage.empty", values))


def _bare_headings(document: Document, passages: Sequence[Passage]) -> list[str]:
    """Heading paths of a document below which no passage begins before the next heading that is not deeper.

    The heading that a document opens with is its title: it may stand alone.
    """
    if not any(_may_head(line) for line in document.lines):
        return []
    inside = {line for passage in passages if passage.lines for line in range(passage.lines[0], passage.lines[1] + 1)}
    starts = sorted(passage.lines[0] for passage in passages if passage.lines)
    headings = [piece for piece in split("\n".join(document.lines)) if piece.kind == "heading"]
    headings = [piece for piece in headings if piece.first not in inside]
    ends = [_end(headings, at, len(document.lines)) for at in range(len(headings))]
    return [
        JOINT.join(piece.path)
        for at, (piece, end) in enumerate(zip(headings, ends, strict=True))
        if piece.path and not (at == 0 and piece.level == 1) and not any(piece.first <= start < end for start in starts)
    ]


def _end(headings: Sequence[Piece], at: int, last: int) -> int:
    """The line at which the next heading of the same or a higher level begins."""
    level = headings[at].level or 0
    return next((later.first for later in headings[at + 1 :] if (later.level or 0) <= level), last + 2)


def _may_head(line: str) -> bool:
    """Whether a line may be a heading: a document that has no such line, as of a corpus, is not cut anew."""
    stripped = line.lstrip()
    return stripped[:1] in ("#", "第", "=", "-", "一", "附") or stripped[:4].lower() in ("part", "chap", "sect")


def _long(base: KnowledgeBase, longest: int) -> Iterator[Finding]:
    """Passages of which the embedder does not read everything at once."""
    for passage in base.passages:
        if longest and (length := len(passage.indexed)) > longest:
            say = Say.of("coverage.long", id=passage.id, length=length, most=longest)
            yield Finding("long_passage", (passage.id,), say)


def _asides(base: KnowledgeBase) -> Iterator[Finding]:
    """Quotations in no passage, but for one that several documents begin with: nobody looks for that."""
    found = {id: asides("\n".join(one.lines), base.splitting) for id, one in base.documents.items()}
    held = Counter(text for texts in found.values() for text in set(texts))
    for id, texts in found.items():
        own = [text.lstrip("> ").split("\n")[0] for text in texts if held[text] == 1]
        if own:
            values = {"document": id, "count": len(own), "texts": own[:_NAMED]}
            yield Finding("aside", (), Say("coverage.aside", values), "notice")


def failed(findings: Iterable[Finding]) -> bool:
    """Whether a check over these findings is not met: one of them is an error."""
    return any(finding.severity == "error" for finding in findings)
