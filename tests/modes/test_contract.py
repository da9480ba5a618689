"""What every mode must hold, built-in or dropped in yesterday."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from core.answering import NOTHING_FOUND
from core.asking import entrants
from core.citations import cite
from core.modes import registry
from core.race import compare
from core.runs import Comparison
from core.words import Words, catalogue

CASES = Path(__file__).parents[1] / "cases"
DISPUTE = (
    "装修工人搬东西用了电梯，后来电梯坏了，物业要业主赔几千块。监控只拍到他进电梯，"
    "电梯以前也坏过，报价单也证明不了什么，到底该谁赔？"
)
FACTS = {
    "bm25": {"rank", "score", "terms", "missing_terms", "given"},
    "rerank": {"bm25_rank", "candidate", "cosine", "rank", "given"},
    "agentic": {"steps", "given"},
}
"""Facts of `why` that a document promises; any other mode tells at least whether the writer was given it."""
QUESTIONS = {
    "bundled": DISPUTE,
    "no word in common": "zzqq xyzzy",
    "no word at all": "？？🙂",
    "english": "Who pays?",
    "nothing in the base": "退货要多久？",
    "one passage": "退货要多久？",
    "hostile": "客服电话是多少？",
}


@pytest.fixture(params=list(registry()))
def mode(request):
    return registry()[request.param]


@pytest.fixture(scope="module")
def benches(bench, open_base):
    """A bench for each question."""
    hostile = (CASES / "md_prompt_injection.md").read_text(encoding="utf-8")
    payload = (CASES / "md_html_payload.md").read_text(encoding="utf-8")
    own = {
        "nothing in the base": open_base(),
        "one passage": open_base(a="# 退货\n第一条 七日内可以退货。"),
        "hostile": open_base(a=hostile, b=payload),
    }
    return {name: own.get(name, bench) for name in QUESTIONS}


@pytest.fixture(scope="module")
def asked(benches):
    """Asks a question through one mode, the same only once."""

    @cache
    def ask(name: str, mode: str, k: int | None = None) -> Comparison:
        return compare(benches[name], entrants(QUESTIONS[name], [mode], k, {}))

    return ask


@pytest.fixture(params=list(QUESTIONS))
def question(request):
    return request.param


def test_it_has_words_for_itself_and_each_parameter_in_both_languages(mode):
    assert {"name", "about", *(parameter.name for parameter in mode.parameters)} <= set(mode.words["zh"])
    assert set(mode.words["zh"]) == set(mode.words["en"])
    for language in ("zh", "en"):
        assert all(text.strip() for text in mode.words[language].values())


def test_its_sentences_take_the_same_values_in_both_languages(mode):
    def holes(text):
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}

    for code, text in mode.words["zh"].items():
        assert holes(text) == holes(mode.words["en"][code]), code


def test_its_words_are_its_own(mode):
    own = {"name", "about", *(parameter.name for parameter in mode.parameters)}
    assert all(code.startswith(f"{mode.id}.") for code in set(mode.words["zh"]) - own)


def test_its_parameters_have_defaults_within_their_bounds(mode):
    for parameter in mode.parameters:
        if parameter.choices:
            assert parameter.default in parameter.choices
        elif not isinstance(parameter.default, bool):
            assert parameter.low <= parameter.default <= parameter.high


def test_it_ends_with_one_evidence_step_and_then_an_answer(asked, mode, question):
    run = asked(question, mode.id).runs[0]
    assert run.error is None
    names = [step.name for step in run.steps]
    assert names.count("evidence") == 1
    if run.evidence:
        assert names[-2:] == ["evidence", "write"]
        assert run.stop_reason != "no_hits"
    else:
        assert names[-1] == "evidence" and run.answer in NOTHING_FOUND.values()
        assert run.stop_reason == "no_hits"


def test_without_evidence_it_gives_a_reason(asked, mode, question):
    run = asked(question, mode.id).runs[0]
    if not run.evidence:
        said = [Words(language).say(step.error) for step in run.steps if step.error for language in ("zh", "en")]
        assert said and not [text for text in said if re.match(r"[a-z_.]+ \{", text)]


def test_its_evidence_is_distinct_ranked_and_of_the_base(benches, asked, mode, question):
    run = asked(question, mode.id).runs[0]
    ids = [passage.id for passage in run.evidence]
    assert len(set(ids)) == len(ids)
    assert all(benches[question].base.has(id) for id in ids)
    step = next(step for step in run.steps if step.name == "evidence")
    assert [hit.rank for hit in step.hits] == list(range(1, len(ids) + 1))


@pytest.mark.parametrize("k", [1, 3, 10])
def test_a_cut_takes_at_most_that_many(asked, mode, k):
    run = asked("bundled", mode.id, k).runs[0]
    assert 1 <= len(run.evidence) <= k


def test_asked_again_it_answers_the_same(benches, asked, mode, question):
    first = asked(question, mode.id).runs[0]
    again = compare(benches[question], entrants(QUESTIONS[question], [mode.id], None, {})).runs[0]
    assert (first.answer, first.fingerprint) == (again.answer, again.fingerprint)


def test_each_of_its_citations_resolves(benches, asked, mode, question):
    run = asked(question, mode.id).runs[0]
    citations = cite(run.answer, run.evidence, benches[question].retriever.tokeniser)
    assert [citation.number for citation in citations if citation.status != "grounded"] == []
    assert all(citation.passage in run.evidence and citation.quote in citation.passage.text for citation in citations)


def test_a_document_moves_no_tool_but_the_question_does(asked, mode):
    run = asked("hostile", mode.id).runs[0]
    assert {step.name for step in run.steps} <= {"judge", "search", "rerank", "find", "evidence", "write"}
    assert "系统维护中" not in run.answer.split("“")[0]


def test_its_scores_are_finite_numbers_that_are_not_hidden(asked, mode, question):
    for hit in asked(question, mode.id).runs[0].hits:
        assert all(abs(value) < float("inf") for value in (hit.score, *hit.scores.values()))


@pytest.mark.parametrize("place", [0, 30, 67])
def test_it_says_why_it_found_or_missed_a_passage(benches, asked, mode, place):
    run = asked("bundled", mode.id).runs[0]
    passage = benches["bundled"].base.passages[place]
    why = mode.why(benches["bundled"], run.ask, passage, run)
    assert set(why.facts) >= FACTS.get(mode.id, {"given"})
    assert why.facts["given"] == (passage in run.evidence)
    assert why.sentence.code in catalogue("zh")
    for language in ("zh", "en"):
        assert "{" not in Words(language).say(why.sentence)


def test_it_says_why_it_gave_each_passage_of_its_evidence(benches, asked, mode, question):
    run = asked(question, mode.id).runs[0]
    for passage in run.evidence:
        assert mode.why(benches[question], run.ask, passage, run).facts["given"] is True


def test_the_parts_of_a_score_add_up_to_it(benches, asked, mode):
    run = asked("bundled", mode.id).runs[0]
    for hit in run.hits[:10]:
        facts = mode.why(benches["bundled"], run.ask, hit.passage, run).facts
        if "terms" in facts:
            parts = sum(term["contribution"] for term in facts["terms"])
            assert parts == pytest.approx(facts["score"]) == pytest.approx(hit.scores["bm25"])
