"""What an agent hands to the writer: what it kept, in the order it kept it, and never by reading everything."""

from __future__ import annotations

from core.agent.ledger import Ledger
from tests.agent.scripted import Scripted, play, search, turn


def test_evidence_is_ordered_by_the_step_that_first_kept_it_and_then_by_rank(shop):
    script = Scripted(
        turn(search("退货")),
        turn(search("保修"), keep=("a#第三条", "a#第一条")),
        turn(keep=("b#第五条", "a#第三条", "a#第二条")),
    )
    assert play(shop, script).evidence == ["a#第三条", "a#第一条", "b#第五条", "a#第二条"]


def test_opening_a_whole_document_adds_no_evidence(shop):
    script = Scripted(turn(search("运费")), turn(("open", {"reference": "b"}), keep=("a#第一条",)))
    outcome = play(shop, script)
    assert {passage.id for passage in outcome.steps[-1].seen} == {"b#第四条", "b#第五条"}
    assert outcome.evidence == ["a#第一条"]


def test_a_passage_that_was_only_opened_can_be_kept(shop):
    outcome = play(shop, Scripted(turn(("open", {"reference": "b"})), turn(keep=("b#第五条",))))
    assert outcome.evidence == ["b#第五条"]


def test_what_was_never_seen_cannot_be_kept(shop):
    outcome = play(shop, Scripted(turn(search("进水")), turn(keep=("a#第一条", "made up", "b#第五条"))))
    assert outcome.evidence == ["b#第五条"]


def test_at_most_twenty_passages_are_kept(open_base):
    many = open_base(many="# 条文\n" + "\n".join(f"第{n}条 退货{n}。" for n in range(1, 41)))
    ids = tuple(f"many#第{n}条" for n in range(1, 41))
    outcome = play(many, Scripted(turn(("open", {"reference": "many"})), turn(keep=ids)))
    assert outcome.evidence == list(ids[:20])
    assert [len(step.kept) for step in outcome.steps] == [0, 20]


def test_a_policy_cut_off_before_it_judged_leaves_the_best_ranked_as_evidence(shop):
    outcome = play(shop, Scripted(turn(search("定制 退货"), search("进水"))), calls=2)
    assert outcome.reason == "call_limit"
    assert set(outcome.evidence[:2]) == {"a#第二条", "b#第五条"}


def test_a_smaller_cut_takes_the_first_of_what_was_kept(shop):
    ledger = play(shop, Scripted(turn(search("退货")), turn(keep=("a#第二条", "a#第一条")))).ledger
    assert [(hit.passage.id, hit.rank) for hit in ledger.evidence(1)] == [("a#第二条", 1)]


def test_a_ledger_that_touched_nothing_has_no_evidence():
    assert Ledger().evidence(20) == ()


def test_summarize_keeps_ids_and_whole_texts_and_drops_the_rest(shop):
    keep = ("summarize", {"keep": ["a#第一条", "nowhere"], "notes": "先看运费"})
    script = Scripted(turn(search("退货")), turn(keep), turn(search("保修")))
    outcome = play(shop, script)
    output = outcome.steps[1].output
    assert output.splitlines()[:2] == ["notes: 先看运费", "[a#第一条] 第一条 七日内可以退货，运费由商家承担。"]
    assert "nowhere" in output.splitlines()[-1]
    assert [exchange.call.tool for exchange in script.states[2].rounds[0].exchanges] == ["summarize"]
    assert outcome.evidence == ["a#第一条"]


def test_summarize_takes_the_list_as_json_and_may_be_asked_twice(shop):
    keep = ("summarize", {"keep": '["a#第一条"]'})
    outcome = play(shop, Scripted(turn(search("退货")), turn(keep), turn(search("保修")), turn(keep)))
    assert [step.error for step in outcome.steps] == [None] * 4
    assert outcome.steps[-1].output == "[a#第一条] 第一条 七日内可以退货，运费由商家承担。"


def test_kept_ids_stand_at_the_step_that_kept_them(shop):
    outcome = play(
        shop, Scripted(turn(search("退货")), turn(("summarize", {"keep": ["a#第三条"]})), turn(keep=("a#第一条",)))
    )
    assert [(step.name, step.kept) for step in outcome.steps[1:]] == [
        ("summarize", ("a#第三条",)),
        ("judge", ("a#第一条",)),
    ]
