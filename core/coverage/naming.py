"""What a passage is called where passages of several documents stand together."""

from __future__ import annotations

from collections import Counter

from core.domain import Passage
from core.knowledge.base import JOINT, KnowledgeBase
from core.knowledge.ids import label_of
from core.retrieval.memo import Memo

_TITLES: Memo[Counter[str]] = Memo(1)
_LABELS: Memo[Counter[tuple[str, ...]]] = Memo(1)


def called(base: KnowledgeBase, passage: Passage) -> str:
    """A passage's label behind its document, where the base has several, and its section, where the label needs it.

    A label that stands twice in its document, or is no more than a number, needs it; one that stands twice in its
    section has its number behind it.
    """
    own, label = document_called(base, passage.document), passage.title or label_of(passage.id)
    counts = _labels(base)
    repeated = passage.title != "" and counts[passage.document, passage.title] > 1
    parts = [own] if len(base.documents) > 1 else []
    if not passage.title or repeated:
        parts += [heading for heading in passage.section.split(JOINT)[-1:] if heading not in (own, label, "")]
    number = f" #{label_of(passage.id)}" if counts[passage.document, passage.section, passage.title] > 1 else ""
    return JOINT.join([*parts, f"{label}{number}"])


def document_called(base: KnowledgeBase, document: str) -> str:
    """A document's title; its id where several have that title, or it has none."""
    title = base.documents[document].title
    return title if title and _titles(base)[title] == 1 else document


def _titles(base: KnowledgeBase) -> Counter[str]:
    return _TITLES.of(base, "titles", lambda: Counter(each.title for each in base.documents.values()))


def _labels(base: KnowledgeBase) -> Counter[tuple[str, ...]]:
    """How often each title stands in a document, and in a section of it."""

    def make() -> Counter[tuple[str, ...]]:
        counts: Counter[tuple[str, ...]] = Counter((one.document, one.title) for one in base.passages)
        counts.update((one.document, one.section, one.title) for one in base.passages if one.title)
        return counts

    return _LABELS.of(base, "labels", make)
