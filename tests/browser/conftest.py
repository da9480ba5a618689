"""A real server and a real Chromium; skipped where there is no Chromium on the path.

Every test that opens a page with `visit` is held to more than it asserts: nothing may leave this machine, stand as an
error on the console, or end as an exception on the page or in the server's log.
"""

import json
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from core.archive import Archive
from core.asking import entrants
from core.bench import open_bench
from core.knowledge.shelf import questions
from core.race import compare
from core.settings import Settings
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
def new_home(vectors, tmp_path_factory):
    """Makes data folders of their own, with the vectors of the bundled base."""

    def made():
        home = tmp_path_factory.mktemp("served")
        shutil.copytree(vectors, home / "cache")
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
def address(start):
    """Where the app answers, offline; vectors are there already."""
    return start().address


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


@pytest.fixture(scope="session")
def dispute(address, apps):
    """The id of the opening dispute, answered by all modes and kept where `address` answers."""
    home = apps[address].home
    bench = open_bench(Settings(home=home), "elevator")
    question = next(q.question for q in questions(bench.base).questions if "demo:opening" in q.tags)
    comparison = compare(bench, entrants(question, None, None, {}))
    Archive(home).keep(comparison)
    return comparison.id


@pytest.fixture(scope="session")
def browsers(chromium):
    """A browser for each language, which has the app's scripts already once a test has visited it."""

    @cache
    def browser(locale):
        return chromium.new_context(locale=locale)

    return browser


@pytest.fixture
def visit(request, chromium, browsers, apps, address):
    """Opens an address in a tab of its own; returns the page and its watch.

    `apart` opens it in a browser of its own, as somebody else would and for a test that leaves something in it.
    """
    own = []
    watches = request.node.stash.setdefault(OPEN, [])

    def opened(path="/", locale="zh-CN", width=1440, base=address, scheme="light", apart=False):
        if apart:
            own.append(chromium.new_context(locale=locale))
        page = (own[-1] if apart else browsers(locale)).new_page()
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.set_default_timeout(30_000)
        url = f"{base}{path}" if path.startswith("/") else path
        app = next((app for address, app in apps.items() if url.startswith(f"{address}/")), None)
        watch = Watch()
        watches.append(watch)
        watch.over(page, app).goto(url)
        return page, watch

    yield opened
    for watch in watches:
        watch.page.close()
    for context in own:
        context.close()
    watches.clear()
