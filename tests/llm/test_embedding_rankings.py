"""Rankings by a provider's vectors: what they cost, and how each failure leaves BM25's order with a reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.agent.ledger import Ledger
from core.agent.tools import Toolbox
from core.asking import entrants
from core.domain import Call, Usage
from core.environment import load
from core.race import compare
from core.retrieval.ranking import Retriever
from core.settings import Settings
from tests.llm.embedders import KEY, embedder_at, space_of, vectors
from tests.loopback import Failed, Loopback, Request, count_tokens

ARTICLES = """# 退货
第一条 退货期限七日。
第二条 退货运费由商家承担。
第三条 定制品不予退货。
"""
REFUSED = Failed(401, {"error": {"message": "Incorrect API key", "code": "invalid_api_key"}})


@pytest.fixture
def retriever(server: Loopback, open_base: Any) -> Callable[..., Retriever]:
    """Opens a base of three articles, its vectors from the server."""

    def opened(**more: Any) -> Retriever:
        known = open_base(a=ARTICLES).retriever
        embedder = embedder_at(server, **more)
        vectors = space_of(embedder, [passage.indexed for passage in known.base.passages])
        return Retriever(known.base, known.tokeniser, known.index, vectors, embedder, known.bm25)

    return opened


def test_a_provider_ranks_by_meaning_and_only_the_question_is_counted(server, retriever):
    run = retriever().for_run()
    first, again = run.search("退货运费", 3), run.search("退货运费", 3)
    assert first.by_meaning and first.notice is None and len(server.embeddings) == 2
    assert first.usage == Usage(embedding=4) and again.usage is None
    cosines = [hit.scores["cosine"] for hit in first.hits]
    assert cosines == sorted(cosines, reverse=True) and first.times["once"] > 0


def test_where_the_endpoint_fails_bm25_stays_with_the_reason_and_it_is_not_asked_again(server, retriever):
    whole = retriever()
    run = whole.for_run()
    server.embed_with(lambda request: REFUSED)
    found = run.search("退货运费", 3)
    assert [hit.passage.id for hit in found.hits] == [hit.passage.id for hit in run.keyword("退货运费", 3).hits]
    assert found.notice and found.notice.code == "embeddings.failed" and not found.by_meaning
    assert found.notice.values["reason"]["code"] == "model.key_refused"
    assert run.search("期限", 3).notice == found.notice and len(server.embeddings) == 1
    server.embed_with(lambda request: None)
    assert whole.for_run().search("期限", 3).by_meaning


def test_a_vector_of_zeros_stands_last_without_a_cosine_and_the_notice_counts_it(server, retriever):
    def zero_for_the_first(request: Request) -> Mapping[str, Any] | None:
        return vectors([0, 0, 0], [0.6, 0.8, 0], [-0.6, -0.8, 0])(request) if len(request.texts) == 3 else None

    server.dimension = 3
    server.embed_with(zero_for_the_first)
    found = retriever().for_run().search("退货", 3)
    assert found.notice and (found.notice.code, found.notice.values) == ("embeddings.zero", {"count": 1})
    assert ["cosine" in hit.scores for hit in found.hits] == [True, True, False]
    assert all(np.isfinite(hit.score) for hit in found.hits) and found.hits[-1].score == -1.0


def test_a_question_without_a_vector_keeps_the_order_of_bm25(server, retriever):
    server.embed_with(lambda request: vectors([0] * 8)(request) if len(request.texts) == 1 else None)
    found = retriever().for_run().search("退货", 3)
    assert found.notice and found.notice.code == "embeddings.question_zero" and not found.by_meaning
    assert [hit.scores["bm25_rank"] for hit in found.hits] == [1, 2, 3]


def test_long_texts_in_pieces_are_told_each_time_whether_cached_or_not(server, retriever):
    whole = retriever(longest=10)
    first, again = (whole.for_run().search("退货", 3) for _ in range(2))
    assert first.notice and first.notice.code == "embeddings.split"
    assert again.notice == first.notice


def test_what_the_offline_writer_asks_is_counted_beside(server, retriever):
    run = retriever().for_run()
    assert run.told_beside() is None
    run.closeness("退货运费", run.base.passages)
    run.closeness("退货运费", run.base.passages)
    assert run.told_beside() == Usage(embedding=4) and run.told_beside() is None


def settings_at(server: Loopback, home: Path) -> Settings:
    given = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": KEY, "WORKBENCH_EMBEDDINGS": "openai:m"}
    return load({**given, "WORKBENCH_HOME": str(home)})


def test_a_failed_endpoint_is_told_in_each_mode_and_every_mode_ends_with_an_answer(server, open_base, tmp_path):
    server.embed_with(lambda request: REFUSED)
    bench = open_base(settings_at(server, tmp_path), a=ARTICLES)
    by_words, rerank, agentic = compare(bench, entrants("退货运费", ["bm25", "rerank", "agentic"], None, {})).runs
    assert [run.error for run in (by_words, rerank, agentic)] == [None] * 3
    assert rerank.evidence == by_words.evidence and agentic.evidence and rerank.answer
    step = next(step for step in rerank.steps if step.name == "rerank")
    assert step.detail.code == "embeddings.kept" and step.error and step.error.code == "embeddings.failed"
    assert "embeddings.failed" in [step.error.code for step in agentic.steps if step.error and step.name == "search"]


def test_what_the_questions_cost_stands_in_the_steps_that_asked(server, open_base, tmp_path):
    bench = open_base(settings_at(server, tmp_path), a=ARTICLES)
    list(bench.fill())
    server.record.forget()
    runs = compare(bench, entrants("退货运费，期限", ["bm25", "rerank", "agentic"], None, {})).runs
    told = [sum(step.usage.embedding or 0 for step in run.steps if step.usage) for run in runs]
    assert min(told) > 0 and sum(told) == sum(count_tokens(text) for text in server.texts_embedded)
    assert all(step.error is None for run in runs for step in run.steps)


def test_a_look_into_a_document_goes_by_words_where_the_endpoint_fails(server, retriever):
    call = Call("find", {"reference": "a", "pattern": "运费", "kind": "semantic"})
    tools = Toolbox(retriever().for_run(), Ledger(), len)
    server.embed_with(lambda request: REFUSED)
    found = tools.run(call)
    assert "第二条" in found.output and found.error and found.error.code == "embeddings.failed"
