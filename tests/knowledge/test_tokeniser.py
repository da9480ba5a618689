"""Terms that must meet whatever stands around them."""

from __future__ import annotations

import pytest

from core.knowledge.tokeniser import Tokeniser


@pytest.fixture(scope="module")
def tokeniser() -> Tokeniser:
    return Tokeniser()


@pytest.mark.parametrize(
    "text",
    ["第六十一条", "第61条", "第６１条", "消防法第六十一条", "依照本规则第六十一条的规定", "见第六十一条、第六十二条"],
)
def test_an_article_is_one_term_wherever_it_stands(tokeniser: Tokeniser, text: str) -> None:
    assert "第61条" in tokeniser.tokens(text)


def test_an_article_in_a_sentence_keeps_its_span_and_the_words_beside_it(tokeniser: Tokeniser) -> None:
    text = "依照消防法第六十一条处理"
    terms = {term.text: (term.start, term.end) for term in tokeniser.terms(text)}
    assert text[slice(*terms["第61条"])] == "第六十一条"
    assert {"消防法", "处理"} <= set(terms) or {"消防", "处理"} <= set(terms)


def test_an_ordinal_that_is_no_article_stays_with_its_words(tokeniser: Tokeniser) -> None:
    assert not any(term.startswith("第1") for term in tokeniser.tokens("这是第一次维修，第一时间报告"))
