"""What an author does to the passage that is open: each thing in a panel below it, kept in the draft."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import streamlit as st

from core.authoring.drafts import Draft
from core.authoring.operations import Add, Disable, Edit, Merge, Operation
from core.authoring.saving import editable
from core.authoring.texts import Place
from core.bench import Bench
from core.errors import UsageError, WorkbenchError
from core.knowledge.annotations import text_digest
from core.knowledge.sentences import columns
from core.words import Words
from pages.parts.frame import Frame
from pages.parts.library import describing, drafting, placing
from pages.parts.library.drafting import Work
from pages.parts.library.panel import Panel
from pages.parts.literal import inline
from pages.parts.tabular import readable
from pages.parts.told import told

_LINE = 76
"""Columns of type of a line: 38 Chinese characters."""


def draw(page: Frame, bench: Bench, work: Work | None, id: str, disabled: bool) -> None:
    """The choice of what to do with a passage and the panel of it; where nothing can be done, why."""
    words = page.words
    if not allowed(bench, work, words):
        return
    draft = work.draft if work else Draft(bench.base)
    try:
        place = draft.place(id)
    except WorkbenchError as unplaced:
        st.caption(inline(words.say(unplaced.say)))
        return
    key = f"doing.{id}"
    doing = st.segmented_control(
        words("ui.edit.what"),
        list(_PANELS),
        format_func=lambda name: _called(name, disabled, words),
        key=key,
        label_visibility="collapsed",
        wrap=True,
    )
    told(drafting.PLACE, words)
    if doing:
        kind = _Foreseen if doing in _SETTLED else Panel
        with st.container(border=True, gap="small", key="panel"):
            try:
                _PANELS[doing](kind(page, bench.base, draft, place, key))
            except WorkbenchError as unreadable:  # what is known of passages, or another of the base's files
                st.caption(inline(words.say(unreadable.say)))


@dataclass(frozen=True)
class _Foreseen(Panel):
    """A panel whose change is settled while it is drawn: where it cannot be made, why stands in place of the button."""

    def buttons(self, made: Callable[[], Operation], fields: Collection[str] = ()) -> None:
        """As `Panel` says."""
        try:
            made().apply(self.draft.texts)  # of these texts nothing is kept
        except WorkbenchError as refused:
            st.markdown(f":material/block: {inline(self.words.say(refused.say))}")
        else:
            Panel.buttons(self, made, fields)


def allowed(bench: Bench, work: Work | None, words: Words) -> bool:
    """Whether passages can be changed now; if not, it is said why."""
    try:
        editable(bench.base)
    except UsageError as uneditable:
        st.caption(f":material/lock: {inline(words.say(uneditable.say))}")
        return False
    if work and work.clash:
        st.caption(f":material/call_split: {words('ui.clash.first')}")
        return False
    return True


def _called(name: str, disabled: bool, words: Words) -> str:
    return words(f"ui.edit.{'enable' if name == 'switch' and disabled else name}")


def _edit(panel: Panel) -> None:
    """The passage as it stands in its document, to be written anew."""
    words, place = panel.words, panel.place
    key = f"edit.{place.id}.{text_digest(place.source)}"
    st.session_state.setdefault(key, place.source)
    st.text_area(
        words("ui.edit.text", document=inline(place.document)),
        key=key,
        height=_height(place.source),
        persist_state="session",
    )
    panel.buttons(lambda: _edited(place, str(st.session_state[key])), fields=(key,))


def _edited(place: Place, text: str) -> Operation:
    if text.strip() == place.source.strip():
        raise UsageError("ui.edit.unchanged")
    if not text.strip():
        raise UsageError("draft.blank")
    return Edit(place.id, place.source, text)


def _height(text: str) -> int:
    """Pixels of a field for a text of this length, whose lines hold what a line of reading text holds."""
    lines = sum(1 + columns(line) // _LINE for line in text.split("\n"))
    return min(max(4, lines + 2) * 26, 480)


def _add(panel: Panel) -> None:
    words, place = panel.words, panel.place
    key = f"add.{place.id}"
    st.session_state.setdefault(key, "")
    st.text_area(
        words("ui.edit.add_text"),
        key=key,
        height=140,
        placeholder=words("ui.edit.add_example"),
        persist_state="session",
    )

    def made() -> Operation:
        return Add(place.document, place.id, str(st.session_state[key]), place.source)

    panel.buttons(made, fields=(key,))


def _merge(panel: Panel) -> None:
    words, place = panel.words, panel.place
    if place.following is None:
        st.caption(words("draft.merge.last"))
        return
    following = place.pieces[place.following]
    st.markdown(words("ui.edit.merge_sure"))
    with st.container(border=True):
        st.caption(inline(place.following))
        st.markdown(readable(place.text[following.start : following.end]))
    panel.buttons(lambda: Merge(place.id, place.source))


def _switch(panel: Panel) -> None:
    words, place = panel.words, panel.place
    disabled = panel.draft.note(place.id).disabled
    st.markdown(words("ui.edit.enable_sure" if disabled else "ui.edit.switch_sure"))
    panel.buttons(lambda: Disable(place.id, place.source, not disabled))


def _remove(panel: Panel) -> None:
    words, place = panel.words, panel.place
    st.markdown(words("ui.edit.remove_sure", document=inline(place.document)))
    panel.buttons(lambda: Edit(place.id, place.source, ""))


_PANELS: Mapping[str, Callable[[Panel], None]] = {
    "edit": _edit,
    "split": placing.split,
    "merge": _merge,
    "move": placing.move,
    "add": _add,
    "describe": describing.draw,
    "switch": _switch,
    "remove": _remove,
}
"""What can be done, by the name under which it is chosen."""
_SETTLED = ("split", "merge", "move", "switch", "remove")
"""Those that ask for nothing to be typed."""
