"""Filters and exact look-ups on the command line."""

from __future__ import annotations

import json

import pytest

from core.cli import main

QUESTION = "影像资料要保存多久？"


@pytest.fixture(autouse=True)
def home(shared_home, monkeypatch):
    monkeypatch.setenv("WORKBENCH_HOME", str(shared_home))
    monkeypatch.setenv("WORKBENCH_LANG", "zh")


def told(capsys, *arguments):
    code = main(arguments)
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_a_search_within_filters_finds_only_what_passes(capsys):
    code, out, _ = told(capsys, "search", QUESTION, "--mode", "bm25", "--filter", "document=04", "--json")
    found = json.loads(out)
    assert code == 0 and found["filters"] == {"document": "04"}
    assert found["hits"] and all(hit["passage_id"].startswith("04") for hit in found["hits"])


def test_a_question_with_filters_records_them(capsys):
    arguments = ("ask", QUESTION, "--modes", "bm25", "--retrieval-only", "--filter", "type=case", "--json")
    code, out, _ = told(capsys, *arguments)
    found = json.loads(out)
    assert code == 0 and found["settings"]["filters"] == {"type": "case"}
    assert found["runs"][0]["evidence"] and all(id.startswith("10") for id in found["runs"][0]["evidence"])


def test_filters_are_shown_before_the_answers(capsys):
    _, out, _ = told(capsys, "ask", QUESTION, "--modes", "bm25", "--retrieval-only", "--filter", "type=case")
    assert "筛选：类型含“案例”" in out


def test_why_says_that_a_filter_shut_a_passage_out(capsys):
    arguments = ("why", QUESTION, "--passage", "第六十一条", "--modes", "bm25", "--filter", "type=case")
    code, out, _ = told(capsys, *arguments, "--json")
    found = json.loads(out)
    assert code == 0 and found["modes"]["bm25"]["filtered"] == ["type"]
    assert "类型含“案例”" in found["modes"]["bm25"]["remedy"] and found["marks"]
    assert "没有参加检索" in told(capsys, *arguments)[1]


def test_a_filter_that_lets_nothing_pass_is_told(capsys):
    code, out, err = told(capsys, "search", QUESTION, "--mode", "bm25", "--filter", "section=没有这样的部分")
    assert (code, out) == (0, "") and "没有段落符合筛选条件" in err


@pytest.mark.parametrize("value", ["colour=red", "section", "since=昨天"])
def test_a_filter_that_makes_no_sense_ends_with_two(capsys, value):
    code, out, err = told(capsys, "search", QUESTION, "--filter", value)
    assert (code, out) == (2, "") and err.strip() and "{" not in err


def test_what_is_named_is_marked_as_exact(capsys):
    _, out, _ = told(capsys, "search", "第61条怎么规定？", "--mode", "bm25", "-k", "3")
    first = out.splitlines()[0]
    assert "第六十一条" in first and "精确命中" in first and "精确命中" not in "".join(out.splitlines()[1:])
    arguments = ("why", "第61条怎么规定？", "--passage", "第六十一条", "--modes", "bm25")
    assert "精确命中：问题点名的就是它" in told(capsys, *arguments)[1]


def test_a_second_place_behind_an_exact_hit_is_explained_by_it(capsys):
    _, out, _ = told(capsys, "search", "第61条怎么规定？", "--mode", "bm25", "-k", "2", "--json")
    second = json.loads(out)["hits"][1]["passage_id"]
    arguments = ("why", "第61条怎么规定？", "--passage", second, "--modes", "bm25")
    said = told(capsys, *arguments)[1]
    assert "排第 2" in said and "问题点名的是第六十一条：精确命中排在最前" in said
    english = told(capsys, *arguments, "--lang", "en")[1]
    assert "The question names 第六十一条" in english


@pytest.mark.parametrize(("name", "type"), [("案例", "case"), ("Case", "case"), ("条文", "article"), ("art", "art")])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_type_goes_by_its_name_in_either_language_or_a_part_of_its_own(capsys, name, type, language):
    asked = ("search", QUESTION, "--mode", "bm25", "--filter", f"type={name}", "--lang", language, "--json")
    code, out, _ = told(capsys, *asked)
    found = json.loads(out)
    assert code == 0 and found["filters"] == {"type": type}
    assert found["hits"] and all(hit["passage_id"].startswith("10") == (type == "case") for hit in found["hits"])


@pytest.mark.parametrize("verb", [("search",), ("ask",), ("why", "--passage", "第六十一条")])
def test_a_type_that_there_is_not_ends_with_two_and_lists_those_that_there_are(capsys, verb):
    code, out, err = told(capsys, *verb, QUESTION, "--filter", "type=table")
    assert (code, out) == (2, "") and "“table”" in err and "条文" in err and "案例" in err
