"""What the bundled base must show, on real ranks: nothing here is written into the engine.

Ranks leave a margin of two, so that a later edit of a text does not flip the demonstration unseen.
"""

import pytest

from core.asking import entrants
from core.knowledge.shelf import questions
from core.race import compare

FIRST, POOL, MARGIN = 5, 20, 2
FOOTAGE, REPEATED = "04-监控与证据#第十九条", "05-电梯故障#第二十八条"


@pytest.fixture(scope="module")
def asked(bench):
    """The phrasings of each key question, by its tag."""
    found = {}
    for question in questions(bench.base).questions:
        for tag in question.tags:
            found.setdefault(tag, []).append(question)
    return found


def rank(bench, question, passage, way, k=68):
    hits = bench.retriever.search(question, k, way, POOL).hits
    return next((hit.rank for hit in hits if hit.passage.id == passage), None)


def test_the_base_has_eleven_sections_and_sixty_eight_passages(bench):
    base = bench.base
    types = [passage.metadata["type"] for passage in base.passages]
    assert (len(base.sections), len(types), types.count("article"), types.count("case")) == (11, 68, 63, 5)
    assert base.fictional and "虚构" in base.description
    assert not base.unread and not base.warnings


def test_needles_end_their_sections(bench):
    last = {passages[-1].title: section for section, passages in bench.base.sections.items()}
    assert {"第六十一条", "第六十二条", "第六十三条"} <= set(last)
    assert last["第六十一条"] == "第四部分 监控与证据" and last["第六十三条"] == "第八部分 装修人员管理"


def test_the_set_is_large_sound_and_split_row_by_row(bench):
    found = questions(bench.base)
    assert not found.notices and len(found.questions) >= 60
    assert [q.split for q in found.questions] == ["tune", "report"] * (len(found.questions) // 2)
    sections = {q.id: {gold.split("#")[0] for gold in q.gold} for q in found.questions if q.kind == "multi_aspect"}
    assert all(len(touched) >= 3 for touched in sections.values())
    texts = "\n".join(passage.text for passage in bench.base.passages)
    assert all(fact in texts for q in found.questions for fact in q.facts)


def test_each_key_question_has_three_phrasings_or_more(asked):
    demos = {tag: phrasings for tag, phrasings in asked.items() if tag.startswith("demo:")}
    assert len(demos) == 7 and all(len(phrasings) >= 3 for phrasings in demos.values())


def test_formalities_are_found_first_by_keywords(bench, asked):
    for question in asked["demo:formalities"]:
        assert rank(bench, question.question, question.gold[0], "bm25") == 1


@pytest.mark.parametrize("needle", ["demo:needle61", "demo:needle62", "demo:needle63"])
def test_a_paraphrased_needle_is_beyond_keywords_and_first_by_meaning(bench, asked, needle):
    for question in asked[needle]:
        assert FIRST + MARGIN < rank(bench, question.question, question.gold[0], "bm25") <= POOL - MARGIN
        assert rank(bench, question.question, question.gold[0], "rerank") == 1


def test_the_footage_rule_is_beyond_keywords_and_among_the_first_by_meaning(bench, asked):
    for question in asked["demo:footage"]:
        assert rank(bench, question.question, FOOTAGE, "bm25") > FIRST + MARGIN
        assert rank(bench, question.question, FOOTAGE, "rerank") <= FIRST - MARGIN


def test_on_the_opening_dispute_keywords_miss_the_evidence_section_and_rerank_cannot_see_the_repeat_rule(bench, asked):
    for question in asked["demo:opening"]:
        hits = bench.retriever.search(question.question, FIRST + MARGIN, "bm25").hits
        assert not any(hit.passage.document.startswith("04") for hit in hits)
        assert rank(bench, question.question, REPEATED, "bm25") > POOL + MARGIN
        assert rank(bench, question.question, REPEATED, "rerank", POOL) is None


def test_on_the_opening_dispute_the_agent_gathers_from_four_sections(bench, asked):
    whole = 0
    for question in asked["demo:opening"]:
        run = compare(bench, entrants(question.question, ["agentic"], None, {}), retrieval_only=True).runs[0]
        documents = {passage.document[:2] for passage in run.evidence}
        whole += {"02", "04", "05", "06"} <= documents and REPEATED in {passage.id for passage in run.evidence}
        assert len(run.evidence) <= 20
    assert whole >= 3


def test_no_passage_answers_the_opening_dispute_alone(asked):
    for question in asked["demo:opening"]:
        assert {gold[:2] for gold in question.gold} >= {"02", "04", "05", "06"}


def test_a_question_without_a_shared_word_finds_nothing_by_keywords_and_says_why(bench, asked):
    for question in questions(bench.base).questions:
        if question.kind == "no_shared_word":
            ranking = bench.retriever.keyword(question.question, POOL)
            assert ranking.hits == () and ranking.notice.code == "search.no_match"


def test_the_agent_finds_twenty_points_more_of_the_gold_of_many_aspects(bench):
    found = {"rerank": [], "agentic": []}
    for question in questions(bench.base).questions:
        if question.kind == "multi_aspect" and question.split == "report":
            for run in compare(bench, entrants(question.question, list(found), None, {}), retrieval_only=True).runs:
                evidence = {passage.id for passage in run.evidence}
                found[run.mode].append(len(evidence & set(question.gold)) / len(question.gold))
    rerank, agentic = (sum(shares) / len(shares) for shares in found.values())
    assert agentic >= rerank + 0.20
