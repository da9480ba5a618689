"""Filters: what each lets through, for every mode and tool, and what is said where nothing passes."""

from __future__ import annotations

import json

import pytest

from core.asking import entrants
from core.errors import UsageError
from core.explain.flow import flow
from core.explain.passage import explain
from core.explain.tryout import Change, try_out
from core.knowledge.metadata import Metadata
from core.modes import registry
from core.race import compare
from core.records import dump, load
from core.retrieval.filters import Filters, parse_filters
from core.retrieval.standing import standing
from core.words import Words

QUESTION = "监控影像要保存多久？"


@pytest.fixture(scope="module")
def papers(made):
    """Passages of three documents that speak of the same, and one that does not."""
    return made(
        [
            ("规定(2010-12-23)", "第一章 总则", "第一条", "监控影像保存三十日，由甲方负责。", {"type": "article"}),
            ("规定(2010-12-23)", "第二章 附则", "第六十一条", "监控影像的保存另见 XR-2200。", {"type": "article"}),
            ("规定(2010-12-23)", "第二章 附则", "第六条", "监控影像依照第六十一条保存 XR-2200B。", {"type": "article"}),
            ("新规定(2021-05-01)", "第一章 總則", "第一条", "监控影像保存六十日。", {"type": "article"}),
            ("案例", "案例", "", "监控影像没有保存，业主索赔五千元。", {"type": "case"}),
            ("案例", "案例", "", "与此无关。", {"type": "case"}),
        ]
    )


@pytest.mark.parametrize(
    ("given", "passing"),
    [
        ({}, [0, 1, 2, 3, 4, 5]),
        ({"document": "新规定"}, [3]),
        ({"section": "总则"}, [0, 3]),
        ({"type": "case"}, [4, 5]),
        ({"entity": "xr2200"}, [1]),
        ({"entity": "XR 2200B"}, [2]),
        ({"entity": "第61条"}, [1, 2]),
        ({"entity": "第六条"}, [2]),
        ({"entity": "甲方"}, [0]),
        ({"entity": "5000元"}, [4]),
        ({"entity": "三十日"}, [0]),
        ({"since": "2020"}, [3]),
        ({"until": "2010-12"}, [0, 1, 2]),
        ({"since": "2010-12-24", "until": "2021"}, [3]),
        ({"section": "总则", "type": "case"}, []),
    ],
)
def test_conditions_must_all_hold(papers, given, passing):
    within = Filters.of(given).within(papers.base)
    assert (list(range(6)) if within is None else within.tolist()) == passing


@pytest.mark.parametrize(
    ("pairs", "code"),
    [
        (["colour=red"], "filter.unknown"),
        (["since=last year"], "filter.date"),
        (["until=2021-02-30"], "filter.date"),
        (["section"], "filter.form"),
        (["section="], "filter.form"),
        (["type=a", "type=b"], "filter.twice"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(pairs, code):
    with pytest.raises(UsageError) as refused:
        parse_filters(pairs)
    assert refused.value.say.code == code
    for language in ("zh", "en"):
        told = Words(language).say(refused.value.say)
        assert "—" not in told and "{" not in told


def asked(bench, given, modes=None, question=QUESTION):
    return compare(bench, entrants(question, modes, None, {}, Filters.of(given)), retrieval_only=True)


@pytest.mark.parametrize("mode", list(registry()))
def test_no_mode_touches_a_passage_that_does_not_pass(papers, mode):
    run = asked(papers, {"section": "总则"}, [mode]).runs[0]
    assert {passage.order for passage in run.touched.values()} == {0, 3}
    assert {passage.order for passage in run.evidence} == {0, 3}


@pytest.mark.parametrize("mode", list(registry()))
def test_where_nothing_passes_the_trace_says_so(papers, mode):
    run = asked(papers, {"section": "总则", "type": "case"}, [mode]).runs[0]
    said = [step.error for step in run.steps if step.error]
    assert run.stop_reason == "no_hits" and {say.code for say in said} == {"filter.nothing"}
    assert "总则" in Words("zh").say(said[0]) and "section with “总则”" in Words("en").say(said[0])


def test_a_record_keeps_the_filters_and_reopens_with_them(papers):
    comparison = asked(papers, {"section": "总则"})
    again = load(dump(comparison))
    assert again == comparison and again.filters == {"section": "总则"} == again.settings["filters"]
    assert all(run.ask.filters == {"section": "总则"} for run in again.runs)


def test_a_record_without_filters_opens_and_keeps_its_fingerprint(papers):
    comparison = asked(papers, {})
    record = dump(comparison)
    for run in record["runs"]:
        del run["ask"]["filters"]
    assert load(record) == comparison and "filters" not in comparison.settings
    assert comparison.runs[0].fingerprint != asked(papers, {"type": "a"}, ["bm25"]).runs[0].fingerprint


@pytest.mark.parametrize("mode", list(registry()))
def test_the_why_of_what_was_shut_out_names_the_filter_and_the_remedy_is_true(papers, mode):
    given, passage = {"section": "总则", "type": "article"}, papers.base.passages[4]
    chosen = entrants(QUESTION, [mode], None, {}, Filters.of(given))
    found = explain(papers, chosen, passage)
    why = found.modes[mode]
    assert (
        why.sentence.code == "filter.shut" and why.facts["filtered"] == ["section", "type"] and not why.facts["given"]
    )
    assert [mark.code for mark in found.marks] == ["filter.shut"] and why.settings == ()
    dropped = papers.limited(Filters.of(given).without("section", "type").given)
    assert why.remedy.values["rank"] == dropped.retriever.rank(QUESTION, passage)
    run = asked(papers, {}, [mode]).runs[0]
    assert passage.id in run.touched


def test_only_the_filter_that_shuts_it_out_is_to_be_dropped(papers):
    passage = papers.base.passages[1]
    given = Filters.of({"document": "规定", "section": "总则"})
    why = explain(papers, entrants(QUESTION, ["bm25"], None, {}, given), passage).modes["bm25"]
    assert why.facts["filtered"] == ["section"]
    assert why.remedy.values["rank"] == papers.limited({"document": "规定"}).retriever.rank(QUESTION, passage)
    assert "部分含“总则”" in Words("zh").say(why.remedy)


def test_explained_ranks_are_those_within_the_filters(papers):
    given = {"document": "规定"}
    limited = papers.limited(given).retriever
    run = asked(papers, given, ["rerank"]).runs[0]
    ranked = standing(limited, QUESTION)
    assert [ranked.place(hit.passage.order, 20) for hit in run.hits] == [hit.rank for hit in run.hits]
    for hit in limited.keyword(QUESTION, 9).hits:
        found = explain(papers, entrants(QUESTION, ["bm25"], None, {}, Filters.of(given)), hit.passage)
        assert (found.terms.rank, found.modes["bm25"].rank) == (hit.rank, hit.rank)
        assert found.terms.matching == 4 and found.meaning.vectors <= found.meaning.passages == 4


def test_the_flow_tells_ranks_within_the_filters(papers):
    run = asked(papers, {"document": "新规定"}, ["bm25"]).runs[0]
    found = flow(run, (), [papers.base.passages[3], papers.base.passages[0]], papers.retriever)
    places = {line.passage.order: line.places[0] for line in found.lines}
    assert places == {3: 1, 0: None}


def test_a_try_out_keeps_the_filters(papers):
    comparison = asked(papers, {"section": "总则"}, ["bm25"])
    tried = try_out(papers, comparison, Change(k1=0.5)).comparison
    assert {hit.passage.order for hit in tried.runs[0].hits} == {0, 3} and tried.filters == comparison.filters


def test_a_record_of_passages_with_metadata_stays_small_and_equal(made):
    text = "第一条 XR-2200 的监控影像由甲方保存三十日，违者罚款五千元。"
    bench = made([("规定", "总则", "第一条", text, Metadata("article", text, "总则", {"confidence": 0.9}))])
    comparison = asked(bench, {"entity": "xr 2200"}, ["bm25"])
    record = json.loads(json.dumps(dump(comparison)))
    assert [value["metadata"] for value in record["passages"].values()] == [{"type": "article", "confidence": 0.9}]
    assert load(record) == comparison and comparison.runs[0].evidence
