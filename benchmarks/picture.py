"""Take the README's picture: `python -m benchmarks.picture` writes `docs/compare.png` from the running app.

The opening dispute on the Compare page, 1440 px wide, light; the real app, the real Chromium, nothing retouched.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from core import environment
from core.bench import open_bench
from core.knowledge.shelf import questions
from core.settings import ROOT
from tests.browser.conftest import CHROMIUM, FLAGS, free_port, serve

WIDTH, HEIGHT = 1440, 1320


def main() -> None:
    """Start the app in a data folder of its own, ask, and take the picture."""
    with tempfile.TemporaryDirectory() as home:
        bench = open_bench(environment.load({"WORKBENCH_HOME": home}))
        for _ in bench.fill():
            pass
        question = next(q.question for q in questions(bench.base).questions if "demo:opening" in q.tags)
        port = free_port()
        server = serve(Path(home), port)
        try:
            _take(f"http://localhost:{port}", question, ROOT / "docs" / "compare.png")
        finally:
            server.terminate()
            server.wait(10)


def _take(address: str, question: str, target: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, locale="zh-CN")
        page.goto(address)
        page.get_by_role("textbox").first.fill(question)
        page.get_by_role("button", name="开始对比").click()
        page.wait_for_url("**c=*")
        page.get_by_text("汇总").wait_for()
        page.wait_for_timeout(1500)
        target.parent.mkdir(exist_ok=True)
        page.screenshot(path=target)
        browser.close()


if __name__ == "__main__":
    main()
