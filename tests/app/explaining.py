"""What the tests of Explain share: one data folder and one opening dispute a module, and what they do on the page."""

import json
import shutil
from dataclasses import replace

import pytest
import streamlit as st

from core.archive import Archive
from core.asking import entrants
from core.bench import open_bench
from core.environment import load
from core.knowledge.shelf import questions
from core.race import compare
from tests.app.conftest import visit

NEEDLE = "05-电梯故障#第二十八条"


def settled(vectors, folder):
    """A data folder for a whole module, so that its base is opened once."""
    shutil.copytree(vectors, folder / "cache", ignore=shutil.ignore_patterns("*.graph"))  # loaded by now
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("WORKBENCH_HOME", str(folder))
        st.cache_resource.clear()
        yield folder


def disputed(home):
    """The bench over a data folder, and the opening dispute asked of all modes."""
    bench = open_bench(load({"WORKBENCH_HOME": str(home)}))
    question = next(q.question for q in questions(bench.base).questions if "demo:opening" in q.tags)
    return bench, compare(bench, entrants(question, None, None, {}))


def opened(home, comparison, locale="zh-CN", **address):
    """Keep a comparison and open it at its address."""
    Archive(home).keep(comparison)
    at = visit(locale, c=comparison.id, **address).run()
    assert not at.exception
    return at


def table(at):
    """What the matrix was given to draw; `None` where it is not drawn."""
    found = [e.proto for e in at.get("bidi_component") if e.proto.component_name == "matrix"]
    return json.loads(found[0].json) if found else None


def rows(at):
    return [row for section in table(at)["sections"] for row in section["rows"]]


def tap(at, key):
    at.button(key=key).click().run()
    assert not at.exception
    return at


def choose(at, key, value):
    at.get_by_key(key).set_value(value).run()
    assert not at.exception
    return at


def edited(comparison, **changes):
    """A comparison as if it had been made over another base."""
    base = replace(comparison.base, **changes)
    return replace(comparison, base=base, runs=tuple(replace(run, base=base) for run in comparison.runs))
