"""Vectors on disk: never mixed between models, never trusted when damaged, filled by several at once."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from core.errors import EmbeddingError, StoppedError
from core.ports import Embedding, Scale
from core.retrieval.vector_cache import VectorCache, text_hash
from core.retrieval.vectors import VectorSpace

ROOT = Path(__file__).resolve().parents[1]
TEXTS = [f"第{n}条 退货期限为{n}日。" for n in range(1, 31)]


class ByHash:
    """An embedder whose vectors follow from the text alone; counts what it embeds."""

    batch = 8
    longest = 0
    free = True
    scale = Scale(0.02, 0.84, 0.9, 0.015, 0.01, 0.04)

    def __init__(self, space: str = "hash/8", dimension: int = 8, pause: float = 0.0) -> None:
        self.id = self.space = space
        self.dimension = dimension
        self.embedded: list[str] = []
        self._pause = pause

    def query(self, text: str) -> Embedding:
        vector = np.random.default_rng(list(text_hash(text))).normal(size=self.dimension).astype(np.float32)
        return Embedding(vector / np.linalg.norm(vector))

    def passages(self, texts: Sequence[str], *, background: bool = False) -> Embedding:
        time.sleep(self._pause)
        self.embedded += texts
        return Embedding(np.stack([self.query(text).vectors for text in texts]), tokens=len(texts))


class Failing(ByHash):
    """Gives nonsense."""

    def passages(self, texts: Sequence[str], *, background: bool = False) -> Embedding:
        return Embedding(np.full((len(texts), self.dimension), np.nan, dtype=np.float32))


class FailingOnce(ByHash):
    """Fails at its call of this number, slowly, so that others come to wait for it."""

    def __init__(self, at: int) -> None:
        super().__init__(pause=0.05)
        self.calls = 0
        self._at = at

    def passages(self, texts: Sequence[str], *, background: bool = False) -> Embedding:
        self.calls += 1
        if self.calls == self._at:
            time.sleep(0.2)
            raise EmbeddingError("embeddings.unavailable")
        return super().passages(texts)


def space_of(embedder: ByHash, path: Path | None, texts: Sequence[str] = TEXTS) -> VectorSpace:
    return VectorSpace(texts, embedder.space, VectorCache(path), embedder.dimension, embedder.longest)


def filled(path: Path | None, embedder: ByHash | None = None, texts: Sequence[str] = TEXTS) -> VectorSpace:
    embedder = embedder or ByHash()
    space = space_of(embedder, path, texts)
    for _ in space.fill(embedder):
        pass
    return space


def together(*works: Callable[[], object]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)


def change(path: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql, values)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "vectors.sqlite"


def test_vectors_are_computed_once_and_come_back_the_same(path):
    first = filled(path)
    again = ByHash()
    second = space_of(again, path)
    assert second.complete
    assert np.array_equal(first.rows(range(30), again).matrix, second.rows(range(30), again).matrix)
    assert again.embedded == []


@pytest.mark.parametrize("other", [ByHash("other model/8"), ByHash("hash/4", 4), ByHash("hash/8 at another endpoint")])
def test_another_space_never_uses_the_vectors_of_this_one(path, other):
    filled(path)
    space = space_of(other, path)
    assert space.filled == 0
    assert space.rows([0], other).computed == 1


def test_an_edited_text_is_embedded_anew_and_the_others_are_not(path):
    filled(path)
    embedder = ByHash()
    assert filled(path, embedder, [*TEXTS[:-1], "改过的条文"]).complete
    assert embedder.embedded == ["改过的条文"]


def test_what_comes_from_the_cache_tells_the_time_it_once_took(path):
    filled(path, ByHash(pause=0.01))
    found = space_of(ByHash(), path).rows([3, 4, 5], ByHash())
    assert (found.computed, found.seconds, found.tokens) == (0, 0.0, None)
    assert found.cached.sum() >= 3 * 0.01 / 8


def test_rows_embed_only_what_is_asked_for(path):
    embedder = ByHash()
    space = space_of(embedder, path)
    found = space.rows([7, 2], embedder)
    assert (found.computed, found.tokens, list(space.known())) == (2, 2, [2, 7])
    assert embedder.embedded == [TEXTS[7], TEXTS[2]]
    assert np.array_equal(found.matrix[0], embedder.query(TEXTS[7]).vectors)


def test_filling_tells_how_far_it_is(path):
    space = space_of(ByHash(), path)
    told = list(space.fill(ByHash()))
    assert told == [(8, 30), (16, 30), (24, 30), (30, 30)]
    assert list(space.fill(ByHash())) == []


@pytest.mark.parametrize("length", [0, 1, 50, 99, 100, 512, 4_095, 4_096, 8_192, 12_000, -4_096, -1])
def test_a_file_cut_short_is_set_aside_and_rebuilt(path, tmp_path, length):
    texts = [f"条文{n}" for n in range(80)]
    filled(path, ByHash("wide", 384), texts)
    raw = path.read_bytes()
    path.write_bytes(raw[:length])
    space = filled(path, ByHash("wide", 384), texts)
    assert space.complete
    assert space_of(ByHash("wide", 384), path, texts).complete


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
    space = space_of(embedder, path)
    assert space.filled == 29
    assert np.array_equal(space.rows([4], embedder).matrix[0], embedder.query(TEXTS[4]).vectors)


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
    assert space_of(ByHash(), path).filled == 0


def test_several_threads_may_fill_and_ask_at_once_and_no_text_is_embedded_twice(path):
    embedder = ByHash(pause=0.002)
    space = space_of(embedder, path)
    found: list[bool] = []

    def ask() -> None:
        matrix = space.rows(range(30), embedder).matrix
        found.append(bool(np.allclose(np.linalg.norm(matrix, axis=1), 1.0, atol=1e-5)))

    together(ask, ask, ask, ask, lambda: list(space.fill(embedder)))
    assert found == [True] * 4 and space.complete
    assert sorted(embedder.embedded) == sorted(TEXTS)


def test_who_waited_for_one_that_failed_tries_it_himself():
    failing, working = FailingOnce(at=1), ByHash()
    space = space_of(working, None)
    told: list[object] = []

    def fail() -> None:
        with pytest.raises(EmbeddingError):
            space.rows(range(8), failing)
        told.append("failed")

    def wait() -> None:
        time.sleep(0.05)
        told.append(space.rows(range(8), working).computed)

    together(fail, wait)
    assert told == ["failed", 8]


def test_who_waits_for_another_hears_a_stop():
    slow, space = ByHash(pause=1.0), space_of(ByHash(), None)
    first = threading.Thread(target=lambda: space.rows([0], slow))
    first.start()
    time.sleep(0.1)
    began = time.perf_counter()
    with pytest.raises(StoppedError):
        space.rows([0], ByHash(), stopped=lambda: True)
    assert time.perf_counter() - began < 0.5
    first.join()


def test_what_arrived_before_a_failure_is_kept_and_not_asked_again(path):
    failing = FailingOnce(at=3)
    with pytest.raises(EmbeddingError):
        filled(path, failing)
    again = ByHash()
    assert filled(path, again).complete
    assert sorted(failing.embedded + again.embedded) == sorted(TEXTS) and len(failing.embedded) == 16


def test_equal_texts_are_embedded_once_and_blank_ones_never():
    embedder = ByHash()
    space = filled(None, embedder, ["甲", " \n", "乙", "甲", ""])
    assert embedder.embedded == ["甲", "乙"] and space.complete and space.filled == 5
    matrix = space.rows(range(5), embedder).matrix
    assert np.array_equal(matrix[0], matrix[3]) and not matrix[[1, 4]].any()


def test_a_vector_of_zeros_is_used_but_asked_again_at_the_next_start(path):
    class Zeros(ByHash):
        def passages(self, texts: Sequence[str], *, background: bool = False) -> Embedding:
            return Embedding(np.zeros((len(texts), self.dimension), dtype=np.float32))

    assert filled(path, Zeros()).complete
    assert space_of(ByHash(), path).filled == 0


def test_what_another_base_has_kept_meanwhile_is_not_embedded_again(path):
    late, embedder = space_of(ByHash(), path), ByHash()
    filled(path)
    found = late.rows(range(30), embedder)
    assert (found.computed, embedder.embedded) == (0, [])
    assert found.matrix.any(axis=1).all()


def test_a_length_that_no_one_told_is_learnt_and_another_one_begins_anew(path):
    known = filled(path, ByHash("own", 8))
    unsaid = VectorSpace(TEXTS, "own", VectorCache(path))
    assert unsaid.complete and unsaid.rows([0], ByHash("own", 8)).matrix.shape == (1, 8)
    other = ByHash("own", 3)
    assert unsaid.rows([0, 1], other).matrix.shape == (2, 3) and len(other.embedded) == 2
    assert known.rows([0], ByHash("own", 8)).computed == 0


def test_the_texts_of_one_call_are_so_few_that_their_pieces_fit_one_request():
    texts = ["短"] * 1 + ["长" * 500 + str(n) for n in range(6)]
    calls: list[int] = []

    class Counting(ByHash):
        longest = 300

        def passages(self, texts: Sequence[str], *, background: bool = False) -> Embedding:
            calls.append(len(texts))
            return super().passages(texts)

    embedder = Counting()
    space = space_of(embedder, None, texts)
    assert space.rows(range(7), embedder).split == 0 and calls == [3, 2, 2]
    assert space.rows(range(7), embedder).split == 6


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
    assert space_of(ByHash(), path, [f"条文{n}" for n in range(120)]).complete


def test_a_cache_removed_while_in_use_is_made_again(path):
    space = space_of(ByHash(), path)
    shutil.rmtree(path.parent)
    assert space.rows([0], ByHash()).computed == 1
