"""What a real model adds to a comparison on the page: thoughts, notices, failures, costs, and what is never asked."""

import json

import pytest

from core.archive import Archive
from core.domain import Ask, BaseInfo, Say, Step, Timed, Token
from core.progress import notices, state_of, thought
from core.runs import Run
from pages.parts.result import doers
from tests.app.conftest import KEY, ask, drawn_all, plain, press, settings_page, text, visit
from tests.loopback import Dropped, Said, no_tools, strict

ANSWER = "装修前须申报[1]。"
THOUGHT = "先看 $5 与 :red[资料一] 的 <b>规定</b>。"
BASE = BaseInfo("elevator", "库", "0", 1, "t")
WRITE, EVIDENCE = Step("write", Say.of("step.write", writer="m")), Step("evidence", Say.of("step.evidence"))


def run_of(*events, **values):
    return Run("bm25", Ask("问"), BASE, tuple(Timed(0.1, event) for event in events), **values)


def online(server, answer, **with_tools):
    """A session whose writer and planner are the model of `server`."""
    server.always(answer)
    server.always(with_tools.get("tools", Said("NONE")), tools=True)
    return press(settings_page(), "use.openai").switch_page("pages/compare.py").run()


def answered(at):
    """The answers on the page with the notes below them, as their element was given them."""
    return json.dumps(drawn_all(at, "folded"), ensure_ascii=False)


def test_an_answer_of_a_model_is_shown_with_its_thought_folded_and_literal(server, home):
    at = ask(online(server, Said(ANSWER, THOUGHT)), modes=["bm25"])
    assert not at.exception
    fold = next(fold for fold in at.expander if fold.label.startswith("思考过程"))
    assert fold.markdown[0].value.startswith("先看 \\$5") and "<b>" not in text(at)
    assert "装修前须申报" in answered(at) and "作答、检索规划：openai:demo；向量：在本机离线完成" in plain(text(at))
    assert Archive(home).open(at.query_params["c"]).runs[0].reasoning == THOUGHT


def test_what_a_planner_thought_stands_in_the_trace_beside_its_decision(server):
    at = ask(online(server, Said(ANSWER), tools=Said("NONE", THOUGHT)), modes=["agentic"])
    judged = next(fold for fold in at.expander if "替它检索" in plain(fold.label))
    assert any(caption.value.startswith("思考过程") for caption in judged.caption)
    assert any("先看 $5" in code.value for code in judged.code)


def test_a_failed_answer_keeps_its_part_and_tells_once_that_it_is_not_whole(server):
    at = ask(online(server, Dropped(Said("装修前须申报，并" * 9), 20)), modes=["bm25"])
    assert not at.exception
    seen = answered(at)
    assert seen.count("没有写完") == 1 and "连接中断" in seen and "装修前须申报" in seen
    assert "答案没有引用任何段落" not in seen + plain(text(at))


def test_one_mode_that_fails_leaves_the_others_unharmed(server):
    at = ask(online(server, Said(ANSWER), tools=Dropped(Said("想", calls=(("search", "{}"),)), 1)))
    seen = answered(at)
    assert seen.count("装修前须申报") == 2 and "连接中断" in seen + plain(text(at)) and KEY not in str(at)


def test_an_endpoint_without_tools_is_said_in_the_column(server):
    at = ask(online(server, Said(ANSWER), tools=strict(Said(ANSWER), [no_tools])), modes=["agentic"])
    assert "不支持工具调用" in answered(at) + plain(text(at)) and "装修前须申报" in answered(at)


def test_a_limit_that_is_reached_is_told_and_the_offline_writer_answers(server, monkeypatch):
    monkeypatch.setenv("WORKBENCH_LIMIT_RUN_TOKENS", "100")
    at = ask(online(server, Said(ANSWER)), modes=["bm25"])
    assert "上限" in plain(text(at)) and "第六条" in text(at) and server.chats == []


def test_a_role_that_names_no_model_is_told_with_a_link_to_the_settings(home, monkeypatch):
    monkeypatch.setenv("WORKBENCH_WRITER", "openai")
    at = visit().run()
    assert not at.exception and "没有默认模型" in plain(text(at))
    assert any(link.label == "打开设置" for link in at.get("page_link"))


def test_connections_are_reused_while_the_settings_stay(server):
    at = online(server, Said(ANSWER))
    first = at.session_state["bench"].bench
    at = ask(at, modes=["bm25"])
    assert at.session_state["bench"].bench is first
    press(at.switch_page("pages/settings.py").run(), "offline").switch_page("pages/compare.py").run()
    assert at.session_state["bench"].bench is not first


def test_a_paid_model_embeds_a_base_only_when_asked_and_goes_on_where_it_stopped(server):
    at = settings_page()
    at.selectbox(key="role.embeddings.endpoint").set_value("openai")
    at.text_input(key="role.embeddings.model").set_value("demo-embedding")
    press(at, "roles.apply").switch_page("pages/library.py").run()
    assert server.embeddings == [] and "tokens" in at.button(key="fill").label
    server.embed_limits(most_texts=1)
    press(at, "fill")
    assert "没有取得" in plain(text(at))
    server.embed_limits()
    press(at, "fill")
    assert "全部向量已经算好" in at.success[0].value
    assert len(set(server.texts_embedded)) == len(server.texts_embedded)


def test_a_search_in_the_library_is_held_to_the_limits(server, monkeypatch):
    monkeypatch.setenv("WORKBENCH_LIMIT_DAY_TOKENS", "1")
    monkeypatch.setenv("WORKBENCH_EMBEDDINGS", "openai:demo-embedding")
    at = visit().run().switch_page("pages/library.py").run()
    at.get_by_key("way").set_value("rerank")
    at.text_input(key="find").set_value("监控保存多久").run()
    assert not at.exception and at.info and server.embeddings == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"writer": "offline", "planner": "offline", "embeddings": "offline"}, "ui.offline"),
        ({"writer": "a:b", "planner": "offline", "embeddings": "offline"}, "a:b"),
        ({"writer": "offline", "planner": "offline", "embeddings": "offline", "retrieval_only": True}, ""),
        ({"writer": "a:b", "planner": "c:d", "embeddings": "offline", "retrieval_only": True}, "c:d"),
        ({}, ""),
    ],
)
def test_the_line_of_what_is_offline_follows_what_was_recorded(settings, said):
    told = doers(settings, lambda code, **values: " ".join([code, *map(str, values.values())]))
    assert said in told and bool(said) == bool(told)
    assert not (settings.get("retrieval_only") and "a:b" in told)


def test_a_thought_belongs_to_the_step_that_follows_it():
    run = run_of(Token("甲", "reasoning"), WRITE, EVIDENCE, Token("乙", "reasoning"), Token("丙", "reasoning"))
    assert run.thoughts == {0: "甲", 2: "乙丙"} and run.reasoning == "甲乙丙"


def test_the_state_is_thinking_until_the_first_word_of_the_answer():
    run = run_of(EVIDENCE, Token("想", "reasoning"))
    assert (state_of(run, 1.0), thought(run)) == ("thinking", "想")
    assert state_of(run_of(EVIDENCE, Token("想", "reasoning"), Token("答")), 1.0) == "writing"
    planned = run_of(Token("查什么", "reasoning"), Step("judge", Say.of("step.judge")))
    assert (state_of(planned, 1.0), thought(planned)) == ("searching", "")


def test_what_failed_a_run_is_no_notice_besides():
    failed, other = Say.of("model.cut"), Say.of("model.tools", endpoint="e")
    steps = [Step("judge", Say.of("step.judge"), error=other), Step("write", WRITE.detail, error=failed)]
    assert notices(run_of(*steps, error=Say.of("model.cut"))) == (other,)
