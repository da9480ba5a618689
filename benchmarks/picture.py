"""Take the README's picture: `python -m benchmarks.picture` writes `docs/compare.png` from the running app.

The opening dispute on the Compare page, 1440 px wide, light, down to the beginning of what explains it; the real app,
the real Chromium, nothing retouched. With `--all FOLDER` pictures of every page and state are taken instead.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, sync_playwright

from benchmarks.gallery import Told, ask, take_all
from core import environment
from core.archive import Archive
from core.asking import entrants
from core.bench import Bench, open_bench
from core.domain import Say
from core.knowledge.shelf import questions
from core.race import compare
from core.runs import Comparison
from core.settings import ROOT
from core.words import Words
from tests.browser.conftest import CHROMIUM, FLAGS, free_port, serve

WIDTH, HEIGHT = 1440, 2200
NO_WORD = "？？"


def main() -> None:
    """Start the app in a data folder of its own and take the picture, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="every page and state, in both languages and themes")
    folder = parser.parse_args().all
    with tempfile.TemporaryDirectory() as home:
        told = _prepare(Path(home))
        port = free_port()
        server = serve(Path(home), port)
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                _take(browser, replace(told, address=f"http://localhost:{port}"), folder)
                browser.close()
        finally:
            server.terminate()
            server.wait(10)


def _take(browser: Browser, told: Told, folder: Path | None) -> None:
    if folder:
        print(f"{take_all(browser, told, folder)} pictures in {folder}")
    else:
        _readme(browser, told, ROOT / "docs" / "compare.png")


def _readme(browser: Browser, told: Told, target: Path) -> None:
    """Ask live, then take the columns, the table and the beginning of the explanation."""
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, locale="zh-CN", timezone_id="Asia/Shanghai")
    ask(page, told, told.question)
    page.wait_for_url("**c=*")
    page.get_by_text(Words("zh")("ui.explain.title")).wait_for()
    page.wait_for_timeout(3000)
    target.parent.mkdir(exist_ok=True)
    page.screenshot(path=target)


def _prepare(home: Path) -> Told:
    """Comparisons for the states that a question alone does not lead to, kept in the data folder."""
    bench = open_bench(environment.load({"WORKBENCH_HOME": str(home)}))
    for work in (bench.fill, bench.fill_words):  # else the page does it behind what is pictured
        for _ in work():
            pass
    question = next(q.question for q in questions(bench.base).questions if "demo:opening" in q.tags)
    whole = _compared(bench, question)
    broken = replace(whole.runs[1], error=Say.of("run.crashed", kind="OSError", reason="disk"))
    kept = {
        "finished": whole,
        "failed": replace(whole, id=f"{whole.id[:-1]}x", runs=(whole.runs[0], broken, whole.runs[2])),
        "no_hits": _compared(bench, NO_WORD),
        "bare": _compared(bench, question, retrieval_only=True),
        "single": _compared(bench, question, "bm25"),
    }
    for comparison in kept.values():
        Archive(home).keep(comparison)
    passage = next(p.id for p in bench.base.passages if p.title == whole.runs[0].evidence[0].title)
    return Told("", question, {name: comparison.id for name, comparison in kept.items()}, quote(passage))


def _compared(bench: Bench, question: str, *modes: str, retrieval_only: bool = False) -> Comparison:
    return compare(bench, entrants(question, list(modes) or None, None, {}), retrieval_only=retrieval_only)


if __name__ == "__main__":
    main()
