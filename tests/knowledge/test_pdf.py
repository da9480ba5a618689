"""PDF files to text: whole sentences in reading order, nothing lost unsaid, and every bad file a sentence."""

from __future__ import annotations

import io
import logging
import zlib
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from core.domain import Say
from core.errors import BaseError
from core.knowledge.formats import Options, scanned
from core.knowledge.formats import pdf_pages as bounds
from core.knowledge.formats.pdf import read_pdf
from core.knowledge.reading import Reading
from core.knowledge.splitting import split
from core.words import LANGUAGES, Words

CASES = Path(__file__).parents[1] / "cases"
FONTS = (
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    b"<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [5 0 R] >>",
    b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 /FontDescriptor 6 0 R"
    b" /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>",
    b"<< /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0"
    b" /Ascent 880 /Descent -120 /CapHeight 880 /StemV 80 >>",
)
Put = tuple[float, float, str]
"""A text with its place on a page: points from the left and from the bottom."""


def file_of(objects: list[bytes]) -> bytes:
    """A PDF of these objects, numbered from 1; the first is the catalogue."""
    out, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + trailer


def stream(data: bytes, more: bytes = b"") -> bytes:
    return b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(data), more, data)


def document(*contents: bytes, more: tuple[bytes, ...] = ()) -> bytes:
    """A PDF with a page for each content stream object; further objects are numbered from 7 on."""
    first = 7 + len(more)
    kids = b" ".join(b"%d 0 R" % (first + 2 * at) for at in range(len(contents)))
    pages = [
        part
        for at, content in enumerate(contents)
        for part in (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources"
            b" << /Font << /F1 3 0 R /F2 4 0 R >> /XObject << /X 7 0 R >> >> >>" % (first + 2 * at + 1),
            content,
        )
    ]
    tree = b"<< /Type /Pages /Kids [%b] /Count %d >>" % (kids, len(contents))
    return file_of([b"<< /Type /Catalog /Pages 2 0 R >>", tree, *FONTS, *more, *pages])


def put(puts: list[Put], size: float = 12) -> bytes:
    """What puts texts on a page, Chinese ones in a Chinese font."""
    shown = []
    for x, y, text in puts:
        code = f"<{text.encode('utf-16-be').hex()}>" if not text.isascii() else f"({text})"
        shown.append(f"BT /F{1 if text.isascii() else 2} {size} Tf {x} {y} Td {code} Tj ET\n")
    return "".join(shown).encode()


def written(puts: list[Put]) -> bytes:
    return stream(put(puts))


def rows(*texts: str, top: float = 780, left: float = 60) -> list[Put]:
    return [(left, top - 20 * at, text) for at, text in enumerate(texts)]


def read(data: bytes, file: str = "x.pdf") -> Reading:
    return read_pdf(data, file, Options(scanned=False))


def pages_of(*pages: list[Put]) -> Reading:
    return read(document(*map(written, pages)))


def case(name: str) -> Reading:
    return read((CASES / name).read_bytes(), name)


def refused(data: bytes, file: str = "坏.pdf") -> str:
    """The code with which a file is refused, after its sentence is seen to be one line that names the file."""
    with pytest.raises(BaseError) as caught:
        read(data, file)
    for language in LANGUAGES:
        sentence = Words(language).say(caught.value.say)
        assert file in sentence and "\n" not in sentence and "—" not in sentence and "{" not in sentence
    return caught.value.say.code


def told(reading: Reading, code: str) -> Say:
    """The one warning of this code, whose sentences are complete."""
    [say] = [say for say in reading.warnings if say.code == f"base.pdf.{code}"]
    assert all("—" not in Words(language).say(say) for language in LANGUAGES)
    return say


ARTICLES = ["第六十一条 消费者签收后七日内可以申请退货。", "第六十二条 运费由商家承担，退货运费险另行约定。"]


@pytest.mark.parametrize(
    "name", ["pdf_bad_startxref.pdf", "pdf_cid_unigb_no_tounicode.pdf", "pdf_encrypted_owner_only_aes.pdf"]
)
def test_a_bad_index_a_font_without_a_map_and_an_owners_password_do_not_hinder_reading(name):
    reading = case(name)
    pieces = split(reading.text)
    assert [piece.text.split("\n\n")[0] for piece in pieces if piece.kind == "article"] == ARTICLES
    assert pieces[0].path == ("第一章 售后服务",)
    assert reading.warnings == () and reading.cleaned == 0


def test_a_gbk_font_without_a_map_is_read():
    assert "第六十一条 签收后七日内可退货" in case("pdf_gbk_euc_no_tounicode.pdf").text


def test_characters_placed_one_by_one_become_words_again():
    assert case("pdf_char_positioned_wrap.pdf").text == "消费者购买退货运费险后，七日内退货的邮费由保险公司承担。\n"


def test_radicals_become_the_characters_they_look_like():
    text = case("pdf_kangxi_radicals.pdf").text
    assert "第一条 文件由用人单位保管" in text and "见第三页" in text


def test_glyphs_without_a_meaning_are_counted_and_told_with_page_and_share():
    reading = case("pdf_missing_tounicode_part.pdf")
    values = told(reading, "partly_unreadable").values
    assert reading.text.startswith("可读\n") and reading.cleaned == 3
    assert (values["pages"], values["share"]) == (["1"], "21%")


def test_a_missing_glyph_between_letters_and_digits_stays_visible():
    reading = case("pdf_nul_glyph.pdf")
    assert "编号F\ufffd13的保修期" in reading.text and "\x00" not in reading.text
    assert reading.cleaned == 3


def test_a_lone_surrogate_never_reaches_a_page():
    reading = case("pdf_lone_surrogate.pdf")
    assert "请在七日内回复" in reading.text and reading.cleaned == 1
    reading.text.encode()


def test_headers_and_footers_are_left_out_and_the_sentence_goes_on_over_the_page():
    reading = case("pdf_header_footer.pdf")
    assert reading.text == "第十条 差旅费实行限额管理，超出部分由个人承担。\n\n第十一条 出差须提前三天申请。\n"
    assert [(origin.first, origin.last, origin.page) for origin in reading.origins] == [(1, 1, 1), (3, 3, 2)]
    assert told(reading, "running").values["texts"] == ["内部资料 注意保密", "第 1 页 共 2 页"]


def test_two_columns_written_across_each_other_are_read_one_after_the_other_and_told():
    reading = case("pdf_two_columns.pdf")
    assert "本办法适用于全体员工。" in reading.text and "违反本办法的给予书面警告。" in reading.text
    assert reading.text.index("扣五十元") < reading.text.index("违反本办法")
    assert told(reading, "columns").values["pages"] == ["1"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("pdf_truncated.pdf", "broken"),
        ("pdf_zero_bytes.pdf", "no_bytes"),
        ("pdf_html_renamed.pdf", "other"),
        ("pdf_encrypted_user_password_demo123.pdf", "password"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_sentence(name, code):
    assert refused((CASES / name).read_bytes(), name) == f"base.pdf.{code}"


@pytest.fixture
def installed(monkeypatch):
    """Says whether text can be recognised here, whatever this machine has."""

    def says(answer: bool) -> None:
        monkeypatch.setattr(scanned, "available", lambda: answer)

    return says


@pytest.mark.parametrize(
    ("there", "wanted", "refusal", "warning"),
    [
        (False, False, "scanned", "unread"),
        (False, True, "scanned", "unread"),
        (True, False, "scanned_off", "unread_off"),
    ],
)
def test_what_is_not_installed_is_told_before_what_is_switched_off(installed, there, wanted, refusal, warning):
    installed(there)
    options = Options(scanned=wanted)
    with pytest.raises(BaseError) as caught:
        read_pdf((CASES / "pdf_scanned_image_only.pdf").read_bytes(), "x.pdf", options)
    assert caught.value.say.code == f"base.pdf.{refusal}"
    mixed = read_pdf((CASES / "pdf_mixed_text_and_scan.pdf").read_bytes(), "x.pdf", options)
    assert [told.code for told in mixed.warnings] == [f"base.pdf.{warning}"]


def test_pages_without_text_are_named(installed):
    installed(True)
    reading = case("pdf_mixed_text_and_scan.pdf")
    assert reading.text == "第一条 本页有文字层。\n"
    assert told(reading, "unread_off").values["pages"] == ["2–3"]


LONG = ["出差人员应当在出差前填写申请单，经部门负责人批准后方可出", "行；未经批准的，费用由个人承担。"]


def test_headers_with_changing_page_numbers_go_over_five_pages_and_a_repeated_article_stays():
    pages = [
        [(200, 820, "员工手册"), *rows(f"第{at}条 第{at}项规定如下。", *LONG), (280, 30, f"- {at} -")]
        for at in range(1, 6)
    ]
    reading = pages_of(*pages)
    assert "员工手册" not in reading.text and "- 3 -" not in reading.text
    assert [piece.label for piece in split(reading.text)] == [f"第{at}条" for at in range(1, 6)]
    assert told(reading, "running").values["count"] == 5


def test_articles_that_open_every_page_are_no_headers():
    pages = [[(60, 820, f"Article {at}"), *rows("The tenant pays the rent.")] for at in range(1, 5)]
    assert [piece.label for piece in split(pages_of(*pages).text)] == [f"Article {at}" for at in range(1, 5)]


def test_sums_at_the_foot_of_pages_are_no_page_numbers():
    sums = {"一": 120, "二": 37, "三": 88, "四": 5}
    pages = [[*rows(f"{month}月的支出如下。"), (60, 40, f"合计 {total} 元")] for month, total in sums.items()]
    reading = pages_of(*pages)
    assert reading.text.count("合计") == 4 and reading.warnings == ()


def test_two_equal_pages_are_not_taken_for_headers():
    assert pages_of(*[rows("甲方", "乙方")] * 2).warnings == ()


def test_a_sentence_over_two_pages_is_joined_and_a_new_article_is_not():
    reading = pages_of(rows("第一条 报销须附发票，缺少发票"), rows("的不予受理。", "第二条 略。"))
    assert reading.text == "第一条 报销须附发票，缺少发票的不予受理。\n\n第二条 略。\n"
    parted = pages_of(rows("第一条 报销须附发票，缺少发票"), rows("第二条 略。"))
    assert "缺少发票\n\n第二条" in parted.text


def test_a_reference_at_the_start_of_a_row_stays_in_its_sentence():
    reading = pages_of(rows("第五条 有下列情形的，应当在三日以内提交申请材料并依照", "第六条规定的程序办理。"))
    assert "依照第六条规定的程序办理。" in reading.text


LATIN = ["The tenant shall keep the premises in good condi-", "tion and shall return all keys at the end of the well-"]


def test_hyphens_go_only_where_they_are_none():
    text = pages_of(rows(*LATIN, "known term, as every land-", "lord knows; a landlord asks.")).text
    assert "good condition and shall" in text and "well-known term" in text and "landlord knows" in text


def test_latin_words_keep_a_blank_between_rows():
    text = pages_of(rows("The quick brown fox jumps over the lazy dog, and it", "runs away from all the others.")).text
    assert text == "The quick brown fox jumps over the lazy dog, and it runs away from all the others.\n"


def test_list_items_and_headings_stand_by_themselves():
    texts = [
        "员工报销应当提交下列材料，由财务部门负责审核，审核",
        "通过后付款：",
        "（一）发票；",
        "（二）行程单。",
    ]
    page = stream(put([(60, 810, "报销办法")], 20) + put(rows(*texts)))
    assert read(document(page)).text == (
        "# 报销办法\n\n员工报销应当提交下列材料，由财务部门负责审核，审核通过后付款：\n\n（一）发票；\n（二）行程单。\n"
    )


def test_rows_of_a_table_stay_rows():
    cells = [
        ("项目", "标准", "备注"),
        ("住宿", "三百元", "凭票"),
        ("伙食", "一百元", "包干"),
        ("交通", "八十元", "包干"),
    ]
    puts = [(60.0 + 150 * x, 700.0 - 20 * y, text) for y, row in enumerate(cells) for x, text in enumerate(row)]
    reading = pages_of(puts)
    assert reading.text.splitlines() == ["  ".join(row) for row in cells] and reading.warnings == ()


@pytest.mark.parametrize("together", [False, True])
def test_columns_are_told_apart_whether_or_not_they_are_one_text_to_the_file(together):
    left = ["The left column begins here and", "goes on for several rows, so that", "it is prose. It ends with a stop."]
    right = ["The right column is another one", "that must not be mixed with the", "left one, which ends with a stop."]
    puts = [place for at in range(3) for place in ((60, 700 - 20 * at, left[at]), (320, 700 - 20 * at, right[at]))]
    content = put(puts)
    if together:
        moved = b"".join(b"1 0 0 1 %d %d Tm (%b) Tj\n" % (x, y, text.encode()) for x, y, text in puts)
        content = b"BT /F1 12 Tf " + moved + b" ET"
    reading = read(document(stream(content)))
    assert reading.text == " ".join(left) + "\n\n" + " ".join(right) + "\n"
    assert told(reading, "columns").values["pages"] == ["1"]


def test_what_markdown_would_take_for_a_heading_is_kept_literal():
    assert pages_of(rows("# rm", "---", "> x")).text == "    # rm\n\n    ---\n\n    > x\n"


def test_text_put_over_itself_for_bold_counts_once():
    assert pages_of([(60, 700, "重要提示"), (60.4, 700, "重要提示")]).text == "重要提示\n"


def test_rows_written_from_the_bottom_up_are_read_from_the_top_down():
    texts = ["第一条 甲。", "第二条 乙。", "第三条 丙。"]
    assert pages_of(rows(*texts)[::-1]).text == "\n\n".join(texts) + "\n"


def test_a_page_that_is_broken_is_named_and_the_others_are_read():
    bad = stream(b"this was never compressed by anybody", b"/Filter /FlateDecode")
    reading = read(document(written(rows("第一条 甲。")), bad, written(rows("第二条 乙。"))))
    assert reading.text == "第一条 甲。\n\n第二条 乙。\n"
    assert told(reading, "damaged").values["pages"] == ["2"]


def locked(algorithm: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(CASES / "pdf_gbk_euc_no_tounicode.pdf"))
    writer.encrypt("", "owner", algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_every_kind_of_encryption_opens_without_a_users_password(algorithm):
    assert "会议纪要" in read(locked(algorithm)).text


HELLO = b"BT /F1 12 Tf 60 700 Td (Hello.) Tj ET\n"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"%PDF-1.7\nhello", "broken"),
        (file_of([b"1 0 R"]), "malformed"),
        (file_of([b"<< /Type /Catalog /Pages 2 0 R >>", b"[" * 100_000]), "malformed"),
        (file_of([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>"]), "broken"),
        (document(stream(zlib.compress(bytes(200_000_000), 9), b"/Filter /FlateDecode")), "broken_pages"),
        (document(stream(b"[" * 100_000 + b"]" * 100_000)), "broken_pages"),
        (document(stream(b"")), "no_text"),
        (file_of([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"]), "no_text"),
    ],
    ids=["no objects", "itself", "deep", "circle", "bomb", "deep page", "blank", "no pages"],
)
def test_a_hostile_file_ends_in_a_sentence(data, code):
    assert refused(data) == f"base.pdf.{code}"


def test_ten_thousand_pages_are_too_many():
    tree = b"<< /Type /Pages /Kids [%b] /Count 10000 >>" % (b"3 0 R " * 10_000)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"
    assert refused(file_of([b"<< /Type /Catalog /Pages 2 0 R >>", tree, page])) == "base.pdf.many_pages"


def test_a_file_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(bounds, "SECONDS", 0.0)
    assert refused(document(stream(HELLO))) == "base.pdf.too_long"


def test_a_file_with_endless_text_is_given_up(monkeypatch):
    monkeypatch.setattr(bounds, "CHARACTERS", 10)
    assert refused(document(stream(HELLO * 3))) == "base.pdf.too_long"


def test_a_form_that_holds_itself_is_read_once():
    form = stream(b"/X Do\n" + HELLO, b"/Type /XObject /Subtype /Form /Resources << /Font << /F1 3 0 R >> >>")
    assert read(document(stream(b"/X Do\n"), more=(form,))).text == "Hello.\n"


def test_a_picture_that_is_too_large_is_not_unpacked(installed):
    installed(True)
    picture = stream(b"", b"/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceGray")
    assert refused(document(stream(b"/X Do"), more=(picture,))) == "base.pdf.scanned_off"


def test_what_pypdf_mends_is_not_written_to_the_log(caplog):
    with caplog.at_level(logging.DEBUG):
        case("pdf_bad_startxref.pdf")
    assert caplog.records == []
