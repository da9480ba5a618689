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
    assert "BM25：排第" in out and "idf" in out and "智能体检索" in out


def test_why_shows_a_dash_for_the_weight_of_a_word_that_stands_nowhere(command):
    _, out, _ = command("why", "影像资料 zzqq", "--passage", NEEDLE, "--modes", "bm25")
    assert "zzqq  df 0  idf —" in out and "idf 0.000" not in out


def test_why_takes_the_title_of_a_passage_where_only_one_has_it(command):
    _, out, _ = command("why", "影像资料要保存多久？", "--passage", "第六十一条", "--modes", "bm25")
    assert out.startswith(NEEDLE)


def test_why_names_the_ids_where_several_passages_have_a_title(command, tmp_path):
    sections = tmp_path / "sections"
    sections.mkdir()
    (tmp_path / "kb.toml").write_text('title = "小库"', encoding="utf-8")
    for name in ("a", "b"):
        (sections / f"{name}.md").write_text("第一条 退货。", encoding="utf-8")
    code, out, err = command("why", "退货", "--passage", "第一条", "--kb", str(tmp_path))
    assert (code, out) == (2, "") and "a#第一条" in err and "b#第一条" in err


def test_why_says_why_keywords_missed_a_passage(command):
    _, out, _ = command("why", "监控保存", "--passage", "01-总则#第一条", "--modes", "bm25")
    assert "共有的词" in out
