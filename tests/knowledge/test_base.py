"""A base's value: ids, sections, version, look-ups."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.errors import UsageError
from core.knowledge.base import Facts, KnowledgeBase, joined
from core.knowledge.building import cut_document
from core.knowledge.ids import near
from core.knowledge.reading import read, read_file

CASES = Path(__file__).parents[1] / "cases"


def base_of(**texts: str) -> KnowledgeBase:
    cuts = [cut_document(name, read(text.encode(), name), f"{name}.md") for name, text in texts.items()]
    return joined("试", Path("试"), Facts(), cuts)


def test_an_article_has_its_file_label_section_text_and_lines() -> None:
    base = base_of(
        **{"04-监控与证据": "# 第四部分 监控与证据\n\n> 虚构。\n\n第十九条 录像。\n\n第六十一条 保存三十日。\n"}
    )
    passage = base.passage("04-监控与证据#第六十一条")
    assert (passage.document, passage.section, passage.title) == ("04-监控与证据", "第四部分 监控与证据", "第六十一条")
    assert (passage.text, passage.lines, passage.order) == ("第六十一条 保存三十日。", (7, 7), 1)
    assert passage.metadata["type"] == "article"
    assert passage.indexed == "第四部分 监控与证据\n第六十一条 保存三十日。"
    assert base.document_of(passage).lines[6] == passage.text
    assert base.documents["04-监控与证据"].title == "第四部分 监控与证据"


def test_repeated_labels_and_repeated_headings_get_ids_of_their_own() -> None:
    base = base_of(甲="第一条 甲。\n第一条 乙。", 乙=read_file(CASES / "md_duplicate_headings.md").text)
    assert [p.id for p in base.passages] == ["甲#第一条", "甲#第一条~2", "乙#1", "乙#2", "乙#3"]
    assert [p.section for p in base.passages[2:]] == [f"产品手册 › 型号{x} › 保修" for x in "甲乙丙"]
    assert [p.title for p in base.passages[2:]] == ["保修"] * 3


def test_thousands_of_passages_of_one_label_are_told_apart_at_once() -> None:
    started = time.process_time()
    ids = [passage.id for passage in base_of(甲="第一条 内容。\n" * 10_000).passages]
    assert ids[:3] == ["甲#第一条", "甲#第一条~2", "甲#第一条~3"] and ids[-1] == "甲#第一条~10000"
    assert time.process_time() - started < 10  # looked for one by one they took minutes


def test_text_without_a_top_heading_goes_under_its_file() -> None:
    base = base_of(**{"制度/02-请假": "## 病假\n\n须有证明。", "说明": "一段话。"})
    assert list(base.sections) == ["请假 › 病假", "说明"]
    assert base.passages[1].title == ""


def test_a_title_above_other_headings_of_its_level_heads_them_all() -> None:
    base = base_of(总则="# 民法典\n\n# 总则\n\n## 第一章 基本规定\n\n第一条 甲。\n\n# 附则\n\n第二条 乙。")
    assert list(base.sections) == ["民法典 › 总则 › 第一章 基本规定", "民法典 › 附则"]


def test_the_version_changes_with_id_section_or_text_and_with_nothing_else() -> None:
    one = base_of(甲="# 规\n第一条 甲。")
    assert one.version == base_of(甲="# 规\n\n\n第一条 甲。\n").version
    assert len(one.version) == 12
    others = [base_of(乙="# 规\n第一条 甲。"), base_of(甲="# 则\n第一条 甲。"), base_of(甲="# 规\n第一条 乙。")]
    assert one.version not in {other.version for other in others}


def test_an_unknown_passage_names_its_nearest() -> None:
    base = base_of(**{"04-监控": "第十九条 甲。\n第六十一条 乙。", "05-故障": "第二十八条 丙。"})
    with pytest.raises(UsageError) as caught:
        base.passage("监控#第六十一条")
    assert caught.value.say.code == "passage.unknown"
    assert caught.value.say.values["near"][0] == "04-监控#第六十一条"


def test_near_ids_of_a_big_base_come_from_near_documents() -> None:
    ids = [f"法规{number}号|第{article}条" for number in range(300) for article in range(10)]
    assert near("法规17号|第55条", ids)[0].startswith("法规17号|")


def test_empty_and_blank_files_are_named_and_the_base_stands() -> None:
    base = base_of(甲="第一条 甲。", 空="", 白="\n\u3000\u3000\n \t\n")
    assert [(file, say.code) for file, say in base.unread] == [
        ("空.md", "base.file.empty"),
        ("白.md", "base.file.empty"),
    ]
    assert len(base.passages) == 1
    assert base_of().version and base_of().sections == {}


def test_a_guess_and_a_cleaning_are_told_per_file() -> None:
    names = ("txt_mostly_english_two_gbk_chars.txt", "txt_nul_and_control.txt")
    warnings = [say for name in names for say in cut_document(name, read_file(CASES / name), name).warnings]
    assert [(say.code, say.values.get("count")) for say in warnings] == [
        ("base.file.guessed", None),
        ("base.file.cleaned", 11),
    ]


def test_what_identifies_a_base_goes_into_its_info() -> None:
    base = base_of(甲="第一条 甲。")
    info = base.info("abc")
    assert (info.name, info.title, info.passages, info.tokeniser, info.version) == ("试", "试", 1, "abc", base.version)


def test_document_text_keeps_its_width_script_and_markup() -> None:
    texts = {
        name: read_file(CASES / f"{name}.md").text
        for name in ("md_width_variants", "md_traditional", "md_html_payload")
    }
    base = base_of(**texts)
    for passage in base.passages:
        assert passage.text in texts[passage.document]
