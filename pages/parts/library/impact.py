"""What a draft would change for the questions of the base, asked before it is saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from core.bench import Bench
from core.coverage.impact import Effect, Found, Impact, impact
from core.coverage.naming import called
from core.domain import Say
from core.errors import WorkbenchError
from core.knowledge.questions import Question
from core.knowledge.shelf import questions
from core.modes import registry
from core.words import Words
from pages.parts import own
from pages.parts.beside import beside, ticks
from pages.parts.frame import Frame
from pages.parts.library import drafting
from pages.parts.library.drafting import Work
from pages.parts.literal import inline
from pages.parts.numbers import DASH
from pages.parts.search import open_passage
from pages.parts.told import told

_MODES, _K = "impact.modes", "impact.k"
_USUAL = ("bm25", "rerank")
PAGE = 20
"""Effects on one page."""
_LOOKS = {
    "worse": ("red", "trending_down"),
    "better": ("green", "trending_up"),
    "other": ("gray", "swap_vert"),
}


def draw(page: Frame, bench: Bench, work: Work) -> None:
    """How to ask, and what came of it."""
    words = page.words
    asked = questions(bench.base).questions
    if not asked:
        st.info(words("ui.impact.no_questions"), icon=":material/info:")
        return
    st.caption(words("ui.impact.about", count=len(asked)))
    told("impact", words)
    modes, k, begin = _form(bench, words)
    if begin and modes:
        _run(page, bench, work, asked, modes, k)
    elif work.impact is not None:
        _results(work, work.impact, words)


def _form(bench: Bench, words: Words) -> tuple[list[str], int, bool]:
    """Modes, passages given, and whether to begin."""
    st.session_state.setdefault(_MODES, [mode for mode in registry() if mode in _USUAL])
    st.session_state.setdefault(_K, 5)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        modes = st.pills(
            words("ui.form.modes"),
            list(registry()),
            selection_mode="multi",
            format_func=words.mode,
            key=_MODES,
            persist_state="session",
            wrap=True,
        )
        k = st.number_input(words("ui.impact.k"), 1, 20, key=_K, persist_state="session", width=150)
        begin = st.button(words("ui.impact.run"), icon=":material/play_arrow:", key="impact.run", disabled=not modes)
    planner = bench.settings.roles["planner"]
    slow = [words.mode(mode) for mode in modes if mode not in _USUAL]
    if slow:
        st.caption(words("ui.impact.slower", modes=slow))
    if slow and not planner.offline:
        st.caption(inline(words("ui.impact.paid", model=planner.model)))
    return list(modes), int(k), begin


def _run(page: Frame, bench: Bench, work: Work, asked: Sequence[Question], modes: list[str], k: int) -> None:
    """Ask both bases, showing how far it is; any click stops it."""
    words = page.words
    count = [0, len(asked)]
    bar = st.empty()
    bar.progress(0.0, words("ui.impact.preparing"))
    st.button(words("ui.live.stop"), key="impact.stop", icon=":material/stop_circle:")
    own.say("impact", Say.of("ui.impact.stopped"))  # heard only where a click ends this run of the script
    after = drafting.bench_of(page, bench, work)
    gold = drafting.told(page.base, work).gold.places

    def work_on(stopped: Callable[[], bool]) -> Impact:
        def progress(done: int, total: int) -> None:
            count[:] = [done, total]

        return impact(bench, after, asked, modes, k, progress, stopped, gold)

    with beside(work_on) as going:
        for _ in ticks(going):
            bar.progress(count[0] / count[1], words("ui.impact.running", done=count[0], total=count[1]))
    try:
        found = going.result()
        drafting.put(page.base, replace(drafting.get(page.base) or work, impact=found))
        own.hear("impact")
    except WorkbenchError as failed:
        own.say("impact", failed.say)
    st.rerun()


def _results(work: Work, found: Impact, words: Words) -> None:
    """The finding, and the questions that change, worse ones first."""
    if not found.effects:
        st.markdown(f"**{words('ui.impact.none', count=found.questions)}**")
        return
    parts = [words(f"ui.impact.count_{kind}", count=count) for kind, count in found.counts.items() if count]
    finding = words("ui.impact.found", count=found.questions, parts=words("ui.impact.joint").join(parts))
    st.markdown(f"**{finding}**")
    st.caption(words("ui.impact.how", modes=[words.mode(mode) for mode in found.modes]))
    pages = -(-len(found.effects) // PAGE)
    at = int(st.number_input(words("ui.reader.page", pages=pages), 1, pages, key="impact.page")) if pages > 1 else 1
    for number, effect in enumerate(found.effects[(at - 1) * PAGE : at * PAGE]):
        _effect(work, number, effect, words)


def _effect(work: Work, number: int, effect: Effect, words: Words) -> None:
    colour, icon = _LOOKS[effect.verdict]
    with st.container(border=True, gap="xsmall"):
        code = "order" if effect.verdict == "other" and effect.reordered else effect.verdict
        verdict = f":{colour}[:material/{icon}: **{words(f'ui.impact.{code}')}**]"
        st.markdown(f"{verdict} {inline(effect.question.question)}")
        st.caption(" · ".join([inline(words.mode(effect.mode)), *_measures(effect, words)]))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            for name, ids in (("came", effect.came), ("went", effect.went)):
                if ids:
                    st.markdown(f":small[:gray[{words(f'ui.impact.{name}')}]]", width="content")
                for id in ids:
                    _passage(work, f"impact.{number}.{name}.{id}", id)


def _passage(work: Work, key: str, id: str) -> None:
    """A passage by its label; it opens where the draft still has it."""
    base = work.draft.after
    if not base.has(id):
        st.markdown(f":small[{inline(id)}]", width="content")
        return
    st.button(
        inline(called(base, base.passage(id))),
        key=key,
        type="tertiary",
        help=inline(id),
        on_click=open_passage,
        args=(id,),
    )


def _measures(effect: Effect, words: Words) -> list[str]:
    """Rank and share of the gold, before and after, or that both stay; nothing where the question has none."""
    if not effect.question.gold:
        return [words("ui.impact.no_gold")]
    ranks = [_rank(found) for found in (effect.before, effect.after)]
    given = [_given(found) for found in (effect.before, effect.after)]
    if len({*ranks}) == len({*given}) == 1:
        return [words("ui.impact.kept", rank=ranks[0], given=given[0])]
    return [
        words("ui.impact.rank", before=ranks[0], after=ranks[1]),
        words("ui.impact.given", before=given[0], after=given[1]),
    ]


def _rank(found: Found) -> str:
    return DASH if found.rank is None else f"#{found.rank}"


def _given(found: Found) -> str:
    return f"{round((found.recall or 0.0) * found.gold)}/{found.gold}"
