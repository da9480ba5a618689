"""The sections of a base as they are read: each of one document, chosen from a list that fits on a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from core.coverage.naming import document_called
from core.domain import Passage
from core.knowledge.base import JOINT, KnowledgeBase, unique
from core.retrieval.memo import Memo
from core.words import Words
from pages.parts.literal import inline, shown
from pages.parts.search import close_passage

_FEW = 30
"""Sections up to which they are listed; more are chosen from a box that can be searched."""
_SECTIONS: Memo[Mapping[str, Sequence[Passage]]] = Memo(1)


def choose(base: KnowledgeBase, opened: Passage | None, words: Words) -> str:
    """The section to read; it follows the opened passage. Of many sections the document is chosen first."""
    found = sections_of(base)
    held = {section: passages[0].document for section, passages in found.items()}
    own = next((section for section, some in found.items() if opened in some), None) if opened else None
    grouped = len(found) > max(_FEW, len(set(held.values()))) and len(set(held.values())) > 1
    sections = _of_document(base, held, own, words) if grouped else list(found)
    if own:
        st.session_state["section"] = own
    else:  # put anew even where it is the same: a count that changes makes the widget another one
        before = st.session_state.get("section")
        st.session_state["section"] = before if before in sections else sections[0]
    label = words("ui.reader.sections")
    called = _below_shared(sections) if grouped else {section: section for section in sections}
    if len(sections) > _FEW:
        chosen = st.selectbox(
            label,
            sections,
            format_func=lambda section: shown(called[section]),
            key="section",
            on_change=_leave_search,
            persist_state="session",
        )
    else:
        chosen = st.radio(
            label,
            sections,
            format_func=lambda section: f"{inline(called[section])} :gray[{len(found[section])}]",
            key="section",
            on_change=_leave_search,
            persist_state="session",
        )
    return str(chosen)


def _of_document(base: KnowledgeBase, held: Mapping[str, str], own: str | None, words: Words) -> list[str]:
    """The sections of one document; `held` tells the document of each, `own` is that of the opened passage."""
    documents, key = list(dict.fromkeys(held.values())), "section.document"
    wanted = held[own] if own else st.session_state.get(key)
    st.session_state[key] = (
        wanted if wanted in documents else held.get(str(st.session_state.get("section")), documents[0])
    )
    chosen = st.selectbox(
        words("ui.edit.which_document"),
        documents,
        format_func=lambda id: shown(document_called(base, id)),
        key=key,
        on_change=_leave_search,
        persist_state="session",
    )
    return [section for section, document in held.items() if document == chosen]


def _below_shared(sections: Sequence[str]) -> dict[str, str]:
    """What each section of a document is called without the headings that all of them share.

    >>> _below_shared(["Safety › Frost", "Safety › Heat › Steam"])
    {'Safety › Frost': 'Frost', 'Safety › Heat › Steam': 'Heat › Steam'}
    """
    paths = [section.split(JOINT) for section in sections]
    most = min(map(len, paths)) - 1
    shared = next((at for at in range(most) if len({path[at] for path in paths}) > 1), most)
    return {section: JOINT.join(path[shared:]) for section, path in zip(sections, paths, strict=True)}


def _leave_search() -> None:
    close_passage()
    st.session_state["find"] = ""


def sections_of(base: KnowledgeBase) -> Mapping[str, Sequence[Passage]]:
    """The passages of each section in the order of their documents, disabled ones too.

    A section that several documents have is one of each, behind the document's name. Passages of a corpus that stand
    in none are one section, since it may have a document for each.
    """
    return _SECTIONS.of(base, "sections", lambda: _sections(base))


def _sections(base: KnowledgeBase) -> Mapping[str, Sequence[Passage]]:
    held: dict[tuple[str, str], list[Passage]] = {}
    for passage in _as_they_stand(base):
        document = passage.document if passage.section or base.cuts else ""
        held.setdefault((document, passage.section), []).append(passage)
    several = Counter(section for _, section in held)
    found: dict[str, Sequence[Passage]] = {}
    for (document, section), passages in held.items():
        name = section if several[section] == 1 else JOINT.join(filter(None, (document, section)))
        found[unique(name, found)] = passages
    return found


def _as_they_stand(base: KnowledgeBase) -> Sequence[Passage]:
    """All passages as they stand in their documents, disabled ones too."""
    if not base.disabled:
        return base.passages
    cuts = (sorted((*cut.passages, *cut.disabled), key=lambda passage: passage.lines or (0, 0)) for cut in base.cuts)
    return [base.passage(one.id) if base.has(one.id) else one for passages in cuts for one in passages]


def neighbours(base: KnowledgeBase, passage: Passage) -> tuple[Passage | None, Passage | None]:
    """The passages that stand before and after one, disabled ones too."""
    standing = _as_they_stand(base)
    at = next(at for at, one in enumerate(standing) if one.id == passage.id) if base.disabled else passage.order
    return standing[at - 1] if at > 0 else None, standing[at + 1] if at + 1 < len(standing) else None
