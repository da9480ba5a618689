"""What is asked, and how: the question set, the modes, the evidence cut, with answers or without."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.authoring.ledger import now
from core.authoring.question_sets import SUFFIXES, arrived
from core.authoring.saving import is_editable
from core.bench import Bench
from core.coverage.gathering import Gathered, gathered
from core.coverage.sweep import How, models_of, unpaid
from core.domain import Say
from core.errors import WorkbenchError
from core.knowledge.base import KnowledgeBase
from core.knowledge.questions import SET_SUFFIXES, Question, QuestionSet, parse_questions
from core.knowledge.shelf import questions as beside_base
from core.modes import choose, registry
from core.words import Words
from pages.parts import own
from pages.parts.coverage import running, work
from pages.parts.coverage.remembering import Place
from pages.parts.coverage.work import PLACE, Change, Work
from pages.parts.frame import Frame
from pages.parts.literal import inline

_MODES, _K, _ANSWERS, _PAID = "coverage.modes", "coverage.k", "coverage.answers", "coverage.paid"
_FILE = "coverage.file"
LONGEST_CUT = 20
KEPT_EVERY = 5.0
"""Seconds after which what was asked so far is kept, so that little is lost where the server dies."""
_NOTICES = 20
"""Notices of a question set that are shown; of the rest the number."""


def asked(bench: Bench, known: Work) -> QuestionSet:
    """The questions in use: those that the reader brought, else the base's own."""
    return known.file[1] if known.file else beside_base(bench.base)


def draw(page: Frame, bench: Bench, found: QuestionSet, known: Work) -> bool:
    """The form; whether to begin."""
    words = page.words
    _set(page, bench.base, found, known)
    settings(bench, words)
    with st.container(horizontal=True, vertical_alignment="center"):
        label = words("ui.coverage.ask", count=len(found.questions))
        begin = st.button(
            f":primary[**{label}**]",
            icon=":material/play_arrow:",
            key="coverage.run",
            disabled=not (found.questions and st.session_state[_MODES]),
        )
        if found.questions:
            st.caption(words("ui.coverage.ask_about"), width="stretch")
    return begin


def _set(page: Frame, base: KnowledgeBase, found: QuestionSet, known: Work) -> None:
    """Which questions, how many of which kinds, what is odd about them, and a way to bring others."""
    words = page.words
    with st.container(gap="xsmall"):
        st.markdown(_told(found, known, words))
        if found.notices:
            with st.expander(words("ui.coverage.notices", count=len(found.notices)), icon=":material/info:"):
                for file, say in found.notices[:_NOTICES]:
                    st.markdown(f":small[**{inline(file)}** {inline(words.say(say))}]")
                if len(found.notices) > _NOTICES:
                    st.caption(words("ui.sources.more", count=len(found.notices) - _NOTICES))
        missing = not found.questions
        with st.expander(words("ui.coverage.bring"), missing, icon=":material/upload_file:", type="compact"):
            st.caption(words("ui.coverage.bring_about"))
            st.file_uploader(
                words("ui.coverage.bring_file"),
                type=[suffix.removeprefix(".") for suffix in (SUFFIXES if is_editable(base) else SET_SUFFIXES)],
                key=_FILE,
                on_change=_brought,
                args=(page.base, base),
                label_visibility="collapsed",
            )
            if is_editable(base):
                label = words(
                    "ui.coverage.bring_lasting", library=words("ui.library.name"), view=words("ui.library.import")
                )
                st.page_link(
                    "pages/library.py", label=label, icon=":material/upload_file:", query_params={"view": "import"}
                )
        if known.file:
            st.button(
                words("ui.coverage.own_again"),
                key="coverage.own",
                icon=":material/undo:",
                type="tertiary",
                on_click=work.change,
                args=(page.base,),
                kwargs={"file": None},
            )


def _told(found: QuestionSet, known: Work, words: Words) -> str:
    kinds = Counter(question.kind for question in found.questions if question.kind)
    named = words.join([f"{inline(kind_of(kind, words))} {count}" for kind, count in kinds.most_common()])
    count = len(found.questions)
    if known.file:
        line = words("ui.coverage.set_file", count=count, file=inline(known.file[0]))
    else:
        line = words("ui.coverage.set_own" if count else "ui.coverage.set_none", count=count)
    return f"{line}\\\n:small[:gray[{named}]]" if named else line


def kind_of(kind: str, words: Words) -> str:
    """A kind of question in words; one of a base's own stands as it is."""
    code = f"ui.kind.{kind}"
    text = words(code)
    return kind if text == code else text


def _brought(name: str, base: KnowledgeBase) -> None:
    """Read the file that came; what is wrong with it is told."""
    file = st.session_state.get(_FILE)
    if not isinstance(file, UploadedFile):
        return
    try:
        data = file.getvalue()
        found = arrived(base, file.name, data).found if is_editable(base) else parse_questions(file.name, data)
    except WorkbenchError as refused:
        return own.say(PLACE, refused.say)
    work.change(name, file=(file.name, found))


def settings(bench: Bench, words: Words) -> None:
    """Modes, passages given, answers, and models where there are any; they hold for questions and needles."""
    st.session_state.setdefault(_MODES, [mode.id for mode in choose()])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.pills(
            words("ui.form.modes"),
            list(registry()),
            selection_mode="multi",
            format_func=words.mode,
            key=_MODES,
            persist_state="session",
            wrap=True,
        )
        st.number_input(
            words("ui.coverage.k"),
            1,
            LONGEST_CUT,
            value=None,
            key=_K,
            placeholder=words("ui.form.budget_own"),
            persist_state="session",
            width=190,
        )
        st.toggle(
            words("ui.coverage.answers"), key=_ANSWERS, help=words("ui.coverage.answers_about"), persist_state="session"
        )
    if slow := [words.mode(id) for id in modes() if _goes_on(id)]:
        st.caption(words("ui.coverage.slow", modes=slow))
    if models := models_of(bench):
        st.toggle(
            words("ui.coverage.with_models", models=inline(words.join(models))), key=_PAID, persist_state="session"
        )
        st.caption(words("ui.coverage.paid" if st.session_state.get(_PAID) else "ui.coverage.unpaid"))


def _goes_on(mode: str) -> bool:
    """Whether a mode searches again and again."""
    return any(parameter.name == "calls" for parameter in registry()[mode].parameters)


def modes() -> tuple[str, ...]:
    """The modes chosen, in their order."""
    chosen = st.session_state.get(_MODES) or ()
    return tuple(mode for mode in registry() if mode in chosen)


def how(*, answers: bool | None = None) -> How:
    """What the form says, with answers as it says where that is not given."""
    with_answers = bool(st.session_state.get(_ANSWERS)) if answers is None else answers
    return How(modes(), st.session_state.get(_K), with_answers)


def paying(bench: Bench) -> Bench:
    """The bench with the session's models where the reader wants them to be asked, else with none."""
    return bench if st.session_state.get(_PAID) else unpaid(bench)


def run(page: Frame, bench: Bench, questions: Sequence[Question]) -> None:
    """Ask them all, telling which passages were reached so far."""
    words, base, asking, total = page.words, bench.base, how(), len(questions)
    known: list[Gathered] = []
    with_models, place = paying(bench), Place.of(page, bench)

    def doing(stopped: Callable[[], bool]) -> Change:
        values, unkept = keeping(gathered(with_models, questions, asking, stopped), place, known)
        return lambda before: _kept(before.over(base), values, unkept)

    def shown() -> tuple[float, str]:
        done, given = (known[0].reach.asked, known[0].given) if known else (0, 0)
        values = {"done": done, "total": total, "reached": given, "passages": len(base.passages)}
        return done / max(1, total), words("ui.coverage.running", **values)

    running.run(page, doing, shown)


def keeping(found: Iterable[Gathered], place: Place, known: list[Gathered]) -> tuple[Mapping[str, Any], Say | None]:
    """Keep what is found from time to time and at the end, the last of it in `known`.

    What was kept at the end, and why it was not, where that failed.
    """
    kept_at = time.monotonic()
    for each in found:
        known[:] = [each]
        if each.reach.asked and time.monotonic() - kept_at > KEPT_EVERY:
            place.keep(**_values(each, place))
            kept_at = time.monotonic()
    values = _values(known[0], place)
    return values, place.keep(**values) if values["found"] else None


def _values(found: Gathered, place: Place) -> dict[str, Any]:
    """What is kept of it; nothing where not even one question was asked."""
    return {"found": found if found.reach.asked else None, "asked": now(), "asked_under": place.settings}


def _kept(before: Work, values: Mapping[str, Any], unkept: Say | None) -> Work:
    """With what was found, where anything was."""
    if unkept:
        own.say(PLACE, unkept)
    if not values["found"] and before.found:
        return before
    return replace(before, **values, passage="")
