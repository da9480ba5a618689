"""A BEIR corpus that was uploaded: what it holds, and the one button that makes a base of it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.authoring.bringing import Brought
from core.authoring.corpora import Uploaded, bring_corpus
from core.errors import WorkbenchError
from pages.parts import own
from pages.parts.frame import Frame
from pages.parts.library import destination, going, uploads
from pages.parts.library.destination import Destination
from pages.parts.library.uploads import Tray
from pages.parts.literal import inline

_NAMED = 5
"""Files named that belong to no corpus."""


def draw(page: Frame, goal: Destination, found: Uploaded) -> None:
    """What came, and the button; a corpus is always a base of its own."""
    words = page.words
    with st.container(border=True, gap="small", key="corpus"):
        counts = words("ui.import.corpus", passages=found.passages, questions=found.questions)
        st.markdown(f":material/dataset: **{inline(counts)}**")
        st.caption(words("ui.import.corpus_about"))
        if found.left:
            named = [*found.left[:_NAMED], *(["…"] if len(found.left) > _NAMED else [])]
            st.caption(inline(words("ui.import.corpus_left", count=len(found.left), files=named)))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.button(
                f":primary[**{words('ui.import.corpus_do')}**]",
                icon=":material/download:",
                key="corpus.do",
                disabled=not (goal.is_new and goal.ready),
                on_click=_import,
                args=(page, goal, found),
            )
            st.button(words("ui.import.clear"), icon=":material/close:", key="corpus.clear", on_click=_clear)
        if not goal.is_new:
            st.caption(f":material/info: {words('ui.import.corpus_new')}")
        elif not goal.ready:
            st.caption(f":material/info: {words('ui.import.unnamed')}")


def _import(page: Frame, goal: Destination, found: Uploaded) -> None:
    try:
        base = goal.base
        title = base.title if base.title != base.name else ""
        folder, outcomes = bring_corpus(page.settings.home, base.name, found.folder, title, goal.language)
    except WorkbenchError as refused:
        return own.say("import", refused.say)
    name = folder.name
    uploads.put(Tray(edition=uploads.look().edition + 1, done=(name, Brought(outcomes, folder, None))))
    st.session_state[destination.NAME] = st.session_state[destination.TITLE] = ""
    going.to_base(page, name)


def _clear() -> None:
    uploads.put(replace(uploads.look(), corpus=None))
