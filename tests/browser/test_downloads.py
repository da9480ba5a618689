"""Taking a file away: the page stays as it is, nothing is asked or computed anew."""

from playwright.sync_api import expect

from tests.browser.doing import columns, kept, send
from tests.browser.watching import quiet


def test_a_download_asks_nothing_anew_and_leaves_the_page_as_it_is(visit, talking):
    app, server = talking
    page, _ = visit(base=app.address)
    send(page)
    kept(page)
    button = page.get_by_test_id("stDownloadButton").first
    expect(button).to_be_visible()
    shown, heard, where = columns(quiet(page)), len(server.requests), page.url
    with page.expect_download() as taken:
        button.get_by_role("button").click()
    assert taken.value.path().stat().st_size > 0
    assert columns(quiet(page)) == shown and len(server.requests) == heard and page.url == where
