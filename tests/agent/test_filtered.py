"""The agent's tools under filters: those of the question hold for every tool, those of a search narrow them further."""

from __future__ import annotations

import pytest

from core.agent.ledger import Ledger
from core.agent.tools import Toolbox
from core.domain import Call

TEXT = """# 规定

## 总则

第一条 影像保存三十日。

第二条 影像由甲方保管。

## 附则

第三条 影像另见第一条。
"""


@pytest.fixture(scope="module")
def small(open_base):
    return open_base(a=TEXT, b="# 案例\n影像没有保存。")


@pytest.fixture
def tools(small):
    """Tools for a question that is limited to one section, and their ledger."""
    ledger = Ledger()
    return Toolbox(small.limited({"section": "总则"}).for_run().retriever, ledger, len, "bm25"), ledger


def titles(result):
    return [passage.title for passage in (*(hit.passage for hit in result.hits), *result.seen)]


def test_a_search_stays_within_the_filters_and_its_own_narrow_them(tools):
    box, _ = tools
    assert set(titles(box.run(Call("search", {"query": "影像"})))) == {"第一条", "第二条"}
    assert titles(box.run(Call("search", {"query": "影像", "filters": {"entity": "甲方"}}))) == ["第二条"]


def test_filters_that_exclude_each_other_find_nothing_and_say_so(tools):
    result = tools[0].run(Call("search", {"query": "影像", "filters": {"section": "附则"}}))
    assert result.hits == () and result.error is not None and not result.refused


@pytest.mark.parametrize(
    "call", [Call("open", {"reference": "a"}), Call("find", {"reference": "a", "pattern": "影像"})]
)
def test_reading_a_document_keeps_only_what_passes(tools, call):
    box, ledger = tools
    result = box.run(call)
    assert set(titles(result)) == {"第一条", "第二条"}
    ledger.touch(result.hits, result.seen)
    assert ledger.keep(["a#第三条", "a#第一条"]) == ("a#第一条",)


def test_lines_of_what_does_not_pass_are_not_found(tools):
    assert "第三条" not in tools[0].run(Call("find", {"reference": "a", "pattern": "影像"})).output


def test_a_document_of_which_nothing_passes_is_not_opened(tools):
    result = tools[0].run(Call("open", {"reference": "b"}))
    assert result.refused and result.error.code == "filter.outside"


@pytest.mark.parametrize(
    ("filters", "code"), [({"colour": "x"}, "tool.filter.unknown"), ({"since": "x"}, "filter.date")]
)
def test_filters_that_make_no_sense_go_back_in_words(tools, filters, code):
    result = tools[0].run(Call("search", {"query": "影像", "filters": filters}))
    assert result.refused and result.error.code == code


def test_what_a_rewrite_names_exactly_stands_in_front_of_all_rewrites(small):
    box = Toolbox(small.for_run().retriever, Ledger(), len, "bm25")
    result = box.run(Call("search", {"queries": ["影像 保存", "影像 甲方", "第3条"]}))
    assert result.hits[0].passage.title == "第三条" and result.hits[0].scores["exact"] == 1.0
    assert "exact match" in result.output.splitlines()[0]
