"""Both engines over one model file: the same tokens, the same vectors, in order, whatever is asked beside."""

from __future__ import annotations

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.errors import EmbeddingError
from core.llm.e5.engine import FastE5
from core.llm.e5.own import OwnE5
from core.llm.e5.weights import Weights, model_file
from core.llm.embedded import EmbeddedE5, _clean
from tests.conftest import ROOT

TEXTS = (
    "装修押金什么时候退还？",
    "The tenant may end the lease with two months' notice.",
    "型号 DX-300 的 warranty 是三年（自购买之日起）",
    "電梯維修期間，業主應當繳納物業費。",
    "🛗 电梯坏了 😡👨‍👩‍👧",
    "",
    "a\0b \ud800 \ufdfa",
    "第六十一条 监控录像保存期不少于三十日。" * 30,
)
HOSTILE = (
    *("<s>", "</s>", "<unk>", "<mask>", " ", "   ", "\t\n", "\u3000", "\u2581", "\x01\x1b\x7f", "\u200b\ufeff"),
    *("ｱﾞｶﾞﾊﾟ", "e\u0301a\u0308\u0323", "１２㎡①ﬁ", "\ue000\ue001\ue002", "\U000e0001\U0010fffd", "𠮷𪚥", "ཧྰུྃ"),
    *("مرحبا", "नमस्ते", "สวัสดี", "한국어", "ÀÉÎõü", "\ufdfa", "\ud800\udc00"),
)


@pytest.fixture(scope="module")
def own():
    return OwnE5()


@pytest.fixture(scope="module")
def fast(tmp_path_factory):
    return FastE5(model_file(), tmp_path_factory.mktemp("cache"), "int8")


@pytest.fixture(scope="module")
def clean():
    return [_clean(text) for text in TEXTS]


@pytest.fixture(scope="module")
def expected(own, clean):
    return own.passages(clean, background=False), [own.query(text) for text in clean[:3]]


@pytest.mark.parametrize(("precision", "least"), [("int8", 0.998), ("int7", 0.996), ("fp32", 0.9997)])
def test_the_engines_compute_the_same_vectors(precision, least, clean, expected):
    engine = FastE5(model_file(), None, precision)
    passages, questions = expected
    found = engine.passages(clean, background=False)
    assert found.dtype == np.float32 and found.shape == (len(TEXTS), 384)
    assert np.linalg.norm(found, axis=1) == pytest.approx(1, abs=1e-5)
    assert ((found * passages).sum(axis=1) > least).all()
    assert all(engine.query(text) @ question > least for text, question in zip(clean, questions, strict=False))


def test_counting_needs_no_graph(own):
    engine = FastE5(model_file(), None, "int8")
    assert engine.count(TEXTS[0]) == own.count(TEXTS[0]) > 0
    assert engine._parts is None


def test_the_engines_count_the_same_tokens_on_hostile_texts(own, fast):
    fast.warm()
    dice = random.Random(7)
    texts = [*TEXTS, *HOSTILE, *("".join(dice.choices(HOSTILE + TEXTS[:4], k=dice.randint(1, 12))) for _ in range(300))]
    points = [point for point in range(0x30000) if not 0xD800 <= point < 0xE000]
    texts += ["".join(map(chr, dice.choices(points, k=dice.randint(1, 50)))) for _ in range(300)]
    assert [_clean(t) for t in texts if fast.count(_clean(t)) != own.count(_clean(t))] == []
    assert fast.count("") == 0


def test_a_text_of_several_windows_is_the_mean_of_its_windows_by_their_tokens(own, fast):
    long = "电梯停运期间业主可以要求减免物业费，物业应当说明理由。" * 80
    window = Weights(model_file()).window
    fast.warm()
    assert fast.count(long) > 2 * window == 1020
    parts = fast._ready()
    assert [len(found) for found in parts.windows(long)[:-1]] == [window + 2] * (fast.count(long) // window)
    assert fast.passages([long], background=False)[0] @ own.passages([long], background=False)[0] > 0.998


def test_a_text_of_exactly_one_window_has_one(fast):
    parts = fast._ready()
    sizes = {words: [len(found) for found in parts.windows(" ".join(["the"] * words))] for words in (510, 511, 1020)}
    assert sizes == {510: [512], 511: [512, 3], 1020: [512, 512]}
    assert [len(found) for found in parts.windows("")] == [3]


def test_a_vector_depends_on_its_text_alone_and_stands_in_its_place(fast):
    texts = [text * times for times in (7, 1, 40, 2) for text in ("退货运费由谁承担。", "lease ", "", "😀")]
    alone = np.stack([fast.passages([text], background=False)[0] for text in texts])
    assert np.array_equal(fast.passages(texts, background=False), alone)
    assert np.array_equal(fast.passages(texts[::-1], background=True), alone[::-1])
    assert fast.passages([], background=False).shape == (0, 384)


def test_threads_that_ask_and_fill_at_once_get_what_each_would_alone(fast):
    texts = [f"第{number}条 电梯维修费用由业主共同承担。" * (number % 5 + 1) for number in range(24)]
    alone = [fast.query(text) for text in texts], fast.passages(texts, background=False)
    with ThreadPoolExecutor(10) as threads:
        filled = [threads.submit(fast.passages, texts, background) for background in (True, False, True)]
        asked = list(threads.map(fast.query, texts))
    assert all(np.array_equal(found, vector) for found, vector in zip(asked, alone[0], strict=True))
    assert all(np.array_equal(future.result(), alone[1]) for future in filled)


def test_what_is_embedded_while_the_process_ends_fails_as_embedding_does(tmp_path):
    ending = FastE5(model_file(), tmp_path, "int8")
    ending._behind.shutdown()  # as the interpreter does with every pool when it ends
    with pytest.raises(EmbeddingError):
        ending.passages(["押金"], background=True)


BUSY = """
import sys, threading, time
from pathlib import Path
from core.errors import EmbeddingError
from core.llm.embedded import EmbeddedE5
embedder = EmbeddedE5(Path(sys.argv[1]), "int8")
embedder.warm()
def work(ask):
    try:
        while True:
            ask()
            time.sleep(0.002)
    except EmbeddingError:
        pass
asks = [lambda: embedder.query("押金" * 200), lambda: embedder.passages(["押金" * 200], background=True)]
for ask in asks:
    threading.Thread(target=work, args=(ask,), daemon=True).start()
time.sleep(0.3)
"""


@pytest.mark.parametrize("turn", range(3))
def test_a_process_ends_cleanly_while_its_threads_embed(tmp_path, turn):
    ended = subprocess.run([sys.executable, "-c", BUSY, str(tmp_path)], cwd=ROOT, capture_output=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_the_spaces_of_engines_and_precisions_never_meet(own, fast):
    spaces = {own.space, fast.space, FastE5(model_file(), None, "int7").space, FastE5(model_file(), None, "fp32").space}
    assert len(spaces) == 4 and EmbeddedE5(precision="int8").space == fast.space
