"""What the page costs: `python -m benchmarks.drawing [--rounds 9]`.

Drawing: the same question with the modes at once, on the page (run in process by Streamlit's own test harness) and
without a page, in turn in one run; the ratio is of the comparisons' own wall times. A widget change: seconds of a
script run over a finished comparison. Start: from the command to a page that answers, in a process of its own.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from statistics import median

from streamlit.testing.v1 import AppTest

from core import environment
from core.archive import Archive
from core.asking import entrants
from core.bench import open_bench
from core.knowledge.shelf import questions
from core.race import compare
from core.settings import ROOT

ADDED, REDRAW, START = 1.10, 0.3, 6.0
"""The page may take this much of the bare time; seconds of a redraw; seconds from command to usable page."""


def main() -> None:
    """Print the three measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as home:
        os.environ["WORKBENCH_HOME"] = home  # the page and the started server read it from there
        _measure(rounds)


def _measure(rounds: int) -> None:
    given = environment.load()
    bench = open_bench(given)
    for work in (bench.fill, bench.fill_words):  # else the page does it behind what is measured
        for _ in work():
            pass
    question = next(q.question for q in questions(bench.base).questions if "demo:opening" in q.tags)
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    bare, drawn, redrawn = [], [], []
    for _ in range(rounds):
        bare.append(compare(bench, entrants(question, None, None, {})).seconds)
        page.text_area(key="question").set_value(question)
        page.button(key="run").click().run()
        archive = Archive(given.home)
        drawn.append(archive.open(archive.recent(1)[0].id).seconds)
        redrawn.append(_seconds(lambda: page.toggle(key="retrieval_only").set_value(False).run()))
    passage = bench.base.passages[0].id
    page.text_input(key="explain.find").set_value(passage).run()
    page.button(key=f"explain.other.{passage}").click().run()
    explained = [_seconds(lambda: page.toggle(key="retrieval_only").set_value(False).run()) for _ in range(rounds)]
    ratio = median(drawn) / median(bare)
    print("| measure | value | target |\n|---|---|---|")
    print(
        f"| three modes, bare → on the page | {median(bare):.3f} → {median(drawn):.3f} s, ×{ratio:.2f} | ≤ ×{ADDED} |"
    )
    print(f"| a widget change, finished comparison | {median(redrawn):.3f} s | ≤ {REDRAW} s |")
    print(f"| the same with a passage explained | {median(explained):.3f} s | ≤ {REDRAW} s |")
    print(f"| from the command to a usable page | {median(_start() for _ in range(3)):.2f} s | ≤ {START} s |")


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _start() -> float:
    """Seconds from the command until the server answers and one script run has drawn the page, both measured."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port), "--server.headless", "1"]
    began = time.perf_counter()
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not _healthy(port):
            time.sleep(0.02)
        answers = time.perf_counter() - began
    finally:
        server.terminate()
        server.wait(10)
    script = (
        "import time; began = time.perf_counter();"
        "from streamlit.testing.v1 import AppTest;"
        "page = AppTest.from_file('app.py', default_timeout=60).run();"
        "assert not page.exception; print(time.perf_counter() - began)"
    )
    drawn = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True
    )
    return answers + float(drawn.stdout.split()[-1])


def _healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


if __name__ == "__main__":
    main()
