"""The Compare page: asked, finished, reopened, stopped, refused."""

import json
from dataclasses import replace

import pytest

from core.archive import Archive
from core.asking import entrants
from core.bench import open_bench
from core.domain import Say
from core.environment import load
from core.race import Race, compare
from pages.parts.desk import Desk, begun
from tests.app.authoring import FIRST, do, keep, make, opened
from tests.app.conftest import QUESTION, ask, compared, drawn, drawn_all, figure, plain, text, visit

pytestmark = pytest.mark.usefixtures("home")


@pytest.mark.parametrize(("locale", "title"), [("zh-CN", "并排作答"), ("en-GB", "side by side"), (None, "并排作答")])
def test_the_app_opens_in_the_language_of_the_browser(locale, title):
    at = visit(locale).run()
    assert not at.exception
    assert title in text(at)


def test_a_first_visit_says_what_this_is_and_offers_examples():
    at = visit().run()
    assert "写下一个问题" in text(at)
    examples = [button for button in at.button if (button.key or "").startswith("example.")]
    assert len(examples) >= 3
    assert plain(examples[0].label).endswith("装修前要办什么手续？")


def test_a_question_is_answered_by_three_modes_side_by_side():
    at = ask(visit().run())
    assert not at.exception
    seen = text(at)
    assert all(name in plain(seen) for name in ("BM25", "BM25 + 重排", "智能体检索"))
    assert len(compared(at)) == 3
    assert "第六条" in seen and "离线运行" in seen and len(figure(at, "证据指纹")) == 3


def test_a_finished_comparison_has_its_own_address_and_stays_through_reruns(home):
    at = ask(visit().run())
    kept = Archive(home).recent()
    assert [line.question for line in kept] == [QUESTION] and kept[0].complete
    assert at.query_params["c"] == kept[0].id and "q" not in at.query_params
    before = text(at)
    at.toggle(key="retrieval_only").set_value(True).run()
    assert text(at) == before


def test_an_address_reopens_the_comparison_for_someone_else_without_asking_again(home):
    first = ask(visit().run())
    identifier = first.query_params["c"]
    other = visit(c=identifier).run()
    assert not other.exception
    assert other.text_area(key="question").value == QUESTION
    assert text(other) == text(first)
    assert len(Archive(home).recent()) == 1


def test_a_reopened_comparison_speaks_the_other_language():
    identifier = ask(visit().run()).query_params["c"]
    at = visit("en-US", c=identifier).run()
    assert "Running offline" in text(at) and "离线运行" not in text(at)
    assert figure(at, "Cost") == ["No model called: free"] * 3


def test_an_unknown_address_says_so_and_the_page_still_works():
    at = visit(c="nonesuch").run()
    assert not at.exception
    assert "nonesuch" in at.warning[0].value
    assert "c" in ask(at).query_params and at.query_params["c"] != "nonesuch"


@pytest.mark.parametrize("question", ["", "   \n ", "长" * 10_000])
def test_a_question_that_cannot_be_asked_is_refused_in_a_sentence(question, home):
    at = ask(visit().run(), question)
    assert not at.exception and len(at.warning) == 1
    assert Archive(home).recent() == []


def test_a_refused_question_leaves_the_comparison_where_it_was():
    at = ask(visit().run())
    ask(at, " ")
    assert len(at.warning) == 1 and len(compared(at)) == 3


def test_what_was_set_stays_when_the_reader_comes_back_from_the_other_page():
    at = ask(visit().run(), budget=10, one_by_one=True)
    at.switch_page("pages/library.py").run()
    at.switch_page("pages/compare.py").run()
    assert not at.exception and len(compared(at)) == 3
    assert at.session_state["budget"] == 10 and at.toggle(key="one_by_one").value is True


def test_a_run_that_failed_says_why_and_leaves_the_others_unharmed(home):
    bench = open_bench(load())
    whole = compare(bench, entrants(QUESTION, None, None, {}))
    broken = replace(whole.runs[1], error=Say.of("run.crashed", kind="OSError", reason="<b>$5</b>"))
    Archive(home).keep(replace(whole, runs=(whole.runs[0], broken, whole.runs[2])))
    at = visit(c=whole.id).run()
    assert not at.exception
    assert "OSError" in drawn_all(at, "folded")[1]["notes"][0]["text"] and "<b>" not in text(at)
    assert "第六条" in str(drawn_all(at, "folded")[0]["blocks"])


def test_a_comparison_of_four_modes_whose_mode_is_gone_still_opens(home):
    bench = open_bench(load())
    whole = compare(bench, entrants(QUESTION, ["bm25"], None, {}))
    runs = tuple(replace(whole.runs[0], mode=mode) for mode in ("bm25", "one", "two", "three"))
    Archive(home).keep(replace(whole, runs=runs))
    at = visit(c=whole.id).run()
    assert not at.exception and len(compared(at)) == 4


def test_no_mode_at_all_is_refused_in_a_sentence():
    at = ask(visit().run(), modes=[])
    assert "没有选择模式" in at.warning[0].value


@pytest.mark.parametrize("question", ["？？！！", "😀😀"])
def test_a_question_without_words_gets_no_hits_and_the_reason(question):
    at = ask(visit().run(), question)
    assert not at.exception
    assert "没有找到" in text(at)


def test_a_hostile_question_is_shown_literally():
    hostile = "$5 赔 $10？<img src=x onerror=alert(1)> :red[电梯] https://evil.example [l](javascript:alert(1)) 监控"
    at = ask(visit().run(), hostile)
    assert not at.exception
    shown = next(element.value for element in at.markdown if element.value.startswith("**\\$5"))
    assert plain(shown) == f"**{hostile}**"
    assert ":red[电梯]" not in shown and "https://" not in shown


def test_the_budget_and_a_parameter_reach_the_run(home):
    at = visit().run()
    at.number_input(key="set.rerank.candidates").set_value(30)
    ask(at, budget=10)
    comparison = Archive(home).open(Archive(home).recent()[0].id)
    assert {run.ask.k for run in comparison.runs} == {10}
    assert comparison.runs[1].ask.parameters["candidates"] == 30


def test_an_address_with_a_question_and_settings_fills_the_form():
    at = visit(q="监控存多久？", modes="bm25,nonesuch,agentic", k="5").run()
    assert at.text_area(key="question").value == "监控存多久？"
    assert at.session_state["modes"] == ["bm25", "agentic"] and at.session_state["budget"] == 5


def test_retrieval_only_shows_no_answer_and_the_same_evidence(home):
    at = ask(visit().run())
    ask(at, retrieval_only=True)
    assert "只做检索，没有作答" in text(at)
    written, bare = (Archive(home).open(kept.id) for kept in reversed(Archive(home).recent()))
    assert [run.fingerprint for run in written.runs] == [run.fingerprint for run in bare.runs]


def test_times_can_be_taken_one_after_the_other(home):
    at = ask(visit().run())
    at.button(key="retime").click().run()
    assert not at.exception
    assert "逐个运行" in text(at)
    assert Archive(home).open(Archive(home).recent()[0].id).settings["one_by_one"] is True


def test_a_comparison_that_cannot_be_kept_is_still_shown(home):
    at = visit().run()
    (home / "workbench.sqlite").mkdir()
    ask(at)
    assert not at.exception
    assert "没有保存" in at.warning[0].value and len(compared(at)) == 3


def test_a_reader_who_goes_back_to_where_there_was_no_comparison_leaves_it():
    at = ask(visit().run())
    del at.query_params["c"]
    at.run()
    assert not at.exception and not compared(at) and "写下一个问题" in text(at)


def test_a_comparison_on_the_desk_is_still_there_and_addressed_after_another_page():
    at = ask(visit().run())
    made = at.query_params.pop("c")
    at.switch_page("pages/library.py").run()
    at.switch_page("pages/compare.py").run()
    assert len(compared(at)) == 3 and drawn(at, "addressed")["values"]["c"] == made


def test_while_a_question_is_asked_its_address_opens_it_already(home):
    bench = open_bench(load())
    race = Race(bench, entrants(QUESTION, ["bm25"], None, {}))
    Archive(home).keep(begun(race.comparison))
    at = visit(c=race.comparison.id).run()
    assert not at.exception and at.text_area(key="question").value == QUESTION
    assert at.session_state["modes"] == ["bm25"] and "已停止" in text(at)


def test_a_draft_that_is_not_saved_is_said_not_to_be_asked(home, monkeypatch):
    make(home, monkeypatch)
    at = opened(FIRST)
    keep(do(at, FIRST, "switch"), FIRST)
    at.switch_page("pages/compare.py").run()
    assert "没保存的草稿（1 处改动）" in text(at)
    assert "没保存的草稿" not in text(visit().run())


def test_a_race_cut_short_by_a_click_is_kept_and_marked_as_stopped(home):
    bench = open_bench(load())
    race = Race(bench, entrants(QUESTION, ["bm25", "rerank"], None, {}))
    at = visit().run()
    at.session_state["desk"] = Desk(race=race)
    at.run()
    assert not at.exception
    assert "已停止" in text(at)
    kept = Archive(home).recent()
    assert not kept[0].complete and drawn(at, "addressed")["values"]["c"] == kept[0].id


def test_a_private_server_opens_a_comparison_only_for_its_own_session(home, monkeypatch):
    monkeypatch.setenv("WORKBENCH_PRIVATE", "1")
    mine = ask(visit().run())
    identifier = mine.query_params["c"]
    mine.run()
    assert len(compared(mine)) == 3
    assert identifier in visit(c=identifier).run().warning[0].value


def test_nothing_the_app_keeps_or_addresses_holds_a_key(home, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-secret-123")
    at = ask(visit().run())
    assert "sk-test" not in json.dumps(at.query_params) + text(at)
    assert all(b"sk-test" not in path.read_bytes() for path in home.rglob("*") if path.is_file())


def test_a_setting_that_cannot_be_is_said_instead_of_a_crash(monkeypatch):
    monkeypatch.setenv("WORKBENCH_CONCURRENT", "many")
    at = visit().run()
    assert not at.exception
    assert "WORKBENCH" in at.error[0].value


@pytest.mark.parametrize(
    ("locale", "said"),
    [("zh-CN", "没有名为“mine”的知识库"), ("en-GB", "There is no knowledge base “mine”")],
)
@pytest.mark.parametrize("path", ["compare", "library"])
def test_an_address_with_a_base_that_is_gone_says_which_is_shown_until_one_is_chosen(locale, said, path):
    at = visit(locale, kb="mine").run()
    if path == "library":
        at.query_params["kb"] = "mine"
        at.switch_page("pages/library.py").run()
    assert said in at.warning[0].value and "电梯" in at.warning[0].value and at.get_by_key("kb").value == "elevator"
    del at.query_params["kb"]  # the element in the page takes it away
    assert said in at.run().warning[0].value
    at.get_by_key("kb").set_value("espresso").run()
    assert not at.exception and said not in text(at)


def test_a_base_that_is_there_is_shown_without_a_word():
    at = visit(kb="espresso").run()
    assert not at.warning and at.get_by_key("kb").value == "espresso"


def test_a_base_without_marked_examples_offers_short_questions_of_its_own(home, monkeypatch):
    folder = make(home, monkeypatch)
    rows = ["question,gold", "押金" * 40 + "？,", *(f"押金{n}是多少？," for n in "一二三四五六")]
    (folder / "questions" / "问.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    at = visit().run()
    shown = [plain(button.label) for button in at.button if (button.key or "").startswith("example.")]
    assert shown == [f"押金{n}是多少？" for n in "一二三四五"] and "这个库自带的题目" in text(at)
    at.button(key=next(b.key for b in at.button if (b.key or "").startswith("example."))).click().run()
    assert at.text_area(key="question").value == "押金一是多少？" and len(compared(at)) == 3


def test_a_base_without_questions_does_not_point_to_examples(home, monkeypatch):
    (make(home, monkeypatch) / "questions" / "问.csv").unlink()
    at = visit().run()
    assert "还没有题目" in text(at) and "示例" not in text(at)


def test_an_opened_passage_shows_its_id_to_be_copied_and_says_what_for(home, monkeypatch):
    make(home, monkeypatch)
    at = opened(FIRST)
    assert FIRST in [code.value for code in at.code] and "gold" in text(at)
