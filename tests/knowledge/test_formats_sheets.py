"""Workbooks and separated values: each row with the names of its columns, and nothing of it lost."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from openpyxl import Workbook
from openpyxl.comments import Comment

from core.errors import BaseError
from core.knowledge.formats import Options, read_source, workbook
from core.knowledge.reading import Reading
from core.knowledge.splitting import split

CASES = Path(__file__).parents[1] / "cases"


def book(*rows: list[Any]) -> Workbook:
    made = Workbook()
    for row in rows:
        made.active.append(row)
    return made


def read(made: Workbook) -> Reading:
    stream = BytesIO()
    made.save(stream)
    return read_source(stream.getvalue(), "价格.xlsx")


def csv(text: str, encoding: str = "utf-8", name: str = "a.csv") -> Reading:
    return read_source(text.encode(encoding), name)


def test_each_row_is_a_text_with_its_number_and_the_names_of_its_columns() -> None:
    text = read(book(["型号", "价格", "备注"], ["X-1", 100.0, None], [], ["X-2", 12.5, "停产"])).text
    assert text == "行 2\n型号：X-1\n价格：100\n\n行 4\n型号：X-2\n价格：12.5\n备注：停产\n"
    assert [piece.text for piece in split(text)] == text.strip().split("\n\n")


def test_an_english_sheet_gets_english_labels() -> None:
    assert read(book(["Model", "Price"], ["X-1", 3])).text == "Row 2\nModel: X-1\nPrice: 3\n"


def test_several_sheets_have_their_names_as_headings() -> None:
    made = book(["型号", "价格"], ["甲", 1])
    made.create_sheet("库存").append(["型号", "数量"])
    made["库存"].append(["甲", 5])
    made.create_sheet("空表")
    assert read(made).text == "## Sheet\n\n行 2\n型号：甲\n价格：1\n\n## 库存\n\n行 2\n型号：甲\n数量：5\n"


def test_merged_cells_are_filled_and_a_two_row_header_is_joined() -> None:
    made = book(["价目表"], ["型号", "价格", None, "备注"], [None, "零售", "批发"], ["甲", 1, 2, "x"], [None, 3, 4])
    for span in ("A1:D1", "B2:C2", "A2:A3", "D2:D3", "A4:A5"):
        made.active.merge_cells(span)
    told = "价目表|行 4/型号：甲/价格，零售：1/价格，批发：2/备注：x|行 5/型号：甲/价格，零售：3/价格，批发：4"
    assert read(made).text == told.replace("|", "\n\n").replace("/", "\n").replace("，", "/") + "\n"


def test_columns_of_the_same_name_are_told_apart() -> None:
    text = read(book(["型号", "金额", "金额"], ["甲", 1, 2])).text
    assert text == "行 2\n型号：甲\n金额 (B)：1\n金额 (C)：2\n"


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (1.0, "General", "1"),
        (0.1 + 0.2, "General", "0.3"),
        (1e21, "General", "1e+21"),
        (-5, "0.00", "-5.00"),
        (0.125, "0.0%", "12.5%"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (1234.5, '"¥"#,##0.00', "¥1,234.50"),
        (99, "[$€-407]#,##0", "€99"),
        (7, "000000", "000007"),
        (24, '0"个月"', "24个月"),
        (1.5, "0.##", "1.5"),
        (2, "0.##", "2"),
        (0.5, "# ?/?", "0.5"),
        (-3, "#,##0;[Red](#,##0)", "-3"),
        (date(2024, 3, 1), "yyyy/m/d", "2024-03-01"),
        (datetime(2024, 3, 1, 13, 30), "yyyy-mm-dd hh:mm", "2024-03-01 13:30"),
        (time(8, 5), "h:mm", "08:05"),
        (timedelta(hours=30), "[h]:mm:ss", "30:00:00"),
        (True, "General", "TRUE"),
        ("00123", "General", "00123"),
    ],
)
def test_values_are_told_as_the_sheet_shows_them(value: object, form: str, shown: str) -> None:
    made = book(["名称", "值"], ["甲", value])
    made.active["B2"].number_format = form
    assert read(made).text == f"行 2\n名称：甲\n值：{shown}\n"


def test_lines_within_a_cell_are_indented_so_that_no_row_or_heading_begins_there() -> None:
    text = read(book(["条目", "内容"], ["甲", "一\n\n行 9\n# 二"], ["乙", "三"])).text
    assert text.startswith("行 2\n条目：甲\n内容：一\n    \n    行 9\n    # 二\n\n行 3")
    assert [piece.label for piece in split(text)] == ["行 2", "行 3"]


def changed(made: Workbook, pattern: bytes, by: bytes) -> Reading:
    """A workbook with its XML changed, as other programs write it."""
    stream, other = BytesIO(), BytesIO()
    made.save(stream)
    with ZipFile(stream) as source, ZipFile(other, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, re.sub(pattern, by, source.read(name)))
    return read_source(other.getvalue(), "a.xlsx")


def test_dates_in_the_formats_of_chinese_editions_are_dates() -> None:
    made = book(["名称", "日期"], ["甲", 45352])
    made.active["B2"].number_format = "0.00"
    assert changed(made, b'numFmtId="2"', b'numFmtId="31"').text.endswith("日期：2024-03-01\n")


def test_styles_that_are_not_valid_do_not_stop_a_workbook() -> None:
    assert changed(book(["名称", "值"], ["甲", 1]), b'rgb="[0-9A-F]+"|theme="1"', b'rgb="red"').text.endswith("值：1\n")


def formulas(made: Workbook, cached: str) -> Reading:
    """As a spreadsheet saves it: the results of formulas beside them."""
    return changed(made, rb"</f><v ?/>|</f><v></v>", f"</f><v>{cached}</v>".encode())


def test_formulas_give_their_saved_value_or_themselves_with_a_warning() -> None:
    made = book(["名称", "合计"], ["甲", "=1+2"])
    assert formulas(made, "3").text.endswith("合计：3\n")
    reading = formulas(made, "")
    assert reading.text.endswith("合计：=1+2\n")
    assert [(say.code, say.values["cells"]) for say in reading.warnings] == [("base.file.sheet.formulas", ["B2"])]


def test_hidden_sheets_and_comments_are_named() -> None:
    made = book(["名称", "值"], ["甲", 1])
    made.active["A2"].comment = Comment("核对", "甲")
    made.create_sheet("底稿").append(["x", "y"])
    made["底稿"].sheet_state = "hidden"
    reading = read(made)
    assert "x" not in reading.text
    assert [say.code.rpartition(".")[2] for say in reading.warnings] == ["hidden", "asides"]


def test_a_sheet_of_formatted_but_empty_cells_takes_no_time() -> None:
    cells = b"".join(b'<c r="%s%%d" s="0"/>' % column for column in (b"A", b"XFC", b"XFD"))
    empty = b"".join(b'<row r="%d">%s</row>' % (row, cells % (row, row, row)) for row in range(3, 40_003))
    start = monotonic()
    assert (
        changed(book(["名称", "值"], ["甲", 1]), b"</sheetData>", empty + b"</sheetData>").text
        == "行 2\n名称：甲\n值：1\n"
    )
    assert monotonic() - start < 5


def test_merged_ranges_over_the_whole_sheet_do_not_swell_it() -> None:
    merged = b"".join(b'<mergeCell ref="%s"/>' % ref for ref in (b"A2:A1048576", b"C2:XFD9", b"E3:XFD1048576"))
    xml = b'<mergeCells count="3">' + merged + b"</mergeCells>"
    text = changed(book(["名称", "值"], ["甲", 1], [None, 2]), b"<pageMargins", xml + b"<pageMargins").text
    assert text == "行 2\n名称：甲\n值：1\n\n行 3\n名称：甲\n值：2\n"


def test_more_cells_than_anyone_reads_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "MOST_CELLS", 10)
    with pytest.raises(BaseError) as caught:
        read(book(*([at, "x"] for at in range(20))))
    assert caught.value.say.code == "base.file.sheet.large"


@pytest.mark.parametrize(
    ("bound", "text", "code"),
    [
        ("rows.MOST_ROWS", "名称,值\n" + "甲,1\n" * 10, "rows"),
        ("sheets.MOST_CELLS", "名称,值\n" + "甲,1\n" * 10, "large"),
        ("sheets.MOST_COLUMNS", ",".join("甲" * 11), "wide"),
        ("sheets.MOST_CHARACTERS", f"名称,值\n甲,{'长' * 40}", "endless"),
    ],
)
def test_a_table_that_nobody_could_search_is_refused_with_what_is_the_matter(
    monkeypatch: pytest.MonkeyPatch, bound: str, text: str, code: str
) -> None:
    monkeypatch.setattr(f"core.knowledge.formats.{bound}", 10)
    with pytest.raises(BaseError) as caught:
        csv(text)
    assert caught.value.say.code == f"base.file.sheet.{code}"
    assert caught.value.say.values["most"] == 10


def test_a_quotation_mark_without_its_partner_that_swallows_the_file_is_told_with_its_line() -> None:
    with pytest.raises(BaseError) as caught:
        csv('名称,值\n甲,"未完\n' + "乙,长长长长长长长长\n" * 100_000)
    assert caught.value.say.code == "base.file.sheet.endless"


def test_a_quotation_mark_that_swallows_the_rows_below_is_told_with_its_row() -> None:
    said = csv('名称,说明\n甲,好\n乙,"没有收尾\n丙,坏\n丁,差\n').warnings
    assert [(say.code, say.values["row"]) for say in said] == [("base.file.sheet.unclosed", 3)]
    assert csv('名称,说明\n甲,15" 屏\n乙,"两\n行"\n丙,好\n').warnings == ()


def test_a_number_of_more_digits_than_a_sheet_keeps_stays_as_it_was_written() -> None:
    made = book(["姓名", "证号", "金额"], ["王", 110101, 1234.5])
    text = changed(made, rb"<v>110101</v>", b"<v>110101199001011234</v>").text
    assert "证号：110101199001011234\n金额：1234.5" in text


def test_rows_of_workbooks_and_of_objects_are_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.knowledge.formats.rows.MOST_ROWS", 10)
    for made in (
        lambda: read(book(*([f"甲{at}"] for at in range(20)))),
        lambda: csv('{"a": "甲"}\n' * 11, name="a.jsonl"),
    ):
        with pytest.raises(BaseError) as caught:
            made()
        assert caught.value.say.code == "base.file.sheet.rows"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_separated_values_are_read_whatever_separates_them(delimiter: str, encoding: str) -> None:
    rows = (("名称", "说明"), ("扶梯", '"含，逗号,分号;引号""\n两行"'), ("直梯", "正常"))
    text = csv("\r\n".join(delimiter.join(row) for row in rows), encoding).text
    assert text == '行 2\n名称：扶梯\n说明：含，逗号,分号;引号"\n    两行\n\n行 3\n名称：直梯\n说明：正常\n'


def test_a_line_that_names_the_separator_is_no_row() -> None:
    assert csv("sep=;\n名称;值\n甲;1,5\n").text == "行 3\n名称：甲\n值：1,5\n"


def test_rows_longer_than_the_header_keep_their_cells_with_a_warning() -> None:
    reading = csv("名称,值\n甲,1,多出,的\n乙\n")
    assert reading.text == "行 2\n名称：甲\n值：1\nC：多出\nD：的\n\n行 3\n名称：乙\n"
    assert [(say.code, say.values["rows"]) for say in reading.warnings] == [("base.file.sheet.ragged", [2])]


def test_a_table_without_a_header_has_letters_for_names() -> None:
    assert csv("1,2\n3,4\n").text == "Row 1\nA: 1\nB: 2\n\nRow 2\nA: 3\nB: 4\n"


def test_cells_that_look_like_formulas_stay_what_they_are() -> None:
    text = read_source((CASES / "csv_formula_cells.csv").read_bytes(), "csv_formula_cells.csv").text
    for cell in ("=1+1", "@SUM(A1)", "+86 电话格式？", "-5℃", "＝全角等号", '"=HYPERLINK(""x"")"'):
        assert f"：{cell}\n" in text


@pytest.mark.parametrize(
    ("name", "encoding", "words"),
    [
        ("csv_questions_gbk.csv", "gb18030", "question：退货期限是几天？\nanswer：七日"),
        ("csv_questions_utf8_bom.csv", "utf-8", 'question：含逗号,引号"和\n    换行的问题？\nanswer：是'),
    ],
)
def test_the_handed_question_files_are_read(name: str, encoding: str, words: str) -> None:
    reading = read_source((CASES / name).read_bytes(), name)
    assert words in reading.text
    assert (reading.encoding, "\ufeff" in reading.text) == (encoding, False)


def test_a_guessed_encoding_stays_flagged() -> None:
    data = "SKU,name\nA-101,设计".encode("gb18030")
    assert read_source(data, "a.csv").guessed
    assert not read_source(data, "a.csv", Options(encoding="gb18030")).guessed


def test_every_cell_comes_in_under_the_name_of_its_column() -> None:
    names = [f"栏{at}" for at in range(12)]
    rows = [[f"值{row}-{at}" if (row + at) % 3 else "" for at in range(12)] for row in range(60)]
    text = csv("\n".join(",".join(row) for row in [names, *rows])).text
    for number, (told, row) in enumerate(zip(text.strip().split("\n\n"), rows, strict=True), start=2):
        pairs = [f"{name}：{value}" for name, value in zip(names, row, strict=True) if value]
        assert told.split("\n") == [f"行 {number}", *pairs]


def test_a_cell_of_a_megabyte_is_read() -> None:
    assert csv(f"名称,值\n甲,{'长' * 400_000}\n").text.count("长") == 400_000
