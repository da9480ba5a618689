"""Chinese typed by composition: the Enter that picks a word sends nothing, on any page, from any box."""

import pytest
from playwright.sync_api import expect

from tests.browser.doing import part
from tests.browser.watching import quiet
from tests.conftest import ROOT

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("[!_]*.py"))
BOXES = "input[type=text]:visible, input[type=password]:visible, textarea:visible"
OPEN_FOLDS = "() => { for (const fold of document.querySelectorAll('details:not([open]) > summary')) fold.click(); }"


def composed(page, box, keyboard):
    """What is sent to the server while a word is composed in `box` and picked with Enter."""
    sent = []
    box.click()
    box.fill("")
    page.sent = sent
    keyboard.send("Input.imeSetComposition", {"text": "zhuangxiu", "selectionStart": 9, "selectionEnd": 9})
    page.keyboard.press("Enter")
    keyboard.send("Input.insertText", {"text": "装修"})
    page.wait_for_timeout(250)
    return sent


@pytest.mark.parametrize("name", PAGES)
def test_enter_while_a_word_is_being_composed_sends_nothing(name, visit):
    page, _ = visit("/")
    page.sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: page.sent.append(frame)))
    page.goto(page.url.rstrip("/") + f"/{name}")
    quiet(page).evaluate(OPEN_FOLDS)
    keyboard = page.context.new_cdp_session(page)
    for box in quiet(page).locator(BOXES).all():
        if box.get_attribute("role") == "combobox" or not box.is_editable():
            continue
        assert composed(page, box, keyboard) == []
        assert "装修" in box.input_value()


def test_enter_after_the_word_is_picked_does_send(visit):
    page, _ = visit("/library")
    box = part(quiet(page), "find", "input")
    keyboard = page.context.new_cdp_session(page)
    composed(page, box, keyboard)
    page.keyboard.press("Enter")
    expect(page.locator("[class*='st-key-open'] button:visible").first).to_contain_text("1")
    expect(page.get_by_test_id("stMain")).to_contain_text("装修")
