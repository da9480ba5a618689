"""Any file: read by its suffix, refused in one sentence where its content is something else or goes too far."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from docx import Document
from openpyxl import Workbook

from core.errors import BaseError
from core.knowledge import formats
from core.knowledge.formats import Options, read_source
from core.words import LANGUAGES, Words

CASES = Path(__file__).parents[1] / "cases"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def docx() -> bytes:
    document, stream = Document(), BytesIO()
    document.add_paragraph("第一条 正文。")
    document.save(stream)
    return stream.getvalue()


def xlsx() -> bytes:
    workbook, stream = Workbook(), BytesIO()
    workbook.active.append(["名称", "价格"])
    workbook.active.append(["甲", 1])
    workbook.save(stream)
    return stream.getvalue()


def rezipped(data: bytes, **parts: bytes) -> bytes:
    """An archive with parts of it replaced; `__` stands for `/` in their names, `_xml` for the suffix."""
    stream = BytesIO()
    changed = {name.replace("__", "/").removesuffix("_xml") + ".xml": content for name, content in parts.items()}
    with ZipFile(BytesIO(data)) as source, ZipFile(stream, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, changed.pop(name, source.read(name)))
        for name, content in changed.items():
            target.writestr(name, content)
    return stream.getvalue()


def refusal(data: bytes, file: str) -> BaseError:
    with pytest.raises(BaseError) as caught:
        read_source(data, file)
    for language in LANGUAGES:
        sentence = Words(language).say(caught.value.say)
        assert file in sentence and "\n" not in sentence and "—" not in sentence, sentence
    return caught.value


@pytest.mark.parametrize(
    ("name", "content", "found", "remedy"),
    [
        ("a.pdf", b"<html><body>\xe7\x99\xbb\xe5\xbd\x95</body></html>", "html", "html"),
        ("a.csv", b"\xef\xbb\xbf<!DOCTYPE html>\n<p>x", "html", "html"),
        ("a.txt", "<!-- x --><HTML lang=zh>".encode("utf-16"), "html", "html"),
        ("a.pdf", "第一条 正文".encode(), "text", "rename"),
        ("a.docx", "第一条 正文".encode(), "text", "rename"),
        ("a.txt", b"\x89PNG\r\n\x1a\n", "png", "none"),
        ("a.md", b"\xff\xd8\xff\xe0JFIF", "jpeg", "none"),
        ("a.doc", rb"{\rtf1\ansi hello}", "rtf", "none"),
        ("a.txt", OLE + "WordDocument".encode("utf-16-le"), "doc", "none"),
        ("a.html", b"MZ\x90\x00\x03\x00", "program", "none"),
    ],
)
def test_a_file_that_is_not_what_its_name_says_is_refused_with_what_to_do(
    name: str, content: bytes, found: str, remedy: str
) -> None:
    say = refusal(content, name).say
    assert say.code == "base.file.disguised"
    assert say.values["found"]["code"] == f"base.kind.{found}"
    assert say.values["remedy"]["code"] == f"base.remedy.{remedy}"


def test_office_files_with_each_others_names_are_told_apart() -> None:
    assert refusal(docx(), "a.xlsx").say.values["remedy"]["values"] == {"suffix": ".docx"}
    assert refusal(xlsx(), "a.docx").say.values["remedy"]["values"] == {"suffix": ".xlsx"}
    assert refusal(docx(), "a.txt").say.values["found"]["code"] == "base.kind.word"


def test_the_page_of_a_failed_download_says_what_it_is() -> None:
    say = refusal((CASES / "csv_questions_gbk.csv").read_bytes().join([b"<html>", b"</html>"]), "法规.pdf").say
    assert Words("zh").say(say).startswith("法规.pdf 按后缀应是“PDF”，内容却是“网页")


@pytest.mark.parametrize(
    ("name", "stream"), [("a.doc", "WordDocument"), ("a.docx", "WordDocument"), ("a.xls", "Workbook")]
)
def test_old_office_formats_are_refused_with_the_one_to_save_in(name: str, stream: str) -> None:
    say = refusal(OLE + stream.encode("utf-16-le"), name).say
    assert (say.code, say.values["wanted"]) == (
        "base.file.old",
        ".docx" if stream[0] == "W" and "D" in stream else ".xlsx",
    )


def test_a_text_may_speak_of_other_formats() -> None:
    assert "%PDF-1.7" in read_source("# 格式\n文件以 %PDF-1.7 开头。".encode(), "a.md").text
    assert read_source(b"MZ and BM are how some files begin", "a.txt").text.startswith("MZ")


def test_an_archive_cut_short_is_damaged_or_no_text_by_its_name() -> None:
    assert refusal(docx()[:3000], "a.docx").say.code == "base.file.broken"
    assert refusal(docx()[:3000], "a.txt").say.code == "base.file.binary"


def test_an_office_file_with_a_password_says_so() -> None:
    assert refusal(OLE + "EncryptedPackage".encode("utf-16-le"), "a.xlsx").say.code == "base.file.locked"


def test_files_over_the_limit_are_refused_before_they_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "MOST_BYTES", 1_000_000)
    say = refusal(bytes(2_000_000), "a.zip").say
    assert (say.code, say.values["size"], say.values["most"]) == ("base.file.large", 2, 1)


@pytest.mark.parametrize("name", ["a.txt", "a.docx", "a.xlsx", "a.csv", "a.html", "a.jsonl", "a.pdf"])
def test_empty_files_are_refused(name: str) -> None:
    assert refusal(b"", name).say.code == "base.file.empty"


@pytest.mark.parametrize("name", ["txt_empty.txt", "txt_whitespace_only.txt"])
def test_files_without_a_word_are_refused(name: str) -> None:
    assert refusal((CASES / name).read_bytes(), name).say.code == "base.file.empty"


@pytest.mark.parametrize("name", ["README", "a.pptx", "a.exe", ".md"])
def test_what_nobody_reads_is_refused_with_what_can_be_read(name: str) -> None:
    say = refusal(b"text", name).say
    assert say.code == "base.file.unsupported" and ".docx" in say.values["known"]


@pytest.mark.parametrize("name", ["a.docx", "a.xlsx"])
def test_a_bomb_is_refused_before_it_unpacks(name: str) -> None:
    data = rezipped(docx() if name == "a.docx" else xlsx(), media__bomb_xml=bytes(60_000_000))
    say = refusal(data, name).say
    assert (say.code, say.values["size"]) == ("base.file.bomb", 61 if name == "a.docx" else 60)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_in_an_office_file_are_refused(encoding: str) -> None:
    bomb = '<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><b>&b;</b>'
    assert (
        refusal(rezipped(docx(), word__document_xml=bomb.encode(encoding)), "a.docx").say.code == "base.file.entities"
    )


def test_the_strict_variant_says_how_to_save_it() -> None:
    stream = BytesIO()
    with ZipFile(stream, "w") as target:
        target.writestr(
            "_rels/.rels", '<Relationships><Relationship Type="http://purl.oclc.org/ooxml/x"/></Relationships>'
        )
        target.writestr("word/document.xml", "<document/>")
    assert refusal(stream.getvalue(), "a.docx").say.code == "base.file.strict"


def damaged(data: bytes) -> Iterator[bytes]:
    """The same file cut, with bytes changed, and with parts of it gone."""
    yield from (data[: len(data) * part // 5] for part in range(1, 5))
    for at in range(7, len(data), len(data) // 12):
        yield data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
    names = ZipFile(BytesIO(data)).namelist()
    for gone in names:
        stream = BytesIO()
        with ZipFile(BytesIO(data)) as source, ZipFile(stream, "w") as target:
            for name in names:
                if name != gone:
                    target.writestr(name, source.read(name))
        yield stream.getvalue()


@pytest.mark.parametrize(("name", "made"), [("a.docx", docx), ("a.xlsx", xlsx)])
def test_a_damaged_office_file_is_refused_in_one_line_or_read(name: str, made: Any) -> None:
    refused = 0
    for data in damaged(made()):
        try:
            read_source(data, name)
        except BaseError as error:
            refused += 1
            assert "\n" not in Words("zh").say(error.say)
    assert refused >= 5


def test_a_reading_without_words_tells_what_was_left_out() -> None:
    document, stream = Document(), BytesIO()
    document.sections[0].header.paragraphs[0].text = "机密"
    document.save(stream)
    assert refusal(stream.getvalue(), "a.docx").say.code == "base.file.word.edges"


def test_the_encoding_that_a_person_chose_is_used() -> None:
    data = "型號,顏色\n甲,紅".encode("big5")
    assert "紅" not in read_source(data, "a.csv", Options(encoding="gb18030")).text
    assert "紅" in read_source(data, "a.csv", Options(encoding="big5")).text


def test_suffixes_are_read_in_any_case() -> None:
    assert read_source("# 总则".encode(), "文件夹/A.MD").text == "# 总则"


@pytest.mark.parametrize(
    "path", sorted(CASES.glob("*/政策.md")) + sorted(CASES.glob("*.[mt][dx]*")), ids=lambda p: p.name
)
def test_every_handed_text_is_read_or_refused_in_one_sentence(path: Path) -> None:
    try:
        assert read_source(path.read_bytes(), path.name).text.strip()
    except BaseError:
        assert path.name in ("txt_binary_renamed.txt", "txt_empty.txt", "txt_whitespace_only.txt")


def test_libraries_are_loaded_when_a_file_first_asks_for_them() -> None:
    code = (
        "import sys; from core.knowledge.formats import formats; formats()\n"
        "print(sorted({'docx', 'openpyxl', 'lxml', 'pypdf'} & set(sys.modules)))"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "[]"
