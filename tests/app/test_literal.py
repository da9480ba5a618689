"""Document text is shown as it is, whatever it holds (A17, A63)."""

import re
from pathlib import Path

import pytest

from pages.parts.literal import highlighted, inline, literal

CASES = Path(__file__).resolve().parents[1] / "cases"
FILES = ("md_html_payload.md", "md_price_dollar_tilde.md", "md_prompt_injection.md")
HOSTILE = [
    *((CASES / name).read_text(encoding="utf-8") for name in FILES),
    "$5 and $10, $x^2$ ~~gone~~ ~x~ :red[colour] :red-background[x] :material/home: :tada:",
    "https://evil.example www.evil.example a@evil.example -> <- -- >= ~= <->",
    "<b>x</b> <img src=x onerror=alert(1)> &amp; &#58; ![a](http://x/y.png) [l](javascript:alert(1))",
    "# head\n- item\n1. one\n> quote\n    code\n| a | b |\n|--|--|\n```mermaid\ngraph\n```",
]
ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def seen(markdown):
    """What is left once escapes, empty directives, hard breaks and no-break blanks are read as Markdown reads them."""
    text = markdown.replace(":gray[]", "").replace("\\\n", "\n").replace("\u00a0", " ")
    return ESCAPE.sub(r"\1", text)


@pytest.mark.parametrize("text", HOSTILE)
def test_every_punctuation_mark_of_a_document_is_taken_literally(text):
    left = ESCAPE.sub("", literal(text).replace(":gray[]", "").replace("\\\n", "\n"))
    assert not re.search(r"[!-/:-@\[-`{-~]", left)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_reader_sees_every_character_of_the_text(text):
    assert re.sub(r"\s+", " ", seen(literal(text))).strip() == re.sub(r"\s+", " ", text).strip()
    assert seen(inline(text)) == " ".join(text.split())


@pytest.mark.parametrize(
    "text", ["https://a.b", "www.a.b", "a@b.c", ":tada:", ":material/home:", ":streamlit:", "->", "--"]
)
def test_what_works_on_finished_text_never_stands_in_one_piece(text):
    assert all(ESCAPE.sub(r"\1", piece) != text for piece in inline(text).split(":gray[]"))


def test_line_breaks_and_blanks_are_kept():
    assert literal("第一行\n  第二行\n\n新段") == "第一行\\\n\u00a0\u00a0第二行\n\n新段"


def test_a_highlight_colours_its_span_and_escapes_what_is_in_it():
    assert highlighted("赔 $5]，两年", [(2, 5)]) == r"赔 :yellow-background[\$5\]]，两年"


def test_a_highlight_over_a_line_break_marks_each_line():
    assert highlighted("上行\n下行", [(1, 4)]) == "上:yellow-background[行]\\\n:yellow-background[下]行"


def test_a_single_blank_between_words_may_still_break_the_line():
    assert highlighted("lift repair", [(0, 4)]) == ":yellow-background[lift] repair"


@pytest.mark.parametrize("text", ["a\x00b", "a\ud800b", "a\x1bb"])
def test_what_no_browser_takes_is_replaced(text):
    assert literal(text) == inline(text) == "a\ufffdb"
    literal(text).encode("utf-8")
