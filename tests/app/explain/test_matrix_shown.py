"""The evidence matrix of Explain: its cells, filters and file, hostile texts, and the equal budget."""

import csv
import io
import re
from dataclasses import replace

from core.asking import entrants
from core.bench import open_bench
from core.domain import Hit, Passage, Say, Step, Timed
from core.environment import load
from core.explain.matrix import matrix
from core.race import compare
from core.words import Words
from pages.parts.explain.sheet import csv_of
from pages.parts.sources import _rank
from tests.app.conftest import plain, text
from tests.app.explaining import NEEDLE, choose, edited, rows, table, tap

HOSTILE = (
    '# <img src=x> $x^2$ :red[部]\n\n## =HYPERLINK("http://evil.example") 电梯\n\n电梯 $5 :red[红] <script>1</script>\n'
)


def test_the_matrix_has_every_touched_passage_and_can_be_filtered(opening, shown):
    at = shown(opening)
    touched = {p.id for run in opening.runs for step in run.steps for p in step.touched}
    assert touched <= {row["id"] for row in rows(at)}
    assert all(row["gold"] for row in rows(choose(at, "explain.rows", "gold")))
    given = {p.id for run in opening.runs for p in run.evidence}
    assert {row["id"] for row in rows(choose(at, "explain.rows", "given"))} == given


def test_an_agent_shows_the_step_that_ranked_a_passage_and_its_rank_there(opening, shown):
    found = rows(shown(opening))
    agent = next(place for place, run in enumerate(opening.runs) if run.mode == "agentic")
    steps = opening.runs[agent].steps
    ranked = [(row["id"], sign) for row in found for kind, sign in row["cells"][agent] if kind == "ranked"]
    assert ranked and not any(kind == "rank" for row in found for kind, _ in row["cells"][agent])
    for id, sign in ranked:
        step, rank = map(int, re.fullmatch(r"第 (\d+) 步 #(\d+)", sign).groups())
        assert steps[step - 1].hits[rank - 1].passage.id == id


def test_gold_beyond_what_a_mode_listed_has_its_true_rank(opening, shown):
    row = next(row for row in rows(shown(opening)) if row["id"] == NEEDLE)
    assert row["cells"][0] == [["beyond", "#59"]] and "没有列出" in row["told"][0]


def test_the_count_says_how_many_were_touched_and_how_many_the_base_has(opening, shown, bench):
    touched = {id for run in opening.runs for id in run.touched}
    assert f"碰到过 {len(touched)} 段（知识库共 {len(bench.base.passages)} 段）" in plain(text(shown(opening)))


def test_ranks_elsewhere_tell_the_step_of_an_agent_and_bracket_what_was_not_given(opening):
    keyword, _, agent = opening.runs
    first = agent.steps[1].hits[0].passage
    assert _rank(first, agent, Words("zh")).strip("()").replace("\\", "") == "2步#1"
    cut = keyword.hits[10].passage
    assert _rank(cut, keyword, Words("zh")) == "(11)"


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


def test_a_comparison_without_any_hit_says_what_to_do(shown, bench):
    at = shown(compare(bench, entrants("zzqq xxyy", ["bm25", "rerank"], None, {})))
    assert table(at) is None and "没有一种模式找到任何段落" in plain(at.info[-1].value)


def test_retrieval_only_has_no_sign_of_citations(shown, bench, opening):
    at = shown(compare(bench, entrants(opening.question, None, None, {}), retrieval_only=True))
    assert not any(kind == "cited" for row in rows(at) for cell in row["cells"] for kind, _ in cell)
    assert not any(sign == "[n]" for sign, _ in table(at)["words"]["legend"])


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
    choose(at, "explain.find", passage)
    tap(at, f"explain.other.{passage}")
    tap(at, "explain.mark")
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
    assert len(lines) == len(found.rows) + 1 and len(lines[0]) == 4 + 6 * 3
    assert lines[0][4] == "BM25 · rank" and {line[1] for line in lines[1:]} == {row.passage.id for row in found.rows}
    assert not any(cell.startswith(("=", "+", "-", "@")) for line in lines for cell in line)
