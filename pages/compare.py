"""Compare: one question through several modes, side by side."""

from dataclasses import replace

import streamlit as st

from core.knowledge.shelf import questions
from pages.parts import about, desk, folded, form, live, own, presenter, result
from pages.parts.explain import section
from pages.parts.frame import frame, to_settings
from pages.parts.library import drafting
from pages.parts.literal import inline

page = frame()
words = page.words
before = desk.look()
now = desk.follow_address(page, desk.settle(page))
presenting = presenter.on() and now.comparison is not None
if presenting:
    page.head.empty()
else:
    page.head.markdown(f"### {words('ui.compare.title')}", anchors=False)
bench = page.bench()
if not presenting:
    page.line(about.line(bench.base, words), still=now.order is not None or now.comparison is not None)
    if drafted := drafting.get(page.base):
        count = len(drafted.draft.operations)
        st.caption(f":material/edit_note: {words('ui.compare.draft', count=count)}")

if now.comparison and now.order is None and (now.just or now.comparison is not before.comparison):
    form.put_back(now.comparison, whole=before.race is None and not now.just)
    desk.put(replace(now, just=False))
form.draw(bench, words, first=now.order is None and now.comparison is None)
told = st.empty()
if now.notice:
    told.warning(inline(words.say(now.notice)), icon=":material/info:")
if now.order:
    live.run(page, bench, now.order)
elif now.comparison:
    result.draw(now.comparison, words, bench, now.unkept)
    section.draw(page, bench, now.comparison)
else:
    with st.container(border=True):
        st.markdown(words("ui.empty.what"))
        st.caption(words("ui.empty.how" if questions(bench.base).questions else "ui.empty.none"))
        if own.offline(page.settings) and own.offered(page.settings):
            st.caption(words("ui.settings.waiting"))
            to_settings(words)
    folded.draw(None, key="folded")  # the browser has the element then by the time there is something to fold
