"""Computing all vectors of a base with a model that costs money: only when asked, with what it is about to send."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.bench import Bench
from core.domain import Say
from core.errors import WorkbenchError
from core.llm.dialect import rough
from core.words import Words
from pages.parts import own
from pages.parts.beside import beside, ticks
from pages.parts.told import told

_SAMPLE = 500
"""Passages whose tokens are counted; more are reckoned from these."""


def offer(bench: Bench, words: Words) -> DeltaGenerator | None:
    """Say what is missing and offer to compute it; where that was clicked, the room for `run`."""
    vectors, embedder = bench.retriever.vectors, bench.retriever.embedder
    told("filling", words)
    if vectors is None or embedder is None or embedder.free:
        return None
    if vectors.complete:
        st.caption(words("ui.about_base.all_vectors", model=embedder.id))
        return None
    have = set(vectors.known().tolist())
    lacking = [passage.indexed for passage in bench.base.passages if passage.order not in have]
    tokens = sum(map(rough, lacking[:_SAMPLE])) * len(lacking) // min(len(lacking), _SAMPLE)
    st.caption(words("ui.about_base.fill_about", model=embedder.id))
    label = words("ui.about_base.fill", passages=len(lacking), tokens=tokens)
    clicked = st.button(label, key="fill", icon=":material/database_upload:")
    return st.container() if clicked else None


def run(bench: Bench, room: DeltaGenerator, words: Words) -> None:
    """Compute what is missing, showing how far it is; any click stops it, and what has come stays."""
    count = [0, len(bench.base.passages)]

    def work(stopped: Callable[[], bool]) -> None:
        for count[0], count[1] in bench.for_run(stopped).fill(stopped):
            pass

    with room:
        bar = st.empty()
        st.button(words("ui.live.stop"), key="fill.stop", icon=":material/stop_circle:")
    own.say("filling", Say.of("ui.about_base.fill_stopped"))  # heard only where a click ends this run of the script
    with beside(work) as going:
        for _ in ticks(going):
            done, total = count
            bar.progress(done / total if total else 0.0, words("ui.about_base.filling", done=done, total=total))
    try:
        going.result()
        own.say("filling", Say.of("ui.notice.vectors"))
    except WorkbenchError as failed:
        own.say("filling", failed.say)
    st.rerun()
