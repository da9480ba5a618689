"""The `coverage` command: its document, its exit code, and what wrong use gets."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import command, home
from tests.loopback import Said

__all__ = ["command", "home"]

RULES = "# 售后\n\n第一条 商品的退货期限最长为七日。\n\n第二条 维修由门店负责。\n"
QUESTIONS = "id,question,gold,facts\nq1,几天能退货？,sections不在#第九条,\nq2,退货期限多久？,a#第一条,七日\n"


@pytest.fixture
def shop(tmp_path):
    """The folder of a small base."""
    (tmp_path / "sections").mkdir()
    (tmp_path / "kb.toml").write_text('title = "小店"\n', encoding="utf-8")
    (tmp_path / "sections" / "a.md").write_text(RULES, encoding="utf-8")
    return tmp_path


@pytest.fixture
def ask(command, shop):
    """Runs `coverage` on the small base by keywords alone."""
    return lambda *more: command("coverage", "--kb", str(shop), "--modes", "bm25", *more)


def test_the_document_has_the_fields_that_scripts_rely_on(ask, shop):
    (shop / "questions").mkdir()
    (shop / "questions" / "q.csv").write_text(QUESTIONS.replace("sections不在#第九条", ""), encoding="utf-8")
    code, out, _ = ask("--json")
    told = json.loads(out)
    assert code == 0 and set(told) >= {"sections", "unreached", "needles", "findings"}
    assert {key: told["sections"][0][key] for key in ("section", "passages", "reached")} == {
        "section": "售后",
        "passages": 2,
        "reached": 1,
    }
    assert told["unreached"] == ["a#第二条"]
    assert told["pairs_compared"] == 0 and told["questions"]["with_gold"] == 1 and told["questions"]["missed"] == []
    assert set(told["needles"][0]) >= {"passage_id", "question", "ranks"} and told["needles"][0]["ranks"] == {"bm25": 1}


def test_gold_that_a_mode_left_out_stands_in_the_document_and_in_the_text(ask, shop):
    path = shop / "q.csv"
    path.write_text(
        "id,question,gold,kind\nq1,zzqq,a#第二条,\nq2,几天能退货？,,\nq3,几点关门？,,unanswerable\n", encoding="utf-8"
    )
    found = json.loads(ask("--questions", str(path), "--json", "--needles", "none")[1])["questions"]
    assert [each["id"] for each in found["missed"]] == ["q1"] and found["complete"] == {"bm25": 0}
    assert (found["without_gold"], found["unanswerable"]) == (["q2"], ["q3"])
    out = ask("--questions", str(path))[1]
    assert "1 个问题里，1 个至少有一种模式没有把标准段落全部交给作答" in out and "BM25 没有检索到" in out
    assert "比较了 0 对" in out and "没有找到能核对的事实" in out and "a#第二条" in out


def test_an_error_is_told_and_fails_the_check(ask, shop):
    path = shop / "q.csv"
    path.write_text(QUESTIONS, encoding="utf-8")
    code, out, _ = ask("--questions", str(path), "--json", "--needles", "none")
    (finding,) = json.loads(out)["findings"]
    assert code == 3 and (finding["kind"], finding["severity"]) == ("gold", "error") and "第九条" in finding["text"]


def test_without_questions_health_and_needles_still_work_and_nothing_is_claimed_of_reach(ask):
    code, out, err = ask("--json")
    told = json.loads(out)
    assert code == 0 and told["questions"] is None and told["sections"][0]["reached"] is None
    assert told["unreached"] == [] and [each["passage_id"] for each in told["needles"]] == ["a#第一条"]
    assert "--questions" in err


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_plain_text_is_in_the_language_asked_for_and_leaves_no_code(ask, shop, language):
    (shop / "questions").mkdir()
    (shop / "questions" / "q.csv").write_text(QUESTIONS, encoding="utf-8")
    code, out, err = ask("--lang", language)
    assert code == 3 and "coverage." not in out + err and "{" not in out
    assert ("错误" if language == "zh" else "Error") in out


@pytest.mark.parametrize(("more", "source"), [((), "template"), (("--with-models",), "model")])
def test_models_make_questions_and_answer_only_where_told_to(ask, server, monkeypatch, more, source):
    for name, value in {
        "OPENAI_BASE_URL": server.url,
        "OPENAI_API_KEY": "sk-1",
        "WORKBENCH_WRITER": "openai:w",
    }.items():
        monkeypatch.setenv(name, value)
    server.always(Said("买了多少天还能不要？\n七日"))
    code, out, err = ask("--json", *more)
    assert code == 0 and json.loads(out)["needles"][0]["source"] == source
    assert bool(server.chats) is bool(more) and ("openai:w" in err) is bool(more)


def test_a_base_without_passages_is_told_and_no_failure(command, tmp_path):
    (tmp_path / "kb.toml").write_text('title = "空"\n', encoding="utf-8")
    code, out, err = command("coverage", "--kb", str(tmp_path), "--json")
    told = json.loads(out)
    assert code == 0 and told["sections"] == [] and "空" in err


@pytest.mark.parametrize(
    "wrong",
    [
        ("--questions", "nowhere.csv"),
        ("--needles", "many"),
        ("--needles", "-3"),
        ("--modes", "nonsense"),
    ],
)
def test_wrong_use_is_said_in_one_sentence(ask, wrong):
    code, out, err = ask(f"{wrong[0]}={wrong[1]}")
    assert (code, out) == (2, "") and err.strip() and "Traceback" not in err


def test_a_question_file_that_is_no_table_of_questions_is_wrong_use(ask, shop):
    (shop / "q.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    assert ask("--questions", str(shop / "q.csv"))[0] == 2
