"""A question set from outside is looked at first and then kept beside the documents, as a version."""

from __future__ import annotations

import io
import zipfile

import pytest
from openpyxl import Workbook

from core.authoring.history import History
from core.authoring.question_sets import SHOWN, arrived, keep, lying
from core.errors import BaseError, UsageError
from core.knowledge.loading import load_file, load_folder
from core.knowledge.shelf import Shelf, questions
from core.settings import BUNDLED

ROWS = "question,gold\n适用于谁？,01-总则#第一条\n费用呢？,02-费用#第二条;附录/02-费用#第二条\n"


def sheet(*rows):
    book, data = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(data)
    return data.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("新.csv", ROWS.encode()),
        ("新.csv", ROWS.encode("gb18030")),
        ("新.xlsx", sheet(*(line.split(",") for line in ROWS.splitlines()))),
        ("新.jsonl", '{"question": "费用呢？", "gold": ["附录/02-费用#第二条"]}\n'.encode()),
    ],
)
def test_a_set_is_kept_where_the_questions_of_the_base_are_found(home, base, name, data):
    one = arrived(load_folder(base), name, data)
    folder, version = keep(load_folder(base), home, one, "小王")
    asked = {each.question: each.gold for each in questions(load_folder(folder)).questions}
    assert "附录/02-费用#第二条" in asked["费用呢？"]
    assert version.author == "小王" and version.note.values["count"] == len(one.found.questions)
    assert [change.path for change in version.changes] == [f"questions/{one.name}"]


def test_gold_that_the_base_does_not_hold_is_told_with_what_may_be_meant(base):
    one = arrived(load_folder(base), "新.csv", ROWS.replace("附录/02-费用#第二条", "费用#第二条之一").encode())
    (astray,) = one.astray
    assert (astray.question, astray.passage, astray.near[0]) == ("费用呢？", "费用#第二条之一", "附录/02-费用#第二条")
    assert not (base / "questions" / "新.csv").exists()


@pytest.mark.parametrize("given", ["第二条", "02-费用#第二条"])
def test_gold_given_by_a_title_or_a_short_id_that_is_unique_becomes_the_id(base, given):
    one = arrived(load_folder(base), "新.csv", f"question,gold\n费用呢？,{given}\n".encode())
    assert one.resolved == {given: "附录/02-费用#第二条"} and one.astray == ()
    assert one.data.decode("utf-8-sig") == "question,gold\n费用呢？,附录/02-费用#第二条\n"


def test_a_title_that_several_have_is_left_as_it_is_given(base):
    (base / "sections" / "03.md").write_text("# 另\n\n第二条 另行规定。\n", encoding="utf-8")
    one = arrived(load_folder(base), "新.csv", "question,gold\n费用呢？,第二条\n".encode())
    assert one.resolved == {} and [each.passage for each in one.astray] == ["第二条"]


def test_ids_like_it_are_looked_for_only_for_the_gold_that_is_shown(base):
    rows = "".join(f"问{number},没有#{number}\n" for number in range(30))
    one = arrived(load_folder(base), "新.csv", f"question,gold\n{rows}".encode())
    assert len(one.astray) == 30 and sum(bool(each.near) for each in one.astray) <= SHOWN


def packed(**parts):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return data.getvalue()


def test_merged_cells_hold_for_every_row_and_formulas_without_a_value_are_told(base):
    book, data = Workbook(), io.BytesIO()
    for row in (["question", "gold"], ["甲？", "附录/02-费用#第二条"], ["乙？", None], ["=A2", None]):
        book.active.append(row)
    book.active.merge_cells("B2:B3")
    book.save(data)
    one = arrived(load_folder(base), "新.xlsx", data.getvalue())
    assert [each.gold for each in one.found.questions[:2]] == [("附录/02-费用#第二条",)] * 2
    assert [(say.code, say.values["cells"]) for _, say in one.found.notices] == [("base.file.sheet.formulas", ["A4"])]


def test_a_cell_far_to_the_right_makes_no_wide_set(base):
    book, data = Workbook(), io.BytesIO()
    book.active.append(["question", "gold", "备注"])
    for number in range(3_000):
        book.active.append([f"问{number}？", "第二条", "留"])
    book.active["XFD1"] = "远"
    book.save(data)
    one = arrived(load_folder(base), "新.xlsx", data.getvalue())
    assert len(one.found.questions) == 3_000 and len(one.data) < 300_000
    assert one.data.decode("utf-8-sig").startswith("question,gold,备注,远\n问0？,附录/02-费用#第二条,留,\n")


def test_a_set_of_the_same_name_is_replaced_and_the_old_one_is_in_the_history(home, base):
    before = (base / "questions" / "常问.csv").read_bytes()
    keep(load_folder(base), home, arrived(load_folder(base), "常问.csv", ROWS.encode()), "")
    assert lying(load_folder(base)) == {"常问.csv": 2}
    History(base).roll_back(1, "", "")
    assert (base / "questions" / "常问.csv").read_bytes() == before


def test_a_bundled_base_gets_a_copy(home):
    base = Shelf(BUNDLED, home).load("elevator")
    folder, _ = keep(base, home, arrived(base, "新.csv", ROWS.encode()), "")
    assert folder == home / "kb" / "elevator" and "新.csv" in lying(load_folder(folder))
    assert not (BUNDLED / "elevator" / "questions" / "新.csv").exists()


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("新.pdf", b"%PDF", "sets.kind"),
        ("新.csv", b"question\n\n", "sets.none"),
        ("新.csv", b"a,b\n1,2\n", "questions.columns"),
        ("新.xlsx", sheet(["a", "b"], [1, 2]), "questions.columns"),
        ("新.xlsx", b"nothing", "base.file.broken"),
        ("新.xlsx", packed(a="b"), "base.file.broken"),
        ("新.jsonl", b"{broken", "questions.broken"),
    ],
)
def test_a_file_that_is_no_set_says_why(base, name, data, code):
    with pytest.raises((UsageError, BaseError)) as told:
        arrived(load_folder(base), name, data)
    assert told.value.say.code.startswith(code)


def test_a_name_that_climbs_stays_in_the_folder(home, base):
    one = arrived(load_folder(base), "../../kb.csv", ROWS.encode())
    keep(load_folder(base), home, one, "")
    assert (base / "questions" / "kb.csv").is_file()


def test_a_single_file_takes_no_set(tmp_path):
    (tmp_path / "一.md").write_text("一句。\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"draft\.uneditable"):
        arrived(load_file(tmp_path / "一.md"), "新.csv", ROWS.encode())
