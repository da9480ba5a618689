"""The same results in lines for people."""

from __future__ import annotations

NEEDLE = "04-监控与证据#第六十一条"


def test_ask_prints_answer_trace_and_sources_of_each_mode(command):
    code, out, err = command("ask", "影像资料要保存多久？", "--modes", "bm25,agentic")
    assert (code, err) == (0, "")
    assert "── BM25 ── 已作答" in out and "── 智能体检索 ──" in out
    assert f"*[1] {NEEDLE}" in out and "三十日" in out


def test_ask_speaks_english_when_asked_to(command):
    _, out, _ = command("ask", "影像资料要保存多久？", "--modes", "bm25", "--lang", "en")
    assert "Keyword search:" in out and "Given to the writer: 5 passages" in out


def test_search_prints_ranks_and_the_reason_for_none(command):
    assert NEEDLE in command("search", "影像资料", "-k", "5", "--mode", "bm25")[1]
    code, out, err = command("search", "zzqq")
    assert (code, out) == (0, "") and "zzqq" in err


def test_why_prints_a_sentence_for_each_mode_and_the_parts_of_the_score(command):
    code, out, _ = command("why", "影像资料要保存多久？", "--passage", NEEDLE)
    assert code == 0
    assert "BM25 排第" in out and "idf" in out and "智能体检索" in out
