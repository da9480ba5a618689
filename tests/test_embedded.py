"""The offline embedder under several threads."""

import threading

import numpy as np
import pytest

from core.llm.embedded import EmbeddedE5

TEXTS = ["年假五天", "退货运费由谁承担", "the lease ends in May", "", "a\0b", "\ud800"]


@pytest.fixture(scope="module")
def embedder():
    return EmbeddedE5()


def test_vectors_are_of_unit_length_and_do_not_depend_on_who_embeds_beside(embedder):
    alone = [embedder.query(text).vectors for text in TEXTS]
    found = {}
    threads = [
        threading.Thread(target=lambda at=at, text=text: found.update({at: embedder.query(text).vectors}))
        for at, text in enumerate(TEXTS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[at], vector) for at, vector in enumerate(alone))
    assert all(vector.shape == (384,) and np.linalg.norm(vector) == pytest.approx(1, abs=1e-5) for vector in alone)


def test_background_work_lets_a_question_pass(embedder):
    done = []
    work = threading.Thread(
        target=lambda: (embedder.passages(["很长的段落" * 40] * 12, background=True), done.append("background"))
    )
    work.start()
    embedder.query("问题")
    done.append("question")
    work.join()
    assert done == ["question", "background"]


def test_tokens_are_counted_without_prefix(embedder):
    assert embedder.count("") == 0
    assert 1 <= embedder.count("hello") <= 3 < embedder.count("退货运费由谁承担，期限多久")
