"""The keyword index beside rank-bm25, and the field reports on keyword search with their smallest inputs."""

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from core.knowledge.tokeniser import Tokeniser
from core.retrieval.bm25 import KeywordIndex
from core.retrieval.formula import Bm25

CASES = Path(__file__).parents[1] / "cases"
TOKENISER = Tokeniser()
LUCENE, OKAPI = Bm25("lucene"), Bm25("okapi")


def build(texts: Sequence[str]) -> KeywordIndex:
    """Index texts as the bench does."""
    return KeywordIndex.build([TOKENISER.tokens(text) for text in texts])


def found(texts: Sequence[str], query: str, bm25: Bm25 = LUCENE) -> list[str]:
    """The texts that `query` finds, best first."""
    positions, _ = build(texts).search(TOKENISER.query(query), len(texts), bm25)
    return [texts[position] for position in positions]


def corpus(seed: int, passages: int, words: int) -> list[list[str]]:
    """Passages of 1 to 30 words whose frequencies fall off as in natural text."""
    chance = random.Random(seed)
    return [
        [f"w{int(chance.paretovariate(0.8)) % words}" for _ in range(chance.randint(1, 30))] for _ in range(passages)
    ]


def ranked_by_reference(documents: list[list[str]], terms: list[str], bm25: Bm25) -> tuple[list[int], np.ndarray]:
    """Matching passages in rank-bm25's order, ties by passage order, and its scores."""
    scores = BM25Okapi(documents, k1=bm25.k1, b=bm25.b, epsilon=bm25.epsilon).get_scores(terms)
    matching = [position for position, document in enumerate(documents) if set(terms) & set(document)]
    return sorted(matching, key=lambda position: (-scores[position], position)), scores


@pytest.mark.parametrize("passages", [1, 2, 3, 4, 60, 1500])
@pytest.mark.parametrize("words", [3, 40, 2000])
@pytest.mark.parametrize("bm25", [OKAPI, Bm25("okapi", k1=0.9, b=0.4, epsilon=0.1), Bm25("okapi", k1=2, b=1)])
def test_okapi_gives_the_scores_and_order_of_rank_bm25(passages: int, words: int, bm25: Bm25) -> None:
    documents = corpus(passages + words, passages, words)
    index = KeywordIndex.build(documents)
    chance = random.Random(words)
    for _ in range(10):
        terms = [f"w{chance.randrange(words)}" for _ in range(chance.randint(1, 8))]
        order, scores = ranked_by_reference(documents, terms, bm25)
        assert index.scores(terms, bm25) == pytest.approx(scores, abs=1e-6)
        for k in (1, 10, passages):
            positions, best = index.search(terms, k, bm25)
            assert positions.tolist() == order[:k]
            assert best == pytest.approx(scores[positions], abs=1e-6)


def test_a_base_of_several_batches_is_indexed_like_a_small_one() -> None:
    documents = [document[:4] for document in corpus(1, 20_000, 500)]
    order, scores = ranked_by_reference(documents, ["w3", "w77"], OKAPI)
    built = KeywordIndex.build(documents)
    terms = sorted(built.vocabulary)
    numbers = np.array([terms.index(term) for document in documents for term in document], np.uint16)
    loaded = KeywordIndex.from_numbers(terms, numbers, np.array([len(document) for document in documents]))
    for index in (built, loaded):
        assert index.scores(["w3", "w77"], OKAPI) == pytest.approx(scores, abs=1e-6)
        assert index.search(["w3", "w77"], 600, OKAPI)[0].tolist() == order[:600]


def test_okapi_agrees_with_rank_bm25_on_segmented_chinese() -> None:
    texts = (CASES / "txt_similar_articles_numbers.txt").read_text(encoding="utf-8").splitlines()
    documents = [TOKENISER.tokens(text) for text in texts]
    for query in ("第61条", "退货几日", "年假十天", "退货退货退货"):
        terms = TOKENISER.tokens(query)
        order, scores = ranked_by_reference(documents, terms, OKAPI)
        assert KeywordIndex.build(documents).scores(terms, OKAPI) == pytest.approx(scores, abs=1e-6)
        assert KeywordIndex.build(documents).search(terms, 5, OKAPI)[0].tolist() == order[:5]


def test_the_variants_differ_only_in_idf() -> None:
    index = KeywordIndex.build(corpus(5, 200, 50))
    for lucene, okapi in zip(
        index.explain(["w1", "w7"], 3, LUCENE), index.explain(["w1", "w7"], 3, OKAPI), strict=True
    ):
        assert (lucene.tf, lucene.df) == (okapi.tf, okapi.df)
        assert lucene.contribution * okapi.idf == pytest.approx(okapi.contribution * lucene.idf)
    n, df = len(index), index.document_frequency("w7")
    assert index.idf("w7") == pytest.approx(np.log(1 + (n - df + 0.5) / (df + 0.5)))


def test_lucene_scores_every_match_above_zero_and_nothing_else() -> None:
    documents = corpus(11, 300, 4)
    scores = KeywordIndex.build(documents).scores(["w1", "w2"], LUCENE)
    assert [bool(score > 0) for score in scores] == [bool({"w1", "w2"} & set(document)) for document in documents]


@pytest.mark.parametrize("bm25", [LUCENE, OKAPI])
def test_ranks_and_explanations_add_up_to_the_search(bm25: Bm25) -> None:
    documents = corpus(3, 700, 30)
    index = KeywordIndex.build(documents)
    terms = ["w2", "w9", "w29", "absent", "w1"]
    positions, scores = index.search(terms, len(index), bm25)
    for rank, (position, score) in enumerate(zip(positions.tolist()[:50], scores[:50], strict=True), 1):
        explained = index.explain(terms, position, bm25)
        assert index.rank(terms, position, bm25) == rank
        assert [one.term for one in explained] == terms
        assert [one.tf for one in explained] == [documents[position].count(term) for term in terms]
        assert sum(one.contribution for one in explained) == pytest.approx(score)
    unmatched = next(at for at, document in enumerate(documents) if not set(terms) & set(document))
    assert index.rank(terms, unmatched, bm25) is None
    assert {one.tf for one in index.explain(terms, unmatched, bm25)} == {0}


@pytest.mark.parametrize("bm25", [LUCENE, OKAPI])
def test_a_filter_keeps_the_scores_and_the_order(bm25: Bm25) -> None:
    index = KeywordIndex.build(corpus(8, 1200, 5))
    within = np.array([1100, 4, 7, 4, 900, 31, 600], np.int64)
    everywhere, scores = index.search(["w1", "w3"], len(index), bm25)
    kept = [(p, s) for p, s in zip(everywhere.tolist(), scores.tolist(), strict=True) if p in within]
    positions, best = index.search(["w1", "w3"], 3, bm25, within)
    assert list(zip(positions.tolist(), best.tolist(), strict=True)) == kept[:3]
    assert not len(index.search(["w1"], 3, bm25, np.zeros(0, np.int64))[0])


def test_threads_with_different_settings_do_not_disturb_each_other() -> None:
    index = KeywordIndex.build(corpus(2, 2000, 300))
    settings = [Bm25(variant, k1, b) for variant in ("lucene", "okapi") for k1 in (0.5, 1.5) for b in (0.0, 0.75)] * 25
    alone = {bm25: KeywordIndex.build(corpus(2, 2000, 300)).search(["w3", "w200"], 10, bm25) for bm25 in settings[:8]}
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda bm25: index.search(["w3", "w200"], 10, bm25), settings))
    for bm25, (positions, scores) in zip(settings, results, strict=True):
        assert positions.tolist() == alone[bm25][0].tolist()
        assert scores.tolist() == alone[bm25][1].tolist()


def test_counts_beyond_a_byte_are_kept() -> None:
    index = KeywordIndex.build([["a"] * 70_000 + ["b"], ["b"] * 300])
    assert [one.tf for one in index.explain(["a", "b"], 0)] == [70_000, 1]
    assert index.explain(["b"], 1)[0].tf == 300


@pytest.mark.parametrize("settings", [{"k1": -1}, {"b": 1.5}, {"k1": float("nan")}, {"variant": "bm42"}])
def test_settings_without_a_meaning_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="BM25 needs|lucene or okapi"):
        Bm25(**settings)


@pytest.mark.parametrize("bm25", [LUCENE, OKAPI])
def test_a02_a_term_in_half_of_the_sections_still_hits(bm25: Bm25) -> None:
    assert found(["退款需要七天", "换货需要十天"], "退款", bm25) == ["退款需要七天"]


@pytest.mark.parametrize("bm25", [LUCENE, OKAPI])
def test_a03_a_common_term_hits_its_sections_and_not_the_stranger(bm25: Bm25) -> None:
    texts = ["公司放假", "公司招聘启事", "今天下雨", "公司年会"]
    assert sorted(found(texts, "公司", bm25)) == sorted(set(texts) - {"今天下雨"})
    assert found(["公司放假"], "公司", bm25) == ["公司放假"]


def test_a02_a03_lucene_puts_the_rarer_term_first_where_okapi_may_not() -> None:
    index = KeywordIndex.build([["rare", "x"], ["rare", "y"], ["common", "z"], ["common", "z"], ["common", "rare"]])
    assert index.idf("rare") == index.idf("common") > 0
    assert index.idf("absent") == index.document_frequency("absent") == 0
    assert index.idf("z", OKAPI) > 0
    halves = KeywordIndex.build([["half", "most"], ["half", "most"], ["most"], ["none"]])
    assert halves.idf("half") > halves.idf("most") > 0
    assert halves.idf("half", OKAPI) == 0 < halves.idf("none", OKAPI)


@pytest.mark.parametrize("query", ["XR-2200", "xr2200", "XR 2200", "ＸＲ－２２００", "XR-2200的保修期"])
def test_a08_the_exact_model_comes_first(query: str) -> None:
    texts = ["XR-2100的保修期", "KT-2200的保修期", "XR-2200的保修期", "XR-2201的保修期"]
    assert found(texts, query)[0] == "XR-2200的保修期"


@pytest.mark.parametrize("query", ["第61条", "第６１条", "第六十一条", "第61条退货"])
def test_a09_an_article_is_found_by_its_number_however_written(query: str) -> None:
    texts = (CASES / "txt_similar_articles_numbers.txt").read_text(encoding="utf-8").splitlines()
    assert found(texts, query)[0] == "第六十一条 退货七日。"


@pytest.mark.parametrize("query", ["XR-2200", "24个月", "ＸＲ－２２００", "２４个月"])
def test_a10_both_widths_match(query: str) -> None:
    text = (CASES / "md_width_variants.md").read_text(encoding="utf-8").splitlines()[1]
    texts = [f"{sentence}。" for sentence in text.split("。")[:-1]]
    assert found(texts, query)[0] == "ＸＲ－２２００ 保修２４个月。"


@pytest.mark.parametrize("query", ["zzqq", "？？", "", "🙂"])
def test_a11_no_matching_term_gives_no_hits(query: str) -> None:
    assert found(["退货七日", "换货十日", "保修一年", "发票随箱"], query) == []


@pytest.mark.parametrize("texts", [[], [""], [(CASES / "txt_whitespace_only.txt").read_text(encoding="utf-8")]])
@pytest.mark.parametrize("bm25", [LUCENE, OKAPI])
def test_a13_an_empty_base_has_no_hits_and_no_error(texts: list[str], bm25: Bm25) -> None:
    index = build(texts)
    assert found(texts, "退货", bm25) == []
    assert len(index) == len(texts)
    assert index.scores(["退货"], bm25).tolist() == [0.0] * len(texts)
    assert [index.rank(["退货"], position, bm25) for position in range(len(index))] == [None] * len(texts)
    assert index.mean_length == 0


@pytest.mark.parametrize("query", ["营收", "營收", "退货率"])
def test_a65_traditional_and_simplified_meet(query: str) -> None:
    texts = [*(CASES / "md_traditional.md").read_text(encoding="utf-8").splitlines(), "软件按年订阅。"]
    assert "本季營收成長百分之七，退貨率下降。" in found(texts, query)


def test_a85_a_repeated_term_counts_once_in_a_question_and_as_given_in_the_index() -> None:
    texts = ["退货七日", "运费自理", "保修一年"]
    assert TOKENISER.query("退货退货退货运费").count("退货") <= 1
    index = build(texts)
    once, thrice = index.scores(["退货", "运费"]), index.scores(["退货", "退货", "退货", "运费"])
    assert thrice.tolist() == pytest.approx((index.scores(["退货"]) * 2 + once).tolist())
