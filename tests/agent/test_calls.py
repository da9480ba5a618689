"""How models really call tools: repeated, misnamed, badly typed; each call is answered, in words or with passages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from core.agent.policy import Turn
from core.agent.reading import CHARACTERS
from core.domain import Call
from tests.agent.scripted import Scripted, play, search, turn

CASES = Path(__file__).parents[1] / "cases"


def code(exchange):
    return exchange.result.error.code if exchange.result.error else None


@pytest.fixture(scope="module")
def script():
    """The turns of a model that repeats itself and calls badly."""
    turns = json.loads((CASES / "agent_script_repeat_and_bad_calls.json").read_text(encoding="utf-8"))["turns"]
    return [
        Turn(tuple(Call(name, json.loads(arguments), "call_1") for name, arguments in given.get("tool_calls", ())))
        for given in turns
    ]


def test_a_repeated_search_is_refused_with_a_hint(shop, script):
    outcome = play(shop, Scripted(*script[:3], turn(search("保修"))))
    assert [step.error and step.error.code for step in outcome.steps] == [None, "tool.repeated", "tool.repeated", None]
    assert "rephrase" in outcome.steps[2].output


def test_a_search_repeated_for_ever_ends_soon_with_what_it_found(shop):
    outcome = play(shop, Scripted(*[turn(search("退货"))] * 300))
    assert outcome.reason == "saturated" and len(outcome.steps) == 4
    assert outcome.evidence


def test_a_whole_run_of_bad_calls_is_answered_call_by_call(shop, script):
    outcome = play(shop, Scripted(*script), dry_rounds=99)
    assert outcome.reason == "answered"
    assert [step.error and step.error.code for step in outcome.steps[3:]] == [
        "tool.unknown",
        "tool.reference.unknown",
        "tool.reference.unknown",
        "tool.argument.missing",
    ]
    assert "search" in outcome.steps[3].output and "summarize" in outcome.steps[3].output


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ({"query": "退货"}, {"queries": ["退货"], "top_k": "5"}),
        ({"queries": ["退货", "运费"]}, {"queries": '["运费", " 退货 "]'}),
        ({"query": "XR-2200 退货"}, {"q": "ｘｒ-2200  退货"}),
        ({"query": "退货", "k": 5}, {"query": "退货", "k": "5"}),
    ],
)
def test_searches_that_ask_the_same_are_the_same(shop, first, again):
    outcome = play(shop, Scripted(turn(("search", first)), turn(("search", again))))
    assert code(outcome.last) == "tool.repeated"


def test_opening_by_another_name_of_the_argument_is_the_same_call(shop):
    outcome = play(shop, Scripted(turn(("open", {"reference": "a"})), turn(("open", {"section_id": "a"}))))
    assert code(outcome.last) == "tool.repeated"


def test_a_refused_call_may_be_mended_and_made_again(shop):
    outcome = play(
        shop, Scripted(turn(("find", {"reference": "a"})), turn(("find", {"reference": "a", "pattern": "运费"})))
    )
    assert [step.error and step.error.code for step in outcome.steps] == ["tool.argument.missing", None]


@pytest.mark.parametrize("given", ['["退货", "保修"]', ["退货", "保修"], ("退货", "保修", "  ", "退货")])
def test_a_list_may_come_as_json_in_a_string(shop, given):
    outcome = play(shop, Scripted(turn(("search", {"queries": given}))))
    assert outcome.steps[0].detail.values["queries"] == ["退货", "保修"]


def test_numbers_in_strings_are_bounded_and_unknown_arguments_ignored(shop):
    few = play(shop, Scripted(turn(("search", {"query": "退货", "k": "2", "top_k": 1}))))
    assert len(few.steps[0].hits) == 2
    bounded = play(shop, Scripted(turn(("search", {"query": "退货", "k": -5}))))
    assert len(bounded.steps[0].hits) == 1


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (("search", {}), "tool.argument.missing"),
        (("search", {"queries": []}), "tool.argument.missing"),
        (("search", {"query": None}), "tool.argument.missing"),
        (("search", {"query": "退货", "k": "five"}), "tool.argument.number"),
        (("search", {"query": "退货", "k": True}), "tool.argument.number"),
        (("search", {"query": "退货", "filters": "rules"}), "tool.argument.object"),
        (("search", {"query": "退货", "filters": {"colour": "red"}}), "tool.filter.unknown"),
        (("find", {"reference": "a", "pattern": "退货", "kind": "regex"}), "tool.find.kind"),
        (("find", {"section_id": 61, "pattern": "退货"}), "tool.reference.unknown"),
        (("open", {"id": ["a"]}), "tool.argument.missing"),
        (("open", {"reference": "a", "line": "last"}), "tool.argument.number"),
    ],
)
def test_what_cannot_be_done_goes_back_as_text(shop, call, expected):
    outcome = play(shop, Scripted(turn(call)))
    assert code(outcome.last) == expected
    assert json.loads(outcome.last.result.output)["error"] == expected


def test_filters_may_come_as_json_in_a_string_and_an_unknown_one_names_those_there_are(shop):
    outcome = play(shop, Scripted(turn(("search", {"query": "退货 保修", "filters": '{"document": "b"}'}))))
    assert {hit.passage.document for hit in outcome.steps[0].hits} == {"b"}
    refused = play(shop, Scripted(turn(("search", {"query": "退货", "filters": {"colour": "red"}}))))
    assert "section" in refused.last.result.output


def test_calls_of_one_turn_are_answered_in_order_though_one_fails(shop):
    calls = (search("退货"), ("open", {"reference": "nowhere"}), ("find", {"reference": "b", "pattern": "进水"}))
    outcome = play(shop, Scripted(turn(*calls)))
    answers = outcome.states[-1].rounds[-1].exchanges
    assert [exchange.call.tool for exchange in answers] == ["search", "open", "find"]
    assert [code(exchange) for exchange in answers] == [None, "tool.reference.unknown", None]


def test_a_reference_that_nearly_exists_names_its_neighbours(shop):
    outcome = play(shop, Scripted(turn(("open", {"reference": "第五条"}))))
    assert outcome.steps[0].error.values["near"][0] == "b#第五条"


def test_at_most_five_rewrites_are_searched_and_the_rest_is_said_to_be_dropped(shop):
    outcome = play(shop, Scripted(turn(search("退货", "运费", "定制", "包装", "保修", "进水", "整机"))))
    assert outcome.steps[0].detail.values["dropped"] == 2
    assert len(outcome.last.result.by_query) == 5


def test_tools_show_ranks_and_no_scores(shop):
    calls = (search("退货 运费", "保修"), ("find", {"reference": "a", "pattern": "退货"}), ("open", {"reference": "b"}))
    outputs = [
        exchange.result.output for exchange in play(shop, Scripted(turn(*calls))).states[-1].rounds[-1].exchanges
    ]
    assert outputs[0].startswith("1. [")
    assert not [output for output in outputs if re.search(r"\d\.\d|bm25|cosine|rrf|score", output)]


def test_search_says_what_was_seen_before_and_which_query_found_it(shop):
    outcome = play(shop, Scripted(turn(search("运费")), turn(search("包装", "运费 商家"))))
    lines = outcome.last.result.output.splitlines()[::2]
    assert {line.endswith(" | seen before") for line in lines} == {True, False}
    assert any("query 2" in line for line in lines)


def test_a_search_without_hits_says_so_and_gives_the_reason(shop):
    outcome = play(shop, Scripted(turn(search("zzqq"))))
    assert json.loads(outcome.last.result.output)["results"] == 0
    assert outcome.steps[0].error.code == "search.no_match"


def test_a_huge_line_is_opened_in_pages_with_a_note_where_to_go_on(open_base):
    line = (CASES / "txt_one_long_line_no_punct.txt").read_text(encoding="utf-8") * 5
    huge = open_base(long=line)
    first = play(huge, Scripted(turn(("open", {"reference": "long"})))).steps[0].output
    assert len(first) < CHARACTERS + 200
    assert f"truncated, continue at line=1 offset={CHARACTERS} of {len(line)}" in first
    rest = play(huge, Scripted(turn(("open", {"reference": "long", "line": 1, "offset": CHARACTERS})))).steps[0].output
    assert first.split("\n")[0].removeprefix("1: ") + rest.removeprefix("1: ") == line


def test_a_document_of_many_lines_is_opened_in_pages_of_lines(open_base):
    long = open_base(many="\n".join(f"行{n}" for n in range(1, 2_501)))
    output = play(long, Scripted(turn(("open", {"reference": "many", "line": "300"})))).steps[0].output.splitlines()
    assert (output[0], output[-2]) == ("295: 行295", "2094: 行2094")
    assert output[-1] == "truncated, continue at line=2095 of 2500"


def test_a_passage_is_opened_with_the_lines_before_it(shop):
    output = play(shop, Scripted(turn(("open", {"reference": "a#第三条"})))).steps[0].output
    assert output.splitlines()[::3] == ["1: # 退货", "4: 第三条 退货须附原包装。"]


def test_a_meaning_is_looked_for_without_embedding_a_whole_long_document(open_base):
    long = open_base(many="# 目录\n" + "\n".join(f"第{n}条 内容。" for n in range(1, 400)))
    found = play(long, Scripted(turn(("find", {"reference": "many", "pattern": "内容", "kind": "semantic"}))))
    assert found.steps[0].error is None and found.steps[0].hits
    assert long.retriever.vectors.filled <= 60
