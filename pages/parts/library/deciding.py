"""What a person decides of files before they are imported: documents that are there already, guessed encodings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

import streamlit as st

from core.authoring.importing import Outcome
from core.authoring.intake import Same
from core.authoring.ledger import Version
from core.words import Words
from pages.parts.library import arrivals, uploads
from pages.parts.library.uploads import Held
from pages.parts.literal import inline, short
from pages.parts.numbers import local

_SAMES: tuple[Same, ...] = get_args(Same)
_SEVERAL = 20
"""Files of which each gets a choice of its own; the others follow the choice for all."""
_PREVIEW = 120
"""Columns of type of a text by which a person tells whether its encoding is right."""


def clashes(there: Sequence[int], edited: Mapping[int, Version], held: Sequence[Held], words: Words) -> Same:
    """What becomes of documents that are there already, for all, and for single files; `there` are their places.

    Those that were `edited` since they came in are each asked for, and both are kept until their author says otherwise.
    """
    if not there:
        return "replace"
    st.markdown(f":material/file_copy: **{words('ui.import.there', count=len(there))}**")
    for at in edited:
        _edited(at, edited[at], held[at], words)
    others = [at for at in there if at not in edited]
    if not others:
        return "replace"
    if edited:
        st.caption(words("ui.import.others", count=len(others)))
    same = st.segmented_control(
        words("ui.import.same"),
        _SAMES,
        default="replace",
        format_func=lambda same: words(f"ui.import.same_{same}"),
        key="import.same",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
        wrap=True,
    )
    if len(others) > 1:
        with st.expander(words("ui.import.each")):
            for at in others[:_SEVERAL]:
                _each(at, held[at], (None, *_SAMES), words)
    return same or "replace"


def _edited(at: int, version: Version, one: Held, words: Words) -> None:
    """A document that was edited here: by whom and when, and what is to become of it."""
    code = "ui.import.edited" if version.author else "ui.import.edited_nobody"
    when = local(version.created, words)
    text = words(code, file=one.taken.name, who=version.author, when=when, number=version.number)
    with st.container(border=True, gap="xsmall"):
        st.markdown(f":orange[:material/edit_note:] {inline(text)}")
        _each(at, one, ("keep", "replace", "skip"), words, named=False)


def _each(at: int, one: Held, choices: Sequence[Same | None], words: Words, *, named: bool = True) -> None:
    """The choice for one file; its name stands over it unless it was `named` before."""
    key = f"import.same.{at}.{uploads.look().edition}"

    def chosen() -> None:
        same = st.session_state.get(key)
        uploads.change(at, lambda held: replace(held, taken=replace(held.taken, same=same)))

    st.selectbox(
        inline(one.taken.name),
        choices,
        format_func=lambda same: words(f"ui.import.same_{same or 'all'}"),
        key=key,
        on_change=chosen,
        width=360,
        label_visibility="visible" if named else "collapsed",
    )


def encodings(held: Sequence[Held], outcomes: Sequence[Outcome], words: Words) -> None:
    """For every text whose encoding is a guess how it begins in the encodings that it may have, to choose from.

    Of what stays in the base as it is nobody is asked.
    """
    pairs = enumerate(zip(held, outcomes, strict=True))
    asked = [at for at, (one, outcome) in pairs if len(one.offered) > 1 and not arrivals.stays(outcome)]
    if not asked:
        return
    st.markdown(f":material/translate: **{words('ui.import.guessed', count=len(asked))}**")
    for at in asked[:_SEVERAL]:
        _encoding(at, held[at], words)
    if len(asked) > _SEVERAL:
        st.caption(words("ui.import.more", count=len(asked) - _SEVERAL))


def _encoding(at: int, one: Held, words: Words) -> None:
    names = [candidate.encoding for candidate in one.offered]
    now = one.taken.reading.encoding if one.taken.reading else names[0]
    key = f"import.encoding.{at}.{uploads.look().edition}"

    def chosen() -> None:
        name = st.session_state.get(key)
        if name:
            uploads.change(at, lambda held: held.read_as(name))

    with st.container(border=True):
        st.radio(
            inline(words("ui.import.encoding", file=one.taken.name)),
            names,
            index=names.index(now) if now in names else 0,
            captions=[inline(short(" ".join(candidate.preview.split()), _PREVIEW)) for candidate in one.offered],
            key=key,
            on_change=chosen,
        )
