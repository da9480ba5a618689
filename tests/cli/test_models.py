"""`ask --json` against a model server: one document whatever the endpoint does, and the key in none of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from core.llm import wire
from tests.conftest import CASES as CASE_FILES
from tests.conftest import ROOT
from tests.loopback import Failed, Raw, Said, case_path, no_tools, read_failures

KEY = "sk-secret-loopback-7890"
CASES = {
    "sse_azure_first_chunk_no_choices_null_delta": ("可以退货", None),
    "sse_content_filter_midway": ("根据第六", "model.filtered_midway"),
    "sse_cut_without_finish": ("答案写到一", "model.cut"),
    "sse_error_object_mid_stream": ("开始", "model.midstream"),
    "sse_keepalive_comments": ("好", None),
    "sse_reasoning_only_length": ("", "model.only_reasoning"),
    "sse_sensitive_finish_zhipu": ("部分内容", "model.filtered_midway"),
    "sse_think_tag_split": ("答：七日[1]。", None),
    "sse_usage_only_last_chunk": ("七日内[1]", None),
    "sse_tool_call_as_text_glm_xml": ("我先查一下。", None),
    "sse_tool_index_missing": ("", "model.empty"),
}
FAILED = {"1302": "model.rate", "1113": "model.balance", "1301": "model.filtered", "1261": "model.too_long"}


@pytest.fixture(params=["openai", "zhipu"])
def ask(request, server, command, monkeypatch, tmp_path):
    """Asks BM25 with a writer of either family; the exit code, the run, and all that was printed."""
    monkeypatch.setattr(wire, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(wire, "ATTEMPTS", 2)
    base = tmp_path / "rules.md"
    base.write_text("# 退货\n第一条 七日内可以退货。\n第二条 定制商品不予退货。\n", encoding="utf-8")
    for name, value in {
        "WORKBENCH_HOME": str(tmp_path / "home"),
        "WORKBENCH_WRITER": f"{request.param}:m",
        "OPENAI_BASE_URL": server.url,
        "ZHIPUAI_BASE_URL": server.zhipu_url,
        "OPENAI_API_KEY": KEY,
        "ZHIPUAI_API_KEY": KEY,
        "WORKBENCH_IDLE_TIMEOUT": "2",
    }.items():
        monkeypatch.setenv(name, value)

    def asked(mode="bm25"):
        code, out, err = command("ask", "退货要多久？", "--kb", str(base), "--modes", mode, "--json")
        assert KEY not in out + err
        return code, json.loads(out)["runs"][0]

    return asked


@pytest.mark.parametrize("case", CASES)
def test_every_handed_stream_gives_one_document(ask, server, case):
    server.always(Raw(case_path(case)))
    code, run = ask()
    assert (run["answer"], run["error_code"]) == CASES[case]
    assert code == (1 if run["error"] else 0)
    assert run["stop_reason"] == ("failed" if run["error"] else "answered")
    assert "<think>" not in run["answer"] and "tool_call" not in run["answer"]


@pytest.mark.parametrize(
    "failed", read_failures(CASE_FILES / "http_errors.json"), ids=lambda f: f.body["error"]["code"]
)
def test_every_handed_refusal_gives_one_document(ask, server, failed):
    server.always(failed)
    code, run = ask()
    assert (code, run["error_code"]) == (1, FAILED[failed.body["error"]["code"]])
    assert run["error"] and run["steps"][-1]["error"] == run["error"]


@pytest.mark.parametrize("case", ["index_missing", "two_calls_all_index0", "finish_stop_with_calls"])
def test_every_handed_tool_call_is_run(ask, server, case):
    server.then(Raw(case_path(f"sse_tool_{case}")), tools=True)
    server.always(Said("七日[1]。"))
    code, run = ask("agentic")
    assert code == 0 and "search" in [step["name"] for step in run["steps"]]


def test_an_endpoint_without_tools_is_said_and_the_run_is_whole(ask, server):
    server.demand(no_tools)
    server.always(Said("七日[1]。"))
    code, run = ask("agentic")
    assert (code, run["stop_reason"]) == (0, "answered") or run["stop_reason"] == "saturated"
    assert "不支持工具调用" in json.dumps(run, ensure_ascii=False)


def test_a_page_of_a_proxy_is_said_to_be_one(ask, server):
    server.always(Failed(200, "<html><title>Login</title></html>", content_type="text/html"))
    assert ask()[1]["error_code"] == "model.html"


def test_the_document_says_what_was_sent_and_what_it_cost(ask, server, monkeypatch):
    monkeypatch.setenv("WORKBENCH_WRITER_TEMPERATURE", "0.5")
    server.always(
        Said("七日[1]。", reasoning="想", usage={"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13})
    )
    _, run = ask()
    assert (run["usage"]["prompt"], run["usage"]["completion"], run["cost"]) == (9, 4, None)
    assert run["steps"][-1]["sent"]["temperature"] == 0.5
    assert run["reasoning"] == "想" and "想" not in run["answer"]


def test_nobody_listening_is_said_by_a_command_of_its_own(tmp_path):
    base = tmp_path / "rules.md"
    base.write_text("# 退货\n第一条 七日内可以退货。\n", encoding="utf-8")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("WORKBENCH_")},
        "WORKBENCH_HOME": str(tmp_path / "home"),
        "WORKBENCH_WRITER": "openai:m",
        "OPENAI_BASE_URL": "http://127.0.0.1:9",
        "OPENAI_API_KEY": KEY,
    }
    command = [sys.executable, "-m", "core", "ask", "退货", "--kb", str(base), "--modes", "bm25", "--json"]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert ended.returncode == 1 and KEY not in ended.stdout + ended.stderr
    assert json.loads(ended.stdout)["runs"][0]["error_code"] == "model.unreachable"
