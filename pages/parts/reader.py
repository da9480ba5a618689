"""Reading: a section's passages in a comfortable measure, and one passage with all that is known of it."""

from __future__ import annotations

from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.domain import Passage
from core.errors import WorkbenchError
from core.knowledge.base import Document, KnowledgeBase
from core.knowledge.loading import SUFFIXES
from core.knowledge.sources import source_of
from core.knowledge.tokeniser import Tokeniser
from core.runs import Comparison, Run
from core.words import Words
from pages.parts.frame import Frame
from pages.parts.library import describing
from pages.parts.literal import inline, short
from pages.parts.numbers import local
from pages.parts.search import close_passage, open_passage
from pages.parts.sections import neighbours, sections_of
from pages.parts.sources import COLOURS, citations_of, lines, telling
from pages.parts.tabular import has_table, readable

MEASURE = 608
"""Pixels of a line of reading text: 38 Chinese characters of 16 pixels."""
GUTTER = 56
"""Pixels beside it for the button that opens a passage."""
_LISTED = 10
"""Kept comparisons looked at for where a passage was used."""
_SHORT = 46
"""Columns of type that a question takes in the list of them; a link does not break, and a phone is narrow."""
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
            about = words("ui.reader.open", title=passage.title or passage.id)
            _button(passage, f":small[:gray[{words('ui.reader.open_short')}]]", about)
    return room


def _button(
    passage: Passage,
    label: str,
    about: str | None = None,
    icon: str | None = None,
    icon_position: Literal["left", "right"] = "left",
) -> None:
    st.button(
        label,
        type="tertiary",
        key=f"open.{passage.id}",
        help=about and inline(about),
        icon=icon,
        icon_position=icon_position,
        on_click=open_passage,
        args=(passage.id,),
    )


def draw_open(base: KnowledgeBase, tokeniser: Tokeniser, passage: Passage, query: str, words: Words) -> None:
    """One passage: its text and what is known of it, between its neighbours."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(words("ui.reader.back"), icon=":material/arrow_back:", key="back", on_click=close_passage)
        before, after = neighbours(base, passage)
        if before:
            _button(before, words("ui.reader.previous"), icon=":material/chevron_left:")
        if after:
            _button(after, words("ui.reader.next"), icon=":material/chevron_right:", icon_position="right")
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
    facts = [f"{document.id} ({_source(document)})"]
    if passage.lines:
        facts.append(lines(passage.lines, words))
    if passage.page:
        facts.append(words("ui.passage.page", page=passage.page))
    facts.append(words("ui.passage.characters", count=len(passage.text)))
    return facts + describing.facts(passage, words)


def _source(document: Document) -> str:
    """The file that a document was made from; of a text, which is its own source, the encoding."""
    own = "" if document.file.lower().endswith(SUFFIXES) else document.file
    return source_of(document.lines) or own or document.encoding


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
