"""Searching the knowledge base on its page: the ranking of a mode, with its scores."""

from __future__ import annotations

import streamlit as st

from core.bench import Bench
from core.domain import Hit
from core.retrieval.cosines import EXACT
from core.retrieval.ranking import Way
from core.words import Words
from pages.parts import addressed, filtering
from pages.parts.labels import exactly, named, unclear
from pages.parts.literal import inline
from pages.parts.numbers import seconds
from pages.parts.sources import telling
from pages.parts.tabular import readable

WAYS: tuple[Way, ...] = ("bm25", "rerank")
LISTED = 20
"""Hits shown."""


def ask(words: Words) -> tuple[str, Way]:
    """The search box and the ranking to use."""
    query = st.text_input(
        words("ui.search.label"),
        key="find",
        placeholder=words("ui.search.placeholder"),
        on_change=close_passage,
        persist_state="session",
    )
    way = st.segmented_control(
        words("ui.search.way"),
        WAYS,
        default="bm25",
        format_func=words.mode,
        key="way",
        required=True,
        label_visibility="collapsed",
        on_change=close_passage,
        persist_state="session",
        wrap=True,
    )
    return (query or "").strip(), way or "bm25"


def open_passage(passage: str) -> None:
    """Open a passage; the address names it."""
    addressed.write(p=passage)


def close_passage() -> None:
    """Leave the opened passage for the list."""
    addressed.write(p=None)


def draw(bench: Bench, query: str, way: Way, words: Words) -> None:
    """The hits with scores among what the filters let through, or why there are none."""
    place, base = filtering.LIBRARY, bench.base
    filtering.settle(place, base, words)
    with st.container(horizontal=True, vertical_alignment="center"):
        found = st.container(width="stretch")
        with st.popover(words("ui.filters.title"), icon=":material/filter_alt:"):
            filtering.draw_fields(place, base, words)
    if not filtering.draw_active(place, base, words):
        return
    with st.spinner(words("ui.search.busy")):
        ranking = bench.limited(filtering.chosen(place)).for_run().retriever.search(query, LISTED, way)
    terms = bench.retriever.tokeniser.query(query)
    found.markdown(f"**{words('ui.search.found', count=len(ranking.hits))}** :gray[{seconds(ranking.seconds)}]")
    if terms:
        st.caption(inline(words("ui.search.terms", terms=" / ".join(terms))))
    if ranking.notice:
        st.info(inline(words.say(ranking.notice)), icon=":material/info:")
    for hit in ranking.hits:
        _hit(bench, hit, terms, words)


def _hit(bench: Bench, hit: Hit, terms: list[str], words: Words) -> None:
    passage = hit.passage
    with st.container(border=True, gap="xsmall"):
        st.button(
            f"**{hit.rank}** {named(passage)}",
            type="tertiary",
            key=f"open.{passage.id}",
            on_click=open_passage,
            args=(passage.id,),
            wrap=True,
        )
        st.markdown(readable(passage.text, bench.retriever.tokeniser.spans(passage.text, telling(terms))))
        st.markdown(f":small[{' · '.join(_scores(hit, words))}]")  # a caption would fade the marks


def _scores(hit: Hit, words: Words) -> list[str]:
    """What marks the hit, then every stage's score and rank, in the field's words."""
    shown = {"bm25": "{:.2f}", "bm25_rank": "#{:.0f}", "cosine": "{:.3f}"}
    marks = [exactly(words) if EXACT in hit.scores else "", unclear(hit.passage, words)]
    figures = [
        f":gray[{inline(words(f'ui.search.score_{name}'))} {shown[name].format(value)}]"
        for name, value in hit.scores.items()
        if name in shown
    ]
    return [*filter(None, marks), *figures]
