"""Metadata of a passage: what was found in its text, and what its author says instead or beside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.authoring.operations import Describe, Operation
from core.domain import Passage
from core.errors import UsageError
from core.knowledge.entities import Entities
from core.retrieval.filters import is_date
from core.words import Words
from pages.parts.library.panel import Panel
from pages.parts.literal import inline

_SINGLE = ("type", "date")
_KINDS = ("article", "case", "paragraph", "row")
_WIDTH = 300


def called(name: str, words: Words) -> str:
    """The name of a property in words; one of a file's own as it is. Plain text."""
    code = f"ui.passage.meta_{name}"
    text = words(code)
    return name if text == code else text


def value(name: str, found: Any, words: Words) -> str:
    """The value of a property: the kinds we give ourselves in words, several in one line. Plain text."""
    if name == "type" and found in _KINDS:
        return words(f"ui.passage.{found}")
    if name == "confidence" and isinstance(found, float):
        return f"{found:.0%}"
    return words.join([str(each) for each in found]) if isinstance(found, list | tuple) else str(found)


def facts(passage: Passage, words: Words) -> list[str]:
    """All that is known of a passage, a line each; the type alone. Plain text."""
    return [
        value(name, found, words) if name == "type" else f"{called(name, words)} {value(name, found, words)}"
        for name, found in passage.metadata.items()
    ]


def draw(panel: Panel) -> None:
    """A field for every property, with what was found as its hint; and one for another of the author's own."""
    words, place = panel.words, panel.place
    given = dict(panel.draft.note(place.id).metadata)
    found = _found(panel)
    names = list(dict.fromkeys((*_SINGLE, *Entities.kinds(), *given)))
    st.caption(words("ui.edit.describe_about"))
    keys = {name: f"meta.{place.id}.{name}" for name in names}
    other, its = f"meta.{place.id}. name", f"meta.{place.id}. value"
    fields = {key: _text(given.get(name, "")) for name, key in keys.items()} | {other: "", its: ""}
    for key, text in fields.items():
        st.session_state.setdefault(key, text)
    with st.container(horizontal=True, gap="small"):
        for name, key in keys.items():
            hint = value(name, found[name], words) if name in found else words("ui.edit.describe_none")
            label = called(name, words)
            st.text_input(inline(label[:1].upper() + label[1:]), key=key, placeholder=hint, width=_WIDTH)
    with st.container(horizontal=True, gap="small"):
        st.text_input(
            words("ui.edit.describe_name"), key=other, width=_WIDTH, placeholder=words("ui.edit.describe_example")
        )
        st.text_input(words("ui.edit.describe_value"), key=its, width=_WIDTH)

    def made() -> Operation:
        typed = {name: str(st.session_state[key]).strip() for name, key in keys.items()}
        name, text = (str(st.session_state[key]).strip() for key in (other, its))
        new = _given({**typed, **({name: text} if name else {})})
        if new == given:
            raise UsageError("ui.edit.unchanged")
        date = _text(new.get("date", ""))
        if date not in ("", _text(given.get("date", ""))) and not is_date(date):
            raise UsageError("ui.edit.no_date", value=date)
        return Describe(place.id, place.source, new)

    panel.buttons(made, fields=tuple(fields))


def _found(panel: Panel) -> Mapping[str, Any]:
    base, id = panel.draft.after, panel.place.id
    passages = [base.passage(id)] if base.has(id) else [one for one in base.disabled if one.id == id]
    return dict(passages[0].metadata) if passages else {}


def _text(value: Any) -> str:
    """A value as it stands in a field: several apart by semicolons."""
    return "; ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _given(typed: Mapping[str, str]) -> dict[str, Any]:
    """What was typed as metadata: of kinds that a text may have several of, a list."""
    several = Entities.kinds()
    return {
        name: [part.strip() for part in text.replace("；", ";").split(";") if part.strip()] if name in several else text
        for name, text in typed.items()
        if text
    }
