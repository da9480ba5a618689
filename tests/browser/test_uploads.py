"""Files that the browser would keep back: each ends in a row of its own with its reason, and the others come in."""

import pytest
from playwright.sync_api import expect

from tests.browser.doing import CHOICES, part
from tests.browser.watching import quiet
from tests.conftest import CASES

IMPORT = "/library?view=import"


@pytest.fixture
def large(tmp_path):
    """A file of 300 MB, which take no room on disk."""
    path = tmp_path / "大.txt"
    with path.open("wb") as file:
        file.truncate(300_000_000)
    return path


def give(page, *files):
    """Choose files for the uploader of the import view."""
    quiet(page).locator("[class*=st-key-import-files-] input").set_input_files(list(files))


def row(page, name):
    """The row of a file, once it is there; it is the only one of that name."""
    found = page.get_by_role("listitem").filter(has_text=name)
    expect(found).to_have_count(1)
    return found


def test_every_file_ends_in_a_row_with_its_reason(visit, large, tmp_path):
    script = tmp_path / "脚本.py"
    script.write_text("1", encoding="utf-8")
    page, _ = visit(IMPORT, apart=True)
    give(page, large, CASES / "txt_gbk.txt", script)
    expect(row(page, "大.txt")).to_contain_text("有 300 MB，超过 100 MB 的上限")
    expect(row(page, "脚本.py")).to_contain_text("类型不支持；支持 .csv")
    expect(row(page, "txt_gbk.txt")).to_contain_text("gb18030")
    expect(page.get_by_text("3 个文件").first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_file_above_the_limit_is_a_row_though_it_came_alone_and_twice(visit, large):
    page, _ = visit(IMPORT, locale="en-US", apart=True)
    give(page, large)
    expect(row(page, "大.txt")).to_contain_text("has 300 MB, more than the limit of 100 MB")
    expect(page.get_by_test_id("stFileUploaderFile")).to_have_count(0)
    expect(part(page, "import.do")).to_be_disabled()
    give(page, large)
    expect(page.get_by_role("listitem").filter(has_text="大.txt")).to_have_count(2)


def drop(page, *paths):
    """Drop files from the disk on the uploader."""
    zone = quiet(page).locator("[class*=st-key-import-files-]").get_by_test_id("stFileUploaderDropzone")
    zone.scroll_into_view_if_needed()
    box = zone.bounding_box()
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    session = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": box["x"] + 9, "y": box["y"] + 9, "data": data})


def test_files_and_folders_that_are_dropped_are_told_too(visit, large, tmp_path):
    (tmp_path / "资料").mkdir()
    large.rename(tmp_path / "资料" / "里面大.txt")
    (tmp_path / "好.md").write_text("一段。", encoding="utf-8")
    page, _ = visit(IMPORT, apart=True)
    drop(page, tmp_path / "资料", tmp_path / "好.md")
    expect(row(page, "里面大.txt")).to_contain_text("有 300 MB")
    expect(row(page, "好.md")).to_contain_text("已读")


def test_a_folder_tells_a_large_file_by_its_path(visit, tmp_path):
    (tmp_path / "资料" / "附").mkdir(parents=True)
    (tmp_path / "资料" / "好.md").write_text("一段。", encoding="utf-8")
    with (tmp_path / "资料" / "附" / "大.txt").open("wb") as file:
        file.truncate(300_000_000)
    page, _ = visit(IMPORT, apart=True)
    part(quiet(page), "import.way", CHOICES, 1).click()
    expect(page.locator("input[webkitdirectory]")).to_be_attached()
    quiet(page).locator("[class*=st-key-import-folder-] input").set_input_files(tmp_path / "资料")
    expect(row(page, "附/大.txt")).to_contain_text("有 300 MB")
    expect(row(page, "好.md")).to_contain_text("已读")


@pytest.mark.parametrize("platform", ["Win32", "Linux x86_64"])
def test_a_file_that_some_systems_let_through_is_told_once(visit, address, tmp_path, platform):
    """The uploader counts in larger megabytes on some systems, so that the file comes through there."""
    with (tmp_path / "大.txt").open("wb") as file:
        file.truncate(102_000_000)
    (tmp_path / "好.md").write_text("一段。", encoding="utf-8")
    page, _ = visit("about:blank", apart=True)
    page.add_init_script(f"Object.defineProperty(navigator, 'platform', {{ get: () => '{platform}' }})")
    page.goto(f"{address}{IMPORT}")
    give(page, tmp_path / "大.txt", tmp_path / "好.md")
    expect(row(page, "好.md")).to_contain_text("已读")
    expect(row(page, "大.txt")).to_contain_text("有 102 MB")
