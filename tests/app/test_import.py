"""The import view: files are read and shown first, decided on, and written only when the button is pressed."""

import io
import shutil
import zipfile

import pytest

from core.authoring.bases import create
from core.authoring.drafts import Draft
from core.authoring.history import History
from core.authoring.intake import Incoming
from core.authoring.operations import Edit
from core.authoring.saving import save
from core.knowledge.loading import load_folder
from core.knowledge.shelf import questions
from pages.parts.library import uploads
from pages.parts.library.chosen import shown
from tests.app import authoring
from tests.app.conftest import drawn_all, plain, press, text, visit
from tests.conftest import CASES

GOOD = "# 政策\n\n第一条 七日内可以退货。\n\n第二条 运费自付。\n".encode()
NEW = "# 政策\n\n第一条 十日内可以退货。\n".encode()


@pytest.fixture
def at(home):
    """The import view of a new session, over an empty base."""
    create(home, "empty")
    return opened(base="empty")


def opened(locale="zh-CN", base="elevator"):
    at = visit(locale)
    at.session_state["view"], at.session_state["kb"] = "import", base
    at.switch_page("pages/library.py").run()
    assert not at.exception
    return at


def upload(at, *files):
    """Upload files, given as (name, bytes), and let them be read."""
    at.file_uploader[0].set_value([(name, data, "application/octet-stream") for name, data in files]).run()
    assert not at.exception
    return at


def new(at, name="mine", title=""):
    """Choose that a new base is made."""
    base = at.selectbox(key="kb").value
    at.segmented_control(key=f"import.where.{base}").set_value("new").run()
    at.text_input(key="import.title").set_value(title)
    at.text_input(key="import.name").set_value(name).run()
    return at


def rows(at):
    """The rows of files by name: their state, facts and notes."""
    return {row["file"]: row for one in drawn_all(at, "arrivals") for row in one["rows"]}


def imported(at, *files, **also):
    """A new base with these files."""
    return press(upload(new(at, **also), *files), "import.do")


def test_the_limit_is_said_before_anything_is_uploaded(at):
    assert "每个文件最多 100 MB" in text(at)
    assert all(suffix in text(at) for suffix in (".pdf", ".docx", ".zip", ".md"))


def test_nothing_is_written_before_the_button_is_pressed(at, home):
    upload(new(at), ("政策.md", GOOD))
    assert rows(at)["政策.md"]["facts"] == "2 段 · utf-8" and not (home / "kb" / "mine").exists()
    press(at, "import.do")
    assert len(load_folder(home / "kb" / "mine").passages) == 2


def test_one_bad_file_never_stops_the_rest(at):
    locked = (CASES / "pdf_encrypted_user_password_demo123.pdf").read_bytes()
    upload(at, ("锁.pdf", locked), ("空.txt", b""), ("好.md", GOOD), ("题.md", "# 只有标题\n".encode()))
    found = rows(at)
    states = {name: row["state"] for name, row in found.items()}
    assert states == {"锁.pdf": "refused", "空.txt": "refused", "好.md": "imported", "题.md": "warned"}
    assert found["锁.pdf"]["word"] == "没有读入" and "密码" in found["锁.pdf"]["notes"][0]
    assert at.button(key="import.do").label == ":primary[**导入 2 个文件**]"


def test_the_bytes_of_uploaded_files_are_not_kept(at):
    upload(at, *((f"{n}.md", GOOD) for n in range(60)))
    assert not at.file_uploader[0].value
    assert {held.data for held in at.session_state["importing"].held} == {b""}
    assert len(at.session_state["importing"].held) == 60


def test_a_guessed_encoding_is_offered_with_previews_and_can_be_chosen(at):
    data = (CASES / "txt_mostly_english_two_gbk_chars.txt").read_bytes()
    upload(at, ("推测.txt", data))
    choice = next(radio for radio in at.radio if radio.key.startswith("import.encoding."))
    assert choice.value == "gb18030" and {"big5", "cp1252"} <= set(choice.options)
    choice.set_value("big5").run()
    assert rows(at)["推测.txt"]["facts"].endswith("big5")
    assert at.session_state["importing"].held[0].taken.reading.encoding == "big5"


def test_after_the_import_the_base_is_chosen_and_its_first_document_can_be_opened(at):
    imported(at, ("政策.md", GOOD), title="退货 $5")
    assert at.selectbox(key="kb").value == "mine"
    assert "导入了 1 个文件，共 2 段" in text(at)
    press(at, "import.read")
    assert "七日" in plain(text(at)) and at.query_params["p"] == "政策#第一条"


def test_documents_that_stay_as_they_are_count_as_no_import(at):
    upload(imported(at, ("政策.md", GOOD)), ("政策.md", GOOD), ("新.md", NEW))
    assert at.button(key="import.do").label == ":primary[**导入 1 个文件**]"
    press(at, "import.do")
    assert "导入了 1 个文件，共 1 段" in text(at) and "没有改动" in rows(at)["政策.md"]["notes"][0]


def test_files_that_are_in_the_base_unchanged_are_no_import_and_nothing_is_asked_of_them(at):
    guessed = (CASES / "txt_mostly_english_two_gbk_chars.txt").read_bytes()
    upload(imported(at, ("政策.md", GOOD), ("推测.txt", guessed)), ("政策.md", GOOD), ("推测.txt", guessed))
    assert not [radio for radio in at.radio if radio.key.startswith("import.encoding.")]
    assert at.button(key="import.do").disabled and at.button(key="import.do").label == ":primary[**导入 0 个文件**]"
    assert "没有要导入的" in text(at)


def test_unchanged_files_with_other_cuts_cut_the_base_anew(at, home):
    long = ("长.md", ("# 长\n\n" + "这是一句完整的话。" * 100).encode())
    upload(imported(at, long), long)
    at.slider(key="cuts.longest.mine.600.0").set_value(200).run()
    assert at.button(key="import.do").label == ":primary[**按新的切法重新切分**]"
    press(at, "import.do")
    assert "没有新的文件" in plain(text(at)) and len(load_folder(home / "kb" / "mine").passages) == 5


def test_a_file_of_another_type_is_a_row_with_what_is_supported(at):
    upload(at, ("脚本.py", b"print()"), ("旧.doc", b"x"), ("好.md", GOOD))
    found = rows(at)
    assert [found[name]["state"] for name in ("脚本.py", "旧.doc", "好.md")] == ["refused", "refused", "imported"]
    assert "类型不支持" in found["脚本.py"]["notes"][0] and ".docx" in found["脚本.py"]["notes"][0]


def test_hidden_files_of_a_folder_stay_out_unless_there_are_no_others():
    def names(*given):
        return [one.name for one in shown([Incoming(name, 0, bytes) for name in given])]

    assert names("资料/.git/config", "资料/附/甲.md", "资料/.DS_Store") == ["附/甲.md"]
    assert names("资料/.DS_Store") == [".DS_Store"] == names(".DS_Store")


@pytest.mark.parametrize(("same", "documents"), [("replace", 1), ("keep", 2), ("skip", 1)])
def test_a_document_that_is_there_is_treated_as_chosen(at, home, same, documents):
    upload(imported(at, ("政策.md", GOOD)), ("政策.md", NEW), ("新.md", GOOD))
    assert "会替换同名的文档" in rows(at)["政策.md"]["notes"][0]
    at.segmented_control(key="import.same").set_value(same).run()
    press(at, "import.do")
    base = load_folder(home / "kb" / "mine")
    assert len([name for name in base.documents if name.startswith("政策")]) == documents
    assert ("七日内" in base.passage("政策#第一条").text) == (same != "replace")


def test_single_files_may_be_treated_otherwise(at, home):
    upload(imported(at, ("甲.md", GOOD), ("乙.md", GOOD)), ("甲.md", NEW), ("乙.md", NEW))
    choice = next(box for box in at.selectbox if box.key and box.key.startswith("import.same.1."))
    choice.set_value("skip").run()
    press(at, "import.do")
    base = load_folder(home / "kb" / "mine")
    assert "十日内" in base.passage("甲#第一条").text and "七日内" in base.passage("乙#第一条").text


def test_the_preview_follows_the_sliders(at, home):
    upload(new(at), ("长.md", ("# 长\n\n" + "这是一句完整的话。" * 100).encode()))
    assert "2 段 · 最长" in plain(text(at))
    at.slider(key="cuts.longest.mine.600.0").set_value(200).run()
    assert "5 段 · 最长 198 字 · 平均 180 字" in plain(text(at))
    assert text(at).count(":material/content_cut:") == 4 and "切在句子之间" in text(at)
    at.slider(key="cuts.overlap.mine.600.0").set_value(50).run()
    assert "与上一段重复" in plain(text(at))
    press(at, "import.do")
    assert load_folder(home / "kb" / "mine").splitting.longest == 200


def test_that_an_existing_base_would_be_cut_anew_is_said(at):
    long = "# 长\n\n" + "这是一句完整的话。" * 100
    upload(imported(at, ("长.md", long.encode())), ("新.md", NEW))
    assert not at.warning
    at.slider(key="cuts.longest.mine.600.0").set_value(100).run()
    assert "原有的 2 段会变成另外 10 段" in plain(at.warning[0].value)


def test_files_for_a_bundled_base_are_said_to_make_a_copy(home):
    at = opened()
    at.segmented_control(key="import.where.elevator").set_value("here").run()
    assert str(home / "kb" / "elevator") in plain(text(at))
    press(upload(at, ("政策.md", GOOD)), "import.do")
    assert "政策" in load_folder(home / "kb" / "elevator").documents


def test_the_author_stands_in_the_history(at, home):
    upload(new(at), ("政策.md", GOOD))
    at.text_input(key="draft.author").set_value("阿宁").run()
    press(at, "import.do")
    assert History(home / "kb" / "mine").versions(1)[0].author == "阿宁"


def test_names_are_shown_as_they_are(at):
    name = "<img src=x onerror=alert(1)> $1 :red[x] a\u202eb.md"
    upload(new(at, title="**粗** :red[x]"), (name, GOOD))
    assert "<img src=x onerror=alert(1)> $1 :red[x] a\ufffdb.md" in rows(at)
    press(at, "import.do")
    assert not at.exception and "<img" not in text(at).replace("\\<", "")


def test_the_files_of_a_zip_come_in_one_by_one(at):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("资料/甲.md", GOOD)
        archive.writestr("资料/乙.bin", b"\0")
    upload(at, ("资料.zip", packed.getvalue()), ("坏.zip", b"nothing"))
    assert {name: row["state"] for name, row in rows(at).items()} == {
        "甲.md": "imported",
        "乙.bin": "refused",
        "坏.zip": "refused",
    }


def test_a_new_base_needs_a_name_that_can_be(at):
    upload(new(at), ("政策.md", GOOD))
    at.text_input(key="import.name").set_value("").run()
    assert at.button(key="import.do").disabled and "起个名字" in text(at)
    at.text_input(key="import.name").set_value("../x").run()
    assert at.button(key="import.do").disabled and "名字里不能有" in plain(text(at))


def test_what_cannot_be_saved_leaves_the_files_on_the_tray(at, home, monkeypatch):
    upload(new(at), ("政策.md", GOOD))
    shutil.rmtree(home / "kb")
    (home / "kb").write_text("在路上", encoding="utf-8")
    press(at, "import.do")
    assert "没有保存" in plain(at.warning[0].value) and rows(at)["政策.md"]


def test_everything_can_be_taken_off_the_tray(at):
    press(upload(at, ("政策.md", GOOD)), "import.clear")
    assert not rows(at) and not at.session_state["importing"].held


def test_english_is_spoken(home):
    create(home, "empty")
    at = upload(opened("en-US", "empty"), ("good.md", GOOD), ("empty.txt", b""))
    assert rows(at)["empty.txt"]["notes"] == ["is empty"] and rows(at)["good.md"]["word"] == "read"


def test_files_go_into_a_new_base_unless_the_one_above_is_the_readers_own(home, at):
    assert at.segmented_control(key="import.where.empty").value == "here"
    other = opened()
    assert other.segmented_control(key="import.where.elevator").value == "new"
    upload(other, ("员工手册.md", GOOD))
    assert other.text_input(key="import.name").value == "员工手册"
    press(other, "import.do")
    assert other.selectbox(key="kb").value == "员工手册" and not (home / "kb" / "elevator").exists()


def test_a_name_that_is_suggested_is_free_and_stays_as_the_reader_wants_it(home):
    create(home, "政策")
    at = upload(opened(), ("政策.md", GOOD))
    assert at.text_input(key="import.name").value == "政策-2"
    at.text_input(key="import.name").set_value("").run()
    assert at.button(key="import.do").disabled and not at.text_input(key="import.name").value


def test_a_document_that_was_edited_here_is_kept_until_its_author_says_otherwise(at, home):
    imported(at, ("政策.md", GOOD))
    folder = home / "kb" / "mine"
    draft = Draft(load_folder(folder))
    save(draft.with_(Edit("政策#第一条", draft.place("政策#第一条").source, "第一条 五日内。")), home, "小王", "")
    upload(at, ("政策.md", NEW))
    told = plain(text(at))
    assert "政策.md 导入以后改过：小王" in told and "两份都留" in told
    choice = next(box for box in at.selectbox if box.key and box.key.startswith("import.same.0."))
    assert choice.options[0] == "两份都留" == choice.value or choice.value == "keep"
    press(at, "import.do")
    assert set(load_folder(folder).documents) == {"政策", "政策~2"}
    assert "五日内" in load_folder(folder).passage("政策#第一条").text


def test_an_edited_document_is_replaced_where_that_is_chosen(at, home):
    imported(at, ("政策.md", GOOD))
    folder = home / "kb" / "mine"
    draft = Draft(load_folder(folder))
    save(draft.with_(Edit("政策#第一条", draft.place("政策#第一条").source, "第一条 五日内。")), home, "", "")
    upload(at, ("政策.md", NEW))
    next(box for box in at.selectbox if box.key and box.key.startswith("import.same.0.")).set_value("replace").run()
    press(at, "import.do")
    assert "十日内" in load_folder(folder).passage("政策#第一条").text


def test_a_corpus_comes_in_as_a_base_of_its_own_with_its_questions(home):
    rows = '{"_id": "a", "title": "", "text": "甲的说明。"}\n{"_id": "b", "title": "", "text": "乙的说明。"}\n'
    at = upload(
        opened(),
        ("corpus.jsonl", rows.encode()),
        ("queries.jsonl", '{"_id": "q", "text": "甲？"}\n'.encode()),
        ("test.tsv", b"query-id\tcorpus-id\tscore\nq\ta\t1\n"),
    )
    assert "2 段，1 个问题" in plain(text(at))
    at.text_input(key="import.name").set_value("laws").run()
    press(at, "corpus.do")
    assert "导入了语料，共 2 段" in plain(text(at)) and at.selectbox(key="kb").value == "laws"
    base = load_folder(home / "kb" / "laws")
    assert questions(base).questions[0].gold == ("a",)


def test_a_corpus_without_a_passage_says_so(home):
    at = upload(opened(), ("corpus.jsonl", b"{broken\n"))
    assert rows(at)["corpus.jsonl"]["state"] == "refused" and not list(home.glob("kb/*"))


def given(at, name, data):
    """Give a question set to the base above."""
    at.file_uploader[1].set_value((name, data, "text/csv")).run()
    assert not at.exception
    return at


def test_a_question_set_is_looked_at_kept_and_found(home, monkeypatch):
    folder = authoring.make(home, monkeypatch)
    at = given(opened(base="own"), "新.csv", "question,gold\n押金呢？,01-收费#第一\n".encode())
    assert "有 1 个标准段落知识库里没有" in plain(text(at)) and "是不是 01-收费#第一条" in plain(text(at))
    assert not (folder / "questions" / "新.csv").exists()
    press(at, "sets.keep")
    assert "新.csv 已保存" in plain(at.success[0].value) and len(questions(load_folder(folder)).questions) == 3
    given(at, "新.csv", "question,gold\n押金呢？,01-收费#第一条\n".encode())
    assert "会替换同名的一份" in plain(text(at))
    press(at, "sets.leave")
    assert "第一\n" in (folder / "questions" / "新.csv").read_text(encoding="utf-8")


def test_a_file_that_is_no_question_set_says_why(home, monkeypatch):
    authoring.make(home, monkeypatch)
    at = given(opened(base="own"), "新.csv", b"a,b\n1,2\n")
    assert "question" in plain(at.warning[0].value)


def test_gold_given_by_its_title_is_told_and_kept_as_the_id(home, monkeypatch):
    folder = authoring.make(home, monkeypatch)
    at = given(opened(base="own"), "新.csv", "question,gold\n押金呢？,第一条\n".encode())
    assert "第一条 → 01-收费#第一条" in plain(text(at)) and "知识库里没有" not in text(at)
    press(at, "sets.keep")
    assert "押金呢？,01-收费#第一条" in (folder / "questions" / "新.csv").read_text(encoding="utf-8-sig")


def test_a_zip_that_is_no_workbook_says_so_and_the_page_goes_on(home, monkeypatch):
    authoring.make(home, monkeypatch)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("a.txt", "b")
    at = given(opened(base="own"), "q.xlsx", data.getvalue())
    assert "q.xlsx" in plain(at.warning[0].value) and not at.run().exception


@pytest.mark.parametrize("installed", [True, False])
def test_reading_scanned_pages_is_offered_where_it_can_be_done(home, monkeypatch, installed):
    monkeypatch.setattr(uploads, "available", lambda: installed)
    at = opened()
    toggle = next(one for one in at.toggle if "扫描" in one.label)
    assert (toggle.disabled, toggle.value) == (not installed, installed)
    assert ("requirements-scanned.txt" in plain(text(at))) is not installed
