"""Vectors: the same for both SDKs, in both encodings, within limits, or replayed."""

from __future__ import annotations

import base64
import http.client
import json
import math
import struct
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import openai
import pytest

from tests import loopback as lo
from tests.loopback.asking import post


def cosine(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_both_sdks_get_the_same_vectors(server: lo.Loopback, client: Any) -> None:
    answer = client.embeddings.create(model="embedding-3", input=["退货", "保修期"], dimensions=256)
    assert [(item.index, len(item.embedding)) for item in answer.data] == [(0, 256), (1, 256)]
    assert answer.data[0].embedding == pytest.approx(lo.vector_of("退货", 256), abs=1e-6)
    assert server.texts_embedded == ["退货", "保修期"]


def test_vectors_in_base64_are_little_endian_floats(server: lo.Loopback) -> None:
    body = {"model": "m", "input": "退货", "encoding_format": "base64"}
    data = json.loads(post(server, "/v1/embeddings", body)[2])["data"]
    vector = struct.unpack("<8f", base64.b64decode(data[0]["embedding"]))
    assert vector == pytest.approx(lo.vector_of("退货"), abs=1e-6)


def test_similar_texts_are_nearer() -> None:
    question, near, far = (lo.vector_of(text, 64) for text in ("退货运费", "退货的运费谁付", "电梯每年检验"))
    assert math.hypot(*question) == pytest.approx(1.0)
    assert cosine(question, near) > cosine(question, far) + 0.2


def test_embedding_limits_are_kept_and_refused_texts_not_counted(server: lo.Loopback) -> None:
    server.embed_limits(most_texts=2, most_characters=5)
    given = [["一", "二", "三"], ["一二三四五六"], ["一", " "], [], ["一", "二"]]
    assert [post(server, "/v1/embeddings", {"input": texts})[0] for texts in given] == [400] * 4 + [200]
    assert server.texts_embedded == ["一", "二"]
    assert len(server.embeddings) == 5


def test_embeddings_can_be_replayed_or_fail(server: lo.Loopback, open_client: openai.OpenAI) -> None:
    shuffled = json.loads((lo.CASES / "emb_response_shuffled_index.json").read_text(encoding="utf-8"))
    server.embed_with(lambda request: shuffled if len(request.texts) == 3 else lo.Failed(503))
    answer = open_client.embeddings.create(model="embedding-3", input=["a", "b", "c"], encoding_format="float")
    assert [item.index for item in answer.data] == [2, 0, 1]
    with pytest.raises(openai.InternalServerError):
        open_client.embeddings.create(model="embedding-3", input="a")


def test_texts_whose_vectors_were_cut_off_are_not_counted(server: lo.Loopback) -> None:
    server.embed_delay = 5.0
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(post, server, "/v1/embeddings", {"input": ["甲"]})
        assert lo.eventually(lambda: len(server.embeddings) == 1)
        server.stop()
        assert isinstance(waiting.exception(2), ConnectionError | http.client.HTTPException)
    assert server.texts_embedded == []
