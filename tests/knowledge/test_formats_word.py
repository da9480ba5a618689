"""Word files: what Word shows is what comes in, numbers and merged cells included."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from docx import Document
from docx.enum.text import WD_BREAK
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from core.knowledge.formats import read_source
from core.knowledge.formats.numbering import chinese, shaped
from core.knowledge.reading import Reading
from core.knowledge.splitting import split

W = nsdecls("w")


def read(document: Any) -> Reading:
    stream = BytesIO()
    document.save(stream)
    return read_source(stream.getvalue(), "制度.docx")


def numbering(document: Any, *levels: tuple[str, str], number: int = 70, extra: str = "") -> int:
    """Add a list whose levels have these formats and texts; gives its id."""
    inner = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for at, (form, text) in enumerate(levels)
    )
    root = document.part.numbering_part.element
    root.insert(0, parse_xml(f'<w:abstractNum {W} w:abstractNumId="{number}">{inner}</w:abstractNum>'))
    root.append(parse_xml(f'<w:num {W} w:numId="{number}"><w:abstractNumId w:val="{number}"/>{extra}</w:num>'))
    return number


def listed(document: Any, text: str, number: int, level: int = 0) -> Any:
    paragraph = document.add_paragraph(text)
    xml = f'<w:numPr {W}><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    paragraph._p.get_or_add_pPr().append(parse_xml(xml))
    return paragraph


def raw(document: Any, inner: str) -> None:
    spaces = nsdecls("w", "wp", "a", "pic", "r")
    extra = (
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"'
    )
    document.element.body.insert(-1, parse_xml(f"<w:p {spaces} {extra}>{inner}</w:p>"))


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def test_headings_come_by_style_by_a_chinese_style_and_by_outline_level() -> None:
    document = Document()
    document.add_heading("总则", 1)
    document.styles.add_style("标题 2", 1)
    document.add_paragraph("适用范围", style="标题 2")
    raw(document, f'<w:pPr><w:outlineLvl w:val="2"/></w:pPr>{run("例外")}')
    document.add_paragraph("正文。")
    assert read(document).text == "# 总则\n\n## 适用范围\n\n### 例外\n\n正文。\n"


def test_a_title_stands_above_all_headings() -> None:
    document = Document()
    document.add_heading("员工手册", 0)
    document.add_heading("总则", 1)
    assert read(document).text == "# 员工手册\n\n## 总则\n"


def test_a_style_based_on_a_heading_is_one_and_a_whole_sentence_is_none() -> None:
    document = Document()
    document.styles.add_style("我的章", 1).base_style = document.styles["Heading 1"]
    document.add_paragraph("附则", style="我的章")
    document.add_paragraph("本办法自发布之日起施行。", style="我的章")
    assert read(document).text == "# 附则\n\n本办法自发布之日起施行。\n"


def test_numbered_articles_get_the_labels_that_word_shows() -> None:
    document = Document()
    number = numbering(document, ("chineseCountingThousand", "第%1条"), ("japaneseCounting", "（%2）"))
    for text, level in (("适用全体。", 0), ("退货；", 1), ("换货。", 1), ("运费由卖方承担。", 0), ("其他。", 1)):
        listed(document, text, number, level)
    text = read(document).text
    assert text.split("\n\n") == [
        "第一条 适用全体。",
        "（一） 退货；\n（二） 换货。",
        "第二条 运费由卖方承担。",
        "（一） 其他。\n",
    ]
    assert [piece.label for piece in split(text)] == ["第一条", "第二条"]


def test_numbers_of_several_levels_restart_and_may_be_continued_elsewhere() -> None:
    document = Document()
    number = numbering(document, ("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "%3)"))
    for text, level in (("甲", 0), ("乙", 1), ("丙", 1), ("丁", 0), ("戊", 1), ("己", 2)):
        listed(document, text, number, level)
    document.add_paragraph("中间")
    listed(document, "庚", number)
    lines = read(document).text.split("\n")
    assert [line for line in lines if line] == "1. 甲,1.1 乙,1.2 丙,2. 丁,2.1 戊,a) 己,中间,3. 庚".split(",")


def test_a_list_may_start_at_another_number() -> None:
    document = Document()
    extra = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    number = numbering(document, ("upperRoman", "%1、"), extra=extra)
    listed(document, "甲", number)
    listed(document, "乙", number)
    assert read(document).text == "V、 甲\nVI、 乙\n"


def test_a_number_may_come_from_the_style() -> None:
    document = Document()
    number = numbering(document, ("chineseCounting", "第%1章"))
    xml = f'<w:numPr {W}><w:numId w:val="{number}"/></w:numPr>'
    document.styles["Heading 1"].element.get_or_add_pPr().append(parse_xml(xml))
    document.add_heading("总则", 1)
    document.add_heading("附则", 1)
    assert read(document).text == "# 第一章 总则\n\n# 第二章 附则\n"


def test_bullets_are_dashes() -> None:
    document = Document()
    number = numbering(document, ("bullet", "\uf0b7"), ("bullet", "o"))
    listed(document, "甲", number)
    listed(document, "乙", number, 1)
    assert read(document).text == "- 甲\n  - 乙\n"


@pytest.mark.parametrize(
    ("number", "shape", "told"),
    [
        (10, "chineseCounting", "十"),
        (21, "chineseCountingThousand", "二十一"),
        (110, "chineseCountingThousand", "一百一十"),
        (1005, "chineseCountingThousand", "一千零五"),
        (12, "chineseLegalSimplified", "壹拾贰"),
        (3, "ideographTraditional", "丙"),
        (2, "ideographZodiac", "丑"),
        (20, "ideographDigital", "二〇"),
        (3, "decimalEnclosedCircleChinese", "③"),
        (30, "decimalEnclosedCircle", "30"),
        (3, "decimalFullWidth", "３"),
        (9, "lowerRoman", "ix"),
        (28, "upperLetter", "BB"),
        (7, "decimalZero", "07"),
        (22, "ordinal", "22nd"),
        (5, "unheardOf", "5"),
        (0, "upperRoman", "0"),
    ],
)
def test_numbers_are_written_as_word_writes_them(number: int, shape: str, told: str) -> None:
    assert shaped(number, shape) == told


def test_no_two_numbers_are_written_alike() -> None:
    assert len({chinese(number) for number in range(10_050)}) == 10_050


def test_merged_cells_are_filled_and_a_two_row_header_is_joined() -> None:
    document = Document()
    table = document.add_table(4, 3)
    for row, line in enumerate((("型号", "价格", ""), ("", "零售", "批发"), ("甲|乙", "1", "2"), ("", "3", "4"))):
        for column, text in enumerate(line):
            table.cell(row, column).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 0).merge(table.cell(1, 0))
    table.cell(2, 0).merge(table.cell(3, 0))
    lines = ["| 型号 | 价格/零售 | 价格/批发 |", "| --- | --- | --- |", "| 甲\\|乙 | 1 | 2 |", "| 甲\\|乙 | 3 | 4 |"]
    assert read(document).text == "\n".join([*lines, ""])


def test_a_title_row_over_all_columns_is_the_caption_of_its_table() -> None:
    document = Document()
    table = document.add_table(3, 2)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "费用表"
    for at, text in enumerate(("项目", "元", "运费", "10")):
        table.cell(1 + at // 2, at % 2).text = text
    assert read(document).text == "费用表\n| 项目 | 元 |\n| --- | --- |\n| 运费 | 10 |\n"


def test_a_table_within_a_table_keeps_its_cells_together() -> None:
    document = Document()
    outer = document.add_table(2, 2)
    outer.cell(0, 0).text, outer.cell(0, 1).text, outer.cell(1, 0).text = "项目", "明细", "运费"
    inner = outer.cell(1, 1).add_table(2, 2)
    for at, text in enumerate(("省内", "8", "省外", "12")):
        inner.cell(at // 2, at % 2).text = text
    assert "| 运费 | 省内 / 8; 省外 / 12 |" in read(document).text


def test_a_table_of_one_cell_is_only_a_frame() -> None:
    document = Document()
    cell = document.add_table(1, 1).cell(0, 0)
    cell.text = "提示"
    cell.add_paragraph("勿拆封。")
    assert read(document).text == "提示\n\n勿拆封。\n"


def test_footnotes_stand_beside_their_paragraph() -> None:
    document = Document()
    xml = f'<w:footnotes {W}><w:footnote w:id="2"><w:p>{run("自签收次日起算。")}</w:p></w:footnote></w:footnotes>'
    form = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    part = Part(PackURI("/word/footnotes.xml"), form, xml.encode(), document.part.package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    raw(document, f'{run("七日内退货")}<w:r><w:footnoteReference w:id="2"/></w:r>{run("。")}')
    document.add_paragraph("下一段。")
    assert read(document).text == "七日内退货（注1）。\n注1：自签收次日起算。\n\n下一段。\n"


def test_insertions_are_kept_and_deletions_are_gone() -> None:
    document = Document()
    raw(
        document,
        f"{run('期限')}<w:del><w:r><w:delText>七</w:delText></w:r></w:del><w:ins>{run('十')}</w:ins>{run('日')}",
    )
    assert read(document).text == "期限十日\n"


def test_hidden_text_stays_out_with_a_warning() -> None:
    document = Document()
    document.add_paragraph("看得见").add_run("看不见").font.hidden = True
    reading = read(document)
    assert reading.text == "看得见\n"
    assert [(say.code, say.values["count"]) for say in reading.warnings] == [("base.file.word.hidden", 3)]


def test_page_headers_contents_and_comments_stay_out_with_a_warning() -> None:
    document = Document()
    document.sections[0].footer.paragraphs[0].text = "内部资料"
    document.styles.add_style("toc 1", 1)
    document.add_paragraph("总则\t1", style="toc 1")
    paragraph = document.add_paragraph("正文。")
    document.add_comment(paragraph.runs, text="请核对", author="甲")
    reading = read(document)
    assert reading.text == "正文。\n"
    assert [say.code.rpartition(".")[2] for say in reading.warnings] == ["edges", "contents", "comments"]
    assert reading.warnings[0].values["words"] == "内部资料"


def test_line_breaks_stay_page_breaks_do_not_and_links_keep_their_words() -> None:
    document = Document()
    paragraph = document.add_paragraph("第一行")
    paragraph.add_run().add_break()
    paragraph.add_run("第二行")
    paragraph.add_run().add_break(WD_BREAK.PAGE)
    raw(
        document,
        f"{run('见')}<w:hyperlink>{run('附件')}</w:hyperlink><w:r><w:noBreakHyphen/><w:tab/><w:t>一</w:t></w:r>",
    )
    assert read(document).text == "第一行\n第二行\n\n见附件\u2011\t一\n"


def test_a_picture_its_words_and_its_caption_stand_together() -> None:
    document = Document()
    document.add_paragraph("接线如下。")
    said = '<wp:docPr id="1" name="图片 1" descr="接线图"/>'
    drawing = f"<wp:inline>{said}<a:graphic><a:graphicData><pic:pic/></a:graphicData></a:graphic></wp:inline>"
    raw(document, f"<w:r><w:drawing>{drawing}</w:drawing></w:r>")
    document.add_paragraph("图 1 控制柜接线", style="Caption")
    document.add_paragraph("下文。")
    assert read(document).text == "接线如下。\n[图：接线图]\n图 1 控制柜接线\n\n下文。\n"


def test_a_text_box_is_told_once() -> None:
    document = Document()
    box = f"<w:txbxContent><w:p>{run('框中的话')}</w:p></w:txbxContent>"
    drawn, old = f"<w:drawing>{box}</w:drawing>", f"<w:pict>{box}</w:pict>"
    forms = f"<mc:Choice Requires='wps'>{drawn}</mc:Choice><mc:Fallback>{old}</mc:Fallback>"
    raw(document, f"{run('段落')}<w:r><mc:AlternateContent>{forms}</mc:AlternateContent></w:r>")
    assert read(document).text == "段落\n\n框中的话\n"


def test_text_in_content_controls_and_equations_comes_in() -> None:
    document = Document()
    body = document.element.body
    body.insert(-1, parse_xml(f"<w:sdt {W}><w:sdtPr/><w:sdtContent><w:p>{run('控件')}</w:p></w:sdtContent></w:sdt>"))
    math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    body.insert(-1, parse_xml(f"<w:p {W} {math}>{run('其中')}<m:oMath><m:r><m:t>x+y</m:t></m:r></m:oMath></w:p>"))
    assert read(document).text == "控件\n\n其中x+y\n"


def test_words_in_a_diagram_come_in() -> None:
    document = Document()
    spaces = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    xml = f"<x {spaces}><a:p><a:r><a:t>报修</a:t></a:r></a:p><a:p><a:r><a:t>派单</a:t></a:r></a:p></x>"
    part = Part(PackURI("/word/diagrams/data1.xml"), "application/xml", xml.encode(), document.part.package)
    relation = document.part.relate_to(part, f"{RELATIONSHIP_TYPE.IMAGE}/diagramData")
    raw(document, f'<w:r><w:drawing><dgm:relIds {nsdecls("dgm")} r:dm="{relation}"/></w:drawing></w:r>')
    document.add_paragraph("流程如上。")
    assert read(document).text == "[图]\n\n报修\n派单\n\n流程如上。\n"


def test_what_looks_like_markdown_stays_what_it_was() -> None:
    document = Document()
    for text in ("# 号键", "---", "```", "A\n==="):
        document.add_paragraph(text)
    reading = read(document)
    assert [piece.kind for piece in split(reading.text)] == ["paragraph"]
    assert reading.text.startswith("\\# 号键\n\n\\---\n\n\\```\n\nA\n\\===")


def test_an_english_file_gets_english_words() -> None:
    document = Document()
    document.add_paragraph("Wiring of the control cabinet")
    raw(document, "<w:r><w:drawing><wp:inline><wp:docPr id='1' name='x'/><pic:pic/></wp:inline></w:drawing></w:r>")
    assert read(document).text == "Wiring of the control cabinet\n[Picture]\n"


def test_every_word_of_a_long_file_comes_in_order() -> None:
    document = Document()
    words = [f"段{at}文" for at in range(400)]
    for at, word in enumerate(words):
        document.add_heading(word, 1 + at % 4) if at % 7 == 0 else document.add_paragraph(word)
    text = read(document).text
    places = [text.index(word) for word in words]
    assert places == sorted(places)
