"""The Learn page in a real browser: a whole lesson, a blind vote of two readers, playback by keyboard."""

import re

from playwright.sync_api import expect

from core.modes import choose
from core.words import LANGUAGES, Words, catalogue
from tests.browser.doing import kept, part

OPENING = "/learn?topic=lesson&lesson=opening"


def revealed(visit, path=OPENING, **how):
    """A lesson whose modes were predicted to find nothing, and what happened."""
    page, _ = visit(path, **how)
    part(page, "reveal").click()
    expect(part(page, "again")).to_be_visible()
    return page


def test_a_lesson_is_predicted_revealed_explained_and_asked_on_compare(visit):
    page, _ = visit("/learn")
    part(page, "topic.lesson").click()
    guess = part(page, "guess.formalities", "*")
    guess.get_by_role("button", name="BM25", exact=True).click()
    part(page, "reveal").click()
    expect(page.get_by_text("这一课猜对 1 / 3")).to_be_visible()
    expect(page.get_by_text("第六条 业主应当在").first).to_be_visible()
    page.locator("[class*=st-key-compare] button").click()
    assert kept(page)


def test_the_language_changes_in_mid_lesson_and_leaves_nothing_behind(visit):
    page = revealed(visit)
    page.get_by_text("English", exact=True).click()
    expect(page.get_by_text("Right in this lesson")).to_be_visible()
    expect(part(page, "again")).to_contain_text("Guess again")
    said = [text for code, text in catalogue("zh").items() if code.startswith(("ui.lesson.", "lesson.", "ui.learn."))]
    seen = page.inner_text("[data-testid=stMain]")
    assert "topic=lesson" in page.url and "lesson=opening" in page.url
    assert [text for text in said if "{" not in text and text in seen] == []
    page.locator("[class*=st-key-compare] button").click()
    assert kept(page)
    expect(part(page, "run")).to_contain_text("Compare")


def test_no_name_of_a_mode_reaches_the_browser_before_the_vote(visit, address, dispute):
    page, _ = visit("/learn")
    frames = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(bytes_of(frame))))
    page.goto(f"{address}/learn?topic=blind&c={dispute}")
    expect(part(page, "vote.A")).to_be_visible()
    names = [Words(language).mode(mode.id) for mode in choose() for language in LANGUAGES]
    names += [mode.icon for mode in choose()] + [f'"{mode.id}"' for mode in choose()]
    heard = b"".join(frames)
    assert "哪个答案更好".encode() in heard
    assert [name for name in names if name.encode() in heard or name in page.content()] == []


def bytes_of(frame):
    return frame if isinstance(frame, bytes) else frame.encode()


def test_two_readers_vote_blind_and_the_tally_adds_up(visit, dispute):
    path = f"/learn?topic=blind&c={dispute}"
    first, _ = visit(path)
    part(first, "vote.A").click()
    expect(first.get_by_text("共 1 票")).to_be_visible()
    second, _ = visit(path, locale="en-US", apart=True)
    assert second.get_by_text("BM25").count() == 0
    part(second, "vote.tie").click()
    expect(second.get_by_text("Votes on this comparison: 2, ties among them: 1.")).to_be_visible()
    part(second, "vote.B").click()
    expect(second.get_by_text("Votes on this comparison: 2, ties among them: 0.")).to_be_visible()
    expect(second.get_by_text("BM25").first).to_be_visible()


def test_playback_is_stepped_through_by_keyboard_alone(visit, dispute):
    page, _ = visit(f"/learn?topic=playback&c={dispute}")
    expect(page.get_by_text(re.compile("第 1 步，共"))).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_text(re.compile("第 2 步，共"))).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_text(re.compile("第 1 步，共"))).to_be_visible()
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(re.compile("第 2 步，共"))).to_be_visible()
    page.keyboard.press("End")
    expect(part(page, "next")).to_be_disabled()
    expect(page.get_by_text("以下为原文摘录").first).to_be_visible()


def test_no_topic_is_wider_than_a_phone(visit, dispute):
    page = revealed(visit, width=390)
    for topic in ("", "?topic=failures", f"?topic=blind&c={dispute}", f"?topic=playback&c={dispute}"):
        page.goto(f"{page.url.partition('/learn')[0]}/learn{topic}")
        expect(page.get_by_role("heading", level=3).first).to_be_visible()
        expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
        main = page.locator("[data-testid=stMain]")
        assert main.evaluate("node => node.scrollWidth <= node.clientWidth"), topic


def test_presenter_view_counts_the_gold_and_is_left_by_the_escape_key(visit, dispute):
    page, _ = visit(f"/?c={dispute}&present=1")
    expect(page.locator(".presenter .punch")).to_contain_text("标准段落")
    page.keyboard.press("Escape")
    expect(page.locator(".presenter")).to_have_count(0)
    assert "present=" not in page.url
