"""What a draft would change for the questions of a set, before it is saved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.authoring.drafts import Draft
from core.authoring.gold import follow
from core.authoring.operations import Add, Edit, Split
from core.bench import prepare
from core.coverage.impact import impact
from core.errors import StoppedError, UsageError
from core.knowledge.loading import load_folder
from core.knowledge.questions import Question
from core.settings import Settings

TEXT = "# 收费\n\n第一条 押金为两千元。\n\n第二条 装修垃圾清运费每户三百元。\n\n第三条 逾期缴纳的加收滞纳金。\n"
ASKED = (
    Question("q1", "押金是多少？", gold=("收费#第一条",)),
    Question("q2", "清运费是多少？", gold=("收费#第二条",)),
    Question("q3", "滞纳金怎么收？", gold=("收费#第三条",)),
    Question("q4", "电梯谁维护？"),
)


@pytest.fixture
def draft(tmp_path):
    (tmp_path / "sections").mkdir()
    (tmp_path / "kb.toml").write_text('title = "小库"\nlanguage = "zh"\n', encoding="utf-8")
    (tmp_path / "sections" / "收费.md").write_text(TEXT, encoding="utf-8")
    return Draft(load_folder(tmp_path))


@pytest.fixture
def effects(draft, shared_home):
    """Tells what the changes would do, under BM25 with one passage given."""

    def told(*operations, k=1, modes=("bm25",), **more):
        changed = draft
        for operation in operations:
            changed = changed.with_(operation)
        benches = (prepare(Settings(home=shared_home), base) for base in (draft.base, changed.after))
        return impact(*benches, ASKED, modes, k, **more)

    return told


def test_a_draft_that_changes_no_ranking_has_no_effect(effects):
    found = effects(Edit("收费#第一条", "第一条 押金为两千元。", "第一条 押金为三千元。"))
    assert found.effects == () and found.counts == {"worse": 0, "better": 0, "other": 0, "same": 4}


def test_a_question_that_loses_its_passage_is_worse_and_comes_first(effects):
    found = effects(
        Edit("收费#第一条", "第一条 押金为两千元。", "第一条 保证金为两千元。"),
        Add("收费", "收费#第三条", "第四条 电梯由维保单位维护。"),
    )
    first = found.effects[0]
    assert (first.question.id, first.verdict, first.before.rank, first.after.recall) == ("q1", "worse", 1, 0.0)
    assert first.went == ("收费#第一条",)
    last = found.effects[-1]
    assert (last.question.id, last.verdict, last.came) == ("q4", "other", ("收费#第四条",))
    assert found.counts == {"worse": 1, "better": 0, "other": 1, "same": 2}


def test_undoing_it_is_better(draft, shared_home, effects):
    worse = draft.with_(Edit("收费#第一条", "第一条 押金为两千元。", "第一条 保证金为两千元。"))
    benches = [prepare(Settings(home=shared_home), base) for base in (worse.after, draft.base)]
    found = impact(*benches, ASKED, ("bm25",), 1)
    assert [(e.question.id, e.verdict) for e in found.effects] == [("q1", "better")]


def test_the_same_passages_in_another_order_are_told_as_that(draft, shared_home):
    changed = draft.with_(Edit("收费#第二条", "第二条 装修垃圾清运费每户三百元。", "第二条 押金另计，清运费，清运费。"))
    benches = [prepare(Settings(home=shared_home), base) for base in (draft.base, changed.after)]
    (effect,) = impact(*benches, (Question("q", "押金和清运费"),), ("bm25",), 2).effects
    assert (effect.verdict, effect.reordered, effect.came, effect.went) == ("other", True, (), ())
    assert set(effect.before.given) == set(effect.after.given) and effect.before.given != effect.after.given


def test_a_passage_that_only_gets_another_number_is_the_same(tmp_path, shared_home):
    (tmp_path / "sections").mkdir()
    file = tmp_path / "sections" / "册.md"
    file.write_text("## 押金\n\n押金为两千元。\n", encoding="utf-8")
    before = load_folder(tmp_path)
    file.write_text("## 序\n\n本册自明年起用。\n\n## 押金\n\n押金为两千元。\n", encoding="utf-8")
    benches = [prepare(Settings(home=shared_home), base) for base in (before, load_folder(tmp_path))]
    assert impact(*benches, (Question("q", "押金多少？", gold=("册#1",)),), ("bm25",), 1).effects == ()


def test_every_mode_asked_for_is_told_apart(effects):
    found = effects(Edit("收费#第二条", "第二条 装修垃圾清运费每户三百元。", ""), modes=("bm25", "rerank"))
    assert {effect.mode for effect in found.effects if effect.verdict == "worse"} == {"bm25", "rerank"}
    assert found.counts["worse"] == 1


def test_it_tells_how_far_it_is_and_ends_when_it_is_stopped(effects):
    heard = []
    effects(progress=lambda done, total: heard.append((done, total)))
    assert heard == [(1, 4), (2, 4), (3, 4), (4, 4)]
    with pytest.raises(StoppedError):
        effects(stopped=lambda: True)


def test_a_mode_that_there_is_not_is_refused(effects):
    with pytest.raises(UsageError):
        effects(modes=("nothing",))


@pytest.mark.parametrize(
    ("facts", "gold", "verdicts"),
    [((), 1, set()), (("三百元",), 1, set()), (("装修垃圾", "三百元"), 2, {"worse"})],
)
def test_of_gold_that_was_cut_any_part_will_do_but_each_that_states_a_fact(draft, shared_home, facts, gold, verdicts):
    changed = draft.with_(Split("收费#第二条", "第二条 装修垃圾清运费每户三百元。", 8))
    benches = [prepare(Settings(home=shared_home), base) for base in (draft.base, changed.after)]
    (draft.base.path / "questions").mkdir()
    (draft.base.path / "questions" / "q.csv").write_text("question,gold\n多少？,收费#第二条\n", encoding="utf-8")
    asked, places = replace(ASKED[1], facts=facts), follow(changed).places
    found = impact(*benches, (asked,), ("bm25",), 1, followed=places)
    assert len(places(asked)) == gold and {one.verdict for one in found.effects} - {"other"} == verdicts
