"""Pairs of passages to look at: what may contradict, and what is nearly the same, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import streamlit as st

from core.bench import Bench
from core.coverage.pairs import Pair, Pairs
from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.words import Words
from pages.parts import own
from pages.parts.coverage import links, work
from pages.parts.coverage.paging import page_of
from pages.parts.coverage.remembering import Place
from pages.parts.frame import Frame
from pages.parts.literal import inline
from pages.parts.tabular import readable

_KIND, _SEEN = "coverage.pairs.kind", "coverage.pairs.seen"
PAGE = 10
"""Pairs on one page."""
_TEXT = 600
"""Characters of a text shown."""

Span = tuple[int, int]


def draw(page: Frame, bench: Bench, found: Pairs, seen: frozenset[tuple[str, str]]) -> None:
    """What the rules compared, the kind to look at, and its pairs, the most suspicious first."""
    words = page.words
    if not found.contradictions:
        code = "no_contradiction" if found.all else "none"
        st.info(words(f"ui.coverage.pairs.{code}"), icon=":material/rule:")
    st.caption(
        words(
            "ui.coverage.pairs.compared" if found.compared else "ui.coverage.pairs.compared_none", count=found.compared
        )
    )
    if not found.all:
        return
    held = {"contradiction": found.contradictions, "near_duplicate": found.duplicates}
    kinds = [kind for kind, pairs in held.items() if pairs]
    with st.container(horizontal=True, vertical_alignment="center"):
        kind = st.segmented_control(
            words("ui.coverage.pairs.kind"),
            kinds,
            default=kinds[0],
            format_func=lambda kind: f"{words(f'coverage.kind.{kind}')} {len(held[kind])}",
            key=f"{_KIND}.{len(kinds)}",
            required=True,
            label_visibility="collapsed",
            persist_state="session",
            wrap=True,
        )
        with_seen = st.toggle(words("ui.coverage.pairs.with_seen"), key=_SEEN, persist_state="session")
    kind = kind if kind in kinds else kinds[0]
    st.caption(words(f"ui.coverage.pairs.about_{kind}"))
    listed = [pair for pair in held[kind] if with_seen or _ids(pair) not in seen]
    if not listed:
        st.success(words("ui.coverage.pairs.all_seen"), icon=":material/check:")
    for pair in page_of(listed, PAGE, f"coverage.pairs.page.{kind}", words):
        _pair(page, bench, pair, _ids(pair) in seen)
    if left := (found.left or {}).get(kind):
        st.caption(words(f"coverage.left.{kind}", count=left))


def _ids(pair: Pair) -> tuple[str, str]:
    return pair.first.id, pair.second.id


def _pair(page: Frame, bench: Bench, pair: Pair, seen: bool) -> None:
    words = page.words
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(_told(pair, words), width="stretch")
            st.checkbox(
                words("ui.coverage.pairs.seen"),
                value=seen,
                key=f"seen.{pair.kind}.{pair.first.id}.{pair.second.id}",
                on_change=_mark,
                args=(page, bench, _ids(pair)),
            )
        first, second = marks(pair)
        one, other = texts(pair)
        left, right = st.columns(2, gap="medium")
        with left:
            _side(bench.base, pair.first, one, first)
        with right:
            _side(bench.base, pair.second, other, second)


def _mark(page: Frame, bench: Bench, ids: tuple[str, str]) -> None:
    """It is seen, or is to be looked at again."""
    seen = work.get(page.base).seen ^ {ids}
    work.change(page.base, seen=seen)
    if unkept := Place.of(page, bench).mark(ids, seen=ids in seen):
        own.say(work.PLACE, unkept)


def _told(pair: Pair, words: Words) -> str:
    """What differs, or how much is the same; and how many more are like it."""
    if pair.kind == "near_duplicate":
        told = [words("ui.coverage.pairs.same", percent=int(100 * pair.likeness))]
        if any(marks(pair)):
            told.append(words("ui.coverage.pairs.marked"))
    else:
        told = [
            words(f"coverage.differs.{each.kind}", first=inline(each.first), second=inline(each.second))
            for each in pair.differences
        ]
    lines = [f"**{' · '.join(told)}**"]
    if pair.shared:
        lines.append(f":small[:gray[{words('ui.coverage.pairs.shared', words=inline(words.join(pair.shared)))}]]")
    if pair.more:
        lines.append(f":small[:gray[{words('ui.coverage.pairs.more', count=pair.more)}]]")
    return "\\\n".join(lines)


def _side(base: KnowledgeBase, passage: Passage, quote: str, spans: Sequence[Span]) -> None:
    """One of the two: where it stands, its words, those marked that differ."""
    links.named(base, passage)
    told = passage.section.startswith(passage.document)  # as that of a document without a title does
    places = [passage.section] if told else [passage.section, passage.document]
    st.caption(inline(" · ".join(place for place in places if place)))
    text = quote[:_TEXT]
    kept = [(start, min(end, len(text))) for start, end in spans if start < len(text)]
    st.markdown(readable(text + ("…" if len(quote) > _TEXT else ""), kept, "red"))


def marks(pair: Pair) -> tuple[list[Span], list[Span]]:
    """What is marked in both texts: the words that contradict each other, or all that the other has not."""
    one, other = texts(pair)
    if pair.differences:
        return (
            _places(one, [each.first for each in pair.differences]),
            _places(other, [each.second for each in pair.differences]),
        )
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    changed = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    left, right = [(a, b) for _, a, b, _, _ in changed], [(c, d) for _, _, _, c, d in changed]
    return [span for span in left if _says(one, span)], [span for span in right if _says(other, span)]


def texts(pair: Pair) -> tuple[str, str]:
    """What is shown of both."""
    one, other = pair.quotes
    return one.lstrip(), other.lstrip()


def _says(text: str, span: Span) -> bool:
    """Whether there is anything to see in it."""
    return bool(text[slice(*span)].strip())


def _places(text: str, wanted: Sequence[str]) -> list[Span]:
    """Where these words stand first, in order and apart."""
    found: list[Span] = []
    for start, end in sorted(_first(text, wanted)):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def _first(text: str, wanted: Sequence[str]) -> Iterator[Span]:
    for words in dict.fromkeys(wanted):
        at = text.lower().find(words.lower())
        if words and at >= 0:
            yield at, at + len(words)
