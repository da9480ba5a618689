"""What the second bundled base must be and show, on real ranks: another subject and language, the same phenomena.

Ranks leave a margin of two, so that a later edit of a text does not flip a demonstration unseen.
"""

import pytest

from core.asking import entrants
from core.bench import open_bench
from core.knowledge.shelf import questions
from core.race import compare
from core.settings import BUNDLED, Settings

FIRST, POOL, MARGIN = 5, 20, 2
LONGEST = 600
MODELS = ("XR-2100", "XR-2200", "XR-2200B", "XR-2220", "KT-2200")


@pytest.fixture(scope="module")
def manuals(shared_home):
    """The bench on the manuals; vectors only where a test asks by meaning."""
    return open_bench(Settings(home=shared_home), "espresso")


@pytest.fixture(scope="module")
def asked(manuals):
    return questions(manuals.base)


@pytest.fixture(scope="module")
def shown(asked):
    """The question that shows each phenomenon, by its tag."""
    return {tag: q for q in asked.questions for tag in q.tags if tag.startswith("demo:")}


def ranks(bench, question, way, k):
    hits = bench.retriever.search(question.question, k, way, POOL).hits
    found = {hit.passage.id: hit.rank for hit in hits}
    return [found.get(id) for id in question.gold]


def within(found, k):
    return sum(rank is not None and rank <= k for rank in found)


def evidence(bench, question):
    run = compare(bench, entrants(question.question, ["agentic"], None, {}), retrieval_only=True).runs[0]
    return {passage.id for passage in run.evidence}


def test_the_manuals_load_whole_and_say_that_they_are_fictional(manuals):
    base = manuals.base
    assert (len(base.documents), len(base.passages), base.language) == (13, 102, "en")
    assert base.fictional and "fictional" in base.title and "invented" in base.description
    assert base.licence == "CC0-1.0" and not base.unread and not base.warnings


def test_each_headed_block_is_one_passage_with_its_own_title(manuals):
    base = manuals.base
    headings = sum(
        line.startswith("## ")
        for path in (BUNDLED / "espresso" / "sections").iterdir()
        for line in path.read_text(encoding="utf-8").split("\n")
    )
    assert len(base.passages) == len(base.sections) == headings
    assert max(len(passage.text) for passage in base.passages) <= LONGEST


def test_the_same_code_means_something_else_on_every_model(manuals):
    rows = {}
    for passage in manuals.base.passages:
        model = passage.section.rsplit(" ", 2)[-2]
        if passage.section.endswith(" codes") and model in MODELS:
            rows[model] = next(line for line in passage.text.split("\n") if line.startswith("| E47 |"))
    assert set(rows) == set(MODELS) and len(set(rows.values())) == len(MODELS)


def test_the_questions_are_sound_and_their_halves_alternate(manuals, asked):
    assert not asked.notices and len(asked.questions) >= 60
    assert [q.split for q in asked.questions] == ["tune", "report"] * (len(asked.questions) // 2)
    for question in asked.questions:
        text = "\n".join(manuals.base.passage(id).text for id in question.gold)
        assert all(fact in text for fact in question.facts), question.id
        assert bool(question.gold) == (question.kind != "unanswerable")


def test_several_aspects_come_from_three_files_and_what_is_superseded_has_its_bulletin(asked):
    files = {q.id: {id.split("#")[0] for id in q.gold} for q in asked.questions}
    kinds = {q.id: q.kind for q in asked.questions}
    assert all(len(files[id]) >= 3 for id in files if kinds[id] == "multi_aspect")
    superseded = [files[id] for id in files if kinds[id] == "superseded"]
    assert superseded and all("12-bulletins" in found and len(found) == 2 for found in superseded)


def test_five_phenomena_have_one_question_each(shown):
    kinds = [question.kind for question in shown.values()]
    assert kinds == ["direct", "paraphrase", "model", "multi_aspect", "no_shared_word"]


def test_what_is_asked_in_the_words_of_the_manual_is_found_first_by_keywords(manuals, shown):
    assert ranks(manuals, shown["demo:scale_lock"], "bm25", POOL) == [1]


def test_a_question_in_everyday_words_is_beyond_keywords_and_first_by_meaning(manuals, shown):
    question = shown["demo:water"]
    assert FIRST + MARGIN < ranks(manuals, question, "bm25", POOL)[0] <= POOL - MARGIN
    assert ranks(manuals, question, "rerank", POOL) == [1]


def test_a_part_number_of_digits_is_looked_up_exactly_and_by_meaning_alone_lost_among_like_tables(manuals, shown):
    question = shown["demo:part_number"]
    for way in ("bm25", "rerank"):
        assert ranks(manuals, question, way, POOL) == [1]
    plain = manuals.as_recorded({"exact": False})
    assert ranks(plain, question, "bm25", POOL) == [1]
    assert ranks(plain, question, "rerank", POOL)[0] > FIRST + MARGIN


def test_every_part_number_that_is_asked_for_is_found_first(manuals, asked):
    named = [q for q in asked.questions if q.kind == "model" and q.question.count("58-") == 1]
    assert len(named) >= 7
    for question in named:
        assert ranks(manuals, question, "rerank", FIRST)[0] in (1, 2), question.id


def test_of_many_aspects_the_agent_gathers_two_passages_more_than_either_ranking(manuals, shown):
    question = shown["demo:e47"]
    gathered = len(evidence(manuals, question) & set(question.gold))
    for way in ("bm25", "rerank"):
        assert gathered >= within(ranks(manuals, question, way, POOL), FIRST + MARGIN) + MARGIN


def test_without_a_shared_word_only_the_agent_finds_anything(manuals, asked, shown):
    for question in asked.questions:
        if question.kind == "no_shared_word":
            ranking = manuals.retriever.keyword(question.question, POOL)
            assert ranking.hits == () and ranking.notice.code == "search.no_match"
    question = shown["demo:no_word"]
    assert set(question.gold) <= evidence(manuals, question)
