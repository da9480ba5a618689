"""Types of passages by any name: the one that records hold, or what either language calls it."""

from __future__ import annotations

from dataclasses import replace

from core.errors import UsageError
from core.knowledge.base import KnowledgeBase
from core.knowledge.folding import fold
from core.retrieval.filters import TYPES, Filters, type_told
from core.words import LANGUAGES, Words


def type_of(name: str) -> str:
    """The type that is called `name` in either language; any other name as it is."""
    wanted = fold(name.strip())[0]
    called = {fold(Words(language)(f"ui.passage.{type}"))[0]: type for type in TYPES for language in LANGUAGES}
    return called.get(wanted, name)


def fitting(filters: Filters, base: KnowledgeBase) -> Filters:
    """The filters with the type by the name that records hold.

    Raises `UsageError` with the types there are for one that is neither ours nor the base's, nor a part of such a name.
    """
    if not filters.type:
        return filters
    named = replace(filters, type=type_of(filters.type))
    own = dict.fromkeys(str(p.metadata["type"]) for p in base.passages if p.metadata.get("type"))
    wanted = fold(named.type)[0]
    if not any(wanted in fold(type)[0] for type in (*TYPES, *own)):
        known = [type_told(type) for type in own or TYPES]
        raise UsageError("filter.type_unknown", value=filters.type, known=known)
    return named
