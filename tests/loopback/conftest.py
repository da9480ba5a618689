"""A running server, and both SDKs pointed at it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import openai
import pytest
import zhipuai

from tests import loopback as lo


@pytest.fixture
def server() -> Iterator[lo.Loopback]:
    with lo.Loopback() as running:
        yield running


@pytest.fixture
def open_client(server: lo.Loopback) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key="sk-right", base_url=server.url, max_retries=0) as client:
        yield client


@pytest.fixture
def zhipu(server: lo.Loopback) -> Iterator[zhipuai.ZhipuAI]:
    client = zhipuai.ZhipuAI(api_key="id.secret", base_url=server.zhipu_url, max_retries=0)
    yield client
    client.close()


@pytest.fixture(params=["open_client", "zhipu"])
def client(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(request.param)
