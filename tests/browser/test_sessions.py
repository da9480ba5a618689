"""Two people at one server: neither sees the other's keys, choices or running work."""

import pytest
from playwright.sync_api import expect

from tests.browser.doing import CHOICES, KEPT, QUESTION, answers, columns, goto, kept, part, send, unfold
from tests.browser.watching import quiet
from tests.loopback import Said

KEY = "sk-entered-by-one-of-two-4321"
SLOW = Said("须先申报[1]，" * 60, first_delay=0.3, delay=0.1, pieces=60)
"""An answer that is under way for six seconds; on a machine that is busy for longer."""
PATIENCE = 60_000
"""Milliseconds that it is given to end by itself, which is what is tested."""


def numbered(page, key, value=None):
    """The value of a number among the further settings; set first, where one is given."""
    page.get_by_test_id("stPopover").first.get_by_role("button").click()
    box = part(page, key, "input")
    expect(box).to_be_visible()
    if value is not None:
        box.fill(str(value))
    found = box.input_value()
    page.keyboard.press("Escape")
    return found


def test_a_key_entered_by_one_is_nowhere_on_the_others_page(visit, talking):
    app, _ = talking
    one, _ = visit("/settings", base=app.address)
    unfold(quiet(one), "endpoint.zhipu.fold")
    part(one, "endpoint.zhipu.key", "input").fill(KEY)
    part(one, "endpoint.zhipu.save").click()
    expect(one.get_by_text("…4321").first).to_be_visible()
    other, _ = visit("/settings", base=app.address, apart=True)
    assert "4321" not in quiet(other).content()
    goto(other, "compare")
    assert "4321" not in quiet(other).content()


def test_what_one_chose_the_other_does_not_find(visit, talking):
    app, _ = talking
    one, _ = visit(base=app.address)
    assert numbered(quiet(one), "set.rerank.candidates", 7) == "7"
    part(one, "modes", CHOICES, 0).click()
    send(one)
    kept(one)
    assert len(columns(one)) == 2
    other, _ = visit(base=app.address, apart=True)
    assert numbered(quiet(other), "set.rerank.candidates") == "20"
    assert part(other, "question", "textarea").input_value() == ""
    expect(other.locator(".st-key-modes [aria-pressed=true]")).to_have_count(3)


def test_what_one_runs_the_other_neither_sees_nor_stops(visit, talking):
    app, server = talking
    server.always(SLOW)
    one, _ = visit(base=app.address)
    send(one)
    expect(answers(one).first).to_contain_text("须先申报")
    other, _ = visit(base=app.address, apart=True)
    assert "须先申报" not in quiet(other).content() and QUESTION not in other.locator("textarea").first.input_value()
    server.always(Said("另一句[1]。"))
    send(other, "监控录像保存多久？")
    theirs = kept(other)
    assert "须先申报" not in other.content()
    assert KEPT.search(one.url).group(1) != theirs
    expect(part(one, "stop")).to_be_disabled(timeout=PATIENCE)
    assert not server.left
    expect(answers(one).first).not_to_contain_text("已停止")


@pytest.fixture(scope="module")
def private(start):
    return start(WORKBENCH_PRIVATE="1")


def test_on_a_private_server_nobody_else_opens_a_comparison(visit, private):
    one, _ = visit(base=private.address)
    send(one)
    identifier = kept(one)
    other, _ = visit(one.url, apart=True)
    expect(other.get_by_text(identifier)).to_be_visible()
    assert quiet(other).get_by_test_id("stColumn").count() == 0
    for page, sees in ((one, True), (other, False)):
        goto(page, "library")
        page.wait_for_url("**/library*")
        quiet(page).locator(".st-key-section [data-testid=stRadioOption]").nth(1).click()
        page.get_by_test_id("stMain").get_by_text("第六条").first.wait_for()
        quiet(page).locator("[class*='st-key-open'] button:visible").first.click()
        page.wait_for_url("**p=*")
        assert (QUESTION in quiet(page).get_by_test_id("stMain").inner_text()) == sees
