"""Keys and addresses as people paste them; a key is shown, logged and written nowhere."""

from __future__ import annotations

import copy
import json
import pickle
import traceback
from dataclasses import asdict, replace

import pytest

from core.endpoints import OPENAI_URL, ZHIPU_URL, Endpoint, Secret, clean_key, clean_url
from core.environment import load
from core.errors import UsageError

KEY = "sk-abcdefghijklmnop-7890"
HIDDEN = KEY[:-4]


@pytest.mark.parametrize(
    "typed",
    [
        "sk-abc",
        "  sk-abc\n",
        "\ufeffsk-abc\u200b",
        "\u200b sk-abc\u00a0\u3000",
        "sk-abc\r\n",
        "Bearer sk-abc",
        "authorization: bearer  sk-abc",
        '"sk-abc"',
        "'sk-abc' ",
    ],
)
def test_a_key_is_freed_of_what_was_copied_along(typed):
    assert clean_key(typed).reveal() == "sk-abc"


@pytest.mark.parametrize("typed", ["", "  ", "\u200b", '""', "\n"])
def test_a_blank_key_is_none(typed):
    assert not clean_key(typed)


@pytest.mark.parametrize(
    "typed", ["sk-中文", "sk-a\u200bb", "sk a", "ＳＫ-abc", "sk-a\x00b", "sk-…abc", "sk-a\nb", "密钥"]
)
def test_what_no_key_holds_is_refused_when_it_is_entered_and_not_repeated(typed):
    with pytest.raises(UsageError) as caught:
        clean_key(typed)
    assert caught.value.say.code == "key.characters" and typed not in str(caught.value)


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("https://api.deepseek.com", "https://api.deepseek.com/v1"),
        ("api.deepseek.com/", "https://api.deepseek.com/v1"),
        ("https://h.cn/v1/", "https://h.cn/v1"),
        ("https://h.cn/v1/chat/completions", "https://h.cn/v1"),
        ("https://h.cn/v1/chat/completions/", "https://h.cn/v1"),
        ("https://h.cn/v1/embeddings", "https://h.cn/v1"),
        ("https://h.cn/v1/models", "https://h.cn/v1"),
        ("https://h.cn/compatible-mode/v1", "https://h.cn/compatible-mode/v1"),
        (" \ufeffhttps://h.cn/v1\n", "https://h.cn/v1"),
        ("HTTPS://h.cn/v1#top", "https://h.cn/v1"),
        ("localhost:11434", "http://localhost:11434/v1"),
        ("127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("192.168.1.5:8000", "http://192.168.1.5:8000/v1"),
        ("172.20.0.1", "http://172.20.0.1/v1"),
        ("[::1]:8080", "http://[::1]:8080/v1"),
        ("box:8000", "http://box:8000/v1"),
        ("host.docker.internal:11434", "http://host.docker.internal:11434/v1"),
        ("10.example.com", "https://10.example.com/v1"),
        ("127.0.0.1.example.com", "https://127.0.0.1.example.com/v1"),
        ("[2001:4860:4860::8888]", "https://[2001:4860:4860::8888]/v1"),
        ("8.8.8.8", "https://8.8.8.8/v1"),
    ],
)
def test_an_address_comes_into_the_one_form_and_stays_in_it(typed, url):
    assert clean_url(typed, "openai") == url == clean_url(url, "openai")


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("https://open.bigmodel.cn", ZHIPU_URL),
        (f"{ZHIPU_URL}/chat/completions", ZHIPU_URL),
        ("https://api.z.ai/api/paas/v4/", "https://api.z.ai/api/paas/v4"),
    ],
)
def test_an_address_of_zhipu_gets_its_own_path(typed, url):
    assert clean_url(typed, "zhipu") == url


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "  ",
        "https://",
        "//h/v1",
        "http:/h",
        "ftp://h/v1",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "h:99999",
        "h:0",
        "http://h:port",
        "http://[::1",
        "https://h /v1",
        "https://h/v 1",
        "https://h/v1\nX-Other: 1",
        "https://h/\u200bv1",
        "https://h/v1?api-version=1",
    ],
)
@pytest.mark.parametrize("family", ["openai", "zhipu"])
def test_what_is_no_address_is_refused(typed, family):
    with pytest.raises(UsageError) as caught:
        clean_url(typed, family)
    assert caught.value.say.code == "endpoint.url"


@pytest.mark.parametrize("typed", ["https://me:hunter2@h/v1", "me:hunter2@h", "https://hunter2@h", "hunter2:@h/v1"])
def test_a_password_in_an_address_is_refused_and_not_repeated(typed):
    with pytest.raises(UsageError) as caught:
        clean_url(typed, "openai")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "a", "ab", "abc", "abcd", "abcdefgh", "abcdefghijkl", KEY])
def test_a_key_shows_at_most_its_last_four_characters_and_a_third_of_it(text):
    shown = Secret(text).hint.removeprefix("…")
    assert text.endswith(shown) and len(shown) <= min(4, len(text) / 3)


def test_a_key_is_hidden_wherever_it_is_shown():
    secret = Secret(KEY)
    endpoint = Endpoint("openai", "openai", OPENAI_URL, secret)
    settings = load({"WORKBENCH_HOME": "/nowhere", "OPENAI_API_KEY": KEY, "ZHIPUAI_API_KEY": KEY})
    told = [str(secret), repr(secret), f"{secret}", f"{secret!r:>40}", "%s" % secret, repr([secret])]  # noqa: UP031
    told += [repr(endpoint), str(asdict(endpoint)), repr(replace(endpoint, name="x")), repr(settings), str(settings)]
    told += [str(settings.recorded), repr(settings.endpoints)]
    assert not any(HIDDEN in text for text in told)


def test_a_key_is_hidden_in_a_traceback():
    secret = Secret(KEY)
    try:
        raise ValueError(f"refused {secret}", secret)
    except ValueError as error:
        told = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
    assert "secret" in told and HIDDEN not in told


def test_a_key_cannot_be_written():
    secret = Secret(KEY)
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    with pytest.raises(TypeError):
        pickle.dumps({"endpoint": Endpoint("openai", "openai", OPENAI_URL, secret)})
    with pytest.raises(TypeError):
        json.dumps(secret)


def test_a_key_can_be_copied_and_compared_in_memory():
    secret = Secret(KEY)
    assert copy.copy(secret) is copy.deepcopy(secret) is secret
    assert secret == Secret(KEY) != Secret("other") and hash(secret) == hash(Secret(KEY)) and secret != KEY


def test_a_text_is_masked_and_without_a_key_left_alone():
    assert Secret(KEY).masked(f"key {KEY}, {KEY}!") == "key …7890, …7890!"
    assert Secret("").masked("key") == "key"
