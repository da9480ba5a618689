"""Lessons, blind views and staged failures: what the Learn page shows, without a page."""

from __future__ import annotations

from dataclasses import replace

from core.asking import entrants
from core.citations import cite
from core.domain import Say
from core.explain.blind import lettered, renumbered, unfit
from core.explain.failures import failures
from core.explain.gold import gold_of
from core.explain.lessons import Outcome, happened, lessons, outcomes, score
from core.explain.staging import BLANK, candidates, stage
from core.knowledge.shelf import questions
from core.race import compare
from tests.explain.made import comparison, evidence, hits, passage, run, search


def test_a_lesson_names_the_first_one_on_the_same_kind_of_question(bench):
    tagged = {tag: q for q in questions(bench.base).questions for tag in q.tags if tag.startswith("demo:")}
    found = list(lessons(bench.base, tagged).values())
    assert [lesson.place for lesson in found] == list(range(1, len(found) + 1)) and all(each.gold for each in found)
    for lesson in found:
        first = next(other.place for other in found if other.question.kind == lesson.question.kind)
        assert lesson.alike == (None if first == lesson.place else first)


def test_a_prediction_on_a_run_that_failed_is_not_scored():
    given, gold = run(search(1), evidence(1), "答[1]"), (passage(1),)
    broken = replace(given, error=Say.of("run.crashed", kind="OSError", reason=""))
    assert score([Outcome(given, gold, True), Outcome(given, gold, False), Outcome(broken, gold, False)]) == (1, 2)


def test_what_happened_names_who_found_gold_and_how_far_the_others_were(bench):
    whole = comparison(run(search(2, 1), evidence(2, 1), mode="x"), run(search(3, 1), evidence(3), mode="y"))
    told = happened(bench, outcomes(whole, [passage(1)], ()))
    assert told.code == "lesson.happened.some"
    assert [found["values"]["place"] for found in told.values["found"]] == [2]
    assert [missed["values"]["rank"] for missed in told.values["missed"]] == [2]


def test_a_blind_answer_is_numbered_by_first_appearance(bench):
    answer = "甲说到原文[6]。乙也说到原文[2, 6]。"
    citations = cite(answer, [hit.passage for hit in hits(*range(1, 8))], bench.retriever.tokeniser)
    text, told = renumbered(answer, citations)
    assert text == "甲说到原文[1]。乙也说到原文[2, 1]。"
    assert [(each.number, each.passage.id) for each in told] == [(1, "a#6"), (2, "a#2")]


def test_letters_stay_with_a_reader_and_what_lacks_an_answer_is_unfit():
    modes = [run(search(1), evidence(1), "答[1]", mode=mode) for mode in "xyz"]
    whole = comparison(*modes)
    assert unfit(whole) is None and lettered(whole, "r") == lettered(whole, "r")
    assert len({tuple(each.mode for each in lettered(whole, str(reader)).values()) for reader in range(20)}) > 1
    assert unfit(comparison(modes[0])) == "alone"
    assert unfit(comparison(modes[0], run(search(1), evidence(1), mode="y"))) == "failed"


def test_a_fact_taken_out_of_real_answers_is_found_missing_by_the_rules(bench):
    question = candidates(bench.base)[0]
    whole = compare(bench, entrants(question.question, None, None, {}))
    gold, tokeniser = gold_of(bench.base, question.question), bench.retriever.tokeniser
    staged = stage(whole, question, gold, tokeniser)
    assert staged and staged.fact in question.facts
    for before, after in zip(whole.runs, staged.comparison.runs, strict=True):
        assert after.answer == before.answer.replace(staged.fact, BLANK) and after.evidence == before.evidence
    kinds = [
        failure.kind
        for after in staged.comparison.runs
        for failure in failures(after, question, gold, cite(after.answer, after.evidence, tokeniser))
    ]
    assert "misstated" in kinds


def test_nothing_is_staged_where_no_answer_states_a_fact(bench):
    question = candidates(bench.base)[0]
    whole = comparison(run(search(1), evidence(1), "别的话[1]"))
    assert stage(whole, question, gold_of(bench.base, question.question), bench.retriever.tokeniser) is None
