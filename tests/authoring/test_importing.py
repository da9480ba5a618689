"""What an import would do: where each file gets its place, what becomes of one that is there already."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.authoring.history import History
from core.authoring.importing import Batch, batch, changed
from core.knowledge.annotations import Annotations
from core.knowledge.base import KnowledgeBase
from core.knowledge.loading import load_folder
from core.knowledge.splitting import Splitting
from tests.authoring.arriving import read
from tests.authoring.conftest import contents
from tests.conftest import CASES

NOTE = '{"id": "01-总则#第一条", "text": "", "disabled": true}\n'
OLD, NEW = "# 政策\n\n第一条 七日内可以退货。\n\n第二条 运费自付。\n", "# 政策\n\n第一条 十日内可以退货。\n"


@pytest.fixture
def loaded(base) -> KnowledgeBase:
    (base / "passages.jsonl").write_text(NOTE, encoding="utf-8")
    return load_folder(base)


def codes(found: Batch) -> list[str]:
    return [outcome.reason.code if outcome.reason else "" for outcome in found.outcomes]


def documents(found: Batch) -> list[str]:
    return sorted(found.base.documents)


def saved(base: KnowledgeBase, found: Batch) -> KnowledgeBase:
    History(base.path).save(found.overlay, "", "")
    return load_folder(base.path, base)


def test_nothing_is_written_by_finding_out_what_an_import_would_do(base, loaded):
    before = contents(base)
    found = batch(loaded, [read("新.md", NEW)])
    assert found.came == 1 and contents(base) == before


def test_a_bad_file_never_stops_the_others(loaded):
    found = batch(loaded, [read("空.txt", ""), read("好.md", OLD), read("假.pdf", "<html><body>登录</body></html>")])
    assert [outcome.status for outcome in found.outcomes] == ["refused", "imported", "refused"]
    assert [outcome.passages for outcome in found.outcomes] == [0, 2, 0]


def test_a_shorter_new_version_leaves_nothing_of_the_old_one(loaded):
    first = saved(loaded, batch(loaded, [read("政策.md", (CASES / "dup_a" / "政策.md").read_bytes())]))
    found = batch(first, [read("政策.md", (CASES / "dup_b" / "政策.md").read_bytes())])
    after = saved(first, found)
    assert codes(found) == ["import.replaced"]
    assert [p.text for p in after.of_document("政策")] == [p.text for p in found.base.passages if p.document == "政策"]
    assert len([name for name in after.documents if "政策" in name]) == 1


def test_the_same_file_again_changes_nothing(loaded):
    first = saved(loaded, batch(loaded, [read("政策.md", OLD)]))
    found = batch(first, [read("政策.md", OLD.replace("\n", "\r\n"))])
    assert codes(found) == ["import.unchanged"] and not found.overlay and found.came == 1


@pytest.mark.parametrize(
    ("same", "code", "left"),
    [
        ("replace", "import.replaced", {"政策": 1}),
        ("keep", "import.beside", {"政策": 2, "政策~2": 1}),
        ("skip", "import.skipped", {"政策": 2}),
    ],
)
def test_a_document_that_is_there_is_replaced_kept_beside_or_skipped(loaded, same, code, left):
    first = saved(loaded, batch(loaded, [read("政策.md", OLD)]))
    found = batch(first, [read("政策.md", NEW)], same)
    assert codes(found) == [code]
    counts = {name: len(found.base.of_document(name)) for name in found.base.documents if "政策" in name}
    assert counts == left


def test_a_single_file_may_be_treated_otherwise_than_all(loaded):
    first = saved(loaded, batch(loaded, [read("甲.md", OLD), read("乙.md", OLD)]))
    found = batch(first, [read("甲.md", NEW), replace(read("乙.md", NEW), same="skip")])
    assert codes(found) == ["import.replaced", "import.skipped"]


def test_keeping_both_a_second_time_adds_no_third(loaded):
    first = saved(loaded, batch(loaded, [read("政策.md", OLD)]))
    second = saved(first, batch(first, [read("政策.md", NEW)], "keep"))
    assert codes(batch(second, [read("政策.md", NEW)], "keep")) == ["import.unchanged"]


def test_two_files_of_one_name_in_a_batch_do_not_overwrite_each_other(loaded):
    found = batch(loaded, [read("政策.md", OLD), read("政策.md", NEW)])
    assert {"政策", "政策~2"} <= set(documents(found)) and codes(found) == ["", "import.beside"]
    again = batch(saved(loaded, found), [read("政策.md", OLD), read("政策.md", NEW)])
    assert codes(again) == ["import.unchanged"] * 2


def test_files_that_differ_only_by_suffix_become_documents_of_their_own(loaded):
    taken = [read("手册.csv", "型号,价格\nX1,5\n"), read("手册.md", OLD), read("手册.html", "<h1>手册</h1><p>正文</p>")]
    found = batch(loaded, taken)
    assert {"手册", "手册~2", "手册~3"} <= set(documents(found))
    again = batch(saved(loaded, found), taken[::-1])
    assert codes(again) == ["import.unchanged"] * 3


def test_names_that_differ_only_by_case_are_one_document(loaded):
    first = saved(loaded, batch(loaded, [read("Policy.md", OLD)]))
    found = batch(first, [read("POLICY.md", NEW)])
    assert codes(found) == ["import.replaced"] and "Policy" in saved(first, found).documents


def test_a_folder_where_a_file_lies_is_given_another_name(loaded):
    first = saved(loaded, batch(loaded, [read("a.md", OLD)]))
    found = batch(first, [read("a.md/b.md", NEW)])
    assert found.came == 1 and "a.md_b" in saved(first, found).documents


@pytest.mark.parametrize(
    "name", ["../../外.md", "/etc/外.md", "C:\\外.md", "长" * 255 + ".md", "CON.md", "a\u202egpj.md"]
)
def test_a_name_that_means_harm_stays_within_the_base(base, loaded, name):
    after = saved(loaded, batch(loaded, [read(name, NEW)]))
    assert len(after.documents) == len(loaded.documents) + 1
    assert {path.name for path in base.parent.iterdir()} == {base.name}


def test_what_an_author_said_of_a_passage_outlives_a_new_version_of_its_file(base, loaded):
    text = (base / "sections" / "01-总则.md").read_text(encoding="utf-8")
    found = batch(loaded, [read("01-总则.md", f"{text}\n第二条 新的。\n")])
    notes = Annotations.decoded((found.overlay["passages.jsonl"] or b"").decode())
    assert [one.id for one in notes.of("01-总则") if one.disabled] == ["01-总则#第一条"]


def test_pages_of_the_source_are_kept_with_its_passages(loaded):
    found = batch(loaded, [read("页.pdf", (CASES / "pdf_header_footer.pdf").read_bytes())])
    after = saved(loaded, found)
    assert {passage.page for passage in after.of_document("页")} <= {1, 2} and found.outcomes[0].status == "warned"


def test_a_file_without_a_passage_says_so(loaded):
    outcome = batch(loaded, [read("题.md", "# 只有标题\n")]).outcomes[0]
    assert (outcome.status, outcome.passages) == ("warned", 0)
    assert [say.code for say in outcome.warnings] == ["import.no_passages"]


def test_other_settings_of_cutting_hold_for_the_whole_base(base, loaded):
    long = "# 长\n\n" + "这是一句话。" * 60
    first = saved(loaded, batch(loaded, [read("长.md", long)]))
    found = batch(first, [read("新.md", NEW)], splitting=Splitting(100))
    assert changed(first, found, Splitting(100)) == (1, len(found.base.of_document("长")))
    assert saved(first, found).splitting == Splitting(100)
    assert "# 给人看的名字" in (base / "kb.toml").read_text(encoding="utf-8")
    assert changed(first, batch(first, [read("新.md", NEW)]), first.splitting) == (0, 0)


def test_damaged_notes_of_passages_are_left_to_their_author(base):
    (base / "passages.jsonl").write_text("{broken\n", encoding="utf-8")
    found = batch(load_folder(base), [read("页.pdf", (CASES / "pdf_header_footer.pdf").read_bytes())])
    assert found.came == 1 and "passages.jsonl" not in found.overlay


def test_pages_that_cannot_be_noted_beside_damaged_annotations_are_told(base):
    (base / "passages.jsonl").write_bytes(b"{broken\n")
    paper = (CASES / "pdf_header_footer.pdf").read_bytes()
    found = batch(load_folder(base), [read("甲.pdf", paper), read("乙.md", "# 乙\n\n一段。\n")])
    warned = [[say.code for say in one.warnings] for one in found.outcomes]
    assert "import.unnoted" in warned[0] and "import.unnoted" not in warned[1] and "passages.jsonl" not in found.overlay


def test_a_quotation_before_the_first_article_is_named_since_no_search_finds_it(loaded):
    found = batch(loaded, [read("册.md", "# 册\n\n> 押金五百元。\n> 第二行。\n\n第一条 正文。\n")])
    (said,) = found.outcomes[0].warnings
    assert (said.code, said.values["count"], said.values["text"]) == ("import.aside", 1, "押金五百元。 第二行。")
    assert batch(loaded, [read("册.md", "# 册\n\n> 押金五百元。\n\n正文。\n")]).outcomes[0].warnings == ()


@pytest.mark.parametrize(("name", "kept"), [("CON.md", "CON_.md"), ("问?答.md", "问_答.md"), ("好 的.md", None)])
def test_a_name_that_cannot_be_kept_is_told(loaded, name, kept):
    (said,) = codes(found := batch(loaded, [read(name, NEW)]))
    assert said == ("import.renamed" if kept else "")
    assert kept is None or found.outcomes[0].reason.values["name"] == kept
