"""Vectors of words: however many threads ask, each word is embedded once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.ports import Embedding
from core.retrieval.vector_cache import VectorCache
from core.retrieval.word_vectors import WordVectors

WORDS = [f"词{number}" for number in range(40)]


class Counting:
    """An embedder that notes what it was given, slowly enough for threads to meet."""

    space, dimension, batch, longest, free = "counting", 2, 8, 0, True

    def __init__(self):
        self.given = []
        self.slow = threading.Event()

    def passages(self, texts, *, background=False):
        self.slow.wait(0.01)
        self.given += texts
        return Embedding(np.array([[len(text), 1.0] for text in texts], np.float32))


def test_threads_that_ask_for_the_same_words_embed_each_once(tmp_path):
    embedder, words = Counting(), WordVectors(VectorCache(tmp_path / "vectors.sqlite"))
    asked = [WORDS[start : start + 25] for start in (0, 5, 10, 15)]
    with ThreadPoolExecutor() as pool:
        filling = pool.submit(lambda: list(words.fill(WORDS, embedder)))
        found = list(pool.map(lambda some: words.of(some, embedder), asked))
    assert sorted(embedder.given) == sorted(WORDS)
    assert all(total == 40 for _, total in filling.result()) and {each.shape for each in found} == {(25, 2)}


def test_words_that_failed_are_free_for_the_next_who_asks(tmp_path):
    embedder, words = Counting(), WordVectors(VectorCache(tmp_path / "vectors.sqlite"))
    given, embedder.passages = embedder.passages, None
    try:
        words.of(WORDS[:3], embedder)
    except TypeError:
        embedder.passages = given
    assert words.of(WORDS[:3], embedder).shape == (3, 2)
