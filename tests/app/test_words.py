"""Every visible string of the app stands in the catalogue, in both languages."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

from core.words import LANGUAGES, Words, catalogue

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [*(ROOT / "pages").rglob("*.py"), ROOT / "app.py"]
CODE = re.compile(r"[\"'](?P<code>ui\.[a-z_.0-9]+(?:\{[^}]*\}[a-z_.0-9]*)*)[\"']")
HAN = re.compile(r"[\u4e00-\u9fff]")


def codes():
    return {match["code"] for path in SOURCES for match in CODE.finditer(path.read_text(encoding="utf-8"))}


def spoken():
    """Every string that may be a code, and a pattern for each that is put together: a hole is one segment at most."""
    exact, patterns = (
        set(),
        {re.compile(r"mode\.\w+\.\w+")},
    )  # a mode's name and parameters, which `Words.mode` puts together
    for path in [*SOURCES, *(ROOT / "core").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                exact.add(node.value)
            elif isinstance(node, ast.JoinedStr) and "." in str(getattr(node.values[0], "value", "")):
                patterns.add(re.compile("".join(_part(part) for part in node.values)))
    return exact, patterns


def _part(part):
    return re.escape(part.value) if isinstance(part, ast.Constant) else r"[^.]+"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_that_the_pages_speak_has_words(language):
    known = catalogue(language)
    for code in codes():
        stem, _, hole = code.partition("{")
        found = any(name.startswith(stem) for name in known) if hole else code in known
        assert found, code


def test_both_languages_hold_the_same_codes_and_values():
    zh, en = (
        {
            code: set(re.findall(r"\{(\w+)(?::[^}]*)?\}", text))
            for code, text in catalogue(language).items()
            if code.startswith("ui.")
        }
        for language in LANGUAGES
    )
    assert zh == en


def test_no_words_are_left_that_nobody_speaks():
    exact, patterns = spoken()
    dead = [code for code in catalogue("zh") if code not in exact and not any(p.fullmatch(code) for p in patterns)]
    assert dead == []


def test_the_english_words_hold_no_chinese():
    assert [code for code, text in catalogue("en").items() if code.startswith("ui.") and HAN.search(text)] == []


def test_pages_hold_no_sentence_of_their_own():
    own = {
        (path.name, line.strip())
        for path in SOURCES
        for line in path.read_text(encoding="utf-8").splitlines()
        if HAN.search(line) and not line.strip().startswith((">>>", "(", "#"))
    }
    assert {name for name, _ in own} == {"language.py"}, own


@pytest.mark.parametrize(("count", "said"), [(1, "1 step"), (0, "0 steps"), (2, "2 steps"), (1_234, "1,234 steps")])
def test_a_number_takes_the_form_of_the_word_that_goes_with_it(count, said):
    assert Words("en")("ui.steps.count", count=count) == said
    assert Words("zh")("ui.steps.count", count=count) == f"{count:,} 步"


def test_what_is_no_number_takes_the_form_of_many():
    words = Words("en")
    assert [words("ui.steps.count", count=value) for value in (None, True, "1")] == ["— steps", "yes steps", "1 steps"]
    assert words("ui.steps.count") == "— steps"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_of_a_word_is_one_of_two(language):
    forms = [form for text in catalogue(language).values() for _, _, form, _ in Formatter().parse(text) if form]
    assert all(form.count("|") == 1 and all(form.split("|")) for form in forms)
    assert bool(forms) == (language == "en")
