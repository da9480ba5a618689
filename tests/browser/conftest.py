"""A real server and a real Chromium; skipped where there is no Chromium on the path.

Every test that opens a page with `visit` is held to more than it asserts: nothing may leave this machine, stand as an
error on the console, or end as an exception on the page or in the server's log.
"""

import json
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from tests.browser.serving import App, free_port, serve, told
from tests.browser.watching import Watch, quiet
from tests.loopback import Loopback, Said

__all__ = ["CHROMIUM", "FLAGS", "App", "Watch", "free_port", "quiet", "serve"]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
expect.set_options(timeout=20_000)  # the machine may be busy
OPEN = pytest.StashKey[list[Watch]]()
"""The pages that a test has open."""


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/browser/" in item.nodeid:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="no Chromium on the path"))


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """A test that passes fails after all where one of its pages did what no page may."""
    result = yield
    faults = [fault for watch in pyfuncitem.stash.get(OPEN, []) for fault in watch.faults()]
    assert not faults, "\n".join(faults)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Beside a failure stand pictures of its pages, what was wrong on them, and the end of the servers' logs."""
    report = yield
    watches = item.stash.get(OPEN, [])
    if call.when == "call" and report.failed and watches:
        folder = Path(tempfile.mkdtemp(prefix="failing-page-"))
        lines = [f"pictures of the pages: {folder}"]
        for number, watch in enumerate(watches):
            lines += [_pictured(watch, folder / f"{number}.png"), *watch.faults()]
        lines += [told(log) for log in {watch.app.log for watch in watches if watch.app}]
        report.sections.append(("pages", "\n".join(lines)))
    return report


def _pictured(watch, path):
    try:
        watch.page.screenshot(path=path, full_page=True, timeout=5_000)
        return f"{path.name}: {watch.page.url}"
    except Error as failed:
        return f"no picture of {watch.page.url}: {failed.message.splitlines()[0]}"


@pytest.fixture(scope="session")
def vectors(bench, shared_home):
    """A data folder in which the vectors of the bundled base are there already."""
    for _ in bench.fill():
        pass
    return shared_home


@pytest.fixture(scope="session")
def new_home(vectors, tmp_path_factory):
    """Makes data folders of their own, with the vectors of the bundled base."""

    def made():
        home = tmp_path_factory.mktemp("served")
        shutil.copytree(vectors / "cache", home / "cache")
        return home

    return made


@pytest.fixture(scope="session")
def apps():
    """The apps that run, by address."""
    running = {}
    yield running
    for app in running.values():
        app.stop()


@pytest.fixture(scope="session")
def start(apps, new_home):
    """Starts an app, with variables of its environment; in a data folder of its own if none is given."""

    def started(home=None, **variables):
        app = App.start(home or new_home(), **variables)
        apps[app.address] = app
        return app

    return started


@pytest.fixture(scope="session")
def address(start, vectors):
    """Where the app answers, offline; vectors are there already."""
    return start(vectors).address


@pytest.fixture(scope="session")
def running(start):
    """An app whose models, for planning and writing, are at a server of ours: (app, server)."""
    with Loopback() as server:
        chosen = {"WORKBENCH_WRITER": "openai:writer", "WORKBENCH_PLANNER": "openai:planner"}
        yield start(OPENAI_BASE_URL=server.url, OPENAI_API_KEY="sk-loopback-1234", **chosen), server


@pytest.fixture
def talking(running):
    """The app and its model server, which has heard nothing yet and answers at once."""
    app, server = running
    server.forget()
    server.always(planned, tools=True)
    return app, server


def planned(request):
    """What a planner says: it searches once and keeps what that found."""
    found = [message["content"] for message in request.messages if message["role"] == "tool"]
    if not found:
        return Said(calls=(("search", json.dumps({"queries": ["办理登记"]})),))
    return Said(" ".join(f"[{reference}]" for reference in re.findall(r"^\d+\. \[([^\]]+)\]", found[-1], re.M)))


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(request, chromium, apps, address):
    """Opens an address in a browser of its own, or beside a page in its browser; returns the page and its watch."""
    contexts = []
    watches = request.node.stash.setdefault(OPEN, [])

    def opened(path="/", locale="zh-CN", width=1440, base=address, scheme="light", beside=None):
        if beside is None:
            contexts.append(
                chromium.new_context(locale=locale, viewport={"width": width, "height": 900}, color_scheme=scheme)
            )
        url = f"{base}{path}" if path.startswith("/") else path
        app = next((app for address, app in apps.items() if url.startswith(f"{address}/")), None)
        watch = Watch()
        watches.append(watch)
        page = watch.over((beside.context if beside else contexts[-1]).new_page(), app)
        page.set_default_timeout(30_000)
        page.goto(url)
        return page, watch

    yield opened
    for context in contexts:
        context.close()
    watches.clear()
