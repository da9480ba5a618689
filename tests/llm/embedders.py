"""Embedders at the loopback server, and answers that it is to give."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from core.endpoints import Endpoint, Secret
from core.llm.embedding_api import ProviderEmbedder
from core.llm.wire import Connection
from core.retrieval.vector_cache import VectorCache
from core.retrieval.vectors import VectorSpace
from tests.loopback import Loopback, Request

CASES = Path(__file__).parents[1] / "cases"
KEY = "sk-embedding-key-0123456789"


def embedder_at(
    server: Loopback, model: str = "m", family: str = "openai", purse: Any = None, stopped: Any = None, **more: Any
) -> ProviderEmbedder:
    """An embedder of `model` at the server; `more` is its endpoint's."""
    url = server.zhipu_url if family == "zhipu" else server.url
    endpoint = Endpoint("own", family, url, Secret(KEY), **more)  # type: ignore[arg-type]
    given = {"stopped": stopped} if stopped else {}
    return ProviderEmbedder(Connection(endpoint, 5.0), endpoint, model, purse=purse, **given)


def space_of(embedder: ProviderEmbedder, texts: list[str], path: Path | None = None) -> VectorSpace:
    return VectorSpace(texts, embedder.space, VectorCache(path), embedder.dimension, embedder.longest)


def case(name: str) -> dict[str, Any]:
    return dict(json.loads((CASES / name).read_text(encoding="utf-8")))


def vectors(*rows: list[Any]) -> Callable[[Request], Mapping[str, Any]]:
    data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows)]
    return lambda request: {"object": "list", "model": "m", "data": data, "usage": {"prompt_tokens": 3}}
