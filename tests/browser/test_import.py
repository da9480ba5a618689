"""Bringing files in with a real browser: upload, what was read of them, the import, and the base on the shelf."""

import pytest
from playwright.sync_api import expect

from tests.browser.doing import CHOICES, part
from tests.browser.test_hostile import HARM
from tests.browser.watching import quiet
from tests.conftest import CASES

NAME = "<img src=x onerror=hit=1> $5 :red[卷] ~x~.md"
IMPORT = "/library?view=import"


@pytest.fixture(scope="module")
def app(start):
    """An app of these tests' own: they leave bases behind."""
    return start()


def file(name, text):
    return {"name": name, "mimeType": "text/markdown", "buffer": text.encode()}


def upload(page, files):
    """Upload files and wait until they are read."""
    quiet(page).locator("input[type=file]").first.set_input_files(files)
    expect(part(page, "import.do")).to_be_visible()
    return quiet(page)


def name_new(page, name):
    """Give a name to the base that is made, as it is for files that do not belong to an own one."""
    part(quiet(page), "import.name", "input").fill(name)
    part(page, "import.name", "input").press("Enter")


def test_hostile_files_come_in_literally_and_the_new_base_is_chosen(visit, app):
    page, _ = visit(f"{IMPORT}&kb=espresso", base=app.address)
    name_new(page, "hostile")
    upload(page, [file(NAME, (CASES / "md_html_payload.md").read_text("utf-8")), file("好.md", "# 好\n\n一段。\n")])
    expect(page.get_by_text(NAME).first).to_be_visible()
    assert page.evaluate(HARM) == []
    part(page, "import.do").click()
    page.wait_for_url("**kb=hostile**")
    expect(page.get_by_text(NAME).first).to_be_visible()
    assert quiet(page).evaluate(HARM) == []
    assert (app.home / "kb" / "hostile" / "kb.toml").is_file()


def test_a_folder_comes_in_with_its_paths_and_nothing_is_wider_than_a_phone(visit, app, tmp_path):
    (tmp_path / "资料" / "附").mkdir(parents=True)
    (tmp_path / "资料" / "附" / f"{'长' * 60}.md").write_text("# 附\n\n一段。\n", encoding="utf-8")
    (tmp_path / "资料" / "锁.pdf").write_bytes((CASES / "pdf_encrypted_user_password_demo123.pdf").read_bytes())
    page, _ = visit(IMPORT, base=app.address, width=390, scheme="dark")
    part(quiet(page), "import.way", CHOICES, 1).click()
    expect(page.locator("input[webkitdirectory]")).to_be_attached()
    upload(page, str(tmp_path / "资料"))
    expect(page.get_by_text(f"附/{'长' * 60}.md").first).to_be_visible()
    expect(page.get_by_text("需要密码").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
