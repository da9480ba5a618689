"""Scanned pages: read where the optional packages are installed, named where they are not, never silently empty."""

from __future__ import annotations

import io
import socket
import sys
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image, ImageDraw, ImageFont

from core.errors import BaseError
from core.knowledge.building import cut_document
from core.knowledge.formats import Options, scanned
from core.knowledge.formats.pdf import read_pdf
from core.knowledge.reading import Reading
from core.words import LANGUAGES, Words

CASES = Path(__file__).parents[1] / "cases"
SENTENCES = ("You may return it in seven days,", "and the seller pays for the parcel.")


def scan(*pages: tuple[str, ...], turned: int = 0) -> bytes:
    """A PDF of pictures, each a strip with rows of text, as a scanner at 150 dots an inch makes it."""
    pictures = []
    for texts in pages:
        picture = Image.new("L", (640, 160), 255)
        pen = ImageDraw.Draw(picture)
        for at, text in enumerate(texts):
            pen.text((40, 30 + 50 * at), text, fill=0, font=ImageFont.load_default(32))
        pictures.append(picture.rotate(turned, expand=True))
    out = io.BytesIO()
    pictures[0].save(out, "PDF", save_all=True, append_images=pictures[1:], resolution=150)
    return out.getvalue()


def read(data: bytes) -> Reading:
    return read_pdf(data, "扫描.pdf", Options())


def case(name: str) -> bytes:
    return (CASES / name).read_bytes()


@pytest.fixture
def absent(monkeypatch):
    """The packages of the extra as they are where nobody installed them."""
    monkeypatch.setitem(sys.modules, "rapidocr", None)


@pytest.fixture
def present():
    for package in ("rapidocr", "onnxruntime", "cv2"):
        pytest.importorskip(package)


def test_without_the_extra_scanned_pages_are_named_with_the_way_to_read_them(absent):
    reading = read(case("pdf_mixed_text_and_scan.pdf"))
    [warning] = reading.warnings
    assert (warning.code, warning.values["pages"]) == ("base.pdf.unread", ["2–3"])
    assert all("requirements-scanned.txt" in Words(language).say(warning) for language in LANGUAGES)
    assert reading.text == "第一条 本页有文字层。\n"


def test_without_the_extra_a_wholly_scanned_file_is_refused(absent):
    with pytest.raises(BaseError) as caught:
        read(case("pdf_scanned_image_only.pdf"))
    sentence = Words("zh").say(caught.value.say)
    assert caught.value.say.code == "base.pdf.scanned"
    assert "扫描.pdf" in sentence and "无文字层" in sentence and "requirements-scanned.txt" in sentence


def test_a_package_without_its_models_counts_as_absent(monkeypatch, tmp_path):
    for package in ("rapidocr", "onnxruntime", "cv2"):
        module = ModuleType(package)
        module.__file__ = str(tmp_path / "__init__.py")
        monkeypatch.setitem(sys.modules, package, module)
    assert not scanned.available()


def test_where_reading_scans_is_switched_off_they_are_named(present):
    reading = read_pdf(case("pdf_mixed_text_and_scan.pdf"), "x.pdf", Options(scanned=False))
    assert [warning.code for warning in reading.warnings] == ["base.pdf.unread_off"]


def test_a_scan_is_read_with_its_confidence_and_without_the_network(present, monkeypatch):
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    scanned._engine.cache_clear()
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    reading = read(scan(SENTENCES))
    assert reading.text.split() == " ".join(SENTENCES).split()
    [origin] = reading.origins
    assert origin.page == 1 and origin.confidence is not None and 0.9 < origin.confidence <= 1
    assert [warning.code for warning in reading.warnings] == ["base.pdf.recognised"]


def test_what_was_recognised_is_cut_from_what_was_text_so_that_each_has_its_page_and_its_confidence(present):
    reading = read(case("pdf_mixed_text_and_scan.pdf"))
    passages = cut_document("混排", reading, "混排.pdf").passages
    assert [(one.page, "confidence" in one.metadata) for one in passages] == [(1, False), (2, True)]
    assert passages[0].text == "第一条 本页有文字层。"


def test_a_scan_that_lies_on_its_side_is_read_upright(present):
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(scan(SENTENCES, turned=90))))
    writer.pages[0].rotate(90)
    out = io.BytesIO()
    writer.write(out)
    assert "in seven days" in read(out.getvalue()).text


def test_a_picture_without_text_is_named_and_one_that_was_hard_to_read_is_pointed_out(present, monkeypatch):
    monkeypatch.setattr(scanned, "SURE", 1.01)
    warnings = {warning.code: warning.values["pages"] for warning in read(scan(SENTENCES, ())).warnings}
    assert warnings["base.pdf.unrecognised_pages"] == ["2"]
    assert warnings["base.pdf.unsure"] == warnings["base.pdf.recognised"] == ["1"]


def test_a_scan_in_which_nothing_is_found_is_refused(present):
    with pytest.raises(BaseError) as caught:
        read(scan(()))
    assert caught.value.say.code == "base.pdf.unrecognised"


def test_the_number_of_an_article_is_set_apart_again_and_a_reference_is_not():
    from core.knowledge.formats.pdf_rows import Fragment, rows

    texts = ["第一章售后服务", "第六条办理退货，应当依照", "第七条规定的程序。"]
    found = scanned._set_apart(rows(Fragment(text + "\n", 60, 700 - 20 * at, 12) for at, text in enumerate(texts)))
    assert [row.text for row in found] == ["第一章 售后服务", "第六条 办理退货，应当依照", "第七条规定的程序。"]
