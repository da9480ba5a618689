"""Either SDK may be absent, and a proxy unusable: said in words when the endpoint is called, never before."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.endpoints import Endpoint, Secret
from tests import loopback as lo
from tests.llm.talking import KEY, chat_at, endpoint_of, hear

PACKAGES = {"openai": "openai", "zhipu": "zhipuai"}
OTHER = {"openai": "zhipu", "zhipu": "openai"}


def test_an_sdk_that_is_absent_is_named_and_the_other_works(server, family, monkeypatch):
    monkeypatch.setitem(sys.modules, PACKAGES[family], None)
    heard = hear(chat_at(endpoint_of(server, family)))
    assert (heard.failure, heard.error.say.values["package"]) == ("model.sdk_missing", PACKAGES[family])
    assert hear(chat_at(endpoint_of(server, OTHER[family]))).text == "根据资料作答[1]。"


@pytest.mark.parametrize("absent", [["zhipuai", "httpx", "jwt"], ["openai", "httpx2"]])
def test_the_engine_starts_without_an_sdk_and_what_came_with_it(absent):
    hide = f"import sys; sys.modules.update(dict.fromkeys({absent!r}))"
    code = f"{hide}\nimport core.llm.chat, core.llm.wire, core.environment\ncore.environment.load({{}})"
    subprocess.run([sys.executable, "-c", code], cwd=lo.CASES.parents[1], check=True)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ALL_PROXY", "socks5://127.0.0.1:1080"),
        ("all_proxy", "socks5://someone:hunter2@127.0.0.1:1080"),
        ("HTTP_PROXY", "nonsense"),
        ("HTTP_PROXY", "ftp://someone:hunter2@127.0.0.1:21"),
        ("HTTP_PROXY", "http://someone:hunter2@127.0.0.1:port"),
        ("HTTP_PROXY", "http://[::1"),
        ("HTTP_PROXY", "http://代理:99999"),
    ],
)
def test_a_proxy_that_cannot_be_used_is_said_in_words(server, family, monkeypatch, variable, value):
    endpoint = endpoint_of(server, family)
    monkeypatch.setenv(variable, value)
    heard = hear(chat_at(endpoint))
    assert heard.failure in ("model.proxy", "model.unreachable")
    assert "hunter2" not in repr(heard.error.say)


def test_a_socks_proxy_without_its_package_names_what_to_do(server, family, monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    heard = hear(chat_at(endpoint_of(server, family)))
    assert heard.failure == "model.proxy" and "socksio" in heard.error.say.values["reason"]


def test_a_proxy_that_nobody_runs_is_unreachable_with_the_host(server, family, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    heard = hear(chat_at(endpoint_of(server, family)))
    assert heard.failure == "model.unreachable" and server.chats == []


def test_a_proxy_that_is_mended_is_used_without_a_restart(server, family, monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    chat = chat_at(endpoint_of(server, family))
    assert hear(chat).failure == "model.proxy"
    monkeypatch.delenv("ALL_PROXY")
    assert hear(chat).text == "根据资料作答[1]。"


def test_certificates_that_are_missing_are_said_in_words(server, family, monkeypatch, tmp_path):
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "gone.pem"))
    assert hear(chat_at(endpoint_of(server, family))).failure == "model.crashed"


@pytest.mark.parametrize("url", ["https://open.bigmodel.cn/api/paas/v4", "https://api.openai.com/v1"])
def test_a_service_that_answers_nobody_without_a_key_is_not_called_without(family, url):
    heard = hear(chat_at(Endpoint(family, family, url)))
    assert heard.failure == "model.key_missing" and heard.error.say.values["variable"].endswith("_API_KEY")


@pytest.mark.parametrize(
    ("url", "key", "code"),
    [
        ("http://127.0.0.1:1/v1", "sk-中文", "key.characters"),
        ("http://127.0.0.1:1/v1", "sk-a\u200bb", "key.characters"),
        ("", KEY, "endpoint.url"),
        ("http://", KEY, "endpoint.url"),
        ("ftp://host/v1", KEY, "endpoint.url"),
        ("http://me:secret@host/v1", KEY, "endpoint.url"),
    ],
)
def test_a_key_or_address_that_cannot_be_one_is_said_when_it_is_called(family, url, key, code):
    heard = hear(chat_at(Endpoint(family, family, url, Secret(key))))
    assert heard.failure == code and "secret" not in repr(heard.error.say)
