"""Segmentation kept on disk: what is cut again, and what a damaged or unwritable cache costs."""

import logging
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain import Passage
from core.knowledge.tokeniser import Tokeniser
from core.retrieval.bm25 import KeywordIndex
from core.retrieval.formula import Bm25
from core.retrieval.segments import index_of

TOKENISER = Tokeniser()
QUERY = TOKENISER.query("电梯维修费用由谁承担，第七条怎么说？")


def passages(count: int = 200) -> list[Passage]:
    """A base long enough to be kept, every text another."""
    body = "电梯因装修搬运受损的，物业服务企业应当先行查明原因，再按责任比例分担维修费用；"
    body += "监控录像应当保存，检修档案应当备查，费用争议由双方协商或者申请调解。"
    texts = [f"第{number}条 业主{number * 37}号{body}{body[number % 40 :]}" for number in range(count)]
    return [Passage(f"d#{number}", "d", "电梯故障", f"第{number}条", text, number) for number, text in enumerate(texts)]


class Cuts(list[tuple[int, int]]):
    """Collects progress; the last entry tells how many texts were cut."""

    def __call__(self, done: int, total: int) -> None:
        self.append((done, total))

    @property
    def total(self) -> int:
        return self[-1][1] if self else 0


def texts(base: Sequence[Passage]) -> list[str]:
    """What passages are indexed by."""
    return [passage.indexed for passage in base]


def built(base: Sequence[Passage], folder: Path | None, tokeniser: Tokeniser = TOKENISER) -> tuple[KeywordIndex, int]:
    """The index and how many texts had to be cut for it."""
    cuts = Cuts()
    return index_of(texts(base), tokeniser, folder, cuts), cuts.total


def assert_alike(index: KeywordIndex, base: Sequence[Passage]) -> None:
    """The index equals one made without any cache."""
    fresh = KeywordIndex.build([TOKENISER.tokens(passage.indexed) for passage in base])
    assert set(index.vocabulary) == set(fresh.vocabulary)
    for bm25 in (Bm25("lucene"), Bm25("okapi")):
        assert index.scores(QUERY, bm25) == pytest.approx(fresh.scores(QUERY, bm25), abs=1e-9)


def test_a_second_start_cuts_nothing(tmp_path: Path) -> None:
    assert built(passages(), tmp_path)[1] == 200
    index, cut = built(passages(), tmp_path)
    assert cut == 0
    assert_alike(index, passages())
    assert [path.suffix for path in tmp_path.iterdir()] == [".segments"]


def test_progress_ends_with_all_texts_cut() -> None:
    cuts = Cuts()
    index_of(texts(passages(250)), TOKENISER, None, cuts)
    assert cuts == [(100, 250), (200, 250), (250, 250)]


def test_an_edit_cuts_only_what_it_touched(tmp_path: Path) -> None:
    base = passages()
    built(base, tmp_path)
    base[7] = replace(base[7], text="第七条 全新的量子条文。")
    index, cut = built(base, tmp_path)
    assert cut == 1
    assert_alike(index, base)
    assert built(base, tmp_path)[1] == 0


def test_removed_moved_and_doubled_passages_need_no_cutting(tmp_path: Path) -> None:
    built(passages(), tmp_path)
    base = [*reversed(passages()[20:]), *passages()[50:80]]
    index, cut = built(base, tmp_path)
    assert cut == 0
    assert_alike(index, base)


def test_equal_texts_are_cut_once(tmp_path: Path) -> None:
    base = passages(150) + passages(150)
    index, cut = built(base, tmp_path)
    assert cut == 150
    assert_alike(index, base)


def test_another_tokeniser_never_reuses_the_old_terms(tmp_path: Path) -> None:
    built(passages(), tmp_path)
    index, cut = built(passages(), tmp_path, Tokeniser(["责任比例分担"]))
    assert cut == 200
    assert "责任比例分担" in index.vocabulary


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: raw[: len(raw) // 2],
        lambda raw: b"",
        lambda raw: raw[:5],
        lambda raw: raw[:-9] + bytes([raw[-9] ^ 1]) + raw[-8:],
        lambda raw: raw[:40] + b"\xff" + raw[41:],
        lambda raw: b"not ours at all" * 100,
        lambda raw: raw + b"\0",
    ],
)
def test_a_damaged_file_is_noticed_and_made_anew(tmp_path: Path, damage, caplog) -> None:  # noqa: ANN001
    built(passages(), tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(damage(file.read_bytes()))
    with caplog.at_level(logging.WARNING, "core.retrieval.segments"):
        index, cut = built(passages(), tmp_path)
    assert cut == 200
    assert "made anew" in caplog.text
    assert_alike(index, passages())
    assert built(passages(), tmp_path)[1] == 0


def test_a_folder_that_cannot_be_written_only_costs_time(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    index, cut = built(passages(), tmp_path / "file" / "cache")
    assert cut == 200
    assert "cannot be kept" in caplog.text
    assert_alike(index, passages())


def test_each_base_has_its_own_file(tmp_path: Path) -> None:
    for key in ("elevator", "../岛 的/base"):
        index_of(texts(passages()), TOKENISER, tmp_path, key=key)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_small_or_empty_base_is_not_kept(tmp_path: Path) -> None:
    assert len(built(passages(20), tmp_path)[0]) == 20
    assert len(built([], tmp_path)[0]) == 0
    assert list(tmp_path.iterdir()) == []


def test_processes_building_at_once_leave_a_whole_file(tmp_path: Path) -> None:
    here = Path(__file__)
    script = f"import sys; sys.path[:0] = [{str(here.parents[2])!r}, {str(here.parent)!r}]\n"
    script += "from pathlib import Path; import test_segments as t\n"
    script += f"index, _ = t.built(t.passages(), Path({str(tmp_path)!r})); t.assert_alike(index, t.passages())"
    running = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(2)]
    assert [process.wait(timeout=120) for process in running] == [0, 0]
    assert built(passages(), tmp_path)[1] == 0
    assert len(list(tmp_path.iterdir())) == 1
