"""Two texts compared: what came and went, and which words of a line that was rewritten."""

from __future__ import annotations

import time

from core.authoring.differences import differences


def told(before, after):
    """Sign and text of every line."""
    return [(line.sign, "".join(part.text for part in line.parts)) for line in differences(before, after)]


def test_equal_texts_have_no_differences():
    assert differences("一\n二", "一\n二") == () == differences("", "")


def test_a_new_text_is_all_added_and_one_taken_away_all_removed():
    assert told("", "一\n二") == [("added", "一"), ("added", "二")]
    assert told("一", "") == [("removed", "一")]


def test_a_rewritten_line_marks_the_words_that_differ():
    removed, added = differences("押金为三十元。", "押金为六十元。")
    assert [part.text for part in removed.parts if part.marked] == ["三"]
    assert [part.text for part in added.parts if part.marked] == ["六"]


def test_a_line_that_is_another_altogether_is_marked_nowhere():
    found = differences("押金为三十元。", "An elevator is out of order")
    assert not any(part.marked for line in found for part in line.parts)


def test_unchanged_lines_far_away_are_told_by_their_number():
    before = "\n".join(f"第{n}行" for n in range(1, 21))
    found = differences(before, before.replace("第10行", "第十行"))
    assert [line.skipped for line in found if line.sign == "gap"] == [7, 8]
    assert [(line.before, line.after) for line in found if line.sign in ("removed", "added")] == [
        (10, None),
        (None, 10),
    ]


def test_paragraphs_that_all_change_are_told_one_by_one():
    before, after = ("\n\n".join(f"第{n}条 {word}。" for n in range(300)) for word in ("甲", "乙"))
    found = differences(before, after)
    assert sum(line.sign == "removed" for line in found) == 300
    assert [line.sign for line in found[:4]] == ["removed", "added", "same", "removed"]


def test_a_long_document_is_compared_in_a_moment():
    before = "\n\n".join(f"第{n}条 电梯维护与收费的规定。" for n in range(5_000))
    began = time.perf_counter()
    found = differences(before, before.replace("第2500条", "第二千五百条"))
    assert [line.sign for line in found].count("added") == 1
    assert time.perf_counter() - began < 3
