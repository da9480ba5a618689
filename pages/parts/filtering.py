"""Filters as a reader sets them: fields to choose, what is in force as pills that a tap takes away, their words.

The fields of one `place` (the form of Compare, the search of the Library) hold its filters in the session, one key a
field; the address of Compare tells what its form holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate

import streamlit as st

from core.domain import Say
from core.errors import UsageError
from core.knowledge.base import JOINT, KnowledgeBase
from core.retrieval.filters import TYPES, Filters
from core.retrieval.filters import told as condition
from core.retrieval.memo import Memo
from core.words import Words
from core.words.passage_types import fitting, type_of
from pages.parts import addressed as addressing
from pages.parts.literal import inline, short

COMPARE, LIBRARY = "filter", "find"
"""The places that have filters, as the keys of their fields begin."""
EXACT = "exact"
"""Key of the switch of exact look-ups, and its name in the address."""
SWITCHED = {True: "on", False: "off"}
_PILL = 44
"""Columns of type that a filter takes on its pill."""
_CHOSEN = ("section", "document", "type")
"""What is chosen from what the base has; a part of a name may be typed too."""
_OPTIONS: Memo[Mapping[str, tuple[str, ...]]] = Memo(4)


@dataclass(frozen=True, slots=True)
class _Held:
    """For which base the fields of a place were filled, and how often that was done by the page.

    A field in a fold that is shut does not hear that its value was changed, and would bring the old one back: so what
    the page fills are other widgets each time.
    """

    base: str = ""
    edition: int = 0


def _held(place: str) -> _Held:
    found = st.session_state.get(f"{place}.held")
    return found if isinstance(found, _Held) else _Held()


def key(place: str, name: str) -> str:
    """The key of a field as it is now."""
    edition = _held(place).edition
    return f"{place}.{name}.{edition}" if edition else f"{place}.{name}"


def chosen(place: str) -> dict[str, str]:
    """What the fields of a place hold, by name; not yet checked."""
    found = {name: str(st.session_state.get(key(place, name)) or "").strip() for name in Filters.names()}
    return {name: value for name, value in found.items() if value}


def fill(place: str, given: Mapping[str, str], base: str) -> None:
    """Put filters that were made for the base of this name into the fields."""
    for name in Filters.names():
        st.session_state.pop(key(place, name), None)
    st.session_state[f"{place}.held"] = _Held(base, _held(place).edition + 1)
    for name in Filters.names():
        st.session_state[key(place, name)] = given.get(name)


def drop(place: str, *names: str) -> None:
    """Empty these fields."""
    kept = {name: value for name, value in chosen(place).items() if name not in names}
    fill(place, kept, _held(place).base)


def begin() -> None:
    """Fill the fields of Compare from the address, where nothing was put into them yet."""
    for name, value in addressed().items():
        st.session_state.setdefault(key(COMPARE, name), value)


def addressed() -> dict[str, str]:
    """The filters that the address names, a type by the name that records hold."""
    given = {name: st.query_params.get(f"{COMPARE}.{name}", "").strip() for name in Filters.names()}
    given["type"] = type_of(given["type"])
    return {name: value for name, value in given.items() if value}


def address(exact: bool) -> None:
    """Let the address name what the form holds, and whether exact look-ups are on where that is not `exact`."""
    held, own = chosen(COMPARE), st.session_state.get(EXACT, exact)
    values = {f"{COMPARE}.{name}": held.get(name, "") for name in Filters.names()}
    values[EXACT] = "" if own == exact else SWITCHED[own]
    addressing.hold("filter.address", values)


def exact_named() -> bool | None:
    """Whether the address wants exact look-ups; `None` where it does not say."""
    given = st.query_params.get(EXACT)
    return next((on for on, word in SWITCHED.items() if word == given), None)


def settle(place: str, base: KnowledgeBase, words: Words) -> None:
    """After a change of base drop the filters that nothing of the new one meets, and say so."""
    before, held = _held(place), chosen(place)
    st.session_state[f"{place}.held"] = replace(before, base=base.name)
    if before.base in ("", base.name):
        return
    unfit = {name: value for name, value in held.items() if not _fits(base, {name: value})}
    if unfit:
        drop(place, *unfit)
        text = words("ui.filters.unfit", base=base.title, filters=told(unfit, words))
        st.warning(inline(text), icon=":material/filter_alt_off:")


def _fits(base: KnowledgeBase, given: Mapping[str, str]) -> bool:
    try:
        within = Filters.of(given).within(base)
    except UsageError:
        return False
    return within is None or len(within) > 0


def checked(given: Mapping[str, str], base: KnowledgeBase) -> Filters:
    """Filters that let something of the base through; raises `UsageError` for others, or for a date that is none."""
    try:
        filters = Filters.of(given)
    except UsageError as refused:
        if refused.say.code != "filter.date":
            raise
        named = Say.of(f"ui.filters.{refused.say.values['name']}").as_value()
        raise UsageError("ui.filters.date", name=named, value=refused.say.values["value"]) from refused
    filters = fitting(filters, base)
    within = filters.within(base)
    if within is not None and not len(within):
        raise UsageError("filter.nothing", filters=filters.told())
    return filters


def told(given: Mapping[str, str], words: Words) -> list[str]:
    """Each filter in words; plain text."""
    return [words.say(condition(name, value)) for name, value in given.items()]


def in_force(given: Mapping[str, str], words: Words) -> str:
    """The line that says under which filters a comparison was made, empty where there were none; plain text."""
    return words("filter.in_force", filters=told(given, words)) if given else ""


def draw_fields(place: str, base: KnowledgeBase, words: Words) -> None:
    """A field for each condition."""
    st.markdown(f"**{words('ui.filters.title')}**")
    st.caption(words("ui.filters.about"))
    for name in _CHOSEN:
        _choice(place, name, base, words)
    _text(place, "entity", words)
    with st.container(horizontal=True, gap="small"):
        for name in ("since", "until"):
            _text(place, name, words)


def _choice(place: str, name: str, base: KnowledgeBase, words: Words) -> None:
    options, own = _OPTIONS.of(base, "options", lambda: _options(base))[name], key(place, name)
    held = st.session_state[own] = st.session_state.get(own) or None  # put anew: other options make another widget
    st.selectbox(
        words(f"ui.filters.{name}"),
        options if held is None or held in options else (*options, held),
        index=None,
        format_func=lambda value: words(f"ui.passage.{value}") if name == "type" and value in TYPES else value,
        key=own,
        placeholder=words("ui.filters.any"),
        accept_new_options=name != "type",
        persist_state="session",
    )


def _text(place: str, name: str, words: Words) -> None:
    own = key(place, name)
    st.session_state[own] = st.session_state.get(own) or None
    st.text_input(
        words(f"ui.filters.{name}"),
        key=own,
        placeholder=words("ui.filters.entity_example" if name == "entity" else "ui.filters.date_example"),
        help=words("ui.filters.entity_help" if name == "entity" else "ui.filters.date_help"),
        persist_state="session",
        width="stretch" if name == "entity" else 150,
    )


def _options(base: KnowledgeBase) -> Mapping[str, tuple[str, ...]]:
    """What there is to choose: the headings with those above them, the documents, the types."""
    return {
        "section": tuple(dict.fromkeys(heading for section in base.sections for heading in _above(section))),
        "document": tuple(dict.fromkeys(passage.document for passage in base.passages)),
        "type": tuple(dict.fromkeys(str(p.metadata["type"]) for p in base.passages if p.metadata.get("type"))),
    }


def _above(section: str) -> Iterable[str]:
    return accumulate(section.split(JOINT), lambda path, heading: f"{path}{JOINT}{heading}")


def draw_active(place: str, base: KnowledgeBase, words: Words) -> bool:
    """The filters in force, each gone with a tap, and how much they leave; whether anything can be searched so.

    Their room is there even when it is empty: what follows would else be drawn anew, and an open fold would shut. It
    is emptied each time: of a fragment that is drawn while another one changes by itself, what is gone could else stay.
    """
    held, room = chosen(place), st.empty()
    if not held:
        return True
    with room.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"{place}.active"):
        st.caption(f":material/filter_alt: {words('ui.filters.active')}", width="content")
        for name, text in zip(held, told(held, words), strict=True):
            st.button(
                inline(short(text, _PILL)),
                icon=":material/close:",
                key=f"{place}.drop.{name}",
                help=inline(words("ui.filters.drop", filter=text)),
                on_click=drop,
                args=(place, name),
            )
        return _left(held, base, words)


def _left(held: Mapping[str, str], base: KnowledgeBase, words: Words) -> bool:
    """How many passages the filters let through, or what is wrong with them."""
    try:
        with st.spinner(words("ui.filters.busy")):
            filters = checked(held, base)
    except UsageError as refused:
        st.markdown(f":small[:red[:material/filter_alt_off: {inline(words.say(refused.say))}]]", width="content")
        return False
    within = filters.within(base)
    left = len(base.passages) if within is None else len(within)
    st.caption(words("ui.filters.left", left=left, passages=len(base.passages)), width="content")
    return True
