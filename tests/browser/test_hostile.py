"""Documents, questions and models that try to be more than text: shown literally everywhere, and nothing of it acts."""

import csv
import json

import pytest
from playwright.sync_api import expect

from tests.browser.doing import DEEP, kept, part
from tests.browser.watching import quiet
from tests.conftest import CASES
from tests.loopback import Failed, Said

PAYLOAD = (
    '<img src=x onerror="window.hit=1"><script>window.hit=2</script>电梯 $5 与 $10，~$1.60~，~~旧~~ :red[红] :tada: '
    "https://evil.example/a [点](javascript:window.hit=3) ![图](https://evil.example/p.png)"
)
FILES = ("md_html_payload.md", "md_price_dollar_tilde.md")
FILE_NAME = "01-<img src=x onerror=hit=4> $5 :red[卷] $10"
HARM = (
    f"() => {{ {DEEP}"
    + """
  const found = window.hit ? [`executed: ${window.hit}`] : [];
  const all = sign => roots(document).flatMap(root => [...root.querySelectorAll(sign)]);
  for (const link of all('a[href]'))
    if (link.host !== location.host) found.push(`a link: ${link.href}`);
  for (const sign of ['img:not([src^="data:"])', 'iframe', 'script', '.katex', 'del', 's', '[onerror]', '[onclick]'])
    for (const node of all(sign))
      if (node.closest('[data-testid="stApp"]') || node.getRootNode() !== document)
        found.push(node.outerHTML.slice(0, 200));
  return found;
}"""
)
OPEN_FOLDS = (
    """() => { for (const fold of document.querySelectorAll('details:not([open]) > summary')) fold.click(); }"""
)


@pytest.fixture(scope="module")
def hostile(running):
    """A base all of whose parts are hostile, in the data folder of the app whose models are ours."""
    app, _ = running
    folder = app.home / "kb" / "hostile"
    (folder / "sections").mkdir(parents=True)
    (folder / "questions").mkdir()
    texts = [(CASES / name).read_text(encoding="utf-8") for name in FILES]
    facts = {"title": PAYLOAD, "description": PAYLOAD, "licence": PAYLOAD}
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in facts.items()]
    (folder / "kb.toml").write_text("\n".join([*lines, 'language = "zh"']), encoding="utf-8")
    articles = [f"第{number}条 {text}" for number, text in zip("一二三", [PAYLOAD, *texts], strict=True)]
    document = f"# {PAYLOAD}\n\n" + "\n\n".join(articles)
    (folder / "sections" / f"{FILE_NAME}.md").write_text(document, encoding="utf-8")
    with (folder / "questions" / "all.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "question", "kind", "tags"), ("1", PAYLOAD, PAYLOAD, "demo:hostile")])
    return app


def harmless(page, watch, *places):
    """Nothing on the page acts, and it is read literally in each of these places."""
    page.evaluate(OPEN_FOLDS)
    quiet(page)
    assert page.evaluate(HARM) == []
    assert not [url for url in watch.asked if url.endswith(("/x", "p.png")) or "evil" in url]
    for place in places:
        expect(page.locator(place).first).to_contain_text(":red[红] :tada: https://evil.example/a [点](javascript")
        expect(page.locator(place).first).to_contain_text("$5 与 $10，~$1.60~，~~旧~~")


def test_a_hostile_base_is_read_literally_in_the_library(visit, hostile):
    page, watch = visit("/library?kb=hostile", base=hostile.address)
    harmless(quiet(page), watch, "[data-testid=stMain]", ".st-key-section", "details table")
    expect(page.get_by_text(":red[警告]；:sunglasses:").first).to_be_visible()
    page.locator("[class*='st-key-open'] button:visible").first.click()
    page.wait_for_url("**p=*")
    harmless(page, watch, "[data-testid=stMain]")
    part(page, "find", "input").fill(PAYLOAD)
    page.keyboard.press("Enter")
    expect(page.locator("mark, [class*='st-key-open'] button").first).to_be_visible()
    harmless(page, watch)


def test_hostile_words_of_models_and_their_errors_are_read_literally_in_a_comparison(visit, hostile, talking):
    _, server = talking
    search = Said("", PAYLOAD, calls=(("search", json.dumps({"queries": [PAYLOAD]})),))
    server.always(lambda request: Said("[1]") if request.messages[-1]["role"] == "tool" else search, tools=True)
    server.always(Said(f"{PAYLOAD}[1]", PAYLOAD))
    server.then(Failed(400, {"error": {"message": PAYLOAD}}), model="writer", tools=False)
    page, watch = visit("/?kb=hostile", base=hostile.address)
    harmless(quiet(page), watch, "[class*='st-key-example']")
    part(page, "example.demo:hostile").click()
    kept(page)
    harmless(page, watch, *[f"[data-testid=stColumn] >> nth={number}" for number in range(2)])
    page.locator("[data-testid=stColumn] [data-testid=stPopover] button:visible").last.click()
    expect(page.get_by_test_id("stPopoverBody")).to_contain_text(":red[红]")
    harmless(page, watch)


def test_hostile_words_in_the_address_are_read_literally(visit, hostile):
    page, watch = visit(f"/?c={FILE_NAME}&modes=:red[红]&k=$5$", base=hostile.address)
    expect(page.get_by_text(FILE_NAME).first).to_be_visible()
    expect(page.get_by_text(":red[红]").first).to_be_visible()
    harmless(quiet(page), watch)
