"""Files to text: the encoding is decided honestly and nothing is lost in silence."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from core.errors import BaseError
from core.knowledge.building import noticed
from core.knowledge.reading import Reading, candidates, clean, decode, read, read_file

CASES = Path(__file__).parents[1] / "cases"
SENTENCE = "消费者签收商品后七日内，可以无理由退货。"
TRADITIONAL = "消費者簽收商品後七日內，可以無理由退貨。"


def case(name: str) -> Reading:
    return read_file(CASES / name)


@pytest.mark.parametrize(
    ("name", "encoding", "words"),
    [
        ("txt_gbk.txt", "gb18030", SENTENCE),
        ("txt_gb18030_rare_names.txt", "gb18030", "周镕、王喆、李㐂、陈𠮷"),
        ("txt_mostly_english_two_gbk_chars.txt", "gb18030", "A-101;washer;设计"),
        ("txt_big5_traditional.txt", "big5", TRADITIONAL),
        ("txt_utf16le_bom.txt", "utf-16-le", SENTENCE),
        ("txt_utf8_bom.txt", "utf-8", SENTENCE),
        ("txt_cr_only_newlines.txt", "utf-8", SENTENCE),
    ],
)
def test_each_encoding_gives_the_right_text(name: str, encoding: str, words: str) -> None:
    reading = case(name)
    assert reading.encoding == encoding
    assert words in reading.text


def test_two_chinese_characters_in_an_english_file_are_marked_as_a_guess() -> None:
    assert case("txt_mostly_english_two_gbk_chars.txt").guessed
    assert not case("txt_gbk.txt").guessed
    assert not case("txt_big5_traditional.txt").guessed


def test_a_byte_order_mark_settles_the_encoding_and_vanishes() -> None:
    reading = case("txt_utf8_bom.txt")
    assert reading.text.startswith("# 退货政策\n")
    assert not reading.guessed


def test_carriage_returns_alone_are_newlines() -> None:
    assert case("txt_cr_only_newlines.txt").text.count("\n") == 3
    assert read(b"a\r\nb\rc\n", "x").text == "a\nb\nc\n"


def test_a_character_cut_by_the_end_of_the_file_is_dropped_and_counted() -> None:
    reading = case("txt_utf8_cut_mid_char.txt")
    assert (reading.encoding, reading.guessed, reading.cleaned) == ("utf-8", False, 0)
    assert reading.lost == (reading.text.count("\n") + 1,)
    assert reading.text.endswith("定制商品不适用无理由退货")


def test_a_cut_character_in_a_gbk_file_does_not_lose_the_file() -> None:
    reading = read(SENTENCE.encode("gb18030")[:-1], "x")
    assert (reading.text, reading.encoding, reading.lost) == (SENTENCE[:-1], "gb18030", (1,))


def test_a_damaged_byte_inside_utf8_stays_visible_and_asks_for_an_eye() -> None:
    data = bytearray((SENTENCE * 4).encode())
    data[30] = 0xFF
    reading = read(bytes(data), "x")
    assert (reading.encoding, reading.guessed) == ("utf-8", True)
    assert "�" in reading.text
    assert (reading.lost, reading.cleaned) == ((1,), 0)


def test_lines_with_bytes_that_cannot_be_decoded_are_told_by_number() -> None:
    lines = [SENTENCE.encode()] * 40 + ["第二条 坏".encode("gbk")] + [SENTENCE.encode()] * 40
    reading = read(b"\n".join(lines), "x")
    assert reading.lost == (41,) and reading.guessed
    (told,) = [say for say in noticed(reading, "x") if say.code == "base.file.lost"]
    assert (told.values["count"], told.values["lines"]) == (1, ["41"])


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_wins_over_the_encoding_that_a_person_chose(mark: str) -> None:
    assert read(SENTENCE.encode(mark), "x", "gb18030").text == SENTENCE


def test_an_encoding_that_does_not_fit_is_told_by_its_lines_and_not_as_controls() -> None:
    reading = read(f"{SENTENCE}\nok\n{SENTENCE}".encode("gb18030"), "x", "utf-8")
    assert (reading.lost, reading.encoding, reading.cleaned) == ((1, 3), "utf-8", 0)


def test_controls_are_removed_with_a_count() -> None:
    reading = case("txt_nul_and_control.txt")
    assert reading.text == "第一条 设备编号XR-2200由行政部登记。\n"
    assert reading.cleaned == 11


def test_a_control_between_letters_and_digits_leaves_a_visible_gap() -> None:
    assert clean("阀门F\x0013") == ("阀门F�13", 1)


def test_lone_surrogates_never_reach_a_page() -> None:
    text, count = clean("张\ud800三")
    assert (text, count) == ("张三", 1)
    text.encode()


@pytest.mark.parametrize("name", ["txt_binary_renamed.txt", "pdf_truncated.pdf"])
def test_a_file_that_is_no_text_is_refused_by_name(name: str) -> None:
    with pytest.raises(BaseError) as caught:
        case(name)
    assert caught.value.say.code == "base.file.binary"
    assert caught.value.say.values["file"] == name


def test_random_bytes_are_refused() -> None:
    with pytest.raises(BaseError):
        read(bytes(range(128, 256)) * 8, "x.txt")


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(BaseError) as caught:
        read_file(tmp_path / "没有.md")
    assert caught.value.say.code == "base.file.unreadable"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["Article 1 Scope.\n", f"第一条 {SENTENCE}\n第二条\n"])
def test_utf16_without_its_mark_is_recognised_as_a_guess(encoding: str, text: str) -> None:
    reading = read(text.encode(encoding), "x")
    assert (reading.text, reading.encoding, reading.guessed) == (text, encoding, True)


def test_western_text_is_a_guess_and_readable() -> None:
    reading = read("Die Prüfung genügt; café.".encode("cp1252"), "x")
    assert (reading.text, reading.guessed) == ("Die Prüfung genügt; café.", True)


def test_short_utf8_that_gbk_could_also_mean_is_marked_as_a_guess() -> None:
    assert read("防诈".encode("gbk")[2:] + b"\n", "x").guessed
    assert not read("naïve café\n".encode(), "x").guessed


def test_a_person_may_overrule_the_decision() -> None:
    assert read(TRADITIONAL.encode("big5"), "x", encoding="big5").text == TRADITIONAL


@pytest.mark.parametrize("length", [8, 16, 60])
@pytest.mark.parametrize(("text", "encoding"), [(SENTENCE, "gb18030"), (TRADITIONAL, "big5"), (TRADITIONAL, "gbk")])
def test_eight_characters_are_enough_to_tell_gbk_from_big5(text: str, encoding: str, length: int) -> None:
    wanted = (text * 4)[:length]
    assert read(f"SKU\n{wanted}\n".encode(encoding), "x").text == f"SKU\n{wanted}\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_chinese_utf16_without_its_mark_and_without_a_line_end_is_recognised(encoding: str) -> None:
    for text in (SENTENCE, TRADITIONAL, "《退货办法》第一条、第二条。"):
        reading = read(text.encode(encoding), "x")
        assert (reading.text, reading.encoding) == (text, encoding)


@pytest.mark.parametrize(
    ("name", "encoding", "words"),
    [
        ("txt_mostly_english_two_gbk_chars.txt", "gb18030", "设计"),
        ("txt_big5_traditional.txt", "big5", "消費者"),
        ("txt_gbk.txt", "gb18030", "消费者"),
        ("txt_utf8_cut_mid_char.txt", "utf-8", "退货"),
    ],
)
def test_candidates_show_the_likeliest_first_and_how_it_reads(name: str, encoding: str, words: str) -> None:
    found = candidates((CASES / name).read_bytes())
    assert (found[0].encoding, words in found[0].preview) == (encoding, True)
    assert len(found[0].preview) <= 300
    assert all(first.score >= second.score for first, second in itertools.pairwise(found[1:]))
    assert len({candidate.encoding for candidate in found}) == len(found)


def test_a_guess_leaves_a_choice_and_every_choice_can_be_read() -> None:
    data = (CASES / "txt_mostly_english_two_gbk_chars.txt").read_bytes()
    found = candidates(data)
    assert len(found) > 1
    for candidate in found:
        assert read(data, "x", candidate.encoding).text.startswith(candidate.preview[:40])


def test_a_mark_or_plain_ascii_leaves_no_choice() -> None:
    assert [c.encoding for c in candidates((CASES / "txt_utf16le_bom.txt").read_bytes())] == ["utf-16-le"]
    assert [c.encoding for c in candidates(b"plain words")] == ["utf-8"]


def test_what_is_no_text_has_no_candidates() -> None:
    assert candidates((CASES / "txt_binary_renamed.txt").read_bytes()) == ()
    assert candidates(bytes(range(128, 256)) * 8) == ()


def test_an_encoding_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BaseError) as caught:
        read(b"x", "x.txt", encoding="klingon")
    assert caught.value.say.code == "base.file.undecodable"


def test_decoding_alone_keeps_every_line_end() -> None:
    assert decode("a\r\nb\u2028c".encode(), "x").text == "a\r\nb\u2028c"
