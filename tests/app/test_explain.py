"""Explain, below a finished comparison: the finding, the matrix, the why of a passage, try-outs, and every state."""

import csv
import io
import json
import re
import time
from dataclasses import replace

import pytest

from core.archive import Archive
from core.asking import entrants
from core.bench import open_bench
from core.domain import Hit, Passage, Say, Step, Timed
from core.environment import load
from core.explain.matrix import matrix
from core.knowledge.shelf import questions
from core.race import compare
from core.words import Words
from pages.parts.explain import section
from pages.parts.explain.sheet import csv_of
from tests.app.conftest import plain, text, visit

NEEDLE = "05-电梯故障#第二十八条"
HOSTILE = (
    '# <img src=x> $x^2$ :red[部]\n\n## =HYPERLINK("http://evil.example") 电梯\n\n电梯 $5 :red[红] <script>1</script>\n'
)


@pytest.fixture
def bench(home):
    return open_bench(load())


@pytest.fixture
def opening(bench):
    """The opening dispute, asked of all modes."""
    question = next(q.question for q in questions(bench.base).questions if "demo:opening" in q.tags)
    return compare(bench, entrants(question, None, None, {}))


@pytest.fixture
def shown(home):
    """Keeps a comparison and opens it at its address."""

    def opened(comparison, locale="zh-CN", **address):
        Archive(home).keep(comparison)
        at = visit(locale, c=comparison.id, **address).run()
        assert not at.exception
        return at

    return opened


def table(at):
    """What the matrix was given to draw; `None` where it is not drawn."""
    found = [e.proto for e in at.get("bidi_component") if e.proto.component_name == "matrix"]
    return json.loads(found[0].json) if found else None


def rows(at):
    return [row for section in table(at)["sections"] for row in section["rows"]]


def tap(at, key):
    at.button(key=key).click().run()
    assert not at.exception
    return at


def choose(at, key, value):
    at.get_by_key(key).set_value(value).run()
    assert not at.exception
    return at


def edited(comparison, **changes):
    """A comparison as if it had been made over another base."""
    base = replace(comparison.base, **changes)
    return replace(comparison, base=base, runs=tuple(replace(run, base=base) for run in comparison.runs))


def test_the_finding_counts_the_gold_that_each_mode_gave_and_names_what_it_missed(opening, shown, bench):
    seen = plain(text(at := shown(opening)))
    gold = next(q.gold for q in questions(bench.base).questions if q.question == opening.question)
    assert f"标准段落 {len(gold)} 段" in seen
    for place, run in enumerate(opening.runs):
        missed = [id for id in gold if not run.gave(id)]
        keys = {button.key for button in at.button if (button.key or "").startswith(f"explain.missed.{place}.")}
        assert keys == {f"explain.missed.{place}.{id}" for id in missed}


def test_two_taps_from_the_start_page_tell_why_a_passage_is_missing(bench):
    at = visit().run()
    example = next(b for b in at.button if (b.key or "").startswith("example.") and "opening" in b.key)
    example.click().run()
    tap(at, f"explain.missed.0.{NEEDLE}")
    assert re.search(r"BM25 排第 \d+，只取前 5 段，所以没有交给作答", plain(text(at)))


def test_the_why_of_a_passage_shows_terms_that_add_up_to_its_score(opening, shown):
    seen = plain(text(tap(shown(opening), f"explain.missed.0.{NEEDLE}")))
    lines = [line.split(" | ") for line in seen.splitlines() if line.startswith("| ")]
    total = next(line[4] for line in lines if "合计" in line[0])
    parts = [float(line[4]) for line in lines if len(line) == 7 and re.fullmatch(r"\d+\.\d{3}", line[4])]
    assert sum(parts) == pytest.approx(float(total.strip("*")), abs=0.002)
    assert f"BM25 分 {total.strip('*')}" in seen and "一句话" in seen


@pytest.mark.parametrize(
    ("kind", "sign"), [("meaning", "与问题的余弦"), ("queries", "个检索词里"), ("tryout", "还没有改动")]
)
def test_each_kind_of_detail_is_drawn_when_it_is_chosen(kind, sign, opening, shown):
    at = tap(shown(opening), f"explain.missed.0.{NEEDLE}")
    assert sign not in text(at)
    assert sign in plain(text(choose(at, "explain.detail", kind)))


def test_a_passage_that_no_mode_touched_is_found_and_explained(opening, shown, bench):
    touched = {p.id for run in opening.runs for step in run.steps for p in step.touched}
    passage = next(p for p in bench.base.passages if p.id not in touched)
    at = choose(shown(opening), "explain.find", passage.id)
    tap(at, f"explain.other.{passage.id}")
    assert at.get_by_key("explain.find").value == ""
    assert "没有一种模式" in plain(text(at)) and table(at)["chosen"] == passage.id


def test_what_nothing_matches_is_said_and_at_most_ten_are_offered(opening, shown):
    at = shown(opening)
    assert "没有这样的段落" in text(choose(at, "explain.find", "zzqq"))
    choose(at, "explain.find", "电梯")
    assert len([b for b in at.button if (b.key or "").startswith("explain.other.")]) == 10


def test_the_matrix_has_every_touched_passage_and_can_be_filtered(opening, shown):
    at = shown(opening)
    touched = {p.id for run in opening.runs for step in run.steps for p in step.touched}
    assert touched <= {row["id"] for row in rows(at)}
    assert all(row["gold"] for row in rows(choose(at, "explain.rows", "gold")))
    given = {p.id for run in opening.runs for p in run.evidence}
    assert {row["id"] for row in rows(choose(at, "explain.rows", "given"))} == given


def test_only_the_chosen_part_is_drawn(opening, shown):
    at = shown(opening)
    assert table(at)
    for part in ("flow", "timeline", "overlap"):
        assert table(choose(at, "explain.part", part)) is None


def test_an_equal_budget_shows_evidence_and_says_that_there_is_no_new_answer(opening, shown):
    at = choose(shown(opening), "explain.budget", 5)
    assert "只取前 5 段" in text(at) and "没有新的答案" in text(at)
    assert max(int(t.split()[1]) for row in rows(at) for cell in row["cells"] for k, t in cell if k == "given") == 5
    assert "没有新的答案" not in text(choose(at, "explain.budget", 0))


def test_a_try_out_moves_the_passage_and_can_be_taken_back(opening, shown):
    at = choose(tap(shown(opening), f"explain.missed.0.{NEEDLE}"), "explain.detail", "tryout")
    key = f"explain.try.{opening.id}"
    choose(at, f"{key}.question", "电梯以前反复损坏，检修档案要不要看？")
    assert "否 → **是**" in text(at) and "前 5 段" in text(at)
    tap(at, "explain.try.reset")
    assert "还没有改动" in text(at) and at.get_by_key(f"{key}.question").value == opening.question


@pytest.mark.parametrize(("field", "value", "said"), [("question", "  ", "问题"), ("words", "电梯2", "不能加进词典")])
def test_a_try_out_that_makes_no_sense_is_told_in_words(field, value, said, opening, shown):
    at = choose(tap(shown(opening), f"explain.missed.0.{NEEDLE}"), "explain.detail", "tryout")
    choose(at, f"explain.try.{opening.id}.{field}", value)
    assert len(at.error) == 1 and said in plain(at.error[0].value)


def test_a_remedy_that_is_a_setting_is_tried_with_one_tap(opening, shown):
    missed = "explain.missed.1.01-总则#第四条"
    at = tap(tap(shown(opening), missed), "explain.remedy.rerank")
    assert re.search(r"BM25 \+ 重排.*否 → \*\*是\*\*", plain(text(at)))


@pytest.mark.parametrize(
    ("changes", "said"), [({"version": "0" * 12}, "知识库改过"), ({"name": "old", "title": "旧库"}, "旧库")]
)
def test_a_base_that_is_no_longer_the_same_shows_the_record_and_asks_again(changes, said, opening, shown, home):
    at = shown(edited(opening, **changes))
    assert said in plain(text(at)) and len(rows(at)) > 10
    assert at.get_by_key("explain.budget").disabled
    at.session_state["explain"] = replace(at.session_state["explain"], passage=NEEDLE)
    at.run()
    assert "只能说出当时记录下来的" in text(at) and "分词器看到的" not in text(at)
    tap(at, "explain.again")
    assert len(Archive(home).recent()) == 2


def test_modes_that_failed_or_were_stopped_say_so_in_finding_and_column(opening, shown):
    first, second, third = opening.runs
    failed = replace(second, events=(), error=Say.of("run.crashed", kind="OSError", reason="<b>$5</b>"))
    stopped = replace(third, events=third.events[:2], stopped=True)
    at = tap(shown(replace(opening, runs=(first, failed, stopped))), f"explain.missed.0.{NEEDLE}")
    assert [mode["state"] for mode in table(at)["modes"]] == ["", "失败", "已停止"]
    assert not any((b.key or "").startswith(("explain.missed.1", "explain.missed.2")) for b in at.button)
    assert "<b>" not in text(at) and "OSError" in plain(text(at))


def test_a_mode_that_is_gone_is_explained_from_its_record(opening, shown):
    gone = replace(opening, runs=(opening.runs[0], replace(opening.runs[1], mode="retired")))
    at = tap(shown(gone), f"explain.missed.1.{NEEDLE}")
    assert "retired" in plain(text(at)) and [mode["name"] for mode in table(at)["modes"]] == ["BM25", "retired"]


def test_a_comparison_without_any_hit_says_what_to_do(shown, bench):
    at = shown(compare(bench, entrants("zzqq xxyy", ["bm25", "rerank"], None, {})))
    assert table(at) is None and "没有一种模式找到任何段落" in plain(at.info[-1].value)


def test_a_question_of_no_set_lets_the_reader_mark_the_gold(shown, bench):
    at = shown(comparison := compare(bench, entrants("电梯坏了找谁修呢", None, None, {}), retrieval_only=True))
    assert "不在知识库的题集里" in text(at)
    marked = comparison.runs[0].hits[-1].passage.id
    choose(at, f"explain.marks.{comparison.id}", [marked])
    assert "标准段落 1 段" in text(at) and [row["id"] for row in rows(at) if row["gold"]] == [marked]
    at.switch_page("pages/library.py").run()
    assert "标准段落 1 段" in text(at.switch_page("pages/compare.py").run())


def test_retrieval_only_has_no_sign_of_citations(shown, bench, opening):
    at = shown(compare(bench, entrants(opening.question, None, None, {}), retrieval_only=True))
    assert not any(kind == "cited" for row in rows(at) for cell in row["cells"] for kind, _ in cell)
    assert not any(sign == "[n]" for sign, _ in table(at)["words"]["legend"])


def test_a_passage_id_that_the_base_does_not_have_is_named(opening, shown):
    at = shown(opening)
    at.session_state["explain"] = replace(at.session_state["explain"], passage="elsewhere#<b>1</b>")
    at.run()
    assert not at.exception and "elsewhere#<b>1</b>" in plain(at.warning[0].value)
    assert "<b>" not in at.warning[0].value


def test_two_hundred_touched_passages_have_two_hundred_rows(opening, shown):
    passages = [Passage(f"d#{n}", "d", f"部分 {n // 20}", f"第{n}条", "文字", n) for n in range(200)]
    hits = tuple(Hit(passage, rank, 1.0) for rank, passage in enumerate(passages, 1))
    step = Timed(0.1, Step("search", Say.of("step.keyword", hits=200, passages=200), hits))
    run = replace(opening.runs[0], events=(step,))
    at = shown(edited(replace(opening, runs=(run,)), version="0" * 12))
    assert len([row for row in rows(at) if not row["gold"]]) == 200 and len(table(at)["sections"]) >= 10


def test_hostile_texts_are_text_everywhere(home, shown, monkeypatch):
    folder = home / "kb" / "own"
    (folder / "sections").mkdir(parents=True)
    (folder / "kb.toml").write_text('title = "<b>坏</b> $5"\nlanguage = "zh"\n', encoding="utf-8")
    (folder / "sections" / "01.md").write_text(HOSTILE, encoding="utf-8")
    monkeypatch.setenv("WORKBENCH_KB", "own")
    bench = open_bench(load())
    at = shown(comparison := compare(bench, entrants("电梯 $5 <b>谁付</b>", None, None, {})))
    passage = bench.base.passages[0].id
    choose(at, f"explain.marks.{comparison.id}", [passage])
    choose(at, "explain.find", passage)
    tap(at, f"explain.other.{passage}")
    drawn = text(at) + "".join(button.label for button in at.button)
    assert "<img" not in drawn and "<script" not in drawn and "$" not in drawn.replace("\\$", "")
    assert rows(at)[0]["title"].startswith("=HYPERLINK") and ":red[" not in drawn.replace("\\:red", "")
    cells = next(
        csv.reader(
            io.StringIO(
                csv_of(matrix(comparison, bench.retriever.tokeniser), Words("zh")).decode("utf-8-sig").split("\n", 1)[1]
            )
        )
    )
    assert cells[2].startswith("'=HYPERLINK")


def test_the_file_holds_the_matrix_and_none_of_its_cells_acts_as_a_formula(opening, bench):
    found = matrix(opening, bench.retriever.tokeniser)
    lines = list(csv.reader(io.StringIO(csv_of(found, Words("en")).decode("utf-8-sig"))))
    assert len(lines) == len(found.rows) + 1 and len(lines[0]) == 4 + 5 * 3
    assert lines[0][4] == "BM25 · rank" and {line[1] for line in lines[1:]} == {row.passage.id for row in found.rows}
    assert not any(cell.startswith(("=", "+", "-", "@")) for line in lines for cell in line)


def test_the_section_speaks_english_without_a_word_of_chinese(opening, shown):
    at = tap(shown(opening, "en-US"), f"explain.missed.0.{NEEDLE}")
    words = json.dumps(table(at)["words"], ensure_ascii=False)
    assert "Evidence matrix" in words and not re.search(r"[\u4e00-\u9fff]", words)
    assert "In short" in text(at) and "Why" in text(at) and "一句话" not in text(at)


def test_a_change_in_the_section_is_drawn_within_300_ms(opening, shown, monkeypatch):
    at = tap(shown(opening), f"explain.missed.0.{NEEDLE}")
    whole, took = section.draw, []

    def timed(*given):
        began = time.perf_counter()
        whole(*given)
        took.append(time.perf_counter() - began)

    monkeypatch.setattr(section, "draw", timed)
    for kind in ("meaning", "queries", "terms"):
        choose(at, "explain.detail", kind)
    assert min(took) < 0.3
