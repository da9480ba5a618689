"""Settings: what does each piece of the work, where models are reached, and what may be spent."""

import streamlit as st

from pages.parts import (
    settings_endpoints,
    settings_keep,
    settings_limits,
    settings_prices,
    settings_roles,
    settings_trying,
)
from pages.parts.frame import frame
from pages.parts.told import section

page = frame()
words = page.words
page.head.markdown(f"### {words('ui.settings.title')}", anchors=False)
page.lead.caption(words("ui.settings.lead"))

with st.container(width=860, gap="large"):  # a wider form is harder to follow from label to value
    with st.container(border=True):
        st.subheader(words("ui.settings.now"), anchor=False)
        settings_roles.draw_now(page)
        settings_roles.draw_offers(page)
        try_models = settings_trying.draw(page)
    with section("endpoints", words):
        settings_endpoints.draw(page)
    with section("roles", words):
        settings_roles.draw_form(page)
    with section("limits", words):
        settings_limits.draw(page)
        with st.expander(words("ui.settings.prices"), icon=":material/payments:", key="prices.fold"):
            settings_prices.draw(page)
    with section("keep", words):
        settings_keep.draw(page)
try_models()
