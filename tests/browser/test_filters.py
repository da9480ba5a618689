"""Filters in a real browser: chosen in a fold, taken away by a tap, kept by the address."""

from playwright.sync_api import expect

from tests.browser.doing import kept, part, send
from tests.browser.watching import quiet


def test_a_filter_that_was_taken_away_does_not_come_back_with_the_next_question(visit):
    page, _ = visit("/?filter.section=电梯&filter.type=article", apart=True)
    quiet(page).get_by_role("button", name="更多设置").click()
    expect(part(page, "filter.type", "input")).to_be_visible()  # the browser holds its value from now on
    page.keyboard.press("Escape")
    part(page, "filter.drop.type").click()
    expect(part(page, "filter.drop.type")).to_have_count(0)
    send(page)
    kept(page)
    expect(page.get_by_text("筛选：部分含“电梯”")).to_be_visible()
    expect(page.get_by_text("类型含")).to_have_count(0)


def test_a_filter_chosen_in_the_fold_leaves_it_open_and_survives_a_reload(visit):
    page, _ = visit(apart=True)
    quiet(page).get_by_role("button", name="更多设置").click()
    part(page, "filter.entity", "input").fill("第六条")
    page.keyboard.press("Enter")
    expect(page.get_by_text("剩 1 / 68 段")).to_be_visible()
    expect(part(page, "filter.entity", "input")).to_be_visible()
    page.wait_for_url("**filter.entity=*")  # put there once the fragment is drawn, below what told how many are left
    page.reload()
    expect(page.get_by_text("剩 1 / 68 段")).to_be_visible()
