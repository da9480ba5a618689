"""A comparison while models stream: it grows without moving, and nothing cut short is lost or passes for whole."""

import pytest
from playwright.sync_api import expect

from core.archive import Archive
from tests.browser.doing import CHOICES, DEEP, QUESTION, answers, columns, goto, kept, part, send
from tests.browser.watching import quiet
from tests.loopback import Said, eventually

NUDGE = 2
"""Pixels by which all columns together may shift when what stands above them changes at the end."""
BEGUN = "须按规定"
LOOKS = 4
"""How often at least an answer is seen to have grown, on a machine however busy."""
SAMPLE = (
    f"() => {{ {DEEP}"
    + """
  const inner = node => { while (node.children.length === 1) node = node.children[0]; return [...node.children]; };
  const box = node => { const { x, y, width, height } = node.getBoundingClientRect(); return [x, y, width, height]; };
  window.seen = [];
  window.sampling = setInterval(() => {
    const row = document.querySelector('[data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"])');
    window.seen.push([...(row ? row.children : [])].map(column => ({
      text: read(column),
      boxes: inner(column).map(part => box(part).map(Math.round)),
    })));
  }, 50);
}"""
)


@pytest.fixture
def archive(talking):
    return Archive(talking[0].home)


@pytest.fixture
def asked(visit, talking):
    """A page on which a question was asked; each mode's answer takes some seconds and has begun."""

    def begun(seconds, sampled=False):
        app, server = talking
        text = "".join(f"№{number}{BEGUN}[1]，" + "\n\n" * (number % 8 == 0) for number in range(1, 61))
        server.always(Said(text, first_delay=1.0 if sampled else 0.3, delay=seconds / 60, pieces=60))
        page, _ = visit(base=app.address)
        quiet(page)
        if sampled:
            page.evaluate(SAMPLE)
        send(page)
        for number in range(3):
            expect(answers(page).nth(number)).to_contain_text(BEGUN)
        return page

    return begun


def cut_short(archive):
    """The newest comparison in the archive, whose runs are all marked as stopped and kept what had come."""
    assert not archive.recent()[0].complete
    comparison = archive.open(archive.recent()[0].id)
    assert {run.stop_reason for run in comparison.runs} == {"stopped"}
    assert all(BEGUN in run.answer for run in comparison.runs)
    return comparison


def silent(server):
    """Whether the server's clients have all left, and none comes again."""
    left = eventually(lambda: len(server.left) == 3)
    heard = len(server.requests)
    return left and not eventually(lambda: len(server.requests) > heard, 0.5)


def test_three_answers_grow_at_once_and_no_part_of_a_column_moves(asked):
    page = asked(4.0, sampled=True)
    kept(page)
    seen = page.evaluate("() => { clearInterval(window.sampling); return window.seen; }")
    for column in range(3):
        looks = [look[column] for look in seen if len(look) == 3 and BEGUN in look[column]["text"]]
        assert len({len(look["text"]) for look in looks}) >= LOOKS, "an answer came in leaps"
        moved = {str([[x, y - look["boxes"][0][1], *size] for x, y, *size in look["boxes"]]) for look in looks}
        assert len(moved) == 1, "\n".join(sorted(moved))
        tops = [look["boxes"][0][1] for look in looks]
        assert max(tops) - min(tops) <= NUDGE, tops


def test_a_finished_comparison_is_the_same_after_a_reload_and_for_whoever_gets_its_address(visit, talking, archive):
    app, server = talking
    server.always(Said("须先**申报**[1]，并交押金[2]。"))
    page, _ = visit(base=app.address)
    send(page)
    identifier = kept(page)
    for number in range(3):
        expect(answers(page).nth(number)).to_contain_text("申报")
    shown, heard, count = columns(quiet(page)), len(server.requests), len(archive.recent())
    page.reload()
    other, _ = visit(page.url, apart=True)
    for reader in (page, other):
        expect(answers(quiet(reader)).nth(2)).to_contain_text("申报")
        assert columns(reader) == shown and kept(reader) == identifier
    assert len(server.requests) == heard and len(archive.recent()) == count


def test_stop_keeps_what_has_come_and_marks_it_and_the_models_hear_no_more(asked, talking, archive):
    page = asked(10.0)
    part(page, "stop").click()
    identifier = kept(page)
    assert silent(talking[1])
    assert cut_short(archive).id == identifier
    for number in range(3):
        column = answers(page).nth(number)
        expect(column).to_contain_text(BEGUN)
        expect(column).to_contain_text("已停止")


@pytest.mark.parametrize("widget", ["lang", "view", "example"])
def test_a_click_on_a_widget_in_mid_run_never_passes_a_part_for_the_whole(widget, asked, talking, archive):
    page, before = asked(10.0), len(archive.recent())  # the one under way among them
    if widget == "example":
        page.locator("summary:visible").first.click()
        talking[1].always(Said("改问这一句[1]。"))
        page.locator("[class*='st-key-example'] button:visible").first.click()
    else:
        part(page, widget, CHOICES, 1).click()
    kept(page)
    assert silent(talking[1])
    comparisons = archive.recent()
    if widget == "example":  # it is asked, and what it cut short is kept as well
        assert [comparison.complete for comparison in comparisons[:2]] == [True, False]
        assert len(comparisons) == before + 1
    else:
        cut_short(archive)
        assert len(comparisons) == before


def test_a_reader_who_leaves_in_mid_run_finds_the_part_again_marked_as_stopped(asked, talking, archive):
    page = asked(10.0)
    goto(page, "library")
    page.wait_for_url("**/library*")
    assert silent(talking[1])
    goto(page, "compare")
    identifier = kept(page)
    assert cut_short(archive).id == identifier
    expect(answers(page).first).to_contain_text("已停止")


def test_a_reload_in_mid_run_stops_the_models_and_asks_nothing_anew(asked, talking, archive):
    page = asked(10.0)
    page.reload()
    expect(part(page, "question", "textarea")).to_have_value(QUESTION)
    assert silent(talking[1])
    assert eventually(lambda: not archive.recent()[0].complete)
    cut_short(archive)
