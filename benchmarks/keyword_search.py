"""Keyword search beside rank-bm25 and bm25s: the same answers, how fast, in how much memory.

    python -m benchmarks.keyword_search --beir FOLDER [--limit N] [--queries FILE] [--count 50] [--cache FOLDER]

`--beir` takes any BEIR folder (`corpus.jsonl` or `corpus.jsonl.gz`); without `--queries` passages' own titles are
asked. Everything is measured in one run, ratios are ours to theirs; with `--cache` the segmentation is kept.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import bm25s
import numpy as np
from rank_bm25 import BM25Okapi

from core.domain import Passage
from core.knowledge.tokeniser import Tokeniser
from core.retrieval.bm25 import Bm25, KeywordIndex
from core.retrieval.segments import Segments, index_of, segments_of

T = TypeVar("T")
K = 10
ROUNDS = 5
LUCENE, OKAPI = Bm25("lucene"), Bm25("okapi")
OURS = ("lucene", "okapi")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: `ours` and `theirs` in `unit`, and the ratio that is the most allowed, if any."""

    measure: str
    ours: float
    theirs: float
    unit: str
    limit: float | None = None

    def __str__(self) -> str:
        ratio = self.ours / self.theirs
        shown = f"{ratio:.5f}" if ratio < 0.1 else f"{ratio:.2f}"
        target = (
            "| – | |" if self.limit is None else f"| ≤ {self.limit} | {'met' if ratio <= self.limit else 'MISSED'} |"
        )
        return f"| {self.measure} | {self.ours:.3g} {self.unit} | {self.theirs:.4g} {self.unit} | {shown} {target}"


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file, plain or gzipped."""
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
    with opened as file:
        yield from map(json.loads, file)


def read_passages(folder: Path, limit: int | None) -> list[Passage]:
    """The first `limit` passages of a BEIR corpus; title and section are indexed with the text."""
    path = next(path for path in (folder / "corpus.jsonl", folder / "corpus.jsonl.gz") if path.exists())
    passages = []
    for order, line in enumerate(islice(lines(path), limit)):
        section = (line.get("metadata") or {}).get("section", "")
        passages.append(Passage(line["_id"], line["title"], line["title"], section, line["text"], order))
    return passages


def read_questions(path: Path | None, passages: Sequence[Passage], count: int) -> list[str]:
    """The first `count` questions of a file, or as many titles from all over the corpus."""
    if path is not None:
        return [line["text"] for line in islice(lines(path), count)]
    return [passage.section or passage.text[:20] for passage in passages[:: max(1, len(passages) // count)]][:count]


def token_lists(segments: Segments) -> list[list[str]]:
    """Terms of each passage as lists of strings, which the other engines want."""
    terms = np.array(segments.terms, object)
    return [terms[part].tolist() for part in np.split(segments.numbers, np.cumsum(segments.lengths)[:-1])]


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds that `work` takes, and what it gives."""
    gc.collect()
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


def memory(build: Callable[[], object]) -> tuple[float, float]:
    """Megabytes that the result of `build` holds, and that it took at most, as Python's allocators count them."""
    gc.collect()
    tracemalloc.start()
    kept = build()
    gc.collect()
    held, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return held / 1e6, most / 1e6


def rank_bm25_index(documents: list[list[str]]) -> BM25Okapi:
    """The reference's index."""
    return BM25Okapi(documents, k1=OKAPI.k1, b=OKAPI.b, epsilon=OKAPI.epsilon)


def bm25s_index(documents: list[list[str]]) -> bm25s.BM25:
    """The index of bm25s with its defaults (numpy, where numba is absent)."""
    index = bm25s.BM25(k1=LUCENE.k1, b=LUCENE.b)
    index.index(documents, show_progress=False)
    return index


def answered(index: KeywordIndex, queries: Sequence[list[str]]) -> KeywordIndex:
    """The index after one answer of each variant, with all that it then holds."""
    for bm25 in (LUCENE, OKAPI):
        index.search(queries[0], K, bm25)
    return index


def per_question(ways: dict[str, Callable[[], object]], questions: int) -> dict[str, float]:
    """Milliseconds a question for each way: the median of rounds in which the ways take turns."""
    rounds = [{name: timed(way)[0] for name, way in ways.items()} for _ in range(ROUNDS)]
    return {name: statistics.median(one[name] for one in rounds) * 1000 / questions for name in ways}


def compare_speed(
    index: KeywordIndex, reference: BM25Okapi, other: bm25s.BM25, queries: list[list[str]]
) -> tuple[list[Row], int]:
    """Rows of answering time, and for how many questions `okapi` gives exactly the reference's first ten."""
    seconds, expected = timed(
        lambda: [np.argsort(-reference.get_scores(query), kind="stable")[:K].tolist() for query in queries]
    )
    slow = seconds * 1000 / len(queries)
    ours = [index.search(query, K, OKAPI)[0].tolist() for query in queries]
    same = sum(mine == theirs[: len(mine)] for mine, theirs in zip(ours, expected, strict=True))
    fast = per_question(
        {
            "lucene": lambda: [index.search(query, K, LUCENE) for query in queries],
            "okapi": lambda: [index.search(query, K, OKAPI) for query in queries],
            "bm25s": lambda: [other.retrieve([query], k=K, show_progress=False) for query in queries],
            "bm25s at once": lambda: other.retrieve(queries, k=K, show_progress=False),
        },
        len(queries),
    )
    rows = [Row(f"answer, {way} / rank-bm25", fast[way], slow, "ms", 0.01) for way in OURS]
    for name in ("bm25s", "bm25s at once"):
        rows += [Row(f"answer, {way} / {name}", fast[way], fast[name], "ms", 1.0) for way in OURS]
    return rows, same


def compare_memory(documents: list[list[str]], queries: list[list[str]]) -> list[Row]:
    """Rows of memory; the terms themselves, which all share here, are not counted."""
    ours, ours_peak = memory(lambda: answered(KeywordIndex.build(documents), queries))
    rank, rank_peak = memory(lambda: rank_bm25_index(documents))
    other, other_peak = memory(lambda: bm25s_index(documents))
    return [
        Row("memory kept / rank-bm25", ours, rank, "MB", 1.0),
        Row("memory at most / rank-bm25", ours_peak, rank_peak, "MB", 1.0),
        Row("memory kept / bm25s", ours, other, "MB"),
        Row("memory at most / bm25s", ours_peak, other_peak, "MB"),
    ]


def run(arguments: argparse.Namespace, cache: Path) -> Iterator[str]:
    """Lines of the report."""
    passages = read_passages(arguments.beir, arguments.limit)
    texts = [passage.indexed for passage in passages]
    tokeniser = Tokeniser()
    tokeniser.warm()
    cut: list[int] = []
    first, segments = timed(lambda: segments_of(texts, tokeniser, cache, lambda done, _: cut.append(done)))
    second, _ = timed(lambda: index_of(texts, tokeniser, cache))
    documents = token_lists(segments)
    queries = [tokeniser.query(text) for text in read_questions(arguments.queries, passages, arguments.count)]
    gc.freeze()
    memories = compare_memory(documents, queries)
    ours, index = timed(lambda: KeywordIndex.build(documents))
    theirs, other = timed(lambda: bm25s_index(documents))
    rank, reference = timed(lambda: rank_bm25_index(documents))
    changed = timed(lambda: index.search(queries[0], K, Bm25(k1=1.2)))[0] * 1000
    speeds, same = compare_speed(index, reference, other, queries)

    yield f"{len(passages)} passages, {len(index.vocabulary)} terms, {len(queries)} questions, first {K} hits\n"
    yield "| measure | ours | theirs | ratio | target | |\n|---|---|---|---|---|---|"
    yield from map(str, speeds)
    yield str(Row("build / bm25s", ours, theirs, "s", 1.5))
    yield str(Row("build / rank-bm25", ours, rank, "s"))
    yield from map(str, memories)
    if cut:
        yield str(Row("second start / first", second, first + ours, "s"))
    yield f"\nokapi gives rank-bm25's first {K} for {same} of {len(queries)} questions."
    yield f"First answer after a change of k1: {changed:.0f} ms. Index of an unchanged base: {second:.2f} s."


def main() -> None:
    """Parse the command line and write the report to standard output."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beir", type=Path, required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--queries", type=Path)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--cache", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for line in run(arguments, arguments.cache or Path(temporary)):
            sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
