"""The JSON documents: one each, with the fields that scripts rely on."""

from __future__ import annotations

import json

import pytest

from core.archive import Archive
from core.documents import comparison_document
from core.domain import Ask, BaseInfo, Say, Step, Timed, Usage
from core.environment import load
from core.knowledge.tokeniser import Tokeniser
from core.pricing import Prices
from core.runs import Comparison, Run
from core.words import Words

QUESTION = "影像资料要保存多久？"
NEEDLE = "04-监控与证据#第六十一条"
RUN = {
    "mode", "answer", "citations", "evidence", "hits", "steps", "usage", "seconds", "first_token_seconds", "cost",
    "costs", "stop_reason", "fingerprint", "error",
}  # fmt: skip
USAGE = {"prompt", "completion", "reasoning", "cached", "calls", "estimated", "embedding", "model"}


@pytest.fixture(scope="module")
def kept():
    return {}


@pytest.fixture
def asked(document, kept):
    if not kept:
        kept.update(document("ask", QUESTION))
    return kept


def test_ask_names_the_base_the_settings_and_every_mode(asked):
    assert set(asked) >= {"id", "question", "kb", "settings", "runs"}
    assert asked["question"] == QUESTION
    assert (asked["kb"]["name"], asked["kb"]["passages"]) == ("elevator", 68)
    assert asked["settings"]["writer"] == "offline"
    assert [run["mode"] for run in asked["runs"]] == ["bm25", "rerank", "agentic"]


def test_each_run_has_every_field(asked):
    for run in asked["runs"]:
        assert set(run) >= RUN
        assert set(run["usage"]) == USAGE
        assert (run["error"], run["cost"], run["costs"]) == (None, None, [])
        assert 0 < run["first_token_seconds"] <= run["seconds"]


def test_each_step_citation_and_hit_has_every_field(asked):
    for run in asked["runs"]:
        assert all(set(step) >= {"name", "detail", "seconds", "hits", "new", "usage", "error"} for step in run["steps"])
        assert run["citations"]
        for citation in run["citations"]:
            assert set(citation) == {"number", "passage_id", "quote", "status"}
            assert citation["passage_id"] == run["evidence"][citation["number"] - 1]
        assert [hit["rank"] for hit in run["hits"]] == list(range(1, len(run["hits"]) + 1))
        assert set(run["hits"][0]) == {"passage_id", "rank", "score", "scores"}


def test_an_asked_comparison_is_kept_and_opens_with_the_same_answers(asked, home):
    again = Archive(home).open(asked["id"])
    assert [run.answer for run in again.runs] == [run["answer"] for run in asked["runs"]]
    assert [run.fingerprint for run in again.runs] == [run["fingerprint"] for run in asked["runs"]]


def test_retrieval_only_gives_the_same_evidence_and_no_answer(asked, document):
    short = document("ask", QUESTION, "--retrieval-only")
    for one, other in zip(asked["runs"], short["runs"], strict=True):
        assert (other["answer"], other["citations"], other["first_token_seconds"]) == ("", [], None)
        assert one["fingerprint"] == other["fingerprint"]


def test_the_cut_holds_for_every_mode(document):
    runs = document("ask", QUESTION, "-k", "2", "--one-by-one")["runs"]
    assert [len(run["evidence"]) <= 2 for run in runs] == [True] * 3


def test_parameters_and_modes_are_taken_from_the_command_line(document):
    found = document("ask", QUESTION, "--modes", "agentic", "--set", "agentic.calls=1")
    assert found["runs"][0]["stop_reason"] == "call_limit"
    assert found["runs"][0]["parameters"]["calls"] == 1


def test_search_ranks_with_scores_and_text(document):
    found = document("search", QUESTION, "-k", "3")
    assert set(found) >= {"query", "mode", "hits", "reason"}
    assert (found["query"], found["mode"], found["reason"], len(found["hits"])) == (QUESTION, "rerank", None, 3)
    assert set(found["hits"][0]) == {"passage_id", "section", "rank", "score", "scores", "text"}
    assert set(found["hits"][0]["scores"]) == {"bm25", "bm25_rank", "cosine"}


def test_search_by_keywords_scores_by_keywords(document):
    found = document("search", "影像资料", "--mode", "bm25")
    assert found["mode"] == "bm25" and {len(hit["scores"]) for hit in found["hits"]} == {2}
    scores = [hit["score"] for hit in found["hits"]]
    assert scores == sorted(scores, reverse=True) and scores[-1] > 0


def test_why_reports_what_each_mode_says(document):
    found = document("why", QUESTION, "--passage", NEEDLE)
    assert found["passage_id"] == NEEDLE and found["sentence"]
    modes = found["modes"]
    assert set(modes["bm25"]) >= {"rank", "score", "terms", "missing_terms", "given"}
    assert set(modes["bm25"]["terms"][0]) >= {"term", "tf", "idf", "contribution"}
    assert set(modes["rerank"]) >= {"bm25_rank", "candidate", "cosine", "rank", "given"}
    assert set(modes["agentic"]["steps"][0]) == {"step", "query", "rank"}


def test_why_adds_up_and_tells_weights_near_misses_and_meaning(document):
    found = document("why", "录像里拍到他了，监控资料存多久？", "--passage", NEEDLE)
    terms = found["terms"]
    assert sum(row["contribution"] for row in terms["rows"]) == terms["score"] == found["modes"]["bm25"]["score"]
    assert set(terms["rows"][0]) == {"term", "tf", "df", "idf", "contribution", "note", "near"}
    assert terms["rank"] <= terms["matching"] and terms["unlike"] is None
    assert {near["how"] for row in terms["rows"] for near in row["near"]} <= {"glued", "character", "meaning"}
    meaning = found["meaning"]
    assert set(meaning) == {"cosine", "rank", "vectors", "passages", "candidate_rank", "candidates"}
    assert found["meaning_unknown"] is None and 1 <= meaning["rank"] <= meaning["vectors"] <= meaning["passages"]


def test_why_names_the_settings_of_a_remedy_and_they_help(document):
    question, passage = "谁来赔？", "01-总则#第二条"
    mode = document("why", question, "--passage", passage, "--modes", "bm25", "-k", "1")["modes"]["bm25"]
    assert not mode["given"] and mode["remedy"] and set(mode["remedy_settings"]) <= {"k"}
    for name, value in mode["remedy_settings"].items():
        again = document("why", question, "--passage", passage, "--modes", "bm25", f"-{name}", str(value))
        assert again["modes"]["bm25"]["given"] and "remedy" not in again["modes"]["bm25"]


def test_why_of_a_question_without_a_word_has_no_terms_and_no_score(document):
    found = document("why", "？？！", "--passage", NEEDLE)
    assert (found["terms"]["rows"], found["terms"]["score"], found["modes"]["bm25"]["rank"]) == ([], 0, None)
    assert not any(mode["given"] for mode in found["modes"].values())


def test_why_explains_the_only_passage_of_a_base(document, tmp_path):
    (tmp_path / "small.md").write_text("# 退货\n第一条 七日内可以退货。", encoding="utf-8")
    found = document("why", "退货", "--kb", str(tmp_path / "small.md"), "--passage", "small#第一条")
    assert all(mode["given"] for mode in found["modes"].values())
    assert (found["terms"]["rank"], found["meaning"]["rank"], found["meaning"]["vectors"]) == (1, 1, 1)


@pytest.mark.parametrize("question", ["？？！", "🙂🙂", "…"])
def test_a_question_without_words_is_answered_that_nothing_was_found_with_the_reason(document, question):
    for run in document("ask", question)["runs"]:
        assert (run["stop_reason"], run["evidence"]) == ("no_hits", [])
        assert run["answer"]
        assert any(step["error"] for step in run["steps"])
    found = document("search", question)
    assert found["hits"] == [] and "标点" in found["reason"]


def test_a_base_without_passages_answers_with_the_reason(document, tmp_path):
    (tmp_path / "kb.toml").write_text('title = "空库"\n', encoding="utf-8")
    found = document("ask", QUESTION, "--kb", str(tmp_path))
    assert found["kb"]["passages"] == 0
    assert {run["stop_reason"] for run in found["runs"]} == {"no_hits"}
    assert "空库" in found["runs"][0]["steps"][0]["error"]
    assert "空库" in document("search", QUESTION, "--kb", str(tmp_path))["reason"]


def test_text_that_is_no_text_does_not_break_a_document(document):
    found = document("ask", "影像\udcff资料 \x00 <b>", "--modes", "bm25,rerank")
    assert "\ufffd" in found["question"] and all(run["error"] is None for run in found["runs"])


def test_reasons_speak_english_when_asked_to(document):
    found = document("search", "zzqq", "--lang", "en")
    assert found["reason"].startswith("No passage of the knowledge base")


def test_one_document_and_nothing_else_stands_on_standard_output(command):
    code, out, _ = command("search", QUESTION, "--json")
    assert code == 0 and json.JSONDecoder().raw_decode(out)[1] == len(out.rstrip("\n"))


GLM, GPT = "zhipu:glm-4.6", "openai:gpt-4o-mini"


def called(tmp_path, *calls, **settings):
    """The document of a comparison with a run for each list of (step name, usage, settings sent)."""
    base = BaseInfo("b", "库", "0", 1, "t")
    runs = []
    for steps in calls:
        events = (Timed(0.1, Step(name, Say.of("stop.answered"), usage=used, sent=sent)) for name, used, sent in steps)
        runs.append(Run("bm25", Ask("问"), base, tuple(events), 1.0))
    whole = Comparison("c", "问", "2026-01-01T00:00:00+00:00", base, settings, tuple(runs))
    return json.loads(json.dumps(comparison_document(whole, Tokeniser(cache=tmp_path), Words("zh"))))


def test_each_run_has_its_cost_by_the_prices_that_were_recorded(tmp_path):
    given = {"WORKBENCH_HOME": "/nowhere", "WORKBENCH_WRITER": GLM, "WORKBENCH_PLANNER": GPT}
    prices = Prices().recorded(load(given))
    yuan, dollars = Usage(1_000_000, 0, calls=1, model=GLM), Usage(0, 1_000_000, calls=1, model=GPT)
    steps = [[("write", yuan, {})], [("write", yuan, {}), ("judge", dollars, {})], [("write", Usage(calls=1), {})]]
    found = called(tmp_path, *steps, prices=prices)
    assert [run["cost"] for run in found["runs"]] == [{"amount": 4.0, "currency": "CNY"}, None, None]
    assert [len(run["costs"]) for run in found["runs"]] == [1, 2, 0]
    assert found["settings"]["prices"] == prices
    assert called(tmp_path, *steps)["runs"][0]["cost"] is None  # a record from before there were prices


def test_the_settings_are_those_that_were_really_sent(tmp_path):
    sent = {"model": "glm-4.6", "temperature": 0.0, "max_tokens": 100}
    write, other = ("write", None, sent), ("write", None, {**sent, "max_tokens": 50})
    asked = {"writer": GLM, "writer_temperature": 3.0, "writer_thinking": True, "planner": GPT, "planner_cheap": GPT}
    settings = called(tmp_path, [write], [other, ("judge", None, {"thinking": False})], **asked)["settings"]
    assert (settings["writer"], settings["writer_model"], settings["writer_temperature"]) == (GLM, "glm-4.6", 0.0)
    assert settings["writer_max_tokens"] == [100, 50]
    assert "writer_thinking" not in settings
    assert (settings["planner_thinking"], settings["planner_cheap"]) == (False, GPT)
