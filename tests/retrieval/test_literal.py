"""The literal fallback on words that segmentation glued (field report A01)."""

from pathlib import Path

import pytest

from core.knowledge.folding import fold
from core.knowledge.tokeniser import Tokeniser
from core.retrieval.bm25 import KeywordIndex
from core.retrieval.formula import Bm25
from core.retrieval.literal import literal_search

CASES = Path(__file__).parents[1] / "cases"
TOKENISER = Tokeniser()
GLUED = "退货运费由消费者承担"
TEXTS = ["保修期为一年", "发票随箱寄出", GLUED, "客服每天九点上班", "会员积分按月清零"]


@pytest.mark.parametrize("bm25", [Bm25("lucene"), Bm25("okapi")])
def test_a01_a_word_glued_to_its_neighbour_is_found(bm25: Bm25) -> None:
    index = KeywordIndex.build([TOKENISER.tokens(text) for text in TEXTS])
    assert not len(index.search(TOKENISER.query("退货"), 5, bm25)[0])
    positions, scores, found = literal_search(TEXTS, "退货", TOKENISER, 5, bm25)
    assert (positions.tolist(), found) == ([2], ("退货",))
    assert scores[0] > 0


def test_the_text_with_more_occurrences_comes_first_and_k_cuts() -> None:
    texts = ["丁退货运费", "退货运费甲，退货运费乙，退货运费丙", "无关"]
    assert literal_search(texts, "退货", TOKENISER, 5, Bm25(b=0))[0].tolist() == [1, 0]
    assert literal_search(texts, "退货", TOKENISER, 1, Bm25(b=0))[0].tolist() == [1]


@pytest.mark.parametrize("query", ["营收", "營收"])
def test_folded_forms_meet(query: str) -> None:
    text = (CASES / "md_traditional.md").read_text(encoding="utf-8")
    assert literal_search([text], query, TOKENISER, 5, Bm25())[2] == ("营收",)
    assert literal_search(["ＩＰＨＯＮＥ１５"], "phone", TOKENISER, 5, Bm25())[2] == ("phone",)


def test_a_single_character_counts_only_where_the_query_has_nothing_longer() -> None:
    assert literal_search(TEXTS, "货", TOKENISER, 5, Bm25())[2] == ("货",)
    assert literal_search(TEXTS, "货？", TOKENISER, 5, Bm25())[2] == ("货",)
    assert literal_search(TEXTS, "货 量子力学", TOKENISER, 5, Bm25())[2] == ()


def test_no_piece_shorter_than_a_term_is_tried() -> None:
    assert literal_search(["运费险"], "退货运输", TOKENISER, 5, Bm25())[2] == ()


@pytest.mark.parametrize("query", ["zzqq", "？？", "", "🙂", " \0\n"])
def test_nothing_literal_gives_nothing(query: str) -> None:
    positions, scores, found = literal_search(TEXTS, query, TOKENISER, 5, Bm25())
    assert (positions.tolist(), scores.tolist(), found) == ([], [], ())


@pytest.mark.parametrize("texts", [[], [""], ["", " \0 "]])
def test_a13_empty_texts_give_nothing(texts: list[str]) -> None:
    assert literal_search(texts, "退货", TOKENISER, 5, Bm25())[2] == ()


def test_texts_are_folded_as_everywhere_else() -> None:
    texts = ["1…2㎡\u200b3 İ", "退\u200b貨運費", "a\0b", "", "ＸＲ－２２００\n第二行"]
    for text in texts:
        piece = "".join(character for character in fold(text)[0] if character.isalnum())[:3]
        if piece and piece in fold(text)[0]:
            assert texts.index(text) in literal_search(texts, piece, TOKENISER, 9, Bm25())[0]
