"""Reading: a section's passages in a comfortable measure, and one passage with all that is known of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.coverage.naming import document_called
from core.domain import Passage
from core.errors import WorkbenchError
from core.knowledge.base import JOINT, KnowledgeBase, unique
from core.knowledge.sources import source_of
from core.knowledge.tokeniser import Tokeniser
from core.retrieval.memo import Memo
from core.runs import Comparison, Run
from core.words import Words
from pages.parts.frame import Frame
from pages.parts.library import describing
from pages.parts.literal import inline, short, shown
from pages.parts.numbers import local
from pages.parts.search import close_passage, open_passage
from pages.parts.sources import COLOURS, citations_of, lines, telling
from pages.parts.tabular import has_table, readable

MEASURE = 608
"""Pixels of a line of reading text: 38 Chinese characters of 16 pixels."""
GUTTER = 56
"""Pixels beside it for the button that opens a passage."""
_FEW = 30
"""Sections up to which they are listed; more are chosen from a box that can be searched."""
_SECTIONS: Memo[Mapping[str, Sequence[Passage]]] = Memo(1)
_LISTED = 10
"""Kept comparisons looked at for where a passage was used."""
_SHORT = 46
"""Columns of type that a question takes in the list of them; a link does not break, and a phone is narrow."""


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
    return [
        passage
        for cut in base.cuts
        for passage in sorted((*cut.passages, *cut.disabled), key=lambda passage: passage.lines or (0, 0))
    ]


PAGE = 100
"""Passages of a section on one page."""


def draw_section(base: KnowledgeBase, section: str, words: Words) -> DeltaGenerator:
    """A section as running text; each passage's label opens it. Returns the room below its title."""
    st.subheader(inline(section), anchor=False)
    room = st.container()
    passages = sections_of(base)[section]
    pages = -(-len(passages) // PAGE)
    at = st.number_input(words("ui.reader.page", pages=pages), 1, pages, key=f"page.{section}") if pages > 1 else 1
    for passage in passages[(at - 1) * PAGE : at * PAGE]:
        named = passage.text.startswith(passage.title) or section.endswith(passage.title)
        title = "" if named else f"**{inline(passage.title)}**\n\n"
        text = title + readable(passage.text)
        beside = not has_table(text)  # a table needs the whole width of a phone
        with st.container(horizontal=beside, wrap=not beside, gap="xsmall"):
            if passage.order < 0:
                with st.container(width="stretch", gap=None):
                    st.badge(words("ui.edit.disabled"), icon=":material/visibility_off:", color="gray")
                    st.caption(text)
            else:
                st.markdown(text, width="stretch")
            _button(passage, ":material/open_in_full:", words("ui.reader.open", title=passage.title or passage.id))
    return room


def _button(passage: Passage, label: str, about: str | None = None) -> None:
    key = f"open.{passage.id}"
    st.button(label, type="tertiary", key=key, help=about, on_click=open_passage, args=(passage.id,))


def draw_open(base: KnowledgeBase, tokeniser: Tokeniser, passage: Passage, query: str, words: Words) -> None:
    """One passage: its text and what is known of it, between its neighbours."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(words("ui.reader.back"), icon=":material/arrow_back:", key="back", on_click=close_passage)
        if passage.order > 0:
            _button(base.passages[passage.order - 1], f":material/chevron_left: {words('ui.reader.previous')}")
        if 0 <= passage.order < len(base.passages) - 1:
            _button(base.passages[passage.order + 1], f"{words('ui.reader.next')} :material/chevron_right:")
    with st.container(border=True):
        st.markdown(f"### {inline(passage.title or passage.id)}", anchors=False)
        st.caption(inline(passage.section))
        if passage.order < 0:
            st.badge(words("ui.edit.disabled"), icon=":material/visibility_off:", color="gray")
        st.markdown(
            readable(passage.text, tokeniser.spans(passage.text, telling(tokeniser.query(query))) if query else ())
        )
        st.caption(" · ".join(inline(part) for part in _facts(base, passage, words)))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(words("ui.reader.id"), width="content")
            st.code(passage.id, language=None, width="content")


def draw_more(page: Frame, tokeniser: Tokeniser, passage: Passage) -> None:
    """How a passage is segmented, and where it was used."""
    words = page.words
    with st.expander(words("ui.reader.segmented"), icon=":material/segment:"):
        st.caption(words("ui.reader.segmented_help"))
        st.markdown(inline(" / ".join(tokeniser.tokens(passage.indexed))))
    _used(page, passage, tokeniser)


def _facts(base: KnowledgeBase, passage: Passage, words: Words) -> list[str]:
    document = base.document_of(passage)
    source = source_of(document.lines)
    facts = [f"{document.id} ({source or document.encoding})"]
    if passage.lines:
        facts.append(lines(passage.lines, words))
    if passage.page:
        facts.append(words("ui.passage.page", page=passage.page))
    facts.append(words("ui.passage.characters", count=len(passage.text)))
    return facts + describing.facts(passage, words)


def _used(page: Frame, passage: Passage, tokeniser: Tokeniser) -> None:
    """The kept comparisons that cited or retrieved the passage, newest first."""
    words = page.words
    st.markdown(f"**{words('ui.reader.used')}**")
    try:
        found = [_opened(page, kept.id) for kept in page.archive.citing(passage.id, _LISTED, page.reader)]
    except WorkbenchError as unusable:
        st.caption(inline(words.say(unusable.say)))
        return
    comparisons = [comparison for comparison in found if comparison]
    if not comparisons:
        st.caption(words("ui.reader.unused"))
    for comparison in comparisons:
        with st.container(gap=None):
            st.page_link(
                "pages/compare.py", label=inline(short(comparison.question, _SHORT)), query_params={"c": comparison.id}
            )
            roles = [
                f":{colour}[{inline(words.mode(run.mode))}] {words(f'ui.reader.{role(run, passage, tokeniser)}')}"
                for run, colour in zip(comparison.runs, COLOURS, strict=False)
            ]
            st.markdown(f":small[:gray[{local(comparison.created, words)}] · {' · '.join(roles)}]")


def _opened(page: Frame, identifier: str) -> Comparison | None:
    """A kept comparison that this reader may see, and can."""
    try:
        return page.archive.open(identifier, page.reader)
    except WorkbenchError:
        return None  # someone else's, or a damaged record: the list goes on without it


def role(run: Run, passage: Passage, tokeniser: Tokeniser) -> str:
    """What a run made of a passage: cited, given, retrieved or nothing."""
    if passage.id in {p.id for p in run.evidence}:
        cited = {c.passage.id for c in citations_of(run, tokeniser) if c.passage}
        return "cited" if passage.id in cited else "given"
    return "retrieved" if any(p.id == passage.id for step in run.steps for p in step.touched) else "missed"
