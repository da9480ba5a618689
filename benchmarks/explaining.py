"""How long an explanation and a try-out take.

    python -m benchmarks.explaining [--passages N] [--beir FOLDER --limit N]

First the bundled base with the opening dispute: every gold passage, for all modes, while no word has a vector yet (the
first seconds of a new data folder), the first time after that, and again. Then a base of many passages, a BEIR folder
or made of random words, with random vectors: their cosines mean nothing, their number and length are what takes the
time.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import median

import numpy as np

from core import environment
from core.asking import entrants
from core.bench import Bench, open_bench
from core.domain import Passage
from core.explain.passage import explanation
from core.explain.tryout import Change, moves, try_out
from core.knowledge.base import Facts, KnowledgeBase, assemble
from core.knowledge.shelf import load_folder, questions
from core.knowledge.tokeniser import Tokeniser
from core.ports import Embedding, Scale
from core.race import compare
from core.retrieval.formula import Bm25
from core.retrieval.ranking import Retriever
from core.retrieval.segments import index_of
from core.retrieval.vector_cache import VectorCache
from core.retrieval.vectors import VectorSpace
from core.runs import Comparison

SMALL, LARGE = 0.2, 1.0
"""Seconds an explanation may take: on the bundled base, on 100,000 passages."""
EXPLAINED = 10
"""Passages explained of a large base: of the evidence, and from all over it."""
FEW = 2_000
"""Passages in which a word to add is looked for; it stands in at most a hundredth of them."""
HAN = re.compile("[一-龥]{2}")
LENGTH = 80
"""Words of a passage made of random words."""
HEAD = "\n| what | median | slowest | target |\n|---|---|---|---|"


@dataclass(frozen=True)
class RandomVectors:
    """An embedder whose vectors are random; free, so that nothing is left out."""

    dimension: int = 384
    id: str = "random"
    space: str = "random/384"
    batch: int = 4096
    longest: int = 0
    free: bool = True
    scale: Scale = Scale(near=0.02, least=0.0, close=0.9, apart=0.015, under=0.01, spread=0.04)

    def query(self, text: str) -> Embedding:
        """A vector that depends on the question's length alone."""
        return Embedding(self._vectors(len(text), 1)[0])

    def passages(self, texts: Sequence[str], *, background: bool = False) -> Embedding:
        """A vector a text."""
        return Embedding(self._vectors(len(texts[0]), len(texts)))

    def _vectors(self, seed: int, count: int) -> np.ndarray:
        found = np.random.default_rng(seed).standard_normal((count, self.dimension), np.float32)
        return found / np.linalg.norm(found, axis=1, keepdims=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=100_000, help="passages of random words; 0: none")
    parser.add_argument("--beir", type=Path, help="take the passages of this BEIR folder instead")
    parser.add_argument("--limit", type=int, default=100_000, help="passages taken of it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        settings = environment.load({"WORKBENCH_HOME": home})
        bench = open_bench(settings)
        for _ in bench.fill():
            pass
        asked = next(q for q in questions(bench.base).questions if "demo:opening" in q.tags)
        comparison = compare(bench, entrants(asked.question, None, None, {}), retrieval_only=True)
        gold = [bench.base.passage(id) for id in asked.gold if bench.base.has(id)]
        print(f"bundled base, {len(bench.base.passages)} passages; opening dispute, all modes\n{HEAD}")
        explain(bench, comparison, gold, "while no word has a vector", SMALL)
        for _ in bench.fill_words():
            pass
        report(open_bench(settings), comparison, gold, SMALL)
        if given.beir or given.passages:
            base = read(given.beir, given.limit) if given.beir else made_up(bench, given.passages)
            large(replace(bench, retriever=rankings(base, Path(home))), asked.question)


def large(bench: Bench, question: str) -> None:
    """The same on a base of many passages."""
    passages = bench.base.passages
    comparison = compare(bench, entrants(question, None, None, {}), retrieval_only=True)
    given = [passage for run in comparison.runs for passage in run.evidence][: EXPLAINED // 2]
    explained = [*given, *passages[:: max(1, len(passages) // (EXPLAINED - len(given)))]][:EXPLAINED]
    print(f"\n{bench.base.title}, {len(passages):,} passages, random vectors; opening dispute, all modes\n{HEAD}")
    report(bench, comparison, explained, LARGE)


def report(bench: Bench, comparison: Comparison, passages: Sequence[Passage], most: float) -> None:
    """The table of one base: explaining each passage the first time and again, then try-outs."""
    for name in ("the first time", "again"):
        explain(bench, comparison, passages, name, most)
    word = rare(bench)
    changes = {
        "k1 moved, the first time": [Change(k1=1.0)],
        "k1 moved again": [Change(k1=k1) for k1 in (1.1, 1.2, 1.3)],
        "candidates moved": [Change(parameters={"candidates": candidates}) for candidates in (30, 40, 50)],
        "a word added": [Change(words=(word,))],
        "k1 moved with that word": [Change(words=(word,), k1=k1) for k1 in (1.1, 1.2)],
    }
    for name, tried in changes.items():
        times = [timed(lambda one=one: tried_out(bench, comparison, one, passages[0])) for one in tried]
        print(line(f"try-out: {name}", times))


def explain(bench: Bench, comparison: Comparison, passages: Sequence[Passage], name: str, most: float) -> None:
    """The row of explaining each passage once."""
    times = [timed(lambda passage=passage: explanation(bench, comparison, passage)) for passage in passages]
    print(line(f"explaining a passage, {name} ({len(passages)})", times, most))


def tried_out(bench: Bench, comparison: Comparison, change: Change, passage: Passage) -> None:
    """A try-out as the page makes it: the modes anew, and where the passage moves."""
    moves(bench, comparison, try_out(bench, comparison, change), passage.id)


def line(what: str, times: Sequence[float], most: float | None = None) -> str:
    """A row; the slowest is held to the target."""
    target = "–" if most is None else f"{'met' if max(times) < most else 'MISSED'} (< {most * 1000:.0f} ms)"
    return f"| {what} | {median(times) * 1000:.0f} ms | {max(times) * 1000:.0f} ms | {target} |"


def timed(work: Callable[[], object]) -> float:
    """Seconds that `work` takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def rare(bench: Bench) -> str:
    """Two characters that stand together in a few passages and are no word yet, to be added as one."""
    texts = [passage.text for passage in bench.base.passages[:FEW]]
    pairs = Counter(pair for text in texts for pair in set(map("".join, pairwise(text))) if HAN.fullmatch(pair))
    known = bench.retriever.index.vocabulary
    return next((pair for pair, count in pairs.most_common() if count <= FEW // 100 and pair not in known), "某词")


def read(folder: Path, limit: int) -> KnowledgeBase:
    """The first passages of a BEIR folder."""
    whole = load_folder(folder)
    return assemble(whole.name, folder, Facts(whole.title, whole.language), whole.passages[:limit], whole.documents)


def made_up(bench: Bench, count: int) -> KnowledgeBase:
    """Passages of random words of the bundled base, frequent ones more often."""
    words = np.array([term for term in bench.retriever.index.vocabulary if len(term) > 1 and "一" <= term[0] <= "龥"])
    drawn = np.random.default_rng(0).zipf(1.3, (count, LENGTH)) % len(words)
    passages = [
        Passage(f"a#{at}", "a", f"第{at // 100}节", str(at), "".join(words[row]), at) for at, row in enumerate(drawn)
    ]
    return assemble("random", Path("random"), Facts("random words", "zh"), passages, {})


def rankings(base: KnowledgeBase, home: Path) -> Retriever:
    """The indexes of a base, with random vectors."""
    tokeniser = Tokeniser(base.words, home / "cache")
    texts = [passage.indexed for passage in base.passages]
    index = index_of(texts, tokeniser, None)
    embedder = RandomVectors()
    vectors = VectorSpace(texts, embedder.space, VectorCache(None), embedder.dimension)
    for _ in vectors.fill(embedder):
        pass
    return Retriever(base, tokeniser, index, vectors, embedder, Bm25())


if __name__ == "__main__":
    main()
