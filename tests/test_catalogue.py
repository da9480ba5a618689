"""The catalogue: both languages say the same, and every code that core speaks has its words."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from core.agent.rules import STAGES
from core.domain import Say, StopReason
from core.words import LANGUAGES, Words, _flat, catalogue

CORE = sorted((Path(__file__).resolve().parents[1] / "core").rglob("*.py"))
FILES = {language: sorted((CORE[0].parent / "words" / language).glob("*.toml")) for language in LANGUAGES}
SPEAKERS = {
    "Say",
    "of",
    "ConflictError",
    "UsageError",
    "BaseError",
    "ModelError",
    "EmbeddingError",
    "SpendError",
    "ToolsError",
    "StoreError",
    "words",
}


def holes(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def spoken() -> list[tuple[str, ast.expr, set[str] | None]]:
    """Where core speaks a code: the place, the code's expression, the names of its values (None: not told there)."""
    found = []
    for path in CORE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and node.args and _name(node.func) in SPEAKERS):
                continue
            open_ended = _name(node.func) == "Say" or any(keyword.arg is None for keyword in node.keywords)
            names = None if open_ended else {str(keyword.arg) for keyword in node.keywords}
            found.append((f"{path.name}:{node.lineno}", node.args[0], names))
    return found


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr if isinstance(function.value, ast.Name) and function.value.id == "Say" else ""
    return function.id if isinstance(function, ast.Name) else ""


def constant(code: ast.expr) -> str | None:
    return code.value if isinstance(code, ast.Constant) and isinstance(code.value, str) else None


def test_both_languages_have_the_same_codes():
    assert set(catalogue("zh")) == set(catalogue("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_file_of_the_catalogue_says_what_another_says(language):
    codes = [code for path in FILES[language] for code, _ in _flat("", tomllib.loads(path.read_text(encoding="utf-8")))]
    assert codes and len(codes) == len(set(codes))


@pytest.mark.parametrize("code", catalogue("zh"))
def test_both_languages_take_the_same_values(code):
    assert holes(catalogue("zh")[code]) == holes(catalogue("en")[code])


def test_every_code_that_core_speaks_has_words():
    texts = catalogue("zh")
    for place, code, _ in spoken():
        if (text := constant(code)) is not None:
            assert text in texts, (place, text)
        elif isinstance(code, ast.JoinedStr) and (start := constant(code.values[0])):
            assert any(known.startswith(start) for known in texts), (place, start)


def test_every_sentence_gets_the_values_it_names():
    texts = catalogue("zh")
    short = [
        (place, text, holes(texts[text]) - names)
        for place, code, names in spoken()
        if (text := constant(code)) is not None and names is not None and holes(texts.get(text, "")) - names
    ]
    assert short == []


def test_every_stop_reason_stage_and_step_has_words():
    texts = catalogue("zh")
    assert {f"stop.{reason}" for reason in get_args(StopReason)} <= set(texts)
    assert {f"rules.{stage.name}" for stage in STAGES} <= set(texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unknown_code_shows_itself_with_its_values(language):
    assert Words(language).say(Say.of("no.such", value=1)) == "no.such {'value': 1}"
    assert Words(language)("no.such") == "no.such"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_without_its_values_shows_dashes(language):
    assert "—" in Words(language)("mode.unknown") and "{" not in Words(language)("mode.unknown")


def test_values_are_shown_as_people_write_them():
    words = Words("zh")
    assert words("step.write", writer=["a", "b"]).endswith("a、b")
    assert words("step.write", writer=1_234_567).endswith("1,234,567")
    assert words("step.write", writer=None).endswith("—")
    assert words("step.write", writer=True).endswith("是")
    assert words("step.write", writer=0.123456).endswith("0.123")


def test_a_value_with_braces_is_shown_literally():
    assert Words("en")("step.write", writer="{x} {0} {{}}") == "Write: {x} {0} {{}}"


def test_a_mode_that_is_gone_shows_its_id():
    assert (Words("en").mode("gone"), Words("en").mode("gone", "about")) == ("gone", "")
