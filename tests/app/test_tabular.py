"""Tables in a passage are read as tables, and every cell of them as it is (A17, A63)."""

import re

import pytest

from core.archive import Archive
from core.domain import Passage
from core.knowledge.sentences import columns
from pages.parts.labels import above, named, titled
from pages.parts.tabular import readable
from tests.app.conftest import ask, plain, press, visit
from tests.app.test_literal import HOSTILE, seen

TABLE = "Prices:\n| model | price |\n|:--|--:|\n| XR-1 | $5 |\n| XR-2 |\nValid in 2026."


def test_a_table_is_set_as_one_between_the_texts_around_it():
    rows = readable(TABLE).replace(":gray[]", "").split("\n")
    assert rows[2:6] == ["| model | price |", "|---|---|", r"| XR\-1 | \$5 |", r"| XR\-2 |  |"]
    assert (rows[0], rows[-1]) == (r"Prices\:", r"Valid in 2026\.")


@pytest.mark.parametrize("text", [one for one in HOSTILE if "|--|" not in one])
def test_what_is_no_table_is_shown_as_every_other_text(text):
    assert seen(readable(text)).split() == seen(text).split()


CELLS = ["<b>x</b>", "[l](javascript:alert(1))", ":red[x] $x^2$", "a@b.c -> www.x.y", "`x` *y*"]


@pytest.mark.parametrize("text", CELLS)
def test_a_cell_is_literal_and_stays_in_its_column(text):
    markdown = readable(f"| a | b |\n|--|--|\n| {text} | 2 |")
    last = markdown.split("\n")[-1]
    assert len(re.findall(r"(?<!\\)\|", last)) == 3
    assert seen(last) == f"| {text} | 2 |"


def test_cells_too_many_stand_in_the_last_and_an_escaped_bar_divides_nothing():
    assert seen(readable("| a | b |\n|--|--|\n| 1 | 2 | 3 |").split("\n")[-1]) == "| 1 | 2 | 3 |"
    assert len(re.findall(r"(?<!\\)\|", readable("| a | b |\n|--|--|\n| 1 \\| 2 | 3 |").split("\n")[-1])) == 3


def test_a_highlight_marks_its_words_in_a_cell_and_beside_the_table():
    spans = [(0, 6), (TABLE.index("$5"), TABLE.index("$5") + 2)]
    marked = readable(TABLE, spans, "red")
    assert ":red-background[Prices]" in marked and r"| :red-background[\$5] |" in marked


def test_bars_without_a_rule_below_the_head_make_no_table():
    assert "|---|" not in readable("| a | b |\n| 1 | 2 |")
    assert "|---|" not in readable("| a | b |\n|---|---|---|\n| 1 | 2 |")


def test_the_sources_of_an_answer_and_the_why_of_a_passage_show_a_table_as_one(home):
    at = ask(visit("en-US", kb="espresso").run(), "What does the part 58-1209 cost?")
    table = [markdown.value for markdown in at.markdown if "\n|---|" in markdown.value and "58" in markdown.value]
    assert table and all("\\| 58" not in shown for shown in table)
    one = next(hit for hit in Archive(home).open(at.query_params["c"]).runs[0].evidence if "|---|" in hit.text)
    at.session_state["explain.find"] = one.id
    press(at.run(), f"explain.other.{one.id}")
    assert sum("\n|---|" in markdown.value for markdown in at.markdown) > len(table)


def test_what_is_known_of_a_passage_stands_where_it_opens(home):
    at = ask(visit("en-US", kb="espresso").run(), "What does the part 58-1209 cost?")
    opened = next(markdown.value for markdown in at.markdown if "58" in markdown.value and "\n|---|" in markdown.value)
    assert "lines " in opened and "models 58" in plain(opened)


def test_a_very_long_title_is_cut_where_passages_are_listed_and_whole_where_one_opens():
    long = "设备" * 150
    passage = Passage("甲#1", "甲", f"{long} › {long}", long, "文", 0)
    assert titled(passage).endswith("…") and columns(titled(passage)) <= 60
    assert columns(above(passage)) <= 120 and plain(named(passage)).startswith(long)
    short = Passage("甲#第一条", "甲", "总则", "第一条", "文", 0)
    assert (titled(short), above(short)) == ("第一条", "总则")
    assert above(Passage("甲#2", "甲", "根 › 甲", "甲", "文", 0)) == "根"
