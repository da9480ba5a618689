"""What the page answers to a click, said once where the click was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.words import Words
from pages.parts import own
from pages.parts.literal import inline


@contextmanager
def section(place: str, words: Words) -> Iterator[None]:
    """A part of the settings page: its title, what it is about, what it answers, and what is drawn in the block."""
    with st.container(gap="small"):
        with st.container(gap=None):
            st.subheader(words(f"ui.settings.{place}"), anchor=False)
            st.caption(words(f"ui.settings.{place}_about"))
        told(place, words)
        yield


def told(place: str, words: Words) -> None:
    """Show what is to be told at this place."""
    say = own.hear(place)
    if say is None:
        return
    if say.code.split(".")[1] == "notice":  # something was done
        st.success(inline(words.say(say)), icon=":material/check:")
    else:
        st.warning(inline(words.say(say)), icon=":material/info:")
