"""An author's journey in a real browser: an edit kept, seen through, saved, found, compared and undone; a conflict."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.app.authoring import SECOND, THIRD, lying, meanwhile
from tests.app.authoring import make as make_base
from tests.browser.doing import part
from tests.browser.watching import quiet

CHANGED = "第二条 装修垃圾清运费每户四百元。"


@pytest.fixture(scope="module")
def app(tmp_path_factory, start):
    """An app of this module's own over a base that its tests change."""
    home = tmp_path_factory.mktemp("editing")
    with pytest.MonkeyPatch.context() as patch:
        make_base(home, patch)
    return start(home, WORKBENCH_KB="own")


@pytest.fixture
def author(visit, app):
    """Opens a passage in a browser of its own; returns the page."""

    def opened(passage, **how):
        page, _ = visit(f"/library?p={quote(passage)}", base=app.address, apart=True, **how)
        return quiet(page)

    return opened


def choose(page, key, at):
    """Take one of the choices of a segmented control whose key begins so."""
    page.locator(f"[class*=st-key-{key}] button:visible").nth(at).click()
    return quiet(page)


def press(page, key):
    part(page, key).click()
    return quiet(page)


def rewrite(page, text):
    """Give the open passage another text, in the draft."""
    choose(page, "doing-", 0)
    page.locator("[class*=st-key-edit-] textarea").fill(text)
    page.locator("[class*=st-key-keep-] button").click()
    return quiet(page)


def save(page, note):
    choose(page, "draft-panel", 2)
    part(page, "draft.author", "input").fill("小王")
    part(page, "draft.note", "input").fill(note)
    return press(page, "draft.save")


def test_an_edit_is_seen_through_saved_found_compared_and_taken_back(author, app):
    page = rewrite(author(SECOND), CHANGED)
    expect(page.get_by_text("草稿：1 处改动")).to_be_visible()
    choose(page, "draft-panel", 1)
    press(page, "impact.run")
    expect(page.get_by_text("2 个问题的结果都不变")).to_be_visible()
    save(page, "改清运费")
    expect(page.get_by_text(re.compile("已保存为第 . 版"))).to_be_visible()
    part(page, "find", "input").fill("装修垃圾")
    page.keyboard.press("Enter")
    expect(page.get_by_text("找到 1 段")).to_be_visible()
    choose(page, "view", 2)
    expect(page.get_by_text("改清运费").first).to_be_visible()
    expect(page.locator(".difference .added mark").first).to_be_visible()
    page.locator("summary").filter(has_text="退回第").click()
    press(page, "history.back")
    expect(page.get_by_text(re.compile("已退回第 . 版"))).to_be_visible()
    assert "三百元" in lying(app.home / "kb" / "own")[SECOND]


def test_a_draft_outlives_a_reload_and_is_not_offered_to_others_while_it_is_open(author, app):
    page = rewrite(author(SECOND), "第二条 清运费每户六百元。")
    expect(page.get_by_text("草稿：1 处改动")).to_be_visible()
    other = author(SECOND)
    expect(other.locator("[class*=st-key-kept-take]")).to_have_count(0)
    page.reload()
    take = page.locator("[class*=st-key-kept-take] button")
    take.click()
    expect(page.get_by_text("草稿：1 处改动")).to_be_visible()
    expect(page.get_by_text("第二条 清运费每户六百元。").first).to_be_visible()
    choose(quiet(page), "draft-panel", 3)
    press(page, "draft.discard")
    expect(page.get_by_text("草稿：1 处改动")).to_have_count(0)
    assert not list((app.home / "drafts").rglob("*.json"))


def test_a_conflict_is_decided_on_a_phone_and_nothing_is_wider(author, app):
    folder = app.home / "kb" / "own"
    page = rewrite(author(THIRD, width=390, scheme="dark"), "第三条 逾期缴纳的，每日加收滞纳金。")
    choose(page, "draft-panel", 2)
    meanwhile(folder, "第三条 逾期缴纳的加收滞纳金。", "第三条 逾期三十日的加收滞纳金。")
    press(page, "draft.save")
    expect(part(page, "clash.mine")).to_be_visible()
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("node => node.scrollWidth <= node.clientWidth")
    press(page, "clash.mine")
    press(page, "draft.save")
    expect(page.get_by_text(re.compile("已保存为第 . 版"))).to_be_visible()
    assert "每日加收" in lying(folder)[THIRD]
