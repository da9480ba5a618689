"""Gold passages are followed by a save wherever their text stands, and what is lost is told by question."""

from __future__ import annotations

import random

import pytest

from core.authoring.bringing import bring
from core.authoring.consequences import consequences
from core.authoring.drafts import Draft
from core.authoring.gold import follow
from core.authoring.operations import Add, Edit, Merge, Move, Rewrite, Split
from core.authoring.saving import save
from core.errors import WorkbenchError
from core.knowledge.annotations import text_digest
from core.knowledge.loading import load_folder
from core.knowledge.shelf import questions
from tests.authoring.arriving import read
from tests.authoring.conftest import copied

RULES = """# 收费

第一条 押金为两千元，退场时退还。

第二条 清运费每户三百元，由业主缴纳。

第三条 逾期缴纳的加收滞纳金，按日计算。
"""
FIRST, SECOND, THIRD = (f"收费#第{number}条" for number in "一二三")


@pytest.fixture
def own(home):
    """A base of three articles with a question for each."""
    folder = home / "kb" / "own"
    (folder / "sections").mkdir(parents=True)
    (folder / "questions").mkdir()
    (folder / "kb.toml").write_text('title = "小库"\nlanguage = "zh"\n', encoding="utf-8")
    (folder / "sections" / "收费.md").write_text(RULES, encoding="utf-8")
    rows = "".join(f"问{id},{id}\n" for id in (FIRST, SECOND, THIRD))
    (folder / "questions" / "问.csv").write_text(f"question,gold\n{rows}", encoding="utf-8")
    return folder


def gold(folder):
    """The gold of each question as it lies on disk."""
    return {one.question: one.gold for one in questions(load_folder(folder)).questions}


def changed(folder, *operations):
    """A draft of a base with changes, each made from the draft before it."""
    draft = Draft(load_folder(folder))
    for made in operations:
        draft = draft.with_(made(draft))
    return draft


def edit(id, text):
    return lambda draft: Edit(id, draft.place(id).source, text)


def merge(id):
    return lambda draft: Merge(id, draft.place(id).source)


def test_gold_that_was_merged_into_another_passage_is_followed_there(own, home):
    saved = save(changed(own, merge(FIRST)), home, "", "")
    assert gold(own)[f"问{SECOND}"] == (FIRST,) == gold(own)[f"问{FIRST}"] and saved.bereft == ()


def test_gold_that_is_given_another_number_with_its_text_is_itself(own, home):
    saved = save(changed(own, edit(SECOND, "第二条之一 清运费每户四百元。")), home, "", "")
    assert gold(own)[f"问{SECOND}"] == ("收费#第二条之一",) and saved.bereft == ()


def test_gold_of_which_another_copy_stands_is_followed_to_it(own, home):
    def again(draft):
        return Add("收费", THIRD, draft.place(SECOND).source, draft.place(THIRD).source)

    saved = save(changed(own, again, edit(SECOND, "")), home, "", "")
    held = load_folder(own)
    assert saved.bereft == () and "三百元" in held.passage(gold(own)[f"问{SECOND}"][0]).text


def test_questions_that_lose_their_gold_are_told_before_and_after_saving(own, home):
    draft = changed(own, edit(SECOND, ""))
    assert [(one.question, one.passage) for one in consequences(draft).bereft] == [(f"问{SECOND}", SECOND)]
    assert save(draft, home, "", "").bereft == consequences(draft).bereft


def test_gold_that_is_no_more_does_not_become_the_passage_that_took_its_number(own, home):
    text = RULES.replace("第二条 清运费每户三百元，由业主缴纳。\n\n", "").replace("第三条", "第二条")
    saved = save(changed(own, lambda draft: Rewrite("收费", draft.texts.text("收费")[1], text)), home, "", "")
    assert FIRST in gold(own)[f"问{FIRST}"] and {one.question for one in saved.bereft} <= {f"问{THIRD}"}


HANDBOOK = "# 手册\n\n第八条 押金为两千元。\n\n第九条 每户付三百元清运费。\n"
EIGHTH, NINTH = "员工手册#第八条", "员工手册#第九条"


@pytest.fixture
def twice(own):
    """The same base with a handbook, and the same handbook once more from another file."""
    for name in ("员工手册", "员工手册Word", "A员工手册"):
        (own / "sections" / f"{name}.md").write_text(HANDBOOK, encoding="utf-8")
    (own / "questions" / "问.csv").write_text(f"question,gold\n付多少？,{NINTH}\n", encoding="utf-8")
    return own


def test_gold_that_was_merged_stays_in_its_document_though_another_has_the_very_text(twice, home):
    saved = save(changed(twice, merge(EIGHTH)), home, "", "")
    assert gold(twice) == {"付多少？": (EIGHTH,)}
    assert "每户付三百元" in load_folder(twice).passage(EIGHTH).text
    (told,) = saved.gold.regolded
    assert (told.question, told.before, told.after) == ("付多少？", (NINTH,), (EIGHTH,))
    assert "questions/问.csv" in {change.path for change in saved.version.changes}


def test_a_few_characters_that_were_merged_are_followed_too(twice, home):
    text = HANDBOOK.replace("每户付三百元清运费", "另计")
    (twice / "sections" / "员工手册.md").write_text(text, encoding="utf-8")
    (twice / "sections" / "A员工手册.md").write_text(text, encoding="utf-8")
    save(changed(twice, merge(EIGHTH)), home, "", "")
    assert gold(twice) == {"付多少？": (EIGHTH,)}


def test_gold_that_is_reworded_and_renumbered_does_not_go_to_a_copy_in_another_document(twice, home):
    save(changed(twice, edit(NINTH, "第九条之一 每户付四百元清运费。")), home, "", "")
    assert gold(twice) == {"付多少？": ("员工手册#第九条之一",)}


def test_gold_that_moves_to_another_document_is_followed_there_and_not_to_a_copy(twice, home):
    save(changed(twice, lambda draft: Move(NINTH, draft.place(NINTH).source, "收费", None)), home, "", "")
    assert gold(twice) == {"付多少？": ("收费#第九条",)}


def test_gold_that_was_taken_out_goes_to_a_copy_and_that_is_told(twice, home):
    saved = save(changed(twice, edit(NINTH, "")), home, "", "")
    (told,) = saved.gold.regolded
    assert told.after == gold(twice)["付多少？"] and told.after[0] != NINTH and saved.bereft == ()


def split(id, before):
    return lambda draft: Split(id, draft.place(id).source, draft.place(id).source.index(before))


PARTS = ("收费#第二条", "收费#第二条（2）")


@pytest.mark.parametrize(
    ("facts", "wanted"),
    [("", PARTS), ("三百元", PARTS[:1]), ("业主", PARTS[1:]), ("300元|业主", PARTS), ("不在其中", PARTS)],
)
def test_gold_that_is_cut_is_followed_to_the_parts_that_state_the_facts_else_to_all(own, home, facts, wanted):
    (own / "questions" / "问.csv").write_text(f"question,gold,facts\n谁付？,{SECOND},{facts}\n", encoding="utf-8")
    saved = save(changed(own, split(SECOND, "由业主")), home, "", "")
    assert gold(own) == {"谁付？": wanted} and saved.bereft == ()
    assert len(saved.gold.regolded) == (wanted != PARTS[:1])


def test_parts_that_are_merged_again_or_taken_out_are_no_gold(own, home):
    whole = changed(own, split(SECOND, "由业主"), merge(SECOND))
    assert follow(whole).regolded == ()
    less = changed(own, split(SECOND, "由业主"), edit("收费#第二条（2）", ""))
    assert follow(less).regolded == ()


def test_a_part_that_goes_on_changing_is_followed(own):
    draft = changed(own, split(SECOND, "由业主"), merge("收费#第二条（2）"))
    (told,) = (one for one in follow(draft).regolded if one.before == (SECOND,))
    assert [("由业主" in draft.after.passage(id).text) for id in told.after] == [False, True]


BAD = {"坏.csv": "question,gold\n" + "长" * 131_073 + ",x\n", "坏.jsonl": "[" * 100_000}


@pytest.mark.parametrize("name", list(BAD))
def test_a_question_set_that_cannot_be_read_keeps_no_save_from_going_on(own, home, name):
    (own / "questions" / name).write_text(BAD[name], encoding="utf-8")
    saved = save(changed(own, merge(FIRST)), home, "", "")
    assert gold(own)[f"问{SECOND}"] == (FIRST,) and [file for file, _ in saved.gold.alone] == [name]
    assert (own / "questions" / name).read_text(encoding="utf-8") == BAD[name]


@pytest.mark.parametrize("seed", [1, 2, 21])
def test_after_many_changes_every_gold_passage_whose_text_stands_is_found(home, seed):
    folder = copied(home, "elevator")
    draft = jumbled(Draft(load_folder(folder)), random.Random(seed), 80)
    before = {one.id: one for one in (*draft.base.passages, *draft.base.disabled)}
    asked = {one.id: one for one in questions(draft.base).questions}
    saved = save(draft, home, "", "")
    base = load_folder(folder)
    now = {one.id: text_digest(one.text) for one in (*base.passages, *base.disabled)}
    told = {(one.question, one.passage) for one in saved.bereft}
    for one in questions(base).questions:
        wanted = {text_digest(before[id].text) for id in asked[one.id].gold if id in saved.renamed}
        assert wanted & set(now.values()) <= {now.get(id) for id in one.gold}
        assert all(id in now or (one.question, id) in told for id in one.gold)


def jumbled(draft, chance, count):
    """The draft after changes drawn by chance; those that cannot be made are left out."""
    for number in range(count):
        ids = [one.id for one in draft.after.passages]
        id, other = chance.sample(ids, 2)
        here, there = draft.place(id), draft.place(other)
        drawn = [
            Edit(id, here.source, here.source.replace("。", f"，{number}。", 1)),
            Edit(id, here.source, ""),
            Merge(id, here.source),
            Split(id, here.source, len(here.source) // 2),
            Move(id, here.source, there.document, other, there.source),
            Move(id, here.source, there.document, None),
        ]
        try:
            draft = draft.with_(chance.choice(drawn))
        except WorkbenchError:
            continue
    return draft


def test_a_fact_that_an_edit_takes_out_of_the_gold_is_told_before_and_after_saving(own, home):
    rows = f"question,gold,facts\n清运费多少？,{SECOND},三百元\n谁付？,{SECOND},业主\n押金？,{FIRST},三千元\n"
    (own / "questions" / "问.csv").write_text(rows, encoding="utf-8")
    draft = changed(own, edit(SECOND, "第二条 清运费每户四百元，由业主缴纳。"))
    assert [(one.question, one.fact) for one in follow(draft).stale] == [("清运费多少？", "三百元")]
    saved = save(draft, home, "", "")
    assert saved.gold.told["stale"].values == {"count": 1, "questions": ["清运费多少？"]}
    assert follow(changed(own, edit(SECOND, "第二条 清运费每户四百元，由住户缴纳。"))).stale[0].fact == "业主"


def test_a_fact_that_goes_along_with_the_gold_is_not_stale(own):
    (own / "questions" / "问.csv").write_text(f"question,gold,facts\n付多少？,{SECOND},300元\n", encoding="utf-8")
    assert follow(changed(own, merge(FIRST), edit(FIRST, RULES[RULES.index("第一条") :].strip()))).stale == ()


def test_a_new_edition_of_a_file_tells_which_answers_it_changes(own, home):
    (own / "questions" / "问.csv").write_text(f"question,gold,facts\n付多少？,{SECOND},三百元\n", encoding="utf-8")
    done = bring(home, load_folder(own), [read("收费.md", RULES.replace("三百元", "五百元"))], "replace")
    assert list(done.gold.told) == ["stale"]
