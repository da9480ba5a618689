"""Bad input on the command line: one clear sentence on standard error, the right exit code, nothing lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEEDLE = "04-监控与证据#第六十一条"


def python(home, *arguments, flags=(), **environment):
    """The command line in a process of its own."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("WORKBENCH_", "PYTHON", "LC_", "LANG"))
    }
    return subprocess.run(
        [sys.executable, *flags, "-m", "core", *arguments],
        cwd=ROOT,
        env={**clean, "WORKBENCH_HOME": str(home), **environment},
        capture_output=True,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("ask", ""), "问题是空的"),
        (("ask", " 　\n"), "问题是空的"),
        (("ask", "长" * 10_000), "10,000 字"),
        (("search", "长" * 10_000), "10,000 字"),
        (("why", "", "--passage", NEEDLE), "问题是空的"),
        (("ask", "问", "--modes", "magic"), "可用的有 bm25、rerank、agentic"),
        (("ask", "问", "--modes", " , "), "至少选一个"),
        (("search", "问", "--mode", "agentic"), "可用的有 bm25、rerank"),
        (("ask", "问", "--kb", "nowhere"), "可用的有 elevator"),
        (("search", "问", "--kb", "/no/such/folder"), "没有名为“/no/such/folder”的知识库"),
        (("search", "问", "--kb", ""), "没有名为“”的知识库"),
        (("coverage", "--kb", ""), "没有名为“”的知识库"),
        (("search", "问", "--kb", "/dev/null"), "/dev/null 不是知识库"),
        (("why", "问", "--passage", "别处#第六十一条"), "04-监控与证据#第六十一条"),
        (("why", "问", "--passage", " "), "--passage 是空的"),
        (("why", "问", "--passage", "x" * 5_000), f"{'x' * 400}…”"),
        (("ask", "问", "-k", "0"), "1 到 100 之间"),
        (("search", "问", "-k", "0"), "收到“0”"),
        (("ask", "问", "--set", "bm25.k=999"), "1 到 100 之间"),
        (("ask", "问", "--set", "k=5"), "模式.名称=值"),
        (("ask", "问", "-k", "many"), "invalid int value"),
        (("ask",), "question"),
        (("ask", "问", "--lang", "fr"), "invalid choice"),
        (("dance",), "dance"),
        ((), "VERB"),
    ],
)
def test_wrong_use_is_said_in_one_sentence(command, arguments, told):
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert told in err and len(err.strip().splitlines()) == 1


def test_wrong_use_is_said_in_english_when_asked_to(command):
    assert command("ask", "", "--lang", "en")[2] == "The question is empty: write a word or a sentence\n"


def test_a_setting_that_cannot_be_is_said_in_one_sentence(command, monkeypatch):
    monkeypatch.setenv("WORKBENCH_LANG", "fr")
    assert command("ask", "问")[::2] == (2, "语言只能是 zh 或 en，收到“fr”\n")


@pytest.mark.parametrize(("role", "told"), [("nowhere:gpt", "nowhere"), ("openai", "openai:"), ("openai: ", "openai:")])
def test_a_role_without_an_endpoint_or_model_is_said_in_one_sentence(command, monkeypatch, role, told):
    monkeypatch.delenv("OPENAI_MODEL", raising=False)
    monkeypatch.setenv("WORKBENCH_WRITER", role)
    code, _, err = command("ask", "问")
    assert code == 2 and told in err and len(err.strip().splitlines()) == 1


def test_a_broken_kb_toml_names_its_line(command, tmp_path):
    (tmp_path / "kb.toml").write_text('title = "好"\nlanguage = \n', encoding="utf-8")
    code, out, err = command("ask", "问", "--kb", str(tmp_path))
    assert (code, out) == (2, "") and "第 2 行" in err


def test_a_folder_without_a_base_is_said_in_one_sentence(command, tmp_path):
    code, _, err = command("ask", "问", "--kb", str(tmp_path))
    assert code == 2 and "kb.toml" in err


def test_when_every_run_fails_the_document_is_still_printed_and_the_code_is_one(command, monkeypatch):
    from core.retrieval.ranking import Retriever

    monkeypatch.delattr(Retriever, "keyword")
    code, out, _ = command("ask", "影像资料", "--json")
    runs = json.loads(out)["runs"]
    assert code == 1
    assert [run["stop_reason"] for run in runs] == ["failed"] * 3 and all(run["error"] for run in runs)


def test_when_one_run_fails_the_others_are_unharmed(command, monkeypatch):
    from core.retrieval.ranking import Retriever

    monkeypatch.delattr(Retriever, "search")
    code, out, _ = command("ask", "影像资料", "--json")
    assert code == 0
    assert [run["stop_reason"] for run in json.loads(out)["runs"]] == ["answered", "answered", "failed"]


def test_a_data_folder_that_cannot_be_used_is_said_and_the_answer_is_given(tmp_path):
    (tmp_path / "home").write_text("not a folder", encoding="utf-8")
    done = python(tmp_path / "home", "ask", "影像资料要保存多久？", "--modes", "bm25", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["runs"][0]["answer"]
    told = done.stderr.decode("utf-8")
    assert "WORKBENCH_HOME" in told and "Traceback" not in told


def test_a_vector_cache_cut_short_is_set_aside_and_the_answer_is_given(tmp_path):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "vectors.sqlite").write_bytes(b"SQLite format 3\0 cut short")
    (tmp_path / "kb").mkdir()
    (tmp_path / "small.md").write_text("# 退货\n第一条 七日内可以退货。", encoding="utf-8")
    done = python(tmp_path, "search", "退货", "--kb", str(tmp_path / "small.md"), "--json")
    assert done.returncode == 0 and "cosine" in json.loads(done.stdout)["hits"][0]["scores"]
    assert "set aside" in done.stderr.decode("utf-8") and b"Traceback" not in done.stderr


def test_it_runs_with_warnings_as_errors_and_says_nothing_on_standard_error(shared_home):
    done = python(shared_home, "search", "影像资料", "-k", "2", flags=("-W", "error"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert "04-监控与证据" in done.stdout.decode("utf-8")


def test_it_speaks_utf8_where_the_locale_does_not(shared_home):
    done = python(
        shared_home, "search", "影像资料", "-k", "1", "--json", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", LC_ALL="C"
    )
    assert done.returncode == 0
    assert json.loads(done.stdout.decode("utf-8"))["query"] == "影像资料"


@pytest.mark.parametrize(
    "verb",
    ["search 影像资料 --mode bm25 -k 1", "ask 影像资料 --modes bm25", f"why 影像资料 --passage {NEEDLE} --modes bm25"],
)
def test_a_reader_that_leaves_early_hears_no_complaint(verb, shared_home):
    command = f'"{sys.executable}" -m core {verb} | true; exit ${{PIPESTATUS[0]}}'
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env={**os.environ, "WORKBENCH_HOME": str(shared_home)},
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
