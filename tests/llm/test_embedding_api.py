"""Embeddings by a provider over real HTTP: in bounded requests, matched by index, checked before they are used."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pytest

from core.domain import Usage
from core.errors import EmbeddingError, SpendError, StoppedError
from core.llm.embedding_api import ProviderEmbedder, blank
from tests.llm.embedders import CASES, case, embedder_at, space_of, vectors
from tests.loopback import SOON, Dropped, Failed, Loopback, Request, vector_of

Make = Callable[..., ProviderEmbedder]


@pytest.fixture
def make(server: Loopback) -> Make:
    """Makes embedders at the server: of the family openai with model `m`, unless told otherwise."""
    return partial(embedder_at, server)


def reason(caught: pytest.ExceptionInfo[EmbeddingError]) -> str:
    assert caught.value.say.code == "embeddings.failed"
    return str(caught.value.say.values["reason"]["code"])


@pytest.mark.parametrize("family", ["openai", "zhipu"])
def test_vectors_come_in_order_of_length_one_with_the_tokens_counted(server, make, family):
    found = make("embedding-3", family).passages(["退货 七天", "保修一年"])
    assert found.vectors.shape == (2, 1024) and found.vectors.dtype == np.float32
    assert np.allclose(found.vectors[1], vector_of("保修一年", 1024), atol=1e-5)
    assert np.allclose(np.linalg.norm(found.vectors, axis=1), 1.0)
    assert (found.tokens, found.split) == (8, 0)
    assert server.embeddings[0].body["dimensions"] == 1024


def test_sixty_five_texts_and_one_of_nine_thousand_characters_stay_within_the_limits(server, make):
    server.embed_limits(most_texts=64, most_characters=3_072)
    long = "".join(f"第{n}条 退货期限为七日，运费由商家承担。\n" for n in range(500))[:9_000]
    texts = [f"第{n}条" for n in range(64)] + [long]
    found = make("embedding-3", "zhipu").passages(texts)
    assert [len(request.texts) for request in server.embeddings] == [64, 4] and found.split == 1
    assert np.allclose(found.vectors[63], vector_of("第63条", 1024), atol=1e-5)
    pieces = server.embeddings[1].texts
    assert "\n".join(pieces) == long.strip("\n") and all(len(piece) <= 3_000 for piece in pieces)
    mean = sum(len(piece) * np.array(vector_of(piece, 1024)) for piece in pieces)
    assert np.allclose(found.vectors[64], mean / np.linalg.norm(mean), atol=1e-5)


def test_what_the_server_still_finds_too_long_is_sent_in_halves_once(server, make):
    server.embed_limits(most_characters=400)
    text = "期限为七日。" * 100
    assert make(longest=600).passages([text]).split == 1
    assert [len(piece) for piece in server.texts_embedded] == [300, 300]
    with pytest.raises(EmbeddingError) as caught:
        make(longest=2_000).passages([text * 4])
    assert reason(caught) in ("model.refused", "model.too_long")


def test_blank_texts_are_never_sent_and_the_others_are(server, make):
    embedder = make()
    found = embedder.passages(["甲", "", " \n\t", "\u200b\ufeff", "乙\ud800"])
    assert server.texts_embedded == ["甲", "乙?"]
    assert found.vectors.any(axis=1).tolist() == [True, False, False, False, True]
    assert not make().passages(["", " "]).vectors.any() and not embedder.query(" ").vectors.any()
    assert len(server.embeddings) == 1


def test_sections_without_text_cost_nothing_and_the_rest_is_embedded(server, make, open_base):
    parts = open_base(a=(CASES / "md_empty_sections.md").read_text(encoding="utf-8")).retriever
    texts = [passage.indexed for passage in parts.base.passages]
    embedder = make()
    assert list(space_of(embedder, texts).fill(embedder))
    assert server.texts_embedded == texts and not any(map(blank, texts))


def test_vectors_are_matched_by_index_and_not_by_position(server, make):
    server.embed_with(lambda request: case("emb_response_shuffled_index.json"))
    assert np.array_equal(make().passages(["a", "b", "c"]).vectors, np.eye(3))


def test_a_server_that_gives_no_index_is_matched_by_position(server, make):
    def without(request: Request) -> Mapping[str, Any]:
        answer = dict(vectors([1, 0], [0, 1])(request))
        return {**answer, "data": [{"object": "embedding", "embedding": item["embedding"]} for item in answer["data"]]}

    server.embed_with(without)
    assert np.array_equal(make().passages(["a", "b"]).vectors, np.eye(2))


@pytest.mark.parametrize("indexes", [(0, 0), (1, 2), (0, None), (-1, 0)])
def test_indexes_that_are_no_order_are_an_error(server, make, indexes):
    data = [{"object": "embedding", "index": at, "embedding": [1.0, 0.0]} for at in indexes]
    server.embed_with(lambda request: {"object": "list", "model": "m", "data": data})
    with pytest.raises(EmbeddingError) as caught:
        make().passages(["a", "b"])
    assert reason(caught) == "embeddings.index"


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([[1, 0]], "embeddings.count"),
        ([[1, 0]] * 3, "embeddings.count"),
        ([[1, 0], [1]], "embeddings.length"),
        ([[], []], "embeddings.length"),
        ([[1, 0], [float("nan"), 0]], "embeddings.numbers"),
        ([[1, 0], [float("inf"), 0]], "embeddings.numbers"),
        ([[1, 0], [None, 0]], "embeddings.numbers"),
    ],
)
def test_an_answer_that_does_not_fit_is_an_error_and_nothing_of_it_is_used(server, make, rows, code):
    server.embed_with(vectors(*rows))
    embedder = make()
    space = space_of(embedder, ["a", "b"])
    with pytest.raises(EmbeddingError) as caught:
        space.rows([0, 1], embedder)
    assert reason(caught) == code and space.filled == 0


@pytest.mark.parametrize("family", ["openai", "zhipu"])
@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"data": "abc"},
        {"data": [None]},
        {"data": [{"index": 0, "embedding": None}]},
        {"data": [{"index": 0, "embedding": "AACAPw=="}]},
        {"data": [{"index": 0, "embedding": [[1, 2]]}]},
        {"data": [{"index": [0], "embedding": [1]}]},
        {"error": {"message": "boom"}},
        Failed(200, "<html><title>Portal</title></html>", content_type="text/html"),
        Failed(200, "null"),
        Failed(200, "{"),
        Failed(503, "busy"),
        Dropped(),
    ],
)
def test_whatever_a_server_sends_instead_is_an_error_with_its_reason(server, make, family, answer):
    server.embed_with(lambda request: answer)
    with pytest.raises(EmbeddingError) as caught:
        make(family=family).query("退货")
    assert reason(caught).startswith(("model.", "embeddings."))


def test_a_response_with_a_vector_too_short_is_refused_as_a_whole(server, make):
    server.embed_with(lambda request: case("emb_response_zero_and_short.json"))
    with pytest.raises(EmbeddingError) as caught:
        make(dimension=3).passages(["a", "b", "c"])
    assert reason(caught) == "embeddings.length"
    assert caught.value.say.values["reason"]["values"] == {"found": [2, 3], "expected": 3}


def test_huge_numbers_are_brought_to_length_one(server, make):
    server.embed_with(vectors([3e200, 4e200]))
    assert np.allclose(make().query("a").vectors, [0.6, 0.8])


@pytest.mark.parametrize("dimension", [256, 512, 1024, 2048])
def test_embedding_3_is_asked_for_the_length_that_is_set(server, make, dimension):
    embedder = make("embedding-3", "zhipu", dimension=dimension)
    assert embedder.query("退货").vectors.shape == (dimension,)


@pytest.mark.parametrize("dimension", [1, 1000, 4096])
def test_embedding_3_has_no_other_length(make, dimension):
    with pytest.raises(EmbeddingError) as caught:
        make("embedding-3", "zhipu", dimension=dimension)
    assert caught.value.say.code == "embeddings.dimension"


def test_the_length_of_another_model_is_learnt_and_no_parameter_sent(server, make):
    embedder = make()
    assert embedder.dimension == 0
    embedder.query("退货")
    assert embedder.dimension == 8 and "dimensions" not in server.embeddings[0].body


def test_a_stop_is_heard_while_the_server_is_silent(server, make):
    server.embed_delay = 30.0
    began = time.perf_counter()
    with pytest.raises(StoppedError):
        make(stopped=lambda: time.perf_counter() - began > 0.2).query("退货")
    assert time.perf_counter() - began < SOON


class Till:
    """A purse that writes down what it is asked for and paid, with room for so many requests."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.billed: list[tuple[str, int]] = []
        self.paid: list[tuple[Usage | None, int]] = []

    def bill(self, model: str, prompt: int, most: int | None = None) -> Till:
        if len(self.billed) == self.room:
            raise SpendError("embeddings.unavailable")
        self.billed.append((model, prompt))
        return self

    def pay(self, usage: Usage | None, guess: int = 0) -> None:
        self.paid.append((usage, guess))


def test_each_request_is_billed_before_and_paid_after_and_a_limit_ends_it(server, make):
    till = Till(room=2)
    embedder = make(purse=till)
    embedder.query("退货 七天")
    server.embed_with(lambda request: Failed(400, "refused"))
    with pytest.raises(EmbeddingError):
        embedder.query("保修")
    with pytest.raises(EmbeddingError) as caught:
        embedder.query("运费")
    assert till.billed == [("own:m", 5), ("own:m", 2)] and reason(caught) == "embeddings.unavailable"
    assert till.paid == [(Usage(embedding=4), 5), (None, 0)]
    assert len(server.embeddings) == 2
