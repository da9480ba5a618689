"""What a passage is called where passages of several documents stand together."""

from __future__ import annotations

from collections import Counter

from core.domain import Passage
from core.knowledge.base import JOINT, KnowledgeBase
from core.knowledge.ids import label_of


def called(base: KnowledgeBase, passage: Passage) -> str:
    """A passage's label behind its document, where the base has several, and its section, where the label needs it.

    A label that stands twice in its document, or is no more than a number, needs it. Documents of one title go by
    their id.
    """
    document = base.documents[passage.document]
    titles = Counter(each.title for each in base.documents.values()) if len(base.documents) > 1 else Counter()
    own = document.title if titles[document.title] == 1 and document.title else document.id
    label = passage.title or label_of(passage.id)
    parts = [own] if len(base.documents) > 1 else []
    if not passage.title or _repeated(base, passage):
        parts += [heading for heading in passage.section.split(JOINT)[-1:] if heading not in (own, label, "")]
    return f"{JOINT.join([*parts, label])}"


def _repeated(base: KnowledgeBase, passage: Passage) -> bool:
    return sum(other.title == passage.title for other in base.of_document(passage.document)) > 1
