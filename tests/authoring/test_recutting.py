"""A whole base cut anew: what is known of its passages, and the gold of its questions, go along with the text."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.authoring.bringing import bring
from core.authoring.consequences import consequences
from core.authoring.drafts import Draft, carried
from core.authoring.operations import Disable, Edit, Recut
from core.authoring.recutting import heirs, shared
from core.authoring.saving import save
from core.errors import UsageError
from core.knowledge.base import KnowledgeBase
from core.knowledge.building import identified
from core.knowledge.loading import load_folder
from core.knowledge.shelf import questions
from core.knowledge.splitting import Splitting
from tests.authoring.arriving import read

PROSE = "".join(f"第{n}处的说明写在这里，共有{n * 37}项。" for n in range(1, 61))
NARROW = Recut(100, 0, 600, 0)


@pytest.fixture
def own(home):
    """A base of long prose with a question on its last sentence, which stands in the second passage of two."""
    folder = home / "kb" / "own"
    (folder / "sections").mkdir(parents=True)
    (folder / "questions").mkdir()
    (folder / "kb.toml").write_text('title = "小库"  # 我的\nlanguage = "zh"\n', encoding="utf-8")
    (folder / "sections" / "册.md").write_text(f"# 册\n\n{PROSE}\n\n## 附\n\n短的一段。\n", encoding="utf-8")
    asked = "question,gold,facts\n第60处有多少项？,册#2,2220项\n附说什么？,册#3,\n"
    (folder / "questions" / "问.csv").write_text(asked, encoding="utf-8")
    return folder


def gold(base: KnowledgeBase) -> list[str]:
    """What the passages say that the questions have as their gold."""
    return [base.passage(id).text for one in questions(base).questions for id in one.gold]


def test_the_fixture_is_cut_in_three(own):
    base = load_folder(own)
    assert [len(base.passage(f"册#{n}").text) > 300 for n in (1, 2, 3)] == [True, True, False]


def test_a_smaller_size_is_saved_with_the_gold_where_its_text_stands(own, home):
    saved = save(Draft(load_folder(own)).with_(NARROW), home, "", "")
    after = load_folder(own)
    stating, short = gold(after)
    assert "2220项" in stating and len(stating) <= 100 and short == "短的一段。"
    assert after.splitting == Splitting(100, 0) and saved.bereft == ()
    assert "# 我的" in (own / "kb.toml").read_text(encoding="utf-8")


def test_cut_back_again_the_gold_is_what_it_was(own, home):
    before = gold(load_folder(own))
    for change in (NARROW, Recut(600, 0, 100, 0)):
        save(Draft(load_folder(own)).with_(change), home, "", "")
    assert gold(load_folder(own)) == before


def test_an_import_that_cuts_the_base_anew_takes_the_gold_along_and_tells_it(own, home):
    done = bring(home, load_folder(own), [read("新.md", "# 新\n\n另一段。\n")], splitting=Splitting(100))
    assert "2220项" in gold(load_folder(own))[0] and list(done.gold.told) == ["regolded"]


def test_a_file_that_comes_in_again_with_more_before_it_takes_the_gold_along(own, home):
    first = bring(home, load_folder(own), [read("规.md", "# 规\n\n## 甲\n\n押金为两千元，退场时退还。\n")])
    (own / "questions" / "再.csv").write_text("question,gold\n押金？,规#1\n", encoding="utf-8")
    text = "# 规\n\n## 序\n\n自明年起施行。\n\n## 甲\n\n押金为两千元，退场时退还。\n"
    done = bring(home, load_folder(own), [read("规.md", text)], "replace")
    assert first.gold.told == {} and list(done.gold.told) == ["regolded"]
    assert "押金为两千元，退场时退还。" in gold(load_folder(own))


def test_what_was_disabled_paged_or_described_stays_so_in_all_its_parts(own):
    rows = [
        {"id": "册#2", "text": "", "page": 7, "confidence": 0.4, "disabled": True, "metadata": {"适用": "全体"}},
        {"id": "册#3", "text": "", "page": 9},
    ]
    (own / "passages.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    after = Draft(load_folder(own)).with_(NARROW).after
    off = after.disabled
    assert len(off) > 3 and "".join(one.text for one in off).endswith("共有2220项。")
    assert {(one.page, one.metadata["confidence"], one.metadata["适用"]) for one in off} == {(7, 0.4, "全体")}
    last = after.passages[-1]
    assert (last.text, last.page, last.metadata.get("confidence")) == ("短的一段。", 9, None)


def test_of_parts_that_become_one_the_larger_decides_whether_it_is_disabled(own):
    draft = Draft(load_folder(own)).with_(NARROW)
    ids = [one.id for one in draft.after.passages]
    for id in ids[1:-1]:
        draft = draft.with_(Disable(id, draft.place(id).source, True))
    after = draft.with_(Recut(5_000, 0, 100, 0)).after
    assert [one.id for one in after.disabled] == ["册#1"] and [one.text for one in after.passages] == ["短的一段。"]


@pytest.mark.parametrize("wanted", [Splitting(100, 0), Splitting(150, 60), Splitting(300, 100), Splitting(5_000, 0)])
def test_every_passage_has_an_heir_and_its_heirs_hold_all_of_it(own, wanted):
    base = load_folder(own)
    draft = Draft(base).with_(Recut(wanted.longest, wanted.overlap, 600, 0))
    found, texts = heirs(base, draft.after), {one.id: one.text for one in draft.after.passages}
    for passage in base.passages:
        held = "".join(texts[id] for id in {found.moved[passage.id], *found.parts.get(passage.id, ())})
        assert all(sentence in held for sentence in passage.text.split("。"))
    kept = [found.moved[one.id] for one in base.passages if one.id not in found.gone]
    assert len(kept) == len(set(kept))


def test_shares_count_each_character_of_a_text_once():
    text = f"# 册\n\n{PROSE}\n"
    held, now = (identified("册", text, each) for each in (Splitting(200, 80), Splitting(300, 0)))
    assert sum(sum(shares.values()) for shares in shared(held, now).values()) == len(PROSE)


def test_nothing_counts_as_changed_unmeant_and_the_change_can_be_taken_back(own):
    draft = Draft(load_folder(own)).with_(NARROW)
    assert consequences(draft).unmeant == () and consequences(draft).counts["added"] > 5
    assert draft.without_last().after.splitting == Splitting()


def test_a_base_that_someone_cut_otherwise_meanwhile_does_not_take_it(own, home):
    draft = Draft(load_folder(own)).with_(NARROW)
    save(Draft(load_folder(own)).with_(replace(NARROW, longest=300)), home, "", "")
    _, clash = carried(draft, load_folder(own))
    assert clash is not None and clash.error.say.code == "draft.recut.other" and clash.over == ()


def test_an_edit_goes_on_after_the_base_was_cut_anew(own, home):
    draft = Draft(load_folder(own)).with_(Edit("册#3", "短的一段。", "长一些的一段。"))
    save(Draft(load_folder(own)).with_(NARROW), home, "", "")
    after, clash = carried(draft, load_folder(own))
    assert clash is None or clash.error.say.code in ("draft.conflict", "draft.gone")
    assert clash is not None or "长一些的一段。" in {one.text for one in after.after.passages}


@pytest.mark.parametrize("sizes", [(49, 0), (5_001, 0), (600, 9_999)])
def test_sizes_beyond_the_bounds_are_refused(own, sizes):
    with pytest.raises(UsageError, match=r"authoring\.fact"):
        Draft(load_folder(own)).with_(Recut(*sizes, 600, 0))
