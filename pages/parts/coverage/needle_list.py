"""The needles of a base, each with its question to be mended, and what came of it, the worst first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.bench import Bench
from core.coverage.needle_file import FILE, keep
from core.coverage.needles import Needle, Needles
from core.domain import Say
from core.errors import WorkbenchError
from core.knowledge.base import KnowledgeBase
from core.words import Words
from pages.parts import own
from pages.parts.coverage import asking, links, work
from pages.parts.coverage.paging import page_of
from pages.parts.coverage.remembering import Place
from pages.parts.frame import Frame
from pages.parts.library.saving import AUTHOR
from pages.parts.literal import inline, short
from pages.parts.numbers import DASH, local
from pages.parts.sources import COLOURS
from pages.parts.told import told

_QUESTION, _KEEP = "needle.question.", "needle.keep."
_ANSWERS = "coverage.needles.answers"
NEEDLES = "coverage.needles"
"""Where it is answered what became of saving them."""
PAGE = 20
"""Needles on one page."""
_SHORT = 120
"""Columns of type shown of a passage without a needle."""
_BEYOND = 10**6
"""Stands for a rank where there is none, when the worst come first."""


def forget() -> None:
    """Begin anew: what was typed and chosen is for other needles."""
    for key in [key for key in st.session_state if str(key).startswith((_QUESTION, _KEEP))]:
        del st.session_state[key]


def edited(found: Needles) -> Needles:
    """The needles with their questions as they stand in their fields; what was reworded is not tested yet."""
    return replace(found, needles=tuple(_edited(needle) for needle in found.needles))


def _edited(needle: Needle) -> Needle:
    typed = " ".join(str(st.session_state.get(_QUESTION + needle.passage_id) or "").split())
    if not typed or typed == needle.question:
        return needle
    return Needle(needle.passage_id, typed, needle.facts, "written")


def with_answers() -> bool:
    """Whether answers are to be written, so that they can be held to the fact."""
    return bool(st.session_state.get(_ANSWERS, True))


def actions(page: Frame, bench: Bench, found: Needles, tested: str) -> bool:
    """What came of them in a line, and what can be done with them all; whether to test them."""
    words = page.words
    for say in found.notices:
        st.warning(inline(words.say(say)), icon=":material/info:")
    if not found.needles:
        values = {"without": len(found.without), "unasked": len(found.unasked)}
        st.info(words("ui.coverage.needles.none", **values), icon=":material/info:")
        return False
    st.markdown(f"**{_finding(found, words)}**")
    counts = {"left": found.left, "unasked": len(found.unasked), "without": len(found.without)}
    if tested:
        st.caption(words("ui.coverage.needles.from", time=local(tested, words)))
    if rest := [words(f"ui.coverage.needles.rest_{name}", count=count) for name, count in counts.items() if count]:
        st.caption(" · ".join(rest))
    st.session_state.setdefault(_ANSWERS, True)
    with st.container(horizontal=True, vertical_alignment="center"):
        label = words("ui.coverage.needles.test", count=len(found.needles))
        test = st.button(
            f":primary[**{label}**]",
            icon=":material/play_arrow:",
            key="coverage.needles.test",
            disabled=not asking.modes(),
        )
        st.toggle(words("ui.coverage.needles.answers"), key=_ANSWERS, persist_state="session")
        st.button(
            words("ui.coverage.needles.all"),
            icon=":material/select_all:",
            key="coverage.needles.all",
            type="tertiary",
            on_click=_choose_all,
            args=(found,),
        )
        st.button(
            words("ui.coverage.needles.keep"),
            icon=":material/save:",
            key="coverage.needles.keep",
            on_click=_save,
            args=(page, bench, found),
            help=words("ui.coverage.needles.keep_about", file=FILE),
        )
    told(NEEDLES, words)
    return test


def _finding(found: Needles, words: Words) -> str:
    """How many were tested, and how many of them some mode lost."""
    tested = [needle for needle in found.needles if needle.ranks]
    if not tested:
        return words("ui.coverage.needles.untested", count=len(found.needles))
    values = {"tested": len(tested), "count": len(found.needles), "lost": len(found.lost)}
    return words("ui.coverage.needles.finding", **values)


def _choose_all(found: Needles) -> None:
    """Choose every needle, or none where all were chosen."""
    keys = [_KEEP + needle.passage_id for needle in found.needles]
    wanted = not all(st.session_state.get(key) for key in keys)
    for key in keys:
        st.session_state[key] = wanted


def _save(page: Frame, bench: Bench, found: Needles) -> None:
    """Write the chosen ones down as a question set; what came of it is told."""
    now = edited(found)
    chosen = [needle for needle in now.needles if st.session_state.get(_KEEP + needle.passage_id)]
    if not chosen:
        return own.say(NEEDLES, Say.of("ui.coverage.needles.choose"))
    author = str(st.session_state.get(AUTHOR) or "").strip()
    note = Say.of("ui.coverage.needles.note", count=len(chosen))
    try:
        version = keep(chosen, bench.base, page.settings.home, author, note)
    except WorkbenchError as refused:
        return own.say(NEEDLES, refused.say)
    known = work.get(page.base)
    work.change(page.base, needles=now)
    unkept = None if known.stale(bench.base) else Place.of(page, bench).keep(needles=now)
    kept = Say.of("ui.notice.needles", count=len(chosen), file=FILE, number=version.number)
    own.tell({NEEDLES: kept, **({work.PLACE: unkept} if unkept else {})})


def _badness(needle: Needle) -> tuple[int, int, int]:
    """How badly it went: modes that lost it, answers without the fact, the worst rank."""
    unstated = sum(stated is False for stated in needle.stated.values())
    return -len(needle.lost), -unstated, -max((rank or _BEYOND for rank in needle.ranks.values()), default=0)


def draw(page: Frame, base: KnowledgeBase, found: Needles) -> None:
    """The list."""
    listed = sorted((needle for needle in found.needles if base.has(needle.passage_id)), key=_badness)
    for needle in page_of(listed, PAGE, "coverage.needles.page", page.words):
        _needle(page.words, base, needle)


def draw_without(page: Frame, base: KnowledgeBase, found: Needles) -> None:
    """The passages of whose facts the rules made no question, and those without any, for their author to ask."""
    words = page.words
    for kind, ids in (("unasked", found.unasked), ("without", found.without)):
        held = [id for id in ids if base.has(id)]
        if not held:
            continue
        with st.expander(words(f"ui.coverage.needles.{kind}", count=len(held)), icon=":material/edit_off:"):
            st.caption(words(f"ui.coverage.needles.{kind}_about"))
            for id in page_of(held, PAGE, f"coverage.needles.{kind}", words):
                with st.container(gap=None):
                    links.named(base, base.passage(id))
                    st.caption(inline(short(" ".join(base.passage(id).text.split()), _SHORT)))


def _needle(words: Words, base: KnowledgeBase, needle: Needle) -> None:
    passage = base.passage(needle.passage_id)
    title = f"**{inline(passage.title or passage.id)}** :small[:gray[{inline(passage.section)}]]"
    field = _QUESTION + passage.id
    st.session_state.setdefault(field, needle.question)
    with st.container(border=True, gap="xsmall"):
        st.checkbox(title, key=_KEEP + passage.id, persist_state="session")
        st.text_input(
            words("ui.form.question"), key=field, label_visibility="collapsed", persist_state="session", max_chars=500
        )
        source = words(f"coverage.source.{needle.source}")
        fact = words("ui.coverage.needles.fact", fact=inline(needle.fact)) if needle.facts else ""
        st.markdown(f":small[:gray[{' · '.join(part for part in (source, fact) if part)}]]")
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(_outcome(needle, words), width="content")
            asked = links.Asked(list(needle.ranks) or asking.modes(), asking.how().k)
            label = words("ui.coverage.to_compare")
            links.to_compare(f"needle.ask.{passage.id}", asked, str(st.session_state[field]), label, passage.id)


def _outcome(needle: Needle, words: Words) -> str:
    """Where each mode ranked the passage, and what became of the fact."""
    if not needle.ranks:
        return f":gray[{words('ui.coverage.needles.not_tested')}]"
    lines = [_of_mode(needle, mode, colour, words) for mode, colour in _coloured(list(needle.ranks))]
    return "\\\n".join(lines)


def _coloured(modes: Sequence[str]) -> list[tuple[str, str]]:
    return [(mode, COLOURS[at % len(COLOURS)]) for at, mode in enumerate(modes)]


def _of_mode(needle: Needle, mode: str, colour: str, words: Words) -> str:
    rank, given, stated = needle.ranks[mode], needle.given.get(mode), needle.stated.get(mode)
    place = words("ui.passage.rank", rank=rank) if rank else DASH
    told = words(f"ui.coverage.needles.{'given' if given else 'lost'}")
    parts = [f"{place} {_sign(bool(given), told)}"]
    if stated or (stated is False and given):  # without the passage nothing else was to be expected
        parts.append(_sign(stated, words(f"ui.coverage.needles.{'stated' if stated else 'unstated'}")))
    return f":{colour}[{inline(words.mode(mode))}] {' · '.join(parts)}"


def _sign(good: bool, text: str) -> str:
    return f":{'green[:material/check:' if good else 'red[:material/close:'}] {text}"
