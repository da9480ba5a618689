"""The charts of Explain: their findings, the tables below them, and their states where there is nothing to draw."""

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.domain import EVIDENCE, Ask, Hit, Passage, Say, Step, Timed, Token
from core.explain.gold import gold_of
from core.knowledge.shelf import questions
from core.modes import choose
from core.race import Race
from core.runs import Run
from core.words import LANGUAGES, Words
from pages.parts.charts import spread
from pages.parts.explain.view import View
from tests.app.conftest import plain, text

PARTS = ("flow", "timeline", "overlap")


@pytest.fixture(scope="module")
def compared(bench):
    """Compares a question over the bundled base; each question only once."""
    for _ in bench.fill():
        pass
    held = {}

    def compared(question, modes=None):
        if (question, modes) not in held:
            race = Race(bench, [(mode, Ask(question)) for mode in choose(modes)])
            for _ in race:
                pass
            race.close()
            held[question, modes] = race.comparison
        return held[question, modes]

    return compared


@pytest.fixture
def opening(bench, compared):
    """The opening dispute as it is looked at."""
    question = next(q.question for q in questions(bench.base).questions if "demo:opening" in q.tags)
    return View(compared(question), gold_of(bench.base, question), Words("zh"), bench, True)


def drawn(view, part):
    """The chart `part` of a view on a page of its own."""

    def page(view, part):
        from importlib import import_module

        import_module(f"pages.parts.explain.{part}").draw(view)

    at = AppTest.from_function(page, default_timeout=60, kwargs={"view": view, "part": part}).run()
    assert not at.exception
    return at


def specs(at):
    return [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]


def texts(value):
    """All strings of a parsed figure; in the text of its spec Plotly writes `<` as an escape."""
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in texts(part)]


def made(view, *steps, error=None, answer="", gold=()):
    """A view of one run that did these steps."""
    events = [Timed(at / 10, step) for at, step in enumerate(steps)]
    events += [Timed(1.0, Token(answer))] if answer else []
    run = Run("bm25", view.comparison.runs[0].ask, view.comparison.base, tuple(events), 1.0, error=error)
    return replace(view, comparison=replace(view.comparison, runs=(run,)), gold=gold, same=False)


def hits(*passages):
    return tuple(Hit(passage, rank, 1.0 / rank, {"bm25": 1.0}) for rank, passage in enumerate(passages, 1))


def one(title="第一条", order=0):
    return Passage(f"a#{order}", "a", "总则", title, "正文", order)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", PARTS)
def test_every_chart_has_its_finding_above_and_its_table_below(opening, part, language):
    at = drawn(replace(opening, words=Words(language)), part)
    (chart,) = at.get("plotly_chart")
    title = plain(at.markdown[0].value).strip("*")
    assert title and title in chart.proto.alt
    assert len(at.dataframe) == 1 and not at.dataframe[0].value.empty


def test_the_rank_flow_starts_with_the_run_that_has_most_stages(opening):
    at = drawn(opening, "flow")
    assert at.get_by_key("flow.run").value == "rerank"
    assert list(at.dataframe[0].value.iloc[:, 2].dropna())[:1] == [18]  # 第八条 by keywords


def test_lost_gold_is_named_where_it_ends_and_the_cut_is_written(opening):
    layout = specs(drawn(opening, "flow"))[0]["layout"]
    said = [annotation["text"] for annotation in layout["annotations"]]
    assert "第二十八条 止于 59" in said and not any("前 20" in text for text in said)
    assert [name.rpartition("┄ ")[2] for name in layout["xaxis"]["ticktext"][:2]] == ["前 20", "前 5"]


def test_the_table_says_which_cut_ended_a_passage(opening):
    table = drawn(opening, "flow").dataframe[0].value
    row = next(row for row in table.itertuples(index=False) if row[0].startswith("第二十八条"))
    assert row[-1] == "止于“关键词检索”：只取前 20 段"


def test_another_mode_can_be_looked_at(opening):
    at = drawn(opening, "flow")
    at.get_by_key("flow.run").set_value("agentic").run()
    assert not at.exception
    assert len(at.dataframe[0].value) > 20


def test_the_budget_lists_what_fewer_calls_would_have_known(opening):
    at = drawn(opening, "timeline")
    slider = at.slider[0]
    assert not slider.disabled and slider.value == 3
    slider.set_value(1).run()
    said = plain(text(at))
    assert "只给 1 次调用（到第 " in said and "看到 20 段 · 其中标准段落 3 / 7" in said
    assert "不是重新作答" in said


def test_a_mode_without_tool_calls_has_no_budget_to_cut(opening):
    at = drawn(opening, "timeline")
    at.get_by_key("gains.run").set_value("bm25").run()
    assert not at.exception
    assert at.slider[0].disabled
    assert "工具调用是 0 次" in text(at)


def test_the_steps_that_are_calls_have_their_number_below_them_and_the_end_is_what_was_given(opening):
    layout = specs(drawn(opening, "timeline"))[0]["layout"]
    ticks = next(layout[axis]["ticktext"] for axis in layout if axis.startswith("xaxis") and "ticktext" in layout[axis])
    run = next(run for run in opening.comparison.runs if run.mode == "agentic")
    calls = [number for number, step in enumerate(run.searching, 1) if step.call]
    assert [tick for tick in ticks if "(" in tick] == [f"{at}<br>({n})" for n, at in enumerate(calls, 1)]
    assert any(a["text"].startswith("留作证据 → 交给作答") for a in layout["annotations"])


def test_tokens_that_nobody_counted_are_missing_and_no_zero(opening):
    at = drawn(opening, "timeline")
    tokens = next(column for column in at.dataframe[0].value if at.dataframe[0].value[column].isna().all())
    assert tokens
    assert "tokens 未知" in text(at)


def test_overlap_counts_every_passage_once_at_each_level(opening):
    at = drawn(opening, "overlap")
    for level in ("touched", "given", "cited"):
        at.get_by_key("overlap.level").set_value(level).run()
        assert not at.exception
        (bars,) = specs(at)[0]["data"]
        assert sum(bars["x"]) == len(at.dataframe[0].value) > 0


def test_the_passages_of_one_mode_alone_are_named_gold_first(opening):
    lines = plain(text(drawn(opening, "overlap")))
    assert "只有智能体检索" in lines and "◆ 第二十八条" in lines


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_that_failed_at_once_is_a_sentence_and_no_chart(opening, part, language):
    error = Say.of("run.crashed", kind="OSError", reason="<b>$5</b>")
    at = drawn(replace(made(opening, error=error), words=Words(language)), part)
    assert not at.get("plotly_chart")
    assert text(at)


@pytest.mark.parametrize("part", PARTS)
def test_a_run_without_hits_is_a_sentence_and_no_chart_of_ranks(opening, part):
    at = drawn(
        made(opening, Step("search", Say.of("step.keyword", hits=0, passages=9)), Step(EVIDENCE, Say.of("x"))), part
    )
    assert bool(at.get("plotly_chart")) == (part == "timeline")  # its steps are there, though they found nothing
    assert text(at)


@pytest.mark.parametrize("part", PARTS)
def test_one_passage_in_all_is_drawn(opening, part):
    passage = one()
    steps = (
        Step("search", Say.of("step.keyword", hits=1, passages=1), hits(passage)),
        Step(EVIDENCE, Say.of("x"), hits(passage)),
    )
    at = drawn(made(opening, *steps, answer="是 [1]", gold=(passage,)), part)
    assert len(at.get("plotly_chart")) == 1


def test_gold_without_any_rank_is_told_below_the_flow(opening):
    steps = (
        Step("search", Say.of("step.keyword", hits=1, passages=2), hits(one())),
        Step(EVIDENCE, Say.of("x"), hits(one())),
    )
    at = drawn(made(opening, *steps, gold=(one("第九条", 9),)), "flow")
    assert "没有任何名次的标准段落 1 段：第九条" in plain(text(at))


def test_of_two_hundred_passages_the_table_has_all_and_the_chart_a_part(opening):
    many = [one(f"第 {order} 条", order) for order in range(200)]
    steps = (
        Step("search", Say.of("step.keyword", hits=200, passages=200), hits(*many)),
        Step(EVIDENCE, Say.of("x"), hits(*many[:5])),
    )
    at = drawn(made(opening, *steps), "flow")
    assert len(at.dataframe[0].value) == 200
    assert "另有 135 段只列在表里" in plain(text(at))


@pytest.mark.parametrize("part", PARTS)
def test_titles_of_passages_are_shown_literally(opening, part):
    hostile = one("<img src=x onerror=alert(1)> $5$ :red[x]")
    steps = (
        Step("search", Say.of("step.keyword", hits=1, passages=1), hits(hostile)),
        Step(EVIDENCE, Say.of("x"), hits(hostile)),
    )
    at = drawn(made(opening, *steps, gold=(hostile,)), part)
    assert specs(at) and not [text for spec in specs(at) for text in texts(spec) if "<img" in text]
    assert all("<img" not in element.value and ":red[x]" not in element.value for element in at.markdown)


@pytest.mark.parametrize("wanted", [[], [5.0], [0.0] * 40, [90.0, 95.0, 99.0], [1.0, 50.0, 51.0]])
def test_labels_are_kept_apart_and_inside(wanted):
    placed = spread(wanted, 10, 0, 100)
    gap = min(10, 100 / max(len(wanted) - 1, 1))
    assert all(-1e-9 <= place <= 100 + 1e-9 for place in placed)
    assert all(after - before >= gap - 1e-9 for before, after in zip(placed, placed[1:], strict=False))
