"""Filters, exact look-ups and doubtful readings on the pages: set, kept, told, explained, tried without."""

import json

import pytest

from core.archive import Archive
from core.asking import entrants
from core.bench import open_bench
from core.environment import load
from core.knowledge.annotations import text_digest
from core.opened import load as load_base
from core.race import compare
from core.retrieval.filters import Filters
from tests.app.conftest import ask, drawn, drawn_all, plain, press, text, visit
from tests.app.explaining import opened, rows, settled

QUESTION = "电梯坏了谁付费，第二十八条怎么说？"
PARTS = {"第一页": 0.61, "第二页": 0.72, "第三页": None}


@pytest.fixture(scope="module")
def home(vectors, tmp_path_factory):
    """A data folder with a base whose first two passages were hard to read."""
    folder = tmp_path_factory.mktemp("filters")
    sections = folder / "kb" / "scan" / "sections"
    sections.mkdir(parents=True)
    (sections.parent / "kb.toml").write_text('title = "扫描件"\nlanguage = "zh"\n', encoding="utf-8")
    pages = "\n\n".join(f"## {name}\n\n{name}：电梯维修的押金在七日内退还。" for name in PARTS)
    (sections / "收据.md").write_text(f"# 收据\n\n{pages}\n", encoding="utf-8")
    passages = load_base(load({"WORKBENCH_HOME": str(folder)}), "scan").passages
    known = [
        {"id": p.id, "text": text_digest(p.text), "page": 1, "confidence": sure}
        for p, sure in zip(passages, PARTS.values(), strict=True)
        if sure
    ]
    noted = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in known)
    (sections.parent / "passages.jsonl").write_text(noted, encoding="utf-8")
    yield from settled(vectors, folder)


@pytest.fixture(scope="module")
def asked(home):
    """The question, asked only of what stands in the part on elevator failures."""
    bench = open_bench(load({"WORKBENCH_HOME": str(home)}))
    return compare(bench, entrants(QUESTION, None, None, {}, Filters(section="电梯")))


@pytest.fixture(scope="module")
def scanned(home):
    """A question asked of the base that was hard to read."""
    bench = open_bench(load({"WORKBENCH_HOME": str(home)}), "scan")
    return compare(bench, entrants("押金几日退还？", ["bm25", "rerank"], None, {}))


def pills(at):
    return {b.key: plain(b.label) for b in at.button if (b.key or "").startswith(("filter.drop", "find.drop"))}


def held(at):
    """What the address is made to hold of the form, without an entry in the history."""
    return next(each["values"] for each in drawn_all(at, "addressed") if "exact" in each["values"])


def test_a_filter_of_the_address_reaches_every_mode_and_is_told_with_the_result(home):
    at = ask(visit(**{"filter.section": "电梯"}).run(), QUESTION)
    kept = Archive(home).open(at.query_params["c"])
    assert [dict(run.ask.filters) for run in kept.runs] == [{"section": "电梯"}] * 3
    assert {passage.section for run in kept.runs for passage in run.evidence} == {"第五部分 电梯故障"}
    assert "筛选：部分含“电梯”" in plain(text(at)) and "剩 7 / 68 段" in text(at)


def test_a_kept_comparison_puts_its_filters_back_and_a_tap_takes_one_away(home, asked):
    at = opened(home, asked)
    assert pills(at) == {"filter.drop.section": "部分含“电梯”"}
    assert held(at)["filter.section"] == "电梯"
    press(at, "filter.drop.section")
    assert pills(at) == {} and held(at)["filter.section"] == ""
    assert "筛选：部分含“电梯”" in plain(text(at)), "what was in force stands with the result"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"filter.section": "电梯", "filter.type": "case"}, "没有段落符合筛选条件（部分含“电梯”、类型含“案例”）"),
        ({"filter.since": "2021-13"}, "“日期从”要写成日期"),
    ],
)
def test_filters_that_leave_nothing_are_said_before_the_run_and_nothing_is_asked(home, given, said):
    at, before = visit(**given).run(), len(Archive(home).recent(1_000))
    assert said in plain(text(at))
    ask(at)
    assert said in plain(at.warning[0].value) and len(Archive(home).recent(1_000)) == before


def test_another_base_drops_the_filters_that_nothing_in_it_meets_and_says_so():
    at = visit(**{"filter.document": "电梯", "filter.entity": "七日"}).run()
    assert len(pills(at)) == 2
    at.get_by_key("kb").set_value("scan").run()
    assert not at.exception
    assert "扫描件" in at.warning[0].value and "文档含“电梯”" in plain(at.warning[0].value)
    assert pills(at) == {"filter.drop.entity": "含“七日”"}


def test_a_filter_that_is_chosen_joins_those_in_force():
    at = visit("en-US").run()
    at.selectbox(key="filter.type").set_value("case").run()
    at.text_input(key="filter.entity").set_value("第六条").run()
    assert not at.exception
    assert pills(at) == {"filter.drop.type": "type with “case”", "filter.drop.entity": "holding “第六条”"}
    assert held(at)["filter.type"] == "case"


def test_the_search_of_the_library_takes_filters_and_marks_what_the_query_names():
    at = visit().run().switch_page("pages/library.py").run()
    at.text_input(key="find").set_value("第六十一条 监控").run()
    at.selectbox(key="find.section").set_value("第四部分 监控与证据").run()
    assert not at.exception
    hits = [b for b in at.button if (b.key or "").startswith("open.")]
    assert "第六十一条" in plain(hits[0].label) and all("第四部分" in plain(hit.label) for hit in hits)
    assert text(at).count("精确命中") == 1 and len(pills(at)) == 1


def test_an_exact_hit_is_marked_in_the_trace_the_matrix_and_the_why(home, asked):
    at = opened(home, asked)
    assert "第二十八条（精确命中）" in plain(text(at))
    row = next(row for row in rows(at) if row["title"] == "第二十八条")
    assert all(["exact", "精确"] in cell for cell in row["cells"])
    assert any(sign == "精确" for sign, _ in drawn(at, "matrix")["words"]["legend"])
    at.session_state["explain.find"] = "第二十八条"
    press(press(at.run(), "explain.other.05-电梯故障#第二十八条"), "explain.mark")
    assert "精确命中：问题点名的就是它" in plain(text(at))


def test_what_the_filters_shut_out_says_so_once_how_to_reach_it_and_is_tried_without_them(home, asked):
    at = opened(home, asked)
    at.session_state["explain.find"] = "第三条"
    press(at.run(), "explain.other.01-总则#第三条")
    told = plain(text(at))
    assert told.count("— 它不符合筛选条件（部分含“电梯”），没有参加检索") == 3 and told.count("怎样才够得着") == 1
    press(at, "explain.remedy.bm25")
    tried = plain(text(at))
    assert "去掉筛选：部分含“电梯”" in tried
    assert "BM25] | — | **第" in tried, "it has a place where it had none"


def test_exact_look_ups_can_be_turned_off_and_that_is_told(home):
    at = ask(visit().run(), QUESTION, modes=["bm25"], exact=False)
    assert Archive(home).open(at.query_params["c"]).settings["exact"] is False
    assert "精确查找：关" in text(at) and "精确命中" not in text(at)
    assert held(at)["exact"] == "off"


@pytest.mark.parametrize("given", [{"exact": "off"}, {"exact": "on"}, {"exact": "nonesuch"}, {}])
def test_the_switch_of_exact_look_ups_is_restored_from_the_address(given):
    at = visit(**given).run()
    assert at.session_state["exact"] is (given.get("exact") != "off")
    assert held(at)["exact"] == ("off" if given.get("exact") == "off" else "")


def test_a_reopened_comparison_puts_the_switch_of_exact_look_ups_back(home):
    made = ask(visit().run(), QUESTION, modes=["bm25"], exact=False).query_params["c"]
    assert visit(c=made).run().session_state["exact"] is False


def test_a_passage_that_was_hard_to_read_is_marked_wherever_it_stands(home, scanned):
    at = opened(home, scanned, kb="scan")
    seen = plain(text(at))
    assert "第一页（识别不清，把握 61%）" in seen, "in the trace"
    assert "文字由识别得来，把握只有 72%" in seen, "where it is cited"
    assert [row["unclear"] for row in rows(at)] == ["识别不清，把握 61%", "识别不清，把握 72%", ""]


def test_the_parts_of_a_doubtful_score_add_up_to_it(home, scanned):
    at = opened(home, scanned, kb="scan")
    at.session_state["explain.find"] = "第一页"
    press(at.run(), "explain.other.收据#1")
    lines = {line["cells"][0]: line["cells"][4] for line in drawn(at, "grid")["lines"]}
    together, factor, score = lines.pop("各词相加"), lines.pop("识别不清"), lines.pop("合计")
    assert sum(map(float, lines.values())) == pytest.approx(float(together), abs=0.005)
    assert float(together) * float(factor.removeprefix("× ")) == pytest.approx(float(score), abs=0.005)


@pytest.mark.parametrize("name", ["案例", "Case", "case"])
def test_a_type_in_the_address_goes_by_its_name_in_either_language(name):
    at = visit(**{"filter.type": name}).run()
    assert pills(at) == {"filter.drop.type": "类型含“案例”"} and held(at)["filter.type"] == "case"


def test_a_type_that_there_is_not_is_told_with_those_that_there_are():
    seen = plain(text(visit("en-GB", **{"filter.type": "table"}).run()))
    assert "There is no type “table”; known are: article, case" in seen


def test_what_stands_behind_an_exact_hit_says_so_in_its_why(home, asked):
    at = opened(home, asked)
    second = next(row["title"] for row in rows(at) if row["title"] != "第二十八条")
    at.session_state["explain.find"] = second
    key = next(b.key for b in at.run().button if (b.key or "").startswith("explain.other.") and b.key.endswith(second))
    assert "问题点名的是第二十八条：精确命中排在最前" in plain(text(press(at, key)))
