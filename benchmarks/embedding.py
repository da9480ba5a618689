"""Whether nothing is paid for twice: `python -m benchmarks.embedding [--passages 10000] [--quick]`.

A base of so many short passages is embedded by a model at a server in a process of its own, 64 texts a request. In the
first part the server stops in the middle for two seconds and comes back at the same port. In the second, over a new
data folder, the process that embeds is killed in the middle, and another one goes on.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import cycle
from pathlib import Path

from benchmarks.served import EMBEDDINGS, Served
from benchmarks.verdicts import Measure, show
from core.bench import Bench, open_bench
from core.environment import load
from tests.loopback import Loopback, eventually

AWAY, DELAY, DIMENSION, BATCH = 2.0, 0.05, 256, 64
"""Seconds that the server is away, seconds it takes to answer, length of a vector, texts a request."""

PARTS = ("电梯轿厢", "层门装置", "机房通风", "曳引钢丝绳", "监控录像", "装修垃圾", "消防通道", "公共照明", "地下车库")
DUTIES = ("每月检查一次", "损坏后三日内报修", "由物业服务企业记录", "不得擅自改动", "更换前应当公示", "费用另行约定")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--quick", action="store_true", help="2,000 passages, to see that it works")
    given = parser.parse_args()
    count = 2_000 if given.quick else given.passages
    with tempfile.TemporaryDirectory() as folder, Served() as served:
        base = write_base(Path(folder) / "base", count)
        restarted(served, served.variables(Path(folder) / "first"), base, count)
        served.do(forget)
        killed(served, served.variables(Path(folder) / "second"), base, count)


def write_base(folder: Path, count: int) -> str:
    """A base of `count` short passages, all different, in BEIR's layout; its path."""
    folder.mkdir()
    with (folder / "corpus.jsonl").open("w", encoding="utf-8") as file:
        for number, part, duty in zip(range(1, count + 1), cycle(PARTS), cycle(DUTIES * 2 + DUTIES[:1])):
            passage = {"_id": str(number), "title": "", "text": f"编号{number}：{part}{duty}。"}
            file.write(json.dumps(passage, ensure_ascii=False) + "\n")
    return str(folder)


def opened(variables: dict[str, str], base: str) -> Bench:
    """The bench with its passages embedded at the server."""
    return open_bench(load(variables | {"WORKBENCH_EMBEDDINGS": f"openai:{EMBEDDINGS}"}), base).for_run()


def fill(variables: dict[str, str], base: str) -> None:
    """Embed all that is missing: what the process that is killed does."""
    for _ in opened(variables, base).fill():
        pass


def forget(server: Loopback) -> None:
    """Start the record anew; vectors of a length that models have, and a moment in which a request is under way."""
    server.forget()
    server.dimension, server.embed_delay = DIMENSION, DELAY


def texts(server: Loopback) -> list[list[str]]:
    """The texts of every request so far, and of those whose vectors were sent."""
    return [[text for request in server.embeddings for text in request.texts], server.texts_embedded]


def counts(server: Loopback) -> tuple[int, int]:
    """How many requests came, and how many texts had their vectors sent."""
    return len(server.embeddings), len(server.texts_embedded)


def restart(server: Loopback, seconds: float) -> None:
    """Stop while a request is under way, and start again at the same port."""
    eventually(lambda: server.record.concurrent > 0)
    server.stop()
    time.sleep(seconds)
    server.start()


def restarted(served: Served, variables: dict[str, str], base: str, count: int) -> None:
    """Embed everything while the server goes away in between, and print what was sent."""
    served.do(forget)
    bench = opened(variables, base)
    seconds: list[float] = []
    worker = threading.Thread(target=lambda: seconds.append(_seconds(bench.fill)))
    worker.start()
    half_way(served, count, worker.is_alive)
    served.do(restart, AWAY)
    worker.join()
    vectors = bench.retriever.vectors
    filled = vectors.filled if vectors else 0
    sent, arrived = served.do(texts)
    took = seconds[0] if seconds else float("nan")
    show(
        f"{count:,} passages, server away for {AWAY:g} s",
        [
            *_told(served.do(counts)[0], sent, arrived),
            Measure("without a vector at the end", f"{count - filled}", count - filled, 0),
            Measure("time, absence included", f"{took:.1f} s, {count / took:,.0f} texts/s"),
        ],
    )


def killed(served: Served, variables: dict[str, str], base: str, count: int) -> None:
    """Kill the process that embeds, let another go on, and print what was sent again."""
    process = multiprocessing.get_context("spawn").Process(target=fill, args=(variables, base), daemon=True)
    process.start()
    half_way(served, count, process.is_alive)
    process.kill()
    process.join()
    before, _ = served.do(texts)
    bench = opened(variables, base)
    vectors = bench.retriever.vectors
    kept = vectors.filled if vectors else 0
    took = _seconds(bench.fill)
    sent, arrived = served.do(texts)
    again = len(sent) - len(before) - (count - kept)
    lost = len(set(before)) - kept
    show(
        f"{count:,} passages, the process killed in the middle and another going on",
        [
            *_told(served.do(counts)[0], sent, arrived, twice=BATCH),
            Measure("kept when it was killed", f"{kept:,}"),
            Measure("sent, but not kept yet: the batch under way", f"{lost}", lost, BATCH),
            Measure("sent again though kept", f"{again}", again, 0),
            Measure("time for the rest", f"{took:.1f} s, {(count - kept) / took:,.0f} texts/s"),
        ],
    )


def half_way(served: Served, count: int, going: Callable[[], bool]) -> None:
    """Wait until many of the texts were sent; raises `RuntimeError` where that never comes."""
    while served.do(counts)[1] < count * 0.4:
        if not going():
            raise RuntimeError("it was over before its middle")
        time.sleep(0.02)


def _told(asked: int, sent: list[str], arrived: list[str], twice: int = 0) -> list[Measure]:
    """What both parts tell: requests and texts, and how many texts had their vectors sent more than once."""
    doubled = sum(times - 1 for times in Counter(arrived).values())
    return [
        Measure("requests; texts in them", f"{asked:,}; {len(sent):,}"),
        Measure("texts whose vectors were sent twice", f"{doubled}", doubled, twice),
    ]


def _seconds(work: Callable[[], Iterable[object]]) -> float:
    began = time.perf_counter()
    for _ in work():
        pass
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
