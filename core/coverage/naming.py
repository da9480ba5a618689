"""What a passage is called where passages of several documents stand together."""

from __future__ import annotations

from collections import Counter
from weakref import WeakKeyDictionary

from core.domain import Passage
from core.knowledge.base import JOINT, KnowledgeBase
from core.knowledge.ids import label_of


def called(base: KnowledgeBase, passage: Passage) -> str:
    """A passage's label behind its document, where the base has several, and its section, where the label needs it.

    A label that stands twice in its document, or is no more than a number, needs it. Documents of one title go by
    their id.
    """
    document = base.documents[passage.document]
    own = document.title if document.title in _single(base) else document.id
    label = passage.title or label_of(passage.id)
    parts = [own] if len(base.documents) > 1 else []
    if not passage.title or _repeated(base, passage):
        parts += [heading for heading in passage.section.split(JOINT)[-1:] if heading not in (own, label, "")]
    return JOINT.join([*parts, label])


_SINGLE: WeakKeyDictionary[KnowledgeBase, frozenset[str]] = WeakKeyDictionary()
"""Of each base in use its titles that stand once, since labels are made by the hundred."""


def _single(base: KnowledgeBase) -> frozenset[str]:
    found = _SINGLE.get(base)
    if found is None:
        counts = Counter(each.title for each in base.documents.values())
        found = _SINGLE[base] = frozenset(title for title, count in counts.items() if title and count == 1)
    return found


def _repeated(base: KnowledgeBase, passage: Passage) -> bool:
    return sum(other.title == passage.title for other in base.of_document(passage.document)) > 1
