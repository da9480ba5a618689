"""The app in process: its own data folder, the real engine, no browser and no network."""

import json
import re
import shutil
import sys
from functools import cache
from pathlib import Path

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from tests.loopback import Loopback

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "装修前要办什么手续？"
KEY = "sk-environment-9876"
_HEAD = re.compile(r":\w+\[:material/\w+:\] :\w+\[\*\*")


@pytest.fixture(scope="session", autouse=True)
def packages():
    """Looks through the installed packages once, not for every app that a test opens."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(autouse=True)
def main():
    """Puts back the module that an app run in process stands in for: a process that is spawned later begins with it."""
    kept = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = kept


@pytest.fixture
def home(vectors, tmp_path, monkeypatch):
    """A data folder of this test's own."""
    shutil.copytree(vectors, tmp_path / "cache", ignore=shutil.ignore_patterns("*.graph"))  # loaded by now
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    st.cache_resource.clear()
    return tmp_path


@pytest.fixture
def server(home, monkeypatch):
    """A model server that the environment names, with a key: `openai` is reached there and writes with `demo`."""
    with Loopback() as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_MODEL", "demo")
        yield running


def settings_page(locale="zh-CN"):
    """The settings page of a new session."""
    return visit(locale).run().switch_page("pages/settings.py").run()


def press(at, key):
    """Click a button of the page by its key."""
    at.button(key=key).click().run()
    assert not at.exception
    return at


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


def compared(at):
    """The columns of the comparison on the page: those that open with a mode's icon and name."""
    return [column for column in at.columns if column.markdown and _HEAD.match(column.markdown[0].value)]


def drawn(at, name):
    """What an element of our own was given to draw; `None` where it is not on the page."""
    return next(iter(drawn_all(at, name)), None)


def drawn_all(at, name):
    """What every element of our own of this name was given to draw, in the order of the page."""
    found = [element.proto for element in at.get("bidi_component") if element.proto.component_name == name]
    return [json.loads(proto.json) for proto in found]


def figure(at, label):
    """The summary table's values of one figure, each with its ratio behind it."""
    row = next(row for row in drawn(at, "figures")["rows"] if row["label"] == label)
    return [f"{cell['text']} {cell['ratio']}".strip() for cell in row["cells"]]


def plain(markdown):
    """What a reader sees of literal Markdown: without escapes and empty directives."""
    return markdown.replace(":gray[]", "").replace("\\", "")
