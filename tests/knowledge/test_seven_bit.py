"""Encodings made of ASCII bytes alone: recognised and told as a guess; plain ASCII stays sure."""

from __future__ import annotations

import time

import pytest

from core.knowledge.reading import candidates, read
from core.knowledge.seven_bit import chinese

CHINESE = "电梯的保修期为二十四个月，由物业服务企业负责维护。Model XR-2200 + 3."
JAPANESE = "エレベーターの保証期間は二十四か月です。"
KOREAN = "엘리베이터의 보증 기간은 이십사 개월입니다."
GERMAN = "Die Türöffnung ist größer als üblich, für Gäste."


def iso_2022_cn(text: str) -> bytes:
    return b"\x1b$)A\x0e" + bytes(byte & 0x7F for byte in text.encode("gb2312")) + b"\x0f XR-2200\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "utf-7"),
        (CHINESE, "hz"),
        ("退货期", "hz"),
        (JAPANESE, "iso2022_jp"),
        (JAPANESE, "utf-7"),
        (KOREAN, "iso2022_kr"),
        (GERMAN, "utf-7"),
    ],
)
def test_a_text_in_seven_bits_is_read_and_its_encoding_is_a_guess(text: str, encoding: str) -> None:
    data = text.encode(encoding)
    found = read(data, "a.txt")
    assert data.isascii() and (found.text, found.encoding, found.guessed, found.cleaned) == (text, encoding, True, 0)


def test_iso_2022_cn_is_read_although_python_has_no_decoder_for_it() -> None:
    found = read(iso_2022_cn("电梯保修期"), "a.txt")
    assert (found.text, found.encoding, found.guessed) == ("电梯保修期 XR-2200\n", "iso-2022-cn", True)


@pytest.mark.parametrize("data", [CHINESE.encode("utf-7"), CHINESE.encode("hz"), iso_2022_cn("电梯保修期")])
def test_a_person_may_choose_either_and_is_then_believed(data: bytes) -> None:
    offered = [candidate.encoding for candidate in candidates(data)]
    assert offered == [read(data, "a.txt").encoding, "utf-8"]
    chosen = [read(data, "a.txt", encoding) for encoding in offered]
    assert not any(reading.guessed for reading in chosen)
    assert chosen[0].text == read(data, "a.txt").text and "电梯" not in chosen[1].text


@pytest.mark.parametrize(
    "text",
    [
        "C++ and a+b, x~{y}~ and ~{NAME~} ~{a1~} s/+ABC-/x/ 1+1=2 user+tag@example.com",
        "template ~{HELLOWORLD~} +QWERTY-",
        "\x1b[31mred\x1b[0m text",
        "key=+AbC/def+ghIJKLmn0123+/xyz==\n" * 3,
        "Call +8613800138000 or +4915112345678 now, +1234567890",
        "x+abcd-y+efgh-z+ABCD-",
        "plain words",
    ],
)
def test_plain_ascii_with_such_marks_stays_sure(text: str) -> None:
    found = read(text.encode(), "a.txt")
    assert (found.encoding, found.guessed) == ("utf-8", False)


@pytest.mark.parametrize("shifts", [b"\x0e", b"\x0e\x0f", b"\x0f"])
def test_many_shifts_in_a_row_are_one_and_take_little_time(shifts: bytes) -> None:
    shifted = bytes(byte & 0x7F for byte in "电梯".encode("gb2312"))
    assert chinese(b"\x1b$)A\x0e\x0f\x0e\x0e" + shifted + b"\x0f abc") == "电梯 abc"
    began = time.process_time()
    chinese(b"\x1b$)A" + shifts * (10_000_000 // len(shifts)))
    assert time.process_time() - began < 1.5
