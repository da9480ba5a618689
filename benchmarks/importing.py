"""How long a collection takes to come in, open again and change: `python -m benchmarks.importing FOLDER`.

FOLDER holds texts, as `real_kb/md` does. Each measure but the edits is a process of its own over one new data folder,
timed from its start to its end, interpreter and imports included; memory is the most it ever held. An edit is timed
from the draft to the search that finds it, on the base as the app holds it, with the vectors of all passages there (of
random numbers: none is embedded). With `--fill` all passages are embedded at last, as the app does in the background;
with `--corpus` it is told how many articles of a BEIR corpus made of the same texts are a passage of their own.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import statistics
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

from benchmarks.verdicts import Measure, show
from core.authoring.drafts import Draft
from core.authoring.operations import Edit
from core.authoring.saving import save
from core.authoring.texts import Texts
from core.cli import main as command
from core.knowledge.ids import label_of
from core.knowledge.shelf import Shelf
from core.opened import Opened, index, word_embedder
from core.ports import Embedding, Scale
from core.retrieval.vector_cache import VectorCache, text_hash
from core.settings import BUNDLED, Settings

NAME = "imported"
EDITS = 7
WORD = "唯一可检索之词"
DIMENSION = 384


@dataclass(frozen=True, slots=True)
class Spent:
    """What a process took: seconds, and the most megabytes it was resident with."""

    seconds: float
    megabytes: float


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fill", action="store_true", help="embed all passages too, which takes minutes")
    parser.add_argument("--corpus", type=Path, help="a corpus.jsonl whose ids end with the number of an article")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report(given.folder, Path(folder), given.corpus)
        if given.fill:
            show("All passages embedded by the offline engine", [filled(Path(folder))])


def report(source: Path, home: Path, corpus: Path | None) -> None:
    """Measure and print; the articles before any is edited."""
    first = apart(home, ["import", str(source), "--kb", NAME, "--json"])
    second = apart(home, ["search", WORD, "--kb", NAME, "--mode", "bm25", "--json"])
    articles = [matched(home, corpus)] if corpus else []
    edits, passages = edited(home)
    shown = ", ".join(f"{seconds:.2f}" for seconds in sorted(edits))
    show(
        f"{passages:,} passages of {source.name}",
        [
            Measure("import with keyword index, s", f"{first.seconds:.1f}", first.seconds, 25),
            Measure("most memory of it, MB", f"{first.megabytes:,.0f}", first.megabytes, 1_200),
            Measure("second start with a search, s", f"{second.seconds:.2f}", second.seconds, 3),
            Measure("most memory of it, MB", f"{second.megabytes:,.0f}", second.megabytes, 1_200),
            Measure(f"edit found by search, s (median of {shown})", f"{statistics.median(edits):.2f}", max(edits), 0.5),
            *articles,
        ],
    )


def apart(home: Path, arguments: list[str]) -> Spent:
    """One command in a new process; raises `RuntimeError` where it fails."""
    here, there = multiprocessing.Pipe(duplex=False)
    spawned = multiprocessing.get_context("spawn").Process(target=_command, args=(str(home), arguments, there))
    began = time.perf_counter()
    spawned.start()
    there.close()  # so that a process that dies without a word ends the wait
    try:
        code, kilobytes = here.recv()
    except EOFError:
        raise RuntimeError(f"{arguments[0]} died") from None
    spawned.join()
    if code:
        raise RuntimeError(f"{arguments[0]} ended with {code}")
    return Spent(time.perf_counter() - began, kilobytes / 1024)


def _command(home: str, arguments: list[str], answer: Connection) -> None:
    import os
    import sys

    os.environ["WORKBENCH_HOME"] = home
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        sys.stdout = sys.stderr = nowhere
        code = command(arguments)
    answer.send((code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))


class Known:
    """An embedder of random vectors that are all there; asked for one, it fails."""

    id, space, dimension, batch, longest, free = "known", "known", DIMENSION, 1, 0, True
    scale = Scale(0.02, 0.84, 0.9, 0.015, 0.01, 0.04)

    def query(self, text: str) -> Embedding:
        """No question is embedded here."""
        raise RuntimeError(text)

    def passages(self, texts: list[str], *, background: bool = False) -> Embedding:
        """No passage is embedded here."""
        raise RuntimeError(str(texts))


def edited(home: Path) -> tuple[list[float], int]:
    """Seconds of each edit, and how many passages the base has."""
    settings, shelf = Settings(home=home), Shelf(BUNDLED, home)
    opened = index(settings, shelf.load(NAME))
    passages = opened.base.passages
    rows = np.random.default_rng(0).standard_normal((len(passages), DIMENSION)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    cache = VectorCache(home / "cache" / "vectors.sqlite")
    cache.write(Known.space, [(text_hash(p.indexed), row, 0.01) for p, row in zip(passages, rows, strict=True)])
    opened.vectors(Known())
    found = []
    for number in range(EDITS):
        seconds, opened = edit(settings, shelf, opened, number)
        found.append(seconds)
    return found, len(passages)


def filled(home: Path) -> Measure:
    """Seconds until every passage has a vector; raises `EmbeddingError` where this machine embeds nothing."""
    settings = Settings(home=home)
    opened = index(settings, Shelf(BUNDLED, home).load(NAME))
    embedder = word_embedder(settings.cache)
    vectors = opened.vectors(embedder)
    began = time.perf_counter()
    for _ in vectors.fill(embedder):
        pass
    seconds = time.perf_counter() - began
    return Measure(f"{vectors.filled:,} passages, s", f"{seconds:.0f}", seconds, 480)


def matched(home: Path, corpus: Path) -> Measure:
    """How many articles of a corpus are found as one passage of that number and text, blanks apart."""
    passages = Counter((p.title, _squeezed(p.text)) for p in Shelf(BUNDLED, home).load(NAME).passages)
    rows = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
    wanted = Counter((label_of(row["_id"]), _squeezed(f"{label_of(row['_id'])}{row['text']}")) for row in rows)
    found = (passages & wanted).total()
    return Measure(
        "articles of the corpus that are a passage of their own",
        f"{found:,} of {len(rows):,}",
        len(rows) / max(1, found),
        1 / 0.995,
    )


def _squeezed(text: str) -> str:
    return "".join(text.split())


def edit(settings: Settings, shelf: Shelf, opened: Opened, number: int) -> tuple[float, Opened]:
    """Change one passage, save it, and find it; raises `RuntimeError` where it is not found."""
    passage = opened.base.passages[(number * 997 + 100) % len(opened.base.passages)]
    source = Texts(opened.base, {}).place(passage.id).source
    began = time.perf_counter()
    draft = Draft(opened.base).with_(Edit(passage.id, source, f"{source}{WORD}{number}。"))
    save(draft, settings.home, "", "")
    opened = opened.revised(shelf.load(NAME, opened.base), settings)
    opened.vectors(Known())
    positions, _ = opened.index.search(opened.tokeniser.query(f"{WORD}{number}"), 5)
    seconds = time.perf_counter() - began
    if passage.order not in positions.tolist():
        raise RuntimeError(f"{passage.id} is not found after its edit")
    return seconds, opened


if __name__ == "__main__":
    main()
