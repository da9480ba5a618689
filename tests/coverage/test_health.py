"""Health: each fault is found, named with its passages, and as bad as it is; a sound base has none."""

from __future__ import annotations

import pytest

from core.coverage.health import failed, health
from core.knowledge.questions import Question
from core.knowledge.shelf import questions
from tests.conftest import CASES


def kinds(found):
    return [(finding.kind, finding.severity) for finding in found]


def test_the_bundled_base_has_no_fault(bench):
    assert health(bench.base, questions(bench.base).questions) == ()


def test_a_heading_with_nothing_below_is_found_with_its_path_and_its_parent_is_not(loaded):
    base = loaded(a="# 手册\n\n## 安装\n\n接通电源。\n\n## 保养\n\n### 清洁\n\n## 附录\n\n见官网。\n")
    (finding,) = health(base)
    assert kinds([finding]) == [("empty_section", "warning")]
    assert finding.say.values["headings"] == ["手册 › 保养", "手册 › 保养 › 清洁"]


def test_a_document_that_gave_no_passage_is_found(loaded):
    base = loaded(a="# 只有标题\n", b="# 正文\n\n有内容。\n")
    assert [finding.say.code for finding in health(base)] == ["coverage.empty_document"]


def test_a_passage_longer_than_the_embedder_reads_is_found_and_one_as_long_is_not(loaded):
    base = loaded(a="第一条 " + "电" * 80)
    length = len(base.passages[0].indexed)
    assert kinds(health(base, longest=length - 1)) == [("long_passage", "warning")]
    assert health(base, longest=length) == ()


def test_an_article_number_twice_in_one_section_is_an_error_that_names_both(loaded):
    base = loaded(a="# 规则\n\n第一条 甲。\n\n第二条 乙。\n\n第二条 丙。\n")
    (finding,) = health(base)
    assert kinds([finding]) == [("duplicate_article", "error")]
    assert finding.passages == ("a#第二条", "a#第二条~2") and failed([finding])


def test_an_article_that_its_author_cut_is_one_and_another_of_its_number_is_still_found(loaded):
    cut = "第五条 甲。\n\n<!-- cut -->\n乙。\n\n<!-- cut -->\n丙。\n\n"
    base = loaded(a=f"# 规则\n\n{cut}第六条 丁。\n", b=f"# 规则二\n\n{cut}第六条 丁。\n\n第五条 戊。\n")
    assert [p.title for p in base.passages][:3] == ["第五条", "第五条（2）", "第五条（3）"]
    (finding,) = health(base)
    assert finding.passages == ("b#第五条", "b#第五条~2") and finding.kind == "duplicate_article"


def test_an_article_that_its_author_joined_to_another_is_not_missing(loaded):
    base = loaded(a="# 规则\n\n第八条 甲。\n<!-- join -->\n\n第九条 乙。\n\n第十条 依照本规则第九条处理。\n")
    assert len(base.passages) == 2 and health(base) == ()


def test_numbering_that_begins_anew_in_another_section_is_only_a_warning(loaded):
    base = loaded(a="# 规则\n\n## 甲章\n\n第一条 甲。\n\n## 乙章\n\n第一条 乙。\n")
    found = health(base)
    assert [finding.say.code for finding in found] == ["coverage.renumbered"] and not failed(found)


def test_rows_that_are_numbered_alike_in_several_sheets_are_no_fault(loaded):
    sheet = "行 2\n型号：甲\n价格：1\n\n行 3\n型号：甲\n价格：2\n"
    base = loaded(a=f"## 价目\n\n{sheet}\n## 库存\n\n{sheet}\n## 价目\n\n{sheet}")
    assert len(base.passages) == 6 and health(base) == ()


@pytest.mark.parametrize("labels", [("第一条", "第二条"), ("Article 1", "Article 2"), ("案例一", "案例二")])
@pytest.mark.parametrize(("again", "severity", "passages"), [((0, 1, 0, 1), "warning", 6), ((1,), "error", 2)])
def test_forms_that_number_anew_in_one_file_are_only_a_warning(loaded, labels, again, severity, passages):
    text = "".join(f"{labels[at]} Lease of a lift.\n\n" for at in (0, 1, *again))
    (finding,) = health(loaded(a=text))
    assert kinds([finding]) == [("duplicate_article", severity)] and len(finding.passages) == passages


def test_an_id_that_a_corpus_gives_twice_is_an_error(corpus):
    base = corpus(("a", "甲", "一段。"), ("b", "乙", "二段。"), ("a", "甲", "三段。"))
    (finding,) = health(base)
    assert kinds([finding]) == [("repeated_id", "error")] and finding.passages == ("a", "a~2")


def test_gold_that_does_not_exist_is_an_error_told_once_a_question(loaded):
    base = loaded(a="第一条 甲。")
    asked = [Question("q1", "甲？", gold=("a#第一条",)), Question("q2", "乙？", gold=("a#第九条", "b#第一条"))]
    (finding,) = health(base, asked)
    assert kinds([finding]) == [("gold", "error")] and finding.say.values["ids"] == ["a#第九条", "b#第一条"]


def test_gold_by_its_label_alone_is_told_the_passage_it_may_mean(loaded):
    (finding,) = health(loaded(手册="第一条 甲。"), [Question("q1", "甲？", gold=("第一条",))])
    assert finding.say.code == "coverage.gold_near" and finding.say.values["near"] == ["手册#第一条"]


@pytest.mark.parametrize(
    ("case", "kind", "severity"),
    [("txt_whitespace_only.txt", "blank", "warning"), ("txt_binary_renamed.txt", "unread", "error")],
)
def test_a_file_that_did_not_come_in_is_found(tmp_path, loaded, case, kind, severity):
    loaded(a="第一条 甲。")
    (tmp_path / "sections" / case).write_bytes((CASES / case).read_bytes())
    from core.knowledge.shelf import load_folder

    assert kinds(health(load_folder(tmp_path))) == [(kind, severity)]


def test_errors_come_before_warnings(loaded):
    base = loaded(a="# 规则\n\n第一条 依照本规则第九条处理。\n\n第一条 乙。\n")
    assert [finding.severity for finding in health(base)] == ["error", "warning"]


def test_gold_that_is_the_title_of_passages_is_told_their_ids(loaded):
    base = loaded(a="# 甲册\n\n## 年假\n\n十天。\n", b="# 乙册\n\n## 年假\n\n五天。\n\n## 病假\n\n三天。\n")
    (finding,) = health(base, (Question("q", "几天？", gold=("年假",)),))
    assert finding.say.values["near"] == ["a#1", "b#1"]


def test_quotations_in_no_passage_are_a_notice_but_for_one_that_several_documents_begin_with(loaded):
    said = "# 册\n\n> 本册为示例。\n\n第一条 正文。\n"
    own = "# 册\n\n> 押金五百元。\n> 不退。\n\n第一条 正文一。\n"
    base = loaded(a=said, b=said, c=own, d=own.replace("第一条 ", ""))
    (finding,) = health(base)
    assert kinds([finding]) == [("aside", "notice")] and finding.say.values["texts"] == ["押金五百元。"]
