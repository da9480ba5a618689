"""The Library page: reading, searching, and where a passage was used."""

import shutil

import pytest

from core.knowledge.annotations import Annotation, Annotations, text_digest
from tests.app.conftest import ROOT, ask, plain, text, visit

pytestmark = pytest.mark.usefixtures("home")
NEEDLE = "04-监控与证据#第六十一条"


def library(locale="zh-CN", **address):
    """The page opened at an address."""
    at = visit(locale).run()
    for name, value in address.items():
        at.query_params[name] = value
    return at.switch_page("pages/library.py").run()


@pytest.mark.parametrize(("locale", "word"), [("zh-CN", "虚构示例"), ("en", "fictional example")])
def test_it_opens_at_the_first_section_and_says_that_the_base_is_fictional(locale, word):
    at = library(locale)
    assert not at.exception
    assert word in text(at) and "第一条" in text(at)
    assert len(at.radio(key="section").options) == 11


def test_another_section_is_read_by_choosing_it():
    at = library()
    at.radio(key="section").set_value("第五部分 电梯故障").run()
    assert "第二十八条" in text(at) and not at.exception


def test_a_search_ranks_passages_with_scores():
    at = library()
    at.text_input(key="find").set_value("监控保存多久").run()
    at.get_by_key("way").set_value("rerank").run()
    assert not at.exception
    assert "余弦" in text(at) and "分词" in text(at)


def test_a_search_without_hits_says_why():
    at = library()
    at.text_input(key="find").set_value("zzqq").run()
    assert "zzqq" in plain(at.info[0].value) and "找到 0 段" in text(at)


def test_a_passage_opens_by_its_address_with_its_terms_and_neighbours():
    at = library(p=NEEDLE)
    assert not at.exception
    assert "第六十一条" in text(at) and " / " in plain(text(at))
    at.button(key="back").click().run()
    assert "p" not in at.query_params and at.session_state["section"] == "第四部分 监控与证据"


def test_an_unknown_passage_is_named_with_near_ones():
    at = library(p="04-监控与证据#第九百条")
    assert not at.exception and "第九百条" in at.warning[0].value


def test_a_passage_names_the_comparisons_that_used_it_and_how():
    ask(visit().run())
    at = library(p="02-装修管理#第六条")
    assert not at.exception
    assert "已引用" in text(at)
    assert [link.label for link in at.get("page_link")][-1].startswith("装修前要办什么手续")


def test_what_a_reader_chose_stays_when_they_come_back_from_the_other_page():
    at = library()
    at.radio(key="section").set_value("第五部分 电梯故障").run()
    at.switch_page("pages/compare.py").run()
    at.switch_page("pages/library.py").run()
    assert at.radio(key="section").value == "第五部分 电梯故障"


@pytest.fixture
def base(home, monkeypatch):
    """A base of the reader's own, in use."""
    folder = home / "kb" / "own"
    (folder / "sections").mkdir(parents=True)
    (folder / "kb.toml").write_text('title = "自己的库"\nlanguage = "zh"\n', encoding="utf-8")
    monkeypatch.setenv("WORKBENCH_KB", "own")
    return folder


def test_an_empty_base_says_so_on_both_pages(base):
    at = ask(visit().run(), "有什么规定？")
    assert not at.exception and "没有段落" in text(at)
    assert "没有段落" in text(library())


def test_a_broken_base_names_the_fault_and_opens_once_it_is_mended(base):
    (base / "kb.toml").write_text("title = [", encoding="utf-8")
    at = visit().run()
    assert not at.exception
    assert "知识库打不开" in text(at) and "kb.toml" in plain(text(at))
    (base / "kb.toml").write_text('title = "好了"\n', encoding="utf-8")
    at.button(key="retry").click().run()
    assert "好了" in at.selectbox(key="kb").options and "打不开" not in text(at)


def test_files_that_did_not_come_in_are_listed_with_the_reason(base):
    cases = ROOT / "tests" / "cases"
    shutil.copy(cases / "txt_similar_articles_numbers.txt", base / "sections" / "01-规定.txt")
    shutil.copy(cases / "txt_binary_renamed.txt", base / "sections" / "02-坏.txt")
    at = library()
    assert not at.exception
    assert any("没有读入的文件：1" in fold.label for fold in at.expander)


def test_hostile_documents_are_shown_literally_everywhere(base):
    for name in ("md_html_payload.md", "md_price_dollar_tilde.md"):
        shutil.copy(ROOT / "tests" / "cases" / name, base / "sections" / name)
    at = library()
    at.text_input(key="find").set_value("欢迎 价格 标准版").run()
    assert not at.exception
    drawn = text(at)
    assert "<img" not in drawn and "\\<" in drawn and "$" not in drawn.replace("\\$", "")


def test_a_table_of_a_manual_is_read_as_a_table_and_its_passage_can_be_opened():
    at = library("en", kb="espresso")
    assert not at.exception
    table = next(element.value for element in at.markdown if "\n|---|" in element.value)
    assert table.startswith("| Model | Kind of machine |")
    at.button(key="open.01-models#1").click().run()
    assert not at.exception and at.query_params["p"] == "01-models#1"


def test_of_documents_with_the_same_headings_each_is_read_by_itself(home, monkeypatch):
    folder = home / "kb" / "two"
    (folder / "sections").mkdir(parents=True)
    (folder / "kb.toml").write_text('title = "两册"\n', encoding="utf-8")
    for name, days in (("甲", "十天"), ("乙", "五天")):
        (folder / "sections" / f"{name}.md").write_text(f"# 手册\n\n## 年假\n\n{days}。\n", encoding="utf-8")
    monkeypatch.setenv("WORKBENCH_KB", "two")
    at = library()
    assert at.radio(key="section").options == ["乙 › 手册 › 年假 :gray[1]", "甲 › 手册 › 年假 :gray[1]"]
    assert "五天" in text(at) and "十天" not in text(at)
    assert library(p="甲#1").radio(key="section").value == "甲 › 手册 › 年假"


def test_of_many_sections_the_document_is_chosen_first(monkeypatch):
    monkeypatch.setenv("WORKBENCH_KB", "espresso")
    at = library()
    assert len(at.selectbox(key="section.document").options) == 13
    assert at.radio(key="section").options[:2] == ["Product range :gray[1]", "How a model name is built :gray[1]"]
    at.selectbox(key="section.document").select("Safety").run()
    assert at.radio(key="section").value == "Safety › Intended use" and "Intended use" in at.subheader[0].value


def test_an_opened_passage_chooses_its_document_and_section(monkeypatch):
    monkeypatch.setenv("WORKBENCH_KB", "espresso")
    at = library(p="02-safety#3")
    assert at.selectbox(key="section.document").value == "02-safety"
    assert at.radio(key="section").value == "Safety › Electrical hazard"


def test_many_documents_of_one_section_each_are_one_list(base):
    for number in range(31):
        (base / "sections" / f"{number:02}.md").write_text(f"# 第{number}册\n\n正文{number}。\n", encoding="utf-8")
    at = library()
    assert len(at.selectbox(key="section").options) == 31
    assert "section.document" not in [box.key for box in at.selectbox]


def test_passages_of_a_corpus_that_stand_in_no_section_are_read_as_one(tmp_path, home, monkeypatch):
    folder = tmp_path / "corpus"
    folder.mkdir()
    lines = [f'{{"_id": "d{number}", "text": "Text {number}."}}' for number in range(40)]
    (folder / "corpus.jsonl").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setenv("WORKBENCH_KB", str(folder))
    at = library("en")
    assert len(at.radio(key="section").options) == 1 and "Text 39." in plain(text(at))


RULES = "# 收费\n\n第一条 甲。\n\n第二条 乙。\n\n# 押金\n\n第三条 丙。\n"


@pytest.fixture
def disabled(base):
    """The base with three passages, of which the second is disabled."""
    (base / "sections" / "01.md").write_text(RULES, encoding="utf-8")
    note = Annotation("01#第二条", text_digest("第二条 乙。"), disabled=True)
    (base / "passages.jsonl").write_bytes(Annotations([note]).encoded())
    return base


def test_a_disabled_passage_stands_between_its_neighbours(disabled):
    at = library(p="01#第二条")
    assert "已停用" in text(at) and {"open.01#第一条", "open.01#第三条"} <= {button.key for button in at.button}
    at.button(key="open.01#第三条").click().run()
    assert at.query_params["p"] == "01#第三条" and at.radio(key="section").value == "押金"
    at.button(key="open.01#第二条").click().run()
    assert not at.exception and at.radio(key="section").value == "收费"


def test_a_converted_document_is_shown_with_its_source_and_no_encoding(base):
    (base / "sections" / "手册.md").write_text("---\nsource: 手册.docx\n---\n\n第一条 甲。\n", encoding="utf-8")
    told = plain(text(library(p="手册#第一条")))
    assert "手册 (手册.docx)" in told and "utf-8" not in told


@pytest.mark.parametrize(("locale", "name"), [("zh-CN", "打开"), ("en", "Open")])
def test_what_opens_a_passage_has_a_name(locale, name):
    button = library(locale).button(key="open.01-总则#第一条")
    assert button.label == f":small[:gray[{name}]]"


@pytest.mark.parametrize(
    ("locale", "told"), [("zh-CN", ("语言 | 中文", "内容指纹")), ("en", ("Language | Chinese", "fingerprint"))]
)
def test_about_names_the_language_in_words_and_the_fingerprint_as_one(locale, told):
    shown = plain(text(library(locale)))
    assert all(part in shown for part in told) and "| zh |" not in shown


def test_an_empty_base_leads_on_to_the_import(base):
    at = library()
    (link,) = [one for one in at.get("page_link") if one.label == "导入文件"]
    assert "view=import" in link.proto.query_string and str(base) not in text(at)
