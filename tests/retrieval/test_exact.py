"""Exact look-ups: what a question names stands first in every ranking, and nothing else does because of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.asking import entrants
from core.bench import prepare
from core.environment import load
from core.explain.passage import explain
from core.knowledge.base import Facts, assemble, joined
from core.knowledge.building import cut_document
from core.knowledge.formats import read_source
from core.modes import registry
from core.race import compare
from core.retrieval import exact as module
from core.retrieval.exact import exact, exact_and_behind
from core.retrieval.placing import Placing, place, places
from core.retrieval.standing import standing
from core.settings import Settings

CASE = Path(__file__).parents[1] / "cases" / "txt_similar_articles_numbers.txt"
LAWS = (
    "物业管理条例(2018-03-19)",
    "浙江省物业管理条例(2009-11-27)",
    "中华人民共和国消防法（2021修订）",
    "民法典/物权编",
)
NUMBERS = "一二三四五六"
LONG = f"机型 XR-2200 见此。{'与其余各机型的外观、尺寸和包装有关的说明另见别页。' * 20}"
"""A passage that keywords alone would not put first."""


@pytest.fixture(scope="module")
def laws(made):
    """Four laws of six articles; those of the civil code are one part of it."""
    rows = [
        (law, "总则", f"第{number}条", f"{'业主依照第五条行使权利。' * (number == '一')}本条为{law[:6]}的规定。")
        for law in LAWS
        for number in NUMBERS
    ]
    return made([*rows, *((f"部门规定{n}", "总则", "第一条", "目的") for n in range(module.MOST))])


@pytest.fixture(scope="module")
def machines(made):
    """Passages of machines whose names are alike."""
    texts = ["XR-2100 保修期三年", "KT-2200 保修期一年", "XR 系列的保修期：XR-2201 两年", LONG, "XR-2200B 保修期五年"]
    return made(("手册", "保修", "", text) for text in texts)


def named(bench, question):
    return [bench.base.passages[position].id for position in exact(bench.base, question)]


@pytest.mark.parametrize("written", ["第61条", "第６１条", "第六十一条", "第61條"])
def test_an_article_number_finds_its_article_first_however_it_is_written(open_base, written):
    bench = open_base(a=f"# 规定\n{CASE.read_text(encoding='utf-8')}")
    for way in ("bm25", "rerank"):
        hits = bench.for_run().retriever.search(f"{written}怎么规定？", 5, way).hits
        assert hits[0].passage.title == "第六十一条" and hits[0].scores["exact"] == 1.0
        assert all("exact" not in hit.scores for hit in hits[1:])


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("《物业管理条例》第五条是怎么规定的？", [f"{LAWS[0]}#第五条"]),
        ("物业管理条例第5条", [f"{LAWS[0]}#第五条"]),
        ("浙江省物业管理条例的第五条", [f"{LAWS[1]}#第五条"]),
        ("《消防法》第二条和第三条", [f"{LAWS[2]}#第二条", f"{LAWS[2]}#第三条"]),
        ("中华人民共和国消防法（2021修订）第二条", [f"{LAWS[2]}#第二条"]),
        ("《民法典》第四条", [f"{LAWS[3]}#第四条"]),
        ("民法典物权编第四条", [f"{LAWS[3]}#第四条"]),
        ("2009年的第六条", [f"{LAWS[1]}#第六条"]),
        ("第六条", [f"{law}#第六条" for law in LAWS]),
        ("本条例第六条", [f"{law}#第六条" for law in LAWS]),
        ("《刑法》第六条", []),
        ("刑法第六条", []),
        ("请问，管理条例第六条", [f"{LAWS[0]}#第六条", f"{LAWS[1]}#第六条"]),
        ("第九十条", []),
        ("第一条", []),
        ("业主有什么权利？", []),
    ],
)
def test_the_law_that_is_named_decides_and_what_fits_too_many_decides_nothing(laws, question, found):
    assert named(laws, question) == found


@pytest.mark.parametrize("written", ["XR-2200", "xr2200", "XR 2200", "xr 2200", "ＸＲ－２２００"])
@pytest.mark.parametrize("way", ["bm25", "rerank"])
def test_a_model_number_finds_the_passage_that_holds_exactly_it_first(machines, written, way):
    hits = machines.for_run().retriever.search(f"{written}的保修期", 5, way).hits
    assert hits[0].passage.text == LONG
    assert [hit.rank for hit in hits if "exact" in hit.scores] == [1]


@pytest.mark.parametrize("written", ["58-9015", "58－9015", "58–9015", "58 9015"])
def test_a_part_number_of_digits_finds_what_holds_exactly_it_first(made, written):
    bench = made(
        ("手册", "备件", "", text) for text in ("58-9016 电源线", "58-9015-2 插头", "见 58-9015 说明", "第 58-90 页")
    )
    assert exact(bench.base, f"{written} 是什么零件？").tolist() == [2]


PRICES = """型号,名称,说明,价格（元）
58-9016,安装套件,与 58-9015 配套使用,45
58-9015,锅炉密封圈,耐高温,120
58-9014,喷嘴,通用,88
"""


@pytest.fixture(scope="module")
def priced(shared_home, tmp_path_factory):
    """The rows of a sheet of prices."""
    cut = cut_document("价目", read_source(PRICES.encode(), "价目.csv"), "价目.csv")
    base = assemble("prices", tmp_path_factory.mktemp("prices"), Facts(), list(cut.passages), {})
    return prepare(Settings(home=shared_home), base)


@pytest.mark.parametrize("way", ["bm25", "rerank"])
@pytest.mark.parametrize("question", ["58-9015", "58-9015 与安装套件配套使用吗？"])
def test_the_row_of_a_part_stands_first_before_one_that_mentions_it(priced, way, question):
    hits = priced.for_run().retriever.search(question, 5, way).hits
    assert [(hit.passage.title, hit.scores.get("exact")) for hit in hits[:3]] == [
        ("58-9015 锅炉密封圈", 1.0),
        ("58-9016 安装套件", 0.5),
        ("58-9014 喷嘴", None),
    ]


def test_the_agent_and_the_explanation_keep_the_row_of_a_part_in_front(priced):
    question = "58-9015 与安装套件配套使用吗？"
    run = compare(priced, entrants(question, ["agentic"], None, {}), retrieval_only=True).runs[0]
    search = next(step for step in run.steps if step.name == "search")
    assert [hit.passage.title for hit in search.hits[:2]] == ["58-9015 锅炉密封圈", "58-9016 安装套件"]
    placed = standing(priced.for_run().retriever.remembering(), question)
    assert [placed.place(at, 20) for at in (1, 0, 2)] == [1, 2, 3]


def test_an_article_that_is_named_beside_a_part_stands_with_its_row(tmp_path):
    rules = "# 规定\n\n第五条 按 58-9015 的价格赔偿。\n\n第六条 58-9015 由物业更换。\n"
    cuts = [
        cut_document("价目", read_source(PRICES.encode(), "价目.csv"), "价目.csv"),
        cut_document("规定", read_source(rules.encode(), "规定.md"), "规定.md"),
    ]
    base = joined("both", tmp_path, Facts(), cuts)
    first, behind = exact_and_behind(base, "第五条说 58-9015 怎么赔？")
    assert [base.passages[at].title for at in first] == ["58-9016 安装套件", "58-9015 锅炉密封圈", "第五条", "第六条"]
    assert [base.passages[at].title for at in behind] == ["58-9016 安装套件", "第六条"]


def test_a_filter_for_a_part_keeps_its_own_row(priced):
    hits = priced.limited({"entity": "58-9015"}).retriever.keyword("锅炉密封圈多少钱", 5).hits
    assert hits[0].passage.text.endswith("价格（元）：120")


def test_a_model_that_a_heading_names_is_found_and_of_too_many_those_that_name_it_themselves(made):
    below = [("手册", "XR-2200B", "", f"第 {number} 项：保修期为两年。") for number in range(module.MOST - 1)]
    bench = made([*below, ("手册", "配件", "", "XR-2200B 用密封圈")])
    assert exact(bench.base, "XR-2200B 的保修期").tolist() == list(range(module.MOST))
    bench = made([*below, ("手册", "配件", "", "XR-2200B 用密封圈"), ("手册", "XR-2200B", "", "重 20 公斤。")])
    assert exact(bench.base, "XR-2200B 的保修期").tolist() == [module.MOST - 1]


def test_of_several_models_what_holds_them_all_stands_in_front(made):
    bench = made(
        ("手册", "故障", "", text) for text in ("XR-2200 见 E31", "KT-2200 的 E47", "XR-2200 的 E47", "XR-2200")
    )
    assert exact(bench.base, "XR-2200 显示 E47 怎么办").tolist() == [2]
    assert exact(bench.base, "KT-2200 显示 E31").tolist() == [0, 1]
    assert exact(bench.base, "ZX-9000 显示 E31").tolist() == [0]


def test_the_score_of_what_is_named_is_the_one_it_had(machines):
    question = "XR-2200 的保修期：XR 系列是两年吗？"
    plain = machines.retriever.ranking_by(machines.retriever.bm25, False).keyword(question, 5).hits
    front = machines.retriever.keyword(question, 5).hits
    assert {hit.passage.id: hit.score for hit in plain} == {hit.passage.id: hit.score for hit in front}
    assert [hit.passage.id for hit in plain] != [hit.passage.id for hit in front]


@pytest.mark.parametrize("mode", list(registry()))
def test_every_mode_gives_the_writer_what_is_named_first(laws, mode):
    question = "《物业管理条例》第五条是怎么规定的？"
    run = compare(laws, entrants(question, [mode], None, {}), retrieval_only=True).runs[0]
    assert run.evidence[0].id == f"{LAWS[0]}#第五条"


def test_the_setting_takes_it_away_and_a_record_keeps_it(laws):
    assert load({"WORKBENCH_HOME": "/nowhere", "WORKBENCH_EXACT": "off"}).exact is False
    assert load({"WORKBENCH_HOME": "/nowhere"}).exact is True
    off = laws.as_recorded({"exact": False})
    assert off.recorded["exact"] is False and laws.recorded["exact"] is True
    assert all("exact" not in hit.scores for hit in off.retriever.keyword("《物业管理条例》第五条", 20).hits)


def test_a_record_from_before_is_explained_as_it_was_ranked(laws):
    assert laws.as_recorded({}).retriever.exact is False


def test_a_document_filter_lets_a_number_single_out_again(laws):
    found = laws.limited({"document": LAWS[2]}).retriever.keyword("第一条", 5).hits
    assert (found[0].passage.document, found[0].passage.title, found[0].scores["exact"]) == (LAWS[2], "第一条", 1.0)


@pytest.mark.parametrize("question", ["《物业管理条例》第五条是怎么规定的？", "消防法第三条", "第六条"])
def test_ranks_that_are_explained_are_those_of_the_rankings(laws, question):
    retriever = laws.retriever
    hits = retriever.keyword(question, len(laws.base.passages)).hits
    assert [retriever.stands(question, hit.passage)[0] for hit in hits] == list(range(1, len(hits) + 1))
    reranked = compare(laws, entrants(question, ["rerank"], None, {}), retrieval_only=True).runs[0].hits
    ranked = standing(retriever, question)
    assert [ranked.place(hit.passage.order, 20) for hit in reranked] == list(range(1, len(reranked) + 1))


def test_an_explanation_says_that_a_passage_is_named(laws):
    question, passage = "消防法第三条", laws.base.passage(f"{LAWS[2]}#第三条")
    found = explain(laws, entrants(question, ["bm25", "rerank"], None, {}), passage)
    assert [mark.code for mark in found.marks] == ["exact.named"] and found.terms.exact and found.terms.rank == 1
    assert found.modes["bm25"].facts["exact"] is True
    other = explain(laws, entrants(question, ["bm25"], None, {}), laws.base.passage(f"{LAWS[0]}#第三条"))
    assert "exact.named" not in [mark.code for mark in other.marks] and "exact" not in other.modes["bm25"].facts


@pytest.mark.parametrize("seed", range(5))
def test_places_and_place_agree_whatever_stands_in_front_or_is_left_out(seed):
    chance = np.random.default_rng(seed)
    scores = chance.integers(0, 6, 60).astype(float)
    within = np.sort(chance.choice(60, 40, replace=False))
    for placing in (
        Placing(),
        Placing(first=np.array([3, 50, 51])),
        Placing(within, np.array([int(within[0]), int(within[5])])),
    ):
        order = places(scores, 1.0, 60, placing).tolist()
        assert [place(scores, 1.0, position, placing) for position in order] == list(range(1, len(order) + 1))
        assert all(place(scores, 1.0, p, placing) is None for p in range(60) if p not in order)
        assert places(scores, 1.0, 4, replace(placing)).tolist() == order[:4]
