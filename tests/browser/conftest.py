"""A real server and a real Chromium; skipped where there is no Chromium on the path."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import sync_playwright

from tests.conftest import ROOT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/browser/" in item.nodeid:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="no Chromium on the path"))


def serve(home, port):
    """Start the app; returns the process once it answers."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port), "--server.headless", "1"]
    environment = {**os.environ, "WORKBENCH_HOME": str(home)}
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1):
                return server
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    server.kill()
    raise RuntimeError("the app did not answer within a minute")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def address(bench, shared_home):
    """Where the app answers; vectors are there already."""
    for _ in bench.fill():
        pass
    port = free_port()
    server = serve(shared_home, port)
    yield f"http://localhost:{port}"
    server.terminate()
    server.wait(10)


@dataclass
class Watch:
    """What a page did that it should not: errors on its console, requests that leave this machine."""

    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def over(self, page):
        page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._request)
        return page

    def _request(self, request):
        inside = ("http://localhost", "ws://localhost", "data:", "blob:")
        if not request.url.startswith(inside):
            self.outside.append(request.url)


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, address):
    """Opens an address in a browser of its own; returns the page and what was seen of it."""
    contexts = []

    def opened(path="/", locale="zh-CN", width=1440, base=address):
        context = chromium.new_context(locale=locale, viewport={"width": width, "height": 900})
        contexts.append(context)
        watch = Watch()
        page = watch.over(context.new_page())
        page.set_default_timeout(30_000)
        page.goto(f"{base}{path}" if path.startswith("/") else path)
        return page, watch

    yield opened
    for context in contexts:
        context.close()
