"""A preview of the cuts: an author's own text as the passages it becomes, while the settings move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.authoring.intake import Taken
from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.knowledge.building import cut_document, identified
from core.knowledge.facts import SHORTEST
from core.knowledge.metadata import confidence_of
from core.knowledge.splitting import Piece, Splitting
from core.retrieval.doubt import doubted
from core.words import Words
from pages.parts.literal import inline
from pages.parts.reader import GUTTER, MEASURE
from pages.parts.sources import lines
from pages.parts.tabular import readable

_LONG, _STEP = 2_000, 50
"""Characters up to which, and by which, the slider for the longest passage moves."""
_OVERLAP_STEP = 10
_FEW, _PANE = 3, 560
"""Passages up to which the preview is as high as they are, and its height in pixels with more."""
_PAGE = 20
"""Passages on one page of the preview."""
_ENDS = {"sentence": "。！？!?.;；…”」』）)", "clause": "，,、：:—"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage of the preview: its piece of the text, where the cut before it fell, and how much it repeats."""

    passage: Passage
    piece: Piece
    cut: str
    repeated: int


def settings(base: KnowledgeBase, words: Words) -> Splitting:
    """The sliders; they begin with what the base has."""
    usual = base.splitting
    key = f"{base.name}.{usual.longest}.{usual.overlap}"  # once it is cut otherwise they begin there
    left, right = st.columns(2, gap="large")
    longest = left.slider(
        words("ui.cuts.longest"),
        SHORTEST,
        max(_LONG, usual.longest),
        usual.longest,
        _STEP if usual.longest % _STEP == 0 else 1,
        key=f"cuts.longest.{key}",
        help=words("ui.cuts.longest_help"),
        persist_state="session",
    )
    most = longest // 2
    overlap = right.slider(
        words("ui.cuts.overlap"),
        0,
        max(most, _OVERLAP_STEP),
        min(usual.overlap, most),
        _OVERLAP_STEP if usual.overlap % _OVERLAP_STEP == 0 else 1,
        key=f"cuts.overlap.{key}",
        help=words("ui.cuts.overlap_help"),
        persist_state="session",
    )
    return Splitting(longest, min(overlap, most))


def draw(taken: Sequence[Taken], splitting: Splitting, words: Words) -> None:
    """The passages of one file, chosen among those that were read."""
    read = [at for at, one in enumerate(taken) if one.reading and one.reading.text.strip()]
    if not read:
        return
    if len(read) > 1:
        chosen = st.selectbox(
            words("ui.cuts.file"), read, format_func=lambda at: f"{at + 1} · {taken[at].name}", key="cuts.file"
        )
    else:
        chosen = read[0]
    found = cut(taken[chosen], splitting)
    if not found:
        st.caption(words("ui.cuts.none"))
        return
    lengths = [len(one.passage.text) for one in found]
    counts = words("ui.cuts.counts", count=len(found), longest=max(lengths), mean=round(sum(lengths) / len(lengths)))
    st.markdown(f"**{inline(counts)}**")
    pages = -(-len(found) // _PAGE)
    at = 1
    if pages > 1:
        at = st.number_input(words("ui.reader.page", pages=pages), 1, pages, key=f"cuts.page.{chosen}.{pages}")
    with st.container(height=_PANE if len(found) > _FEW else "content", border=False, width=MEASURE + GUTTER):
        for number, one in enumerate(found[(at - 1) * _PAGE : at * _PAGE], (at - 1) * _PAGE + 1):
            _card(number, one, words)


def cut(one: Taken, splitting: Splitting) -> list[Shown]:
    """The passages that a file becomes with these settings, in order."""
    if one.reading is None or not one.reading.text.strip():
        return []
    text = one.reading.text
    passages = cut_document(one.name, one.reading, one.name, splitting).passages
    pieces = list(identified(one.name, text, splitting).values())
    found, before = [], None
    for passage, piece in zip(passages, pieces, strict=True):
        found.append(Shown(passage, piece, _fell(text, before, piece), _repeated(text, before, piece)))
        before = piece
    return found


def _fell(text: str, before: Piece | None, piece: Piece) -> str:
    """What kind of place the cut before a piece is, by the code of its words."""
    if before is None:
        return ""
    if piece.kind in ("article", "case", "row"):
        return piece.kind
    if piece.path != before.path or piece.kind != before.kind:
        return "heading"
    left = text[: before.end].rstrip()
    if "\n" in text[len(left) : max(piece.start, before.end)] or text[before.end - 1 : before.end] == "\n":
        return "line"
    return next((name for name, marks in _ENDS.items() if left.endswith(tuple(marks))), "word")


def _repeated(text: str, before: Piece | None, piece: Piece) -> int:
    """Characters at the beginning of a piece that stand at the end of the one before."""
    if before is None or piece.start >= before.end:
        return 0
    again = text[piece.start : before.end]
    return len(again) if piece.text.startswith(again) else 0


def _card(number: int, one: Shown, words: Words) -> None:
    if one.cut:
        st.caption(f":material/content_cut: {words(f'ui.cuts.fell_{one.cut}')}")
    passage = one.passage
    facts = [lines(passage.lines, words)] if passage.lines else []
    facts += [words("ui.passage.page", page=passage.page)] if passage.page else []
    facts += [words("ui.passage.characters", count=len(passage.text))]
    facts += [words("ui.cuts.repeated", count=one.repeated)] if one.repeated else []
    with st.container(border=True, gap="xsmall"):
        label = f" **{inline(passage.title)}**" if passage.title else ""
        st.markdown(f":gray[{number}]{label} :small[:gray[{inline(passage.section)}]]")
        st.markdown(readable(passage.text, [(0, one.repeated)] if one.repeated else [], "gray"))
        st.caption(" · ".join(map(inline, facts)))
        if (sure := confidence_of(passage)) is not None:
            low = doubted(passage) is not None
            text = words("ui.cuts.confidence_low" if low else "ui.cuts.confidence", share=f"{sure:.0%}")
            st.badge(text, icon=":material/scanner:", color="orange" if low else "gray")
