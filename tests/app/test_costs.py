"""Costs on the page: money with a ratio, what has no price, what is free, and what was really sent."""

import pytest

from core.archive import Archive
from core.domain import Ask, BaseInfo, Say, Step, Timed, Token, Usage
from core.environment import load
from core.pricing import Prices
from core.runs import Comparison, Run
from pages.parts.table import begun, own
from tests.app.conftest import figure, plain, text, visit

GLM, GPT = "zhipu:glm-4.6", "openai:gpt-4o-mini"
BASE = BaseInfo("elevator", "库", "0", 1, "t")


def run(mode, *usages, **sent):
    steps = [Step("write", Say.of("step.write", writer="m"), usage=usage, sent=sent) for usage in usages]
    return Run(mode, Ask("问"), BASE, tuple(Timed(0.1, step) for step in steps), 1.0)


def called(prompt, completion, model=GLM, **more):
    return Usage(prompt, completion, calls=1, model=model, **more)


@pytest.fixture
def opened(home):
    """What a reader sees of a kept comparison of these runs."""

    def shown(*runs):
        given = {"WORKBENCH_HOME": str(home), "WORKBENCH_WRITER": GLM, "WORKBENCH_PLANNER": GPT}
        settings = {"writer": GLM, "prices": Prices().recorded(load(given))}
        Archive(home).keep(Comparison("c1", "问", "2026-01-01T00:00:00+00:00", BASE, settings, runs))
        at = visit(c="c1").run()
        assert not at.exception
        return at

    return shown


def test_the_table_shows_money_with_its_ratio_to_the_first(opened):
    at = opened(
        run("bm25", called(10_000, 1_000)), run("rerank", called(20_000, 2_000)), run("agentic", called(40_000, 0))
    )
    assert figure(at, "费用") == ["¥0.044", "¥0.088 ×2.0", "¥0.16 ×3.6"]


def test_what_has_no_price_or_no_tokens_is_told_apart_from_what_is_free(opened):
    at = opened(
        run("bm25", Usage(900, 10, estimated=True)),
        run("rerank", called(5, 5, "own:m")),
        run("agentic", called(None, 1)),
    )
    assert figure(at, "费用") == ["未调用模型：免费", "无价目", "—"]


def test_dollars_are_literal_and_have_no_ratio_to_yuan(opened):
    at = opened(run("bm25", called(10_000, 1_000)), run("rerank", called(10_000, 1_000, GPT)))
    assert figure(at, "费用") == ["¥0.044", "$0.0021"]


def test_embedding_tokens_have_a_row_of_their_own(opened):
    at = opened(run("bm25", called(5, 5)), run("rerank", called(5, 5), Usage(embedding=1_234)))
    assert figure(at, "向量 tokens") == ["—", "1,234"]


def test_the_trace_tells_what_was_really_sent(opened):
    at = opened(run("bm25", called(5, 5), model="glm-4.6", temperature=0.0, thinking=False))
    assert '实际发送：model = "glm-4.6"、temperature = 0.0、thinking = false' in plain(text(at))


def test_the_first_token_and_the_total_are_of_one_clock_without_one_time_work():
    step = Step("rerank", Say.of("step.rerank"), times={"once": 0.5})
    ran = Run("rerank", Ask("问"), BASE, (Timed(0.6, step), Timed(0.8, Token("答"))), 1.0)
    assert (begun(ran), own(ran)) == (pytest.approx(0.3), pytest.approx(0.5))
    assert begun(Run("rerank", Ask("问"), BASE, (Timed(0.6, step),), 1.0)) is None
