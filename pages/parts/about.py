"""What a knowledge base is: its title, licence, size and fingerprint, and the files that did not come in."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.bench import Bench
from core.domain import Say
from core.knowledge.base import KnowledgeBase
from core.words import Words
from pages.parts import filling
from pages.parts.literal import inline, literal
from pages.parts.sections import sections_of


def line(base: KnowledgeBase, words: Words) -> str:
    """Its size in a line beside its name, and that it is fictional."""
    text = words("ui.about_base.line", sections=len(sections_of(base)), passages=len(base.passages))
    return f"{text} · {words('ui.about_base.fictional')}" if base.fictional else text


def draw(bench: Bench, words: Words) -> DeltaGenerator | None:
    """The facts, folded, and what a person should look at; the room for `filling.run` where that was asked for."""
    base = bench.base
    with st.expander(words("ui.about_base.title"), icon=":material/info:"):
        if base.description:
            st.markdown(literal(base.description))
        vectors = bench.retriever.vectors
        facts = {
            "name": base.name,
            "language": spoken(base.language, words),
            "licence": base.licence or words("ui.about_base.unknown"),
            "documents": f"{len(base.documents):,}",
            "passages": f"{len(base.passages):,}",
            "version": base.version,
            "vectors": f"{vectors.filled:,}" if vectors is not None else words("ui.about_base.no_vectors"),
        }
        rows = [f"| {words(f'ui.about_base.{name}')} | {inline(value)} |" for name, value in facts.items()]
        st.markdown("\n".join(["| | |", "|:--|:--|", *rows]))
        room = filling.offer(bench, words)
    _files(base.unread, words("ui.about_base.unread", count=len(base.unread)), words)
    _files(base.warnings, words("ui.about_base.warnings", count=len(base.warnings)), words)
    return room


def spoken(language: str, words: Words) -> str:
    """A language in words; one that we have no word for by its code."""
    code = f"ui.shelf.language_{language}"
    text = words(code)
    return language if text == code else text


def _files(found: tuple[tuple[str, Say], ...], title: str, words: Words) -> None:
    if found:
        with st.expander(title, icon=":material/warning:"):
            for file, say in found:
                st.markdown(f"**{inline(file)}**\\\n{inline(words.say(say))}")


def draw_empty(base: KnowledgeBase, words: Words) -> None:
    """A base without passages: why, and what to do."""
    with st.container(border=True):
        st.subheader(words("ui.about_base.empty"), anchor=False)
        st.markdown(inline(words("search.base_empty", base=base.title)))
        label = words("ui.about_base.to_import")
        st.page_link("pages/library.py", label=label, icon=":material/upload_file:", query_params={"view": "import"})
    _files(base.unread, words("ui.about_base.unread", count=len(base.unread)), words)
