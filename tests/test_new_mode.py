"""Adding a mode is adding one file: it is then in the command line, in why, in the contract tests and in the app."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CHECKOUT = ("core", "pages", "app.py", "knowledge_base", "tests", "pyproject.toml", ".streamlit")
FIRST_FIVE = '''"""The first passages of the base, whatever the question."""

from __future__ import annotations

from collections.abc import Iterator

from core.answering import answer
from core.bench import Bench
from core.domain import Ask, Event, Hit, Parameter, Say, Step
from core.modes import Mode


def run(bench: Bench, ask: Ask) -> Iterator[Event]:
    """Take them in order."""
    passages = bench.base.passages[: int(MODE.value(ask, "k"))]
    hits = tuple(Hit(passage, rank, 1 / rank) for rank, passage in enumerate(passages, 1))
    error = None if hits else Say.of("search.base_empty", base=bench.base.title)
    yield Step("search", Say.of("first_five.taken", count=len(hits)), hits, error=error)
    yield from answer(bench, ask, hits)


MODE = Mode(
    id="first_five",
    order=9,
    run=run,
    parameters=(Parameter("k", 5, 1, 50),),
    words={
        "zh": {"name": "前五段", "about": "取前几段", "k": "段数", "first_five.taken": "取了 {count} 段"},
        "en": {"name": "First five", "about": "Takes the first", "k": "Passages", "first_five.taken": "Took {count}"},
    },
)
'''
OPEN_APP = """
from streamlit.testing.v1 import AppTest
at = AppTest.from_file("app.py", default_timeout=120).run()
assert not at.exception, at.exception
print(at.get_by_key("modes").options)
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of this checkout with one file more."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in CHECKOUT:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, copy / name)
    (copy / "core" / "modes" / "first_five.py").write_text(FIRST_FIVE, encoding="utf-8")
    return copy


@pytest.fixture
def python(checkout, shared_home):
    """Runs Python in the copy; what it printed."""

    def run(*arguments: str) -> str:
        environment = {**os.environ, "WORKBENCH_HOME": str(shared_home), "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=checkout,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=240,
        )
        assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-3_000:]
        return done.stdout

    return run


def test_it_is_asked_on_the_command_line_by_its_name(python):
    document = json.loads(python("-m", "core", "ask", "谁来赔？", "--modes", "first_five,bm25", "-k", "3", "--json"))
    run = document["runs"][0]
    assert (run["mode"], len(run["evidence"]), run["steps"][0]["detail"]) == ("first_five", 3, "取了 3 段")


def test_it_takes_its_parameter_there(python):
    told = python("-m", "core", "ask", "谁来赔？", "--modes", "first_five", "--set", "first_five.k=2", "--lang", "en")
    assert "First five" in told and "Took 2" in told


def test_it_explains_a_passage_there(python):
    why = json.loads(
        python("-m", "core", "why", "谁来赔？", "--passage", "01-总则#第二条", "--modes", "first_five", "--json")
    )
    assert why["modes"]["first_five"] == {"rank": 2, "given": True, "sentence": "已交给作答，在排序中是第 2 名"}


def test_it_is_held_to_the_contract(python):
    told = python("-m", "pytest", "tests/modes/test_contract.py", "-k", "first_five", "-p", "no:cacheprovider")
    assert " passed" in told or "100%" in told


def test_it_can_be_chosen_in_the_app(python):
    assert "前五段" in python("-c", OPEN_APP)
