"""The app in process: its own data folder, the real engine, no browser and no network."""

import shutil
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.bench import open_bench
from core.settings import load

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "装修前要办什么手续？"


@pytest.fixture(scope="session")
def vectors(tmp_path_factory):
    """The vectors of the bundled base, computed once for all tests."""
    home = tmp_path_factory.mktemp("vectors")
    for _ in open_bench(load({"WORKBENCH_HOME": str(home)})).fill():
        pass
    return home / "cache"


@pytest.fixture
def home(vectors, tmp_path, monkeypatch):
    """A data folder of this test's own."""
    shutil.copytree(vectors, tmp_path / "cache")
    for name in ("WORKBENCH_KB", "WORKBENCH_LANG", "WORKBENCH_PRIVATE", "WORKBENCH_WRITER", "WORKBENCH_CONCURRENT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    st.cache_resource.clear()
    return tmp_path


def visit(locale="zh-CN", **address):
    """Open the app as a browser would: with its language and an address."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if locale:
        at.context["locale"] = locale
    for name, value in address.items():
        at.query_params[name] = value
    return at


def ask(at, question=QUESTION, **values):
    """Put a question through the form and let the comparison end."""
    at.text_area(key="question").set_value(question)
    for key, value in values.items():
        at.get_by_key(key).set_value(value)
    return at.button(key="run").click().run()


def text(at):
    """All that Markdown elements, captions and alerts of the page hold, as written."""
    elements = [*at.markdown, *at.caption, *at.info, *at.warning, *at.error, *at.subheader]
    return "\n".join(element.value for element in elements)


def plain(markdown):
    """What a reader sees of literal Markdown: without escapes and empty directives."""
    return markdown.replace(":gray[]", "").replace("\\", "")
