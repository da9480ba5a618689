"""Vectors on disk: never mixed between models, never trusted when damaged, filled by several at once."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.errors import EmbeddingError
from core.ports import Vectors
from core.retrieval.vectors import VectorCache, VectorSpace, text_hash

ROOT = Path(__file__).resolve().parents[1]
TEXTS = [f"第{n}条 退货期限为{n}日。" for n in range(1, 31)]


class ByHash:
    """An embedder whose vectors follow from the text alone; counts what it embeds."""

    def __init__(self, space: str = "hash/8", dimension: int = 8, pause: float = 0.0) -> None:
        self.id = self.space = space
        self.dimension = dimension
        self.embedded = 0
        self._pause = pause

    def query(self, text: str) -> Vectors:
        vector = np.random.default_rng(list(text_hash(text))).normal(size=self.dimension).astype(np.float32)
        return vector / np.linalg.norm(vector)

    def passages(self, texts: Sequence[str], *, background: bool = False) -> Vectors:
        time.sleep(self._pause)
        self.embedded += len(texts)
        return np.stack([self.query(text) for text in texts])


class Failing(ByHash):
    def passages(self, texts: Sequence[str], *, background: bool = False) -> Vectors:
        return np.full((len(texts), self.dimension), np.nan, dtype=np.float32)


def filled(path: Path | None, embedder: ByHash | None = None, texts: Sequence[str] = TEXTS) -> VectorSpace:
    space = VectorSpace(texts, embedder or ByHash(), VectorCache(path))
    for _ in space.fill():
        pass
    return space


def change(path: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql, values)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "vectors.sqlite"


def test_vectors_are_computed_once_and_come_back_the_same(path):
    first = filled(path)
    again = ByHash()
    second = VectorSpace(TEXTS, again, VectorCache(path))
    assert second.complete and again.embedded == 0
    assert np.array_equal(first.rows(range(30)).matrix, second.rows(range(30)).matrix)


@pytest.mark.parametrize("other", [ByHash("other model/8"), ByHash("hash/4", 4), ByHash("hash/8 at another endpoint")])
def test_another_space_never_uses_the_vectors_of_this_one(path, other):
    filled(path)
    space = VectorSpace(TEXTS, other, VectorCache(path))
    assert space.filled == 0
    assert space.rows([0]).computed == 1


def test_an_edited_text_is_embedded_anew_and_the_others_are_not(path):
    filled(path)
    embedder = ByHash()
    assert filled(path, embedder, [*TEXTS[:-1], "改过的条文"]).complete
    assert embedder.embedded == 1


def test_what_comes_from_the_cache_tells_the_time_it_once_took(path):
    filled(path, ByHash(pause=0.01))
    found = VectorSpace(TEXTS, ByHash(), VectorCache(path)).rows([3, 4, 5])
    assert (found.computed, found.seconds) == (0, 0.0)
    assert found.cached.sum() >= 3 * 0.01 / 8


def test_rows_embed_only_what_is_asked_for(path):
    embedder = ByHash()
    space = VectorSpace(TEXTS, embedder, VectorCache(path))
    found = space.rows([7, 2])
    assert (found.computed, embedder.embedded, list(space.known())) == (2, 2, [2, 7])
    assert np.array_equal(found.matrix[0], embedder.query(TEXTS[7]))


def test_filling_tells_how_far_it_is(path):
    space = VectorSpace(TEXTS, ByHash(), VectorCache(path))
    told = list(space.fill())
    assert told[-1] == (30, 30) and told == sorted(told) and len(told) > 2
    assert list(space.fill()) == []


@pytest.mark.parametrize("length", [0, 1, 50, 99, 100, 512, 4_095, 4_096, 8_192, 12_000, -4_096, -1])
def test_a_file_cut_short_is_set_aside_and_rebuilt(path, tmp_path, length):
    texts = [f"条文{n}" for n in range(80)]
    filled(path, ByHash("wide", 384), texts)
    raw = path.read_bytes()
    path.write_bytes(raw[:length])
    space = filled(path, ByHash("wide", 384), texts)
    assert space.complete
    assert VectorSpace(texts, ByHash("wide", 384), VectorCache(path)).complete


@pytest.mark.parametrize("start", [16, 100, 4_096])
def test_a_file_with_garbage_in_it_is_set_aside_and_rebuilt(path, start, caplog):
    filled(path, ByHash("wide", 384))
    raw = bytearray(path.read_bytes())
    raw[start : start + 3_000] = b"\xa5" * 3_000
    path.write_bytes(raw)
    with caplog.at_level(logging.WARNING):
        assert filled(path, ByHash("wide", 384)).complete
    assert "damaged" in caplog.text
    assert path.with_suffix(".damaged").exists()


def test_a_file_damaged_while_in_use_costs_only_time(path):
    cache = VectorCache(path)
    filled(path)
    path.write_bytes(b"not a database at all" * 500)
    for leftover in ("-wal", "-shm"):
        Path(f"{path}{leftover}").unlink(missing_ok=True)
    assert cache.read("hash/8", [text_hash(TEXTS[0])], 8) == {}
    assert filled(path).complete


@pytest.mark.parametrize("blob", [b"", b"\0", b"\0" * 31, b"\0" * 28, b"\0" * 36, np.full(8, np.nan, "<f4").tobytes()])
def test_a_damaged_row_counts_as_unknown(path, blob):
    filled(path)
    change(path, "UPDATE vectors SET vector=? WHERE hash=?", blob, text_hash(TEXTS[4]))
    embedder = ByHash()
    space = VectorSpace(TEXTS, embedder, VectorCache(path))
    assert space.filled == 29
    assert np.array_equal(space.rows([4]).matrix[0], embedder.query(TEXTS[4]))


def test_a_file_in_the_place_of_the_folder_works_in_memory(tmp_path, caplog):
    (tmp_path / "cache").write_text("not a folder", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        assert filled(tmp_path / "cache" / "vectors.sqlite").complete
    assert "cannot be used" in caplog.text


def test_no_folder_works_in_memory():
    assert filled(None).complete


def test_an_embedder_that_returns_nonsense_is_an_error_and_nothing_is_kept(path):
    with pytest.raises(EmbeddingError) as caught:
        filled(path, Failing())
    assert caught.value.say.code == "embeddings.malformed"
    assert VectorSpace(TEXTS, ByHash(), VectorCache(path)).filled == 0


def test_several_threads_may_fill_and_ask_at_once(path):
    space = VectorSpace(TEXTS, ByHash(pause=0.002), VectorCache(path))
    found: list[bool] = []

    def ask() -> None:
        matrix = space.rows(range(30)).matrix
        found.append(bool(np.allclose(np.linalg.norm(matrix, axis=1), 1.0, atol=1e-5)))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    threads.append(threading.Thread(target=lambda: list(space.fill())))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == [True] * 4 and space.complete


FILL = """
import sys
from pathlib import Path
from tests.test_vectors import ByHash, filled
texts = [f"条文{n}" for n in range(120)]
assert filled(Path(sys.argv[1]), ByHash(pause=0.001), texts).complete
"""


def test_two_processes_fill_it_at_once(path):
    command = [sys.executable, "-c", FILL, str(path)]
    both = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    told = [process.communicate(timeout=60)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    assert told == ["", ""]
    assert VectorSpace([f"条文{n}" for n in range(120)], ByHash(), VectorCache(path)).complete


def test_a_cache_removed_while_in_use_is_made_again(path):
    space = VectorSpace(TEXTS, ByHash(), VectorCache(path))
    shutil.rmtree(path.parent)
    assert space.rows([0]).computed == 1
