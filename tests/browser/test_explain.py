"""Explain in a real browser: the matrix by mouse and keyboard, the way to a why, hostile texts, a phone, the file."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.doing import send
from tests.browser.watching import quiet

HOSTILE = (
    "# <img src=x onerror=alert(1)> $x^2$ :red[部]\n\n"
    '## =HYPERLINK("http://evil.example","点") 电梯\n\n'
    "电梯 $5 和 $6 :red[红] <script>window.hacked=1</script> [链接](javascript:alert(1)) http://evil.example/\n"
)


@pytest.fixture
def explained(visit, dispute):
    """Opens the opening dispute where its matrix stands; returns the page."""

    def opened(**how):
        page, _ = visit(f"/?c={dispute}", **how)
        expect(page.get_by_role("grid")).to_be_visible()
        return page

    return opened


def test_two_taps_from_the_start_page_bring_the_why_of_a_missed_passage_into_view(visit):
    page, _ = visit()
    quiet(page).get_by_role("button", name=re.compile("物业要业主赔")).first.click()
    page.get_by_role("button", name="第二十八条", exact=True).first.click()
    expect(page.get_by_role("heading", name=re.compile("为什么：第二十八条"))).to_be_in_viewport()
    expect(page.get_by_text(re.compile(r"排第 \d+，只取前 5 段，所以没有交给作答")).last).to_be_visible()


def test_a_row_of_the_matrix_opens_its_why(explained):
    page = explained()
    row = page.locator("tr[data-row]").nth(2)
    name = row.locator(".label").inner_text()
    row.click()
    expect(page.get_by_role("heading", name=f"为什么：{name}")).to_be_visible()
    expect(row).to_have_attribute("aria-selected", "true")


def test_the_matrix_is_used_with_the_keyboard_alone(explained):
    page = explained()
    rows = page.locator("tr[data-row]")
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(rows.nth(2)).to_be_focused()
    page.keyboard.press("Enter")
    name = rows.nth(2).locator(".label").inner_text()
    expect(page.get_by_role("heading", name=f"为什么：{name}")).to_be_visible()
    expect(rows.nth(2)).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("Space")
    expect(rows.last).to_have_attribute("aria-selected", "true")


def test_a_click_in_the_section_leaves_the_address_and_the_columns_as_they_are(explained):
    page = explained()
    address = page.url
    page.locator("tr[data-row]").first.click()
    expect(page.get_by_role("heading", name=re.compile("为什么："))).to_be_visible()
    assert page.url == address
    page.reload()
    expect(page.get_by_role("grid")).to_be_visible()


def test_the_file_is_downloaded_and_nothing_is_asked_anew(explained):
    page = explained()
    page.locator("tr[data-row]").first.click()
    expect(page.get_by_role("heading", name=re.compile("为什么："))).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="下载 CSV").click()
    lines = waiting.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].startswith("部分,段落编号") and len(lines) == page.locator("tr[data-row]").count() + 1
    expect(page.get_by_role("heading", name=re.compile("为什么："))).to_be_visible()


@pytest.mark.parametrize("width", [390, 900])
def test_nothing_of_the_section_is_wider_than_the_screen(explained, width):
    page = explained(width=width)
    page.get_by_role("button", name="第二十八条", exact=True).first.click()
    expect(page.get_by_role("heading", name=re.compile("为什么："))).to_be_visible()
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("node => node.scrollWidth <= node.clientWidth")
    inside = (
        page.get_by_role("grid")
        .locator("thead th.mode")
        .evaluate_all(
            "heads => heads.every(head => head.getBoundingClientRect().right <= innerWidth && head.offsetWidth >= 80)"
        )
    )
    assert inside


def test_hostile_texts_stand_literally_in_matrix_and_panel(visit, start, new_home):
    home = new_home()
    folder = home / "kb" / "own" / "sections"
    folder.mkdir(parents=True)
    (folder.parent / "kb.toml").write_text('title = "<b>坏</b> $5"\nlanguage = "zh"\n', encoding="utf-8")
    (folder / "01.md").write_text(HOSTILE, encoding="utf-8")
    app = start(home, WORKBENCH_KB="own")
    page, _ = visit(base=app.address)
    send(page, "电梯 $5 和 $6 <b>谁付</b>")
    row = page.locator("tr[data-row]").first
    expect(row.locator(".label")).to_have_text('=HYPERLINK("http://evil.example","点") 电梯')
    row.click()
    expect(page.get_by_text("<script>window.hacked=1</script>").last).to_be_visible()
    assert page.evaluate("window.hacked") is None
    assert page.locator("a[href*=evil], a[href^=javascript], img[src=x], .katex").count() == 0
