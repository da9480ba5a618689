"""Names from outside become names that every system takes."""

from __future__ import annotations

import random
import unicodedata

import pytest

from core.authoring.folder import kept
from core.authoring.names import base_name, safe_name
from core.errors import UsageError

LONG = "电梯损坏争议处理规则" * 26


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("政策.md", "政策.md"),
        ("制度/考勤/01.md", "制度/考勤/01.md"),
        ("../../etc/passwd", "etc/passwd"),
        ("a/../../b.md", "a/b.md"),
        ("/etc/passwd", "etc/passwd"),
        ("//server/share/a.md", "server/share/a.md"),
        ("C:\\Users\\甲\\a.md", "Users/甲/a.md"),
        ("c:a.md", "a.md"),
        ("..\\..\\a.md", "a.md"),
        ("./a/./b.md", "a/b.md"),
        ("a\x00b\x1f.md", "ab.md"),
        ("a\nb\t.md", "a b .md"),
        ("\u202egnp.md", "gnp.md"),
        ("\ufeff甲\u200b乙.md", "甲乙.md"),
        ("a. . .", "a"),
        (" a .md ", "a .md"),
        (".htaccess", "htaccess"),
        ("CON", "CON_"),
        ("con.md", "con_.md"),
        ("nul.tar.gz", "nul_.tar.gz"),
        ("Com1 .txt", "Com1_ .txt"),
        ("console.md", "console.md"),
        ('a<b>:"|?*.md', "a_b______.md"),
        ("e\u0301.md", "é.md"),
    ],
)
def test_a_name_becomes_one_that_every_system_takes(raw, safe):
    assert safe_name(raw) == safe


@pytest.mark.parametrize(
    "raw", ["", ".", "..", "/", "../..", "\\", "C:", " ", "\x00", "\u202e", "...", "\u3000/\u3000"]
)
def test_a_name_of_which_nothing_stays_is_called_unnamed(raw):
    assert safe_name(raw).startswith("unnamed-")


def test_long_names_are_cut_between_characters_and_stay_apart():
    one, other = safe_name(LONG[:251] + "甲.md"), safe_name(LONG[:251] + "乙.md")
    assert one != other and one.endswith(".md") and one[:60] == LONG[:60]
    assert max(len(name.encode()) for name in (one, other)) <= 200
    assert "\ufffd" not in one and len(safe_name("😀" * 255 + ".md").encode()) <= 200


def test_a_path_without_end_becomes_one_name():
    deep, other = "/".join(["一"] * 900) + "/a.md", "/".join(["一"] * 901) + "/a.md"
    assert safe_name(deep) != safe_name(other) and safe_name(deep).startswith("a-") and "/" not in safe_name(deep)


def test_whatever_comes_in_stays_below_its_folder():
    dice = random.Random(7)
    alphabet = "ab/\\.: \x00\u202e\ud800甲e\u0301é~-CONnul1*?\n\u3000"
    for _ in range(5_000):
        raw = "".join(dice.choices(alphabet, k=dice.randrange(12))) + dice.choice(["", ".md"])
        safe = safe_name(raw)
        assert safe and safe_name(safe) == safe, repr(raw)
        assert unicodedata.is_normalized("NFC", safe) and kept(f"sections/{safe}.md"), repr(raw)


@pytest.mark.parametrize("name", ["elevator", "电梯规则 2024", "a.b", "数据_v2", "é" * 80])
def test_an_ordinary_name_is_taken_as_it_is(name):
    assert base_name(f"  {name}\n") == name


def test_a_name_is_composed():
    assert base_name("e\u0301") == "é"


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("", "empty"),
        (" \u3000", "empty"),
        ("a/b", "character"),
        ("a\\b", "character"),
        ("..", "start"),
        (".git", "start"),
        ("~root", "start"),
        ("-rf", "start"),
        ("a.", "start"),
        ("a\x00b", "character"),
        ("a\nb", "character"),
        ("\u202eab", "character"),
        ("a:b", "character"),
        ("\ud800", "character"),
        ("NUL", "reserved"),
        ("com1.x", "reserved"),
        ("a" * 81, "long"),
        ("字" * 67, "long"),
    ],
)
def test_a_name_that_cannot_be_is_refused(raw, code):
    with pytest.raises(UsageError, match=f"authoring.name.{code}"):
        base_name(raw)
