"""What became of files, or would: a row each with its state, passages, encoding, and what a person should know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import streamlit as st

from core.authoring.importing import Outcome, Status
from core.domain import Say
from core.knowledge.formats.kinds import SUFFIXES
from core.words import Words
from core.words.files import beneath
from pages.parts.element import element
from pages.parts.literal import shown

_ARRIVALS = element("arrivals", __file__)
_ICONS: dict[Status, str] = {"refused": "block", "warned": "visibility", "imported": "check_circle"}
_WRITTEN = ("text", "html")
"""Kinds of files that have an encoding of their own."""
_PLANS = ("import.unchanged", "import.replaced", "import.beside", "import.renamed", "import.skipped")
_STAYING = ("import.unchanged", "import.skipped")
_FEW = 12
"""Files up to which those without a fault stand open."""
_MOST = 500
"""Rows of one list."""


def new(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Those that bring something into the base."""
    return [one for one in outcomes if one.status != "refused" and not stays(one)]


def stays(one: Outcome) -> bool:
    """Whether what the base holds of a file stays as it is, so that nothing of it is to be decided."""
    return one.reason is not None and one.reason.code in _STAYING


def draw(outcomes: Sequence[Outcome], words: Words, *, done: bool = False) -> None:
    """Those to look at first; of many the others folded. `done`: they were imported, not only read."""
    kinds = [one.status for one in outcomes]
    counts = {kind: kinds.count(kind) for kind in _ICONS}
    parts = [f"{_state(kind, words, done)} {count:,}" for kind, count in counts.items() if count]
    st.markdown(f"**{words('ui.import.files', count=len(kinds))}** :gray[{' · '.join(parts)}]")
    wanting = [one for kind in ("refused", "warned") for one in outcomes if one.status == kind]
    fine = [one for one in outcomes if one.status == "imported"]
    if len(outcomes) <= _FEW:
        wanting, fine = [*wanting, *fine], []
    _list("look", wanting, words, done)
    if fine:
        with st.expander(words("ui.import.fine", count=len(fine)), icon=":material/check_circle:"):
            _list("fine", fine, words, done)


def _list(key: str, outcomes: Sequence[Outcome], words: Words, done: bool) -> None:
    if outcomes:
        rows = [_row(one, words, done) for one in outcomes[:_MOST]]
        _ARRIVALS(key=f"import.{key}", data={"title": words("ui.import.list"), "rows": rows})
    if len(outcomes) > _MOST:
        st.caption(words("ui.import.more", count=len(outcomes) - _MOST))


def _row(one: Outcome, words: Words, done: bool) -> dict[str, Any]:
    came = one.status != "refused"
    facts = [words("import.count.passages", count=one.passages)] if came else []
    facts += [one.encoding] if came and SUFFIXES.get(PurePath(one.file).suffix.lower()) in _WRITTEN else []
    says = [*([one.reason if done else _planned(one.reason)] if one.reason else []), *one.warnings]
    return {
        "state": one.status,
        "icon": _ICONS[one.status],
        "word": _state(one.status, words, done),
        "file": shown(one.file),
        "facts": " · ".join(facts),
        "notes": [shown(beneath(say, words)) for say in says],
    }


def _state(status: Status, words: Words, done: bool) -> str:
    return words(f"import.status.{status}" if done else f"ui.import.state_{status}")


def _planned(say: Say) -> Say:
    """What is said of a document that is there already, before anything becomes of it."""
    kind = say.code.rpartition(".")[2]
    return replace(say, code=f"ui.import.will_{kind}") if say.code in _PLANS else say
