"""What the tests of editing share: a small base of the reader's own, and what an author does on its page."""

from core.knowledge.loading import load_folder
from tests.app.conftest import visit

TEXT = """# 收费

第一条 押金为两千元。

第二条 清运费每户三百元。未查明责任人的，由业主分摊。

第三条 逾期缴纳的加收滞纳金。
"""
HOSTILE = "第四条 <img src=x onerror=alert(1)> $5 与 $6，:red[红] [链接](javascript:alert(1))。"
FIRST, SECOND, THIRD = (f"01-收费#第{number}条" for number in "一二三")


def make(home, monkeypatch, text=TEXT):
    """A base in use, with a question set; returns its folder."""
    folder = home / "kb" / "own"
    (folder / "sections").mkdir(parents=True)
    (folder / "questions").mkdir()
    (folder / "kb.toml").write_text('title = "自己的库"\nlanguage = "zh"\n', encoding="utf-8")
    (folder / "sections" / "01-收费.md").write_text(text, encoding="utf-8")
    rows = "question,gold\n押金是多少？,01-收费#第一条\n清运费是多少？,01-收费#第二条\n"
    (folder / "questions" / "问.csv").write_text(rows, encoding="utf-8")
    monkeypatch.setenv("WORKBENCH_KB", "own")
    return folder


def opened(passage=None, view=None, locale="zh-CN"):
    """The Library page of a new session, at a passage or in a view."""
    at = visit(locale)
    if passage:
        at.query_params["p"] = passage
    at.switch_page("pages/library.py").run()
    return show(at, view) if view else at


def show(at, view):
    """The page in another view."""
    at.get_by_key("view").set_value(view).run()
    assert not at.exception
    return at


def do(at, passage, what):
    """Open one of the panels below a passage."""
    at.get_by_key(f"doing.{passage}").set_value(what).run()
    assert not at.exception
    return at


def keep(at, key):
    """Put what a panel holds into the draft; `key` is the passage, or `document`."""
    at.button(key=f"keep.doing.{key}").click().run()
    assert not at.exception
    return at


def rewrite(at, passage, text):
    """Give the open passage another text, in the draft."""
    do(at, passage, "edit")
    field = next(area for area in at.text_area if area.key.startswith(f"edit.{passage}."))
    field.set_value(text)
    return keep(at, passage)


def panel(at, name):
    """Open a panel of the draft."""
    at.get_by_key("draft.panel").set_value(name).run()
    assert not at.exception
    return at


def save(at, author="小王", note="改了一处"):
    """Save the draft."""
    panel(at, "save")
    at.text_input(key="draft.author").set_value(author)
    at.text_input(key="draft.note").set_value(note)
    at.button(key="draft.save").click().run()
    assert not at.exception
    return at


def lying(folder):
    """The passages as they lie on disk, by id."""
    return {passage.id: passage.text for passage in load_folder(folder).passages}


def meanwhile(folder, old, new):
    """Someone else changes the document on disk."""
    file = folder / "sections" / "01-收费.md"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
