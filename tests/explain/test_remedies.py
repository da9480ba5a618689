"""Remedies: what a mode says would bring a passage to the writer does, and it says why it did not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from core.agent.judging import Bar, reasons, select
from core.asking import entrants
from core.bench import prepare
from core.domain import Hit, Passage
from core.explain.passage import why_of
from core.knowledge.base import Facts, assemble
from core.knowledge.shelf import questions
from core.llm.embedded import E5_SCALE
from core.modes import registry
from core.race import compare
from core.retrieval.memo import Memo
from core.retrieval.ranking import Retriever
from core.settings import LARGEST_CUT, Settings
from core.words import Words

LANGUAGES = ("zh", "en")
ASKED = ("paraphrase-05", "multi-aspect-05", "multi-aspect-08", "multi-aspect-11", "no-shared-word-03")
"""Questions that between them bring about every remedy; the tests say so where they count on it."""
SETTINGS = {
    None: {
        "bm25.remedy_k",
        "rerank.remedy_k",
        "rerank.remedy_candidates",
        "rerank.remedy_both",
        "agentic.remedy_evidence",
    },
    3: {"bm25.remedy_k", "rerank.remedy_k", "rerank.remedy_outside_k", "agentic.remedy_k", "agentic.remedy_both"},
}
"""Remedies that name a setting, by the evidence cut under which they come about."""

RUNS = Memo(500)


@pytest.fixture(scope="module")
def asked(filled):
    """A few questions of the bundled base with their runs, and their gold passages."""

    @cache
    def ask(k=None):
        found = []
        for question in (q for q in questions(filled.base).questions if q.id in ASKED):
            runs = compare(filled, entrants(question.question, None, k, {}), retrieval_only=True).runs
            found.append((runs, [filled.base.passage(id) for id in question.gold]))
        return found

    return ask


def missed(asked, filled):
    """Each run and gold passage that its writer did not get, with the mode's explanation."""
    for runs, gold in asked:
        for run in runs:
            for passage in gold:
                why = why_of(filled, run, passage)
                assert why.facts["given"] == run.gave(passage.id)
                if not run.gave(passage.id):
                    yield run, passage, why


def obeyed(bench, run, why):
    """The run anew with what a remedy sets; several passages often have the same remedy."""
    settings = {name: why.remedy.values[name] for name in why.settings}
    cut = settings.pop("k", run.ask.k)
    ask = replace(run.ask, k=cut, parameters={**run.ask.parameters, **settings})
    entrant = [(registry()[run.mode], ask)]
    known = (run.mode, ask.question, cut, *sorted(ask.parameters.items()))
    return RUNS.of(bench.retriever, known, lambda: compare(bench, entrant, retrieval_only=True).runs[0])


@pytest.mark.parametrize("cut", [None, 3])
def test_every_setting_that_a_remedy_names_brings_the_passage_to_the_writer(filled, asked, cut):
    tried = set()
    for run, passage, why in missed(asked(cut), filled):
        if why.settings:
            tried.add(why.remedy.code)
            assert obeyed(filled, run, why).gave(passage.id), (run.ask, passage.id, why.remedy)
    assert SETTINGS[cut] <= tried


def test_a_cut_that_is_named_is_the_smallest(filled, asked):
    for run, passage, why in missed(asked(), filled):
        if why.settings == ("k",) and why.remedy.values["k"] > 1:
            fewer = replace(why.remedy, values={**why.remedy.values, "k": why.remedy.values["k"] - 1})
            assert not obeyed(filled, run, replace(why, remedy=fewer)).gave(passage.id)


def test_a_word_that_is_named_ranks_the_passage_where_it_says(filled, asked):
    known = filled.retriever
    told = []
    for _, passage, why in missed(asked(), filled):
        hint = why.remedy.values.get("hint", {"values": why.remedy.values})["values"]
        if "word" in hint:
            told.append(hint["word"])
            terms = known.tokeniser.query(hint["question"])
            assert known.index.rank(terms, passage.order, known.bm25) == hint["rank"]
            assert hint["word"] in known.tokeniser.query(passage.indexed)
    assert told


def test_every_sentence_and_remedy_has_words_without_a_gap(filled, asked):
    for _, _, why in missed(asked(), filled):
        for language in LANGUAGES:
            for say in (why.sentence, why.remedy):
                text = Words(language).say(say)
                assert "—" not in text and "{" not in text and not text.startswith(say.code), text


def test_what_was_given_needs_no_remedy(filled, asked):
    runs, _ = asked()[0]
    for run in runs:
        assert [why_of(filled, run, passage).remedy for passage in run.evidence] == [None] * len(run.evidence)


def test_an_agent_says_why_it_did_not_keep_what_it_found(filled, asked):
    reasons_told = {
        why.sentence.values["reason"]["code"]
        for run, _, why in missed(asked(), filled)
        if why.sentence.code.startswith("agentic.unkept_because")
    }
    assert "explain.judged.beyond" in reasons_told


def test_a_larger_limit_of_evidence_keeps_what_came_when_it_was_full(filled):
    question = questions(filled.base).questions[0].question
    run = compare(
        filled, entrants(question, ["agentic"], None, {"agentic": {"evidence": 1}}), retrieval_only=True
    ).runs[0]
    whys = [why_of(filled, run, hit.passage) for hit in run.hits]
    full = [(hit, why) for hit, why in zip(run.hits, whys, strict=True) if why.settings == ("evidence",)]
    assert full
    for hit, why in full:
        assert obeyed(filled, run, why).gave(hit.passage.id)


def test_without_vectors_reranked_remedies_follow_the_order_of_keywords(filled, asked):
    known = filled.retriever
    blind = replace(filled, retriever=Retriever(known.base, known.tokeniser, known.index, None, None, known.bm25))
    question = asked()[0][0][0].ask.question
    run = compare(blind, entrants(question, ["rerank"], None, {}), retrieval_only=True).runs[0]
    passage = known.keyword(question, 10).hits[9].passage
    why = why_of(blind, run, passage)
    assert why.remedy.values["k"] == 10 and obeyed(blind, run, why).gave(passage.id)


def hits(*cosines, bm25=True):
    scores = [{"cosine": cosine, **({"bm25": 1.0} if bm25 else {})} for cosine in cosines]
    return [
        Hit(Passage(str(at), "a", "a", "", "", at), at + 1, given["cosine"], given) for at, given in enumerate(scores)
    ]


@pytest.mark.parametrize(
    ("ranking", "code"),
    [(hits(0.9, 0.89, 0.885, 0.884), "beyond"), (hits(0.9, 0.87), "far"), (hits(0.83, 0.829, bm25=False), "far")],
)
def test_whatever_is_not_selected_has_a_reason_and_nothing_else_has(ranking, code):
    bar = Bar(3)
    pairs = [(ranking, ranking[0].scores["cosine"])]
    kept, against = select(pairs, bar, E5_SCALE), reasons(pairs, bar, E5_SCALE)
    assert set(kept).isdisjoint(against) and set(kept) | set(against) == {hit.passage.id for hit in ranking}
    assert against[ranking[-1].passage.id].code == f"explain.judged.{code}"


@pytest.fixture(scope="module")
def made(shared_home, tmp_path_factory):
    """Opens a base of passages with these texts."""

    def opened(texts):
        passages = [Passage(f"w{n}", "d", "节", "", text, n) for n, text in enumerate(texts)]
        return prepare(
            Settings(home=shared_home), assemble("made", tmp_path_factory.mktemp("made"), Facts(), passages, {})
        )

    return opened


@pytest.fixture(scope="module")
def wide(made):
    """A base of 450 passages that all have the question's word, each weaker by keywords than the one before."""
    return made("电梯。" + "无关的话。" * n for n in range(450))


@pytest.mark.parametrize("place", [60, 100])
def test_a_cut_beyond_fifty_is_told_and_obeyed(wide, place):
    run = compare(wide, entrants("电梯", ["bm25"], None, {}), retrieval_only=True).runs[0]
    passage = wide.retriever.keyword("电梯", place).hits[-1].passage
    why = why_of(wide, run, passage)
    assert why.remedy.values["k"] == place and obeyed(wide, run, why).gave(passage.id)
    beyond = why_of(wide, run, wide.retriever.keyword("电梯", 101).hits[-1].passage)
    assert (beyond.remedy.code, beyond.remedy.values["most"]) == ("bm25.remedy_beyond", LARGEST_CUT)


@pytest.mark.parametrize("place", [30, 61, 100, 201, 300, 400])
def test_reranked_remedies_reach_as_far_as_any_cut_does(wide, place):
    known = wide.retriever
    blind = replace(wide, retriever=Retriever(known.base, known.tokeniser, known.index, None, None, known.bm25))
    run = compare(blind, entrants("电梯", ["rerank"], None, {}), retrieval_only=True).runs[0]
    passage = known.keyword("电梯", place).hits[-1].passage
    why = why_of(blind, run, passage)
    if place <= LARGEST_CUT:
        assert obeyed(blind, run, why).gave(passage.id)
    else:
        assert why.settings == () and why.remedy.code == "rerank.remedy_none"
    last = why_of(blind, run, known.keyword("电梯", 440).hits[-1].passage)
    assert (last.remedy.code, last.remedy.values["most"]) == ("rerank.remedy_beyond", 4 * LARGEST_CUT)


def test_no_more_candidates_are_told_than_the_base_has_passages(filled, asked):
    told = [why.remedy for _, _, why in missed(asked(), filled) if why.remedy.code == "rerank.remedy_k"]
    counts = [say.values["pool"] for say in told]
    assert all(each["values"]["count"] <= len(filled.base.passages) for each in counts)
    question = questions(filled.base).questions[0].question
    run = compare(filled, entrants(question, ["rerank"], 17, {}), retrieval_only=True).runs[0]
    why = why_of(filled, run, run.hits[-1].passage)
    assert why.remedy.values["pool"]["code"] == "rerank.all"
    assert f"全部 {len(filled.base.passages)} 段" in Words("zh").say(why.remedy)


@pytest.fixture(scope="module")
def glued(made):
    """A base whose passages hold the question only within longer words."""
    return made(f"设备abcxyzdef{number} 说明。" for number in range(60))


@pytest.mark.parametrize("mode", ["bm25", "rerank", "agentic"])
@pytest.mark.parametrize("place", [20, 45])
def test_a_literal_rank_beyond_the_trace_is_told(glued, mode, place):
    run = compare(glued, entrants("xyz", [mode], None, {}), retrieval_only=True).runs[0]
    passage = glued.retriever.keyword("xyz", 60).hits[place].passage
    why = why_of(glued, run, passage)
    assert "unmatched" not in why.sentence.code and "unmatched" not in why.remedy.code
    if mode != "agentic":
        assert place + 1 in (why.facts.get("bm25_rank"), why.rank)
    if why.settings:
        assert obeyed(glued, run, why).gave(passage.id)


def test_a_word_that_brings_a_passage_no_further_up_is_not_told(filled, asked):
    for _, passage, why in missed(asked(3), filled):
        hint = why.remedy.values.get("hint", {"values": why.remedy.values})["values"]
        stands = filled.retriever.stands(asked_question(hint), passage) if "word" in hint else None
        assert stands is None or hint["rank"] < stands[0]


def asked_question(hint):
    """The question without the word that was put behind it."""
    return hint["question"].removesuffix(f" {hint['word']}")
