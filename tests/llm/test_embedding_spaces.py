"""A provider's vectors are kept: never mixed with others', never sent for twice, whatever fails in the middle."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from core.errors import EmbeddingError
from core.llm import wire
from core.llm.embedding_api import ProviderEmbedder
from tests.llm.embedders import KEY, embedder_at, space_of
from tests.loopback import Failed, Loopback

Make = Callable[..., ProviderEmbedder]


@pytest.fixture
def make(server: Loopback) -> Make:
    """Makes embedders at the server: of the family openai with model `m`, unless told otherwise."""
    return partial(embedder_at, server)


@pytest.mark.parametrize("batch", [10, 25, 64])
def test_another_limit_of_texts_is_a_setting_of_the_endpoint(server, make, batch):
    server.embed_limits(most_texts=batch)
    embedder = make(batch=batch)
    texts = [f"条文{n}" for n in range(65)]
    found = space_of(embedder, texts).rows(range(65), embedder)
    assert (found.computed, max(len(request.texts) for request in server.embeddings)) == (65, batch)


def test_another_model_of_the_same_length_and_then_another_length_reuse_nothing(server, make, tmp_path):
    path, texts = tmp_path / "vectors.sqlite", ["甲", "乙"]
    server.dimension = 3
    for number, embedder in enumerate([make("a"), make("b"), make("b", dimension=2)], 1):
        space = space_of(embedder, texts, path)
        assert space.filled == 0
        assert space.rows([0, 1], embedder).matrix.shape == (2, embedder.dimension)
        assert len(server.embeddings) == number
    assert space_of(make("a"), texts, path).complete and space_of(make("b"), texts, path).complete


def test_a_model_that_changed_behind_its_name_is_embedded_anew(server, make, tmp_path):
    path, texts = tmp_path / "vectors.sqlite", ["甲", "乙"]
    server.dimension = 3
    embedder = make()
    space_of(embedder, texts, path).rows([0, 1], embedder)
    server.dimension = 2
    embedder = make()
    space = space_of(embedder, texts, path)
    assert space.complete and embedder.query("问").vectors.shape == (2,)
    assert space.rows([0, 1], embedder).matrix.shape == (2, 2)


def test_the_same_space_is_one_address_model_length_and_way_of_pooling(make):
    one = make()
    assert one.space == make().space
    others = [make("n"), make(dimension=4), make(longest=100), make(family="zhipu")]
    assert len({one.space, *(other.space for other in others)}) == 5
    endpoint = replace(one._endpoint, url="https://user:secret@api.example.com/v1/?key=secret")
    assert "secret" not in ProviderEmbedder(one._connection, endpoint, "m").space


def test_the_key_is_in_no_space_no_error_and_no_file(server, make, tmp_path):
    embedder = make()
    space = space_of(embedder, ["甲"], tmp_path / "vectors.sqlite")
    space.rows([0], embedder)
    server.embed_with(lambda request: Failed(401, {"error": {"message": f"Incorrect API key: {KEY}"}}))
    with pytest.raises(EmbeddingError) as caught:
        embedder.query("乙")
    told = f"{embedder.space} {caught.value} {caught.value.say}"
    assert KEY not in told and "key_refused" in told
    assert all(KEY.encode() not in file.read_bytes() for file in tmp_path.iterdir())


def test_ten_thousand_passages_survive_a_restart_in_the_middle_and_none_is_sent_twice(
    server, make, tmp_path, monkeypatch
):
    monkeypatch.setattr(wire, "FIRST_WAIT", 0.2)
    monkeypatch.setattr(wire, "LONGEST_WAIT", 0.5)
    texts = [f"第{n}条 退货期限为{n}日。" for n in range(10_000)]
    embedder = make()
    space = space_of(embedder, texts, tmp_path / "vectors.sqlite")
    for done, _ in space.fill(embedder):
        if done == 64 * 80:
            server.stop()
            threading.Timer(0.3, server.start).start()
    assert space.complete
    assert sorted(server.texts_embedded) == sorted(texts)
    assert space_of(embedder, texts, tmp_path / "vectors.sqlite").complete


def test_after_a_crash_only_what_had_not_arrived_is_sent(server, make, tmp_path):
    texts = [f"条文{n}" for n in range(300)]
    embedder = make()
    server.embed_with(lambda request: Failed(400, "gone") if len(server.embeddings) > 3 else None)
    with pytest.raises(EmbeddingError):
        list(space_of(embedder, texts, tmp_path / "vectors.sqlite").fill(embedder))
    server.embed_with(lambda request: None)
    anew = make()
    space = space_of(anew, texts, tmp_path / "vectors.sqlite")
    assert space.filled == 3 * 64
    list(space.fill(anew))
    assert server.texts_embedded == texts


def test_three_modes_that_lack_the_same_passages_send_them_once(server, make):
    server.embed_delay = 0.1
    texts = [f"条文{n}" for n in range(100)]
    space = space_of(make(), texts)
    threads = [threading.Thread(target=lambda: space.rows(range(100), make())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert space.complete and sorted(server.texts_embedded) == sorted(texts)
