"""Failure classes: each is claimed where it can be seen, and a question of the bundled set shows it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering import NOTHING_FOUND
from core.asking import entrants
from core.citations import cite
from core.domain import Hit, Passage, Say
from core.explain.failures import KINDS, failures, refuses
from core.explain.gold import gold_of
from core.knowledge.questions import Question
from core.knowledge.shelf import questions
from core.llm.extractive import TEMPLATES
from core.modes import registry
from core.race import compare
from tests.explain.made import evidence, passage, run, search

UNSHOWN = {"misstated"}
"""Classes that no bundled question shows with the offline writer: it quotes a passage whole, so it states its facts."""
TERM = Passage("a#61", "a", "一", "第六十一条", "影像资料至少保存三十日，申请应在七日内提出，费用三千元。", 61)


def marked(bench):
    return {
        tag.removeprefix("shows:"): question
        for question in questions(bench.base).questions
        for tag in question.tags
        if tag.startswith("shows:")
    }


def kinds(bench, ran, question, gold):
    found = failures(ran, question, gold, cite(ran.answer, ran.evidence, bench.retriever.tokeniser))
    return [failure.kind for failure in found]


def test_every_class_but_what_quoting_cannot_show_has_a_question_and_none_has_two(bench):
    tags = [t for q in questions(bench.base).questions for t in q.tags if t.startswith("shows:")]
    assert sorted(tags) == sorted(f"shows:{kind}" for kind in KINDS if kind not in UNSHOWN)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in UNSHOWN])
def test_the_question_marked_for_a_class_shows_it_when_it_is_asked(bench, kind):
    question = marked(bench)[kind]
    whole = compare(bench, entrants(question.question, None, None, {}))
    gold = gold_of(bench.base, question.question)
    assert kind in {found for ran in whole.runs for found in kinds(bench, ran, question, gold)}


@pytest.mark.parametrize("mode", list(registry()))
def test_gold_is_in_one_class_of_retrieval_or_given(bench, mode):
    question = next(q for q in questions(bench.base).questions if "demo:opening" in q.tags)
    (ran,) = compare(bench, entrants(question.question, [mode], None, {}), retrieval_only=True).runs
    gold = gold_of(bench.base, question.question)
    found = failures(ran, question, gold, ())
    assert [failure.mode for failure in found] == [mode] * len(found)
    assert {failure.kind for failure in found} <= {"unretrieved", "cut"}
    lost = [passage for failure in found for passage in failure.passages]
    assert sorted(p.id for p in lost) == sorted(p.id for p in gold if not ran.gave(p.id))


def test_gold_that_was_never_listed_differs_from_gold_that_was_cut(bench):
    gold = [passage(1), passage(2), passage(3)]
    ran = run(search(1, 2), evidence(1), "第1条 原文[1]。")
    found = failures(ran, Question("q", "问"), gold, cite(ran.answer, ran.evidence, bench.retriever.tokeniser))
    assert [(f.kind, [p.order for p in f.passages]) for f in found] == [("unretrieved", [3]), ("cut", [2])]


def test_gold_that_was_given_and_not_cited_is_uncited(bench):
    ran = run(search(1, 2), evidence(1, 2), "第1条 原文[1]。")
    assert kinds(bench, ran, Question("q", "问"), [passage(2)]) == ["uncited"]
    assert kinds(bench, ran, Question("q", "问"), [passage(1)]) == []


def test_gold_that_the_base_lacks_is_absent_by_its_id(bench):
    (found,) = failures(run(evidence(1), "第1条[1]。"), Question("q", "问", gold=("a#1", "a#9")), [passage(1)], ())[:1]
    assert (found.kind, found.ids) == ("absent", ("a#9",))


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        ("保存三十日，七日内申请[1]。", ()),
        ("保存30日，7日内申请[1]。", ()),
        ("保存 ３０ 日，7 日内申请[1]。", ()),
        ("至少保存三十日[1]。", ("七日内",)),
        ("至少保存20日，七日内申请[1]。", ("三十日",)),
    ],
)
def test_a_fact_of_a_cited_passage_that_the_answer_leaves_out_is_told(bench, said, missing):
    given = replace(evidence(), hits=(Hit(TERM, 1, 1.0),))
    ran = run(search(), given, said)
    question = Question("q", "问", facts=("三十日", "七日内", "别处的话"))
    found = failures(ran, question, [TERM], cite(ran.answer, ran.evidence, bench.retriever.tokeniser))
    assert [(f.kind, f.passages, f.facts) for f in found] == ([("misstated", (TERM,), missing)] if missing else [])


def test_amounts_are_the_same_in_digits_and_in_words(bench):
    given = replace(evidence(), hits=(Hit(TERM, 1, 1.0),))
    for said in ("费用3,000元[1]。", "费用 3000 元[1]。", "费用三千元[1]。"):
        assert kinds(bench, run(given, said), Question("q", "问", facts=("三千元",)), [TERM]) == []


REFUSALS = [
    *(words[kind] + more for words in TEMPLATES.values() for kind, more in (("refusal", ""), ("nearest", "“x”[2]"))),
    *NOTHING_FOUND.values(),
    "资料中未找到相关规定。",
    "The sources do not answer this question.",
]


@pytest.mark.parametrize("answer", REFUSALS)
def test_a_refusal_with_the_gold_at_hand_is_one_whoever_wrote_it(bench, answer):
    ran = run(search(1, 2), evidence(1, 2), answer)
    assert kinds(bench, ran, Question("q", "问"), [passage(1)]) == ["refused"]


@pytest.mark.parametrize(
    "answer", ["由物业承担。", "您是指哪一台电梯？", "资料中未提到电话，费用见第二条[1]。", "？", ""]
)
def test_what_is_no_refusal_is_not_called_one(bench, answer):
    assert not refuses(answer, cite(answer, [passage(1)], bench.retriever.tokeniser))


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("第1条 原文[1]。", ["absent", "invented"]),
        (TEMPLATES["zh"]["nearest"] + "“第1条 原文”[1]", ["absent"]),
        ("资料中未找到相关规定。", ["absent"]),
        ("由物业承担。", ["absent"]),
        ("见[7]。", ["absent"]),
    ],
)
def test_an_unanswerable_question_is_absent_and_answering_it_is_invented(bench, answer, found):
    question = Question("q", "问", "unanswerable")
    assert kinds(bench, run(search(1), evidence(1), answer), question, []) == found


def test_a_question_without_gold_that_nobody_called_unanswerable_claims_nothing(bench):
    assert kinds(bench, run(search(1), evidence(1), "第1条 原文[1]。"), Question("q", "问", "direct"), []) == []


@pytest.mark.parametrize(
    "ran",
    [
        run(ended=False),
        run(search(1), ended=False),
        run(search(1), stopped=True),
        run(error=Say.of("run.crashed", kind="X", reason="y")),
        run(search(1, 2), evidence(1), "答", stopped=True),
    ],
    ids=["nothing", "running", "stopped", "failed", "stopped in writing"],
)
def test_of_a_run_cut_short_only_what_it_came_to_is_claimed(bench, ran):
    found = kinds(bench, ran, Question("q", "问"), [passage(2)])
    assert found == (["cut"] if ran.evidence else [])
