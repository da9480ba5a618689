"""Real models in a real browser: from an entered key to a streamed answer with its cost; what a browser may hold."""

import re

import pytest
from playwright.sync_api import expect

from core.pricing import Prices
from core.saved import Choices, Saved
from tests.browser.doing import part, send, unfold
from tests.browser.watching import quiet
from tests.loopback import SOON, Loopback, Said, Silent

KEY, FOUND = "sk-entered-in-a-browser-4321", "found.in-the-environment-9876"
ANSWER = "装修前须向物业**申报**[1]，并交纳押金[2]。"
THOUGHT = "先看资料一，再看资料二。" * 20
PRICE = {"host": "", "model": "demo", "currency": "CNY", "input": 3, "output": 14}
STOP = """() => new Promise(stopped => {
  const began = performance.now();
  [...document.querySelectorAll('.st-key-stop button')].find(button => button.offsetParent).click();
  const look = setInterval(() => {
    if (!document.body.innerText.includes('还没开始作答就停止了')) return;
    clearInterval(look);
    stopped((performance.now() - began) / 1000);
  }, 10);
})"""
HELD = "() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href])"


@pytest.fixture(scope="module")
def server():
    with Loopback() as running:
        yield running


@pytest.fixture(scope="module")
def app(server, start, new_home):
    """Where an app with a data folder of its own answers; its environment names `server` as Zhipu, with a key."""
    home = new_home()
    Saved(home).store(Choices(prices=Prices([PRICE])))
    return start(home, ZHIPUAI_BASE_URL=server.zhipu_url, ZHIPUAI_API_KEY=FOUND).address


@pytest.fixture
def settings(visit, app, server):
    """Opens the settings page, the server answering anew as it did at first."""
    server.repertoire.forget()
    server.embed_with(lambda request: None)

    def opened(**how):
        page, watch = visit("/settings", base=app, **how)
        return quiet(page), watch

    return opened


def fill(page, key, text):
    part(page, key, "input").fill(text)


def use_zhipu(page, model="glm-4.6"):
    part(page, "use.zhipu").click()
    expect(part(page, "offline")).to_be_visible()
    if model != "glm-4.6":
        fill(page, "role.writer.model", model)
        part(page, "roles.apply").click()
        expect(page.get_by_text(f"zhipu:{model}").first).to_be_visible()


def choose(page, role, endpoint):
    """Let a role work with the usual model of an endpoint."""
    box = part(page, f"role.{role}.endpoint", "input")
    box.scroll_into_view_if_needed()
    page.wait_for_timeout(500)  # a list that is open closes when the page scrolls
    box.click()
    page.get_by_role("option", name=endpoint).click()
    part(page, "roles.apply").click()
    expect(page.get_by_text("分工已生效").first).to_be_visible()


def ask(page, question="装修前要办什么手续？"):
    page.get_by_role("link", name=re.compile("去提问对比|Ask a question")).click()
    expect(part(page, "question", "textarea")).to_be_visible()
    send(page, question)


def test_from_an_entered_key_to_a_streamed_answer_with_citations_and_cost(settings, server):
    page, _ = settings()
    server.always(Said(ANSWER, THOUGHT, delay=0.01))
    server.always(Said("NONE"), tools=True)
    unfold(page, "endpoint.openai.fold")
    fill(page, "endpoint.openai.url", server.url.removeprefix("http://"))
    fill(page, "endpoint.openai.key", f"  {KEY}\t")
    fill(page, "endpoint.openai.model", "demo")
    part(page, "endpoint.openai.save").click()
    expect(page.get_by_text("…4321").first).to_be_visible()
    choose(page, "writer", "openai")
    part(page, "try.writer").click()
    expect(page.get_by_text(re.compile("可用 · openai:demo"))).to_be_visible(timeout=20_000)
    ask(page)
    expect(page.get_by_text(re.compile(r"思考中 · [\d,]+ 字")).first).to_be_visible(timeout=20_000)
    page.wait_for_url(re.compile("[?&]c="))
    expect(page.get_by_text(re.compile("思考过程 · 240 字")).first).to_be_visible()
    expect(page.get_by_text("引用 2 段").first).to_be_visible()
    expect(page.get_by_role("cell", name=re.compile("¥0")).first).to_be_visible()
    assert {request.key for request in server.chats} == {KEY}


def test_no_key_is_in_the_page_its_address_or_what_the_browser_keeps(settings, server):
    page, _ = settings()
    unfold(page, "endpoint.openai.fold")
    for key in (f"密 {KEY}", KEY):
        fill(page, "endpoint.openai.key", key)
        part(page, "endpoint.openai.save").click()
        expect(part(page, "endpoint.openai.key", "input")).to_have_value("")
    expect(page.get_by_text("…4321").first).to_be_visible()
    page.wait_for_timeout(500)
    for held in (page.content(), page.evaluate(HELD)):
        assert KEY[3:-4] not in held and FOUND[:-4] not in held


def test_stop_is_heard_though_the_model_is_silent(settings, server):
    page, _ = settings()
    server.always(Silent(Said("", THOUGHT)))
    use_zhipu(page)
    ask(page)
    expect(page.get_by_text(re.compile("思考中 · 240 字")).first).to_be_visible()
    page.wait_for_timeout(1_000)
    assert page.evaluate(STOP) < SOON
    expect(page.get_by_text("思考过程 · 240 字").first).to_be_visible()
    expect(page.get_by_text("已停止，答案不完整").first).to_be_visible()


def test_computing_all_vectors_can_be_stopped_though_the_model_is_silent(settings, server):
    page, _ = settings()
    server.embed_with(lambda request: Silent())
    choose(page, "embeddings", "zhipu")
    page.get_by_role("link", name="知识库").click()
    expect(page.get_by_text("第一条").first).to_be_visible()
    quiet(page).get_by_text("关于这个知识库").click()
    part(page, "fill").click()
    expect(page.get_by_text("已有向量 0 / 68")).to_be_visible(timeout=20_000)
    part(page, "fill.stop").click()
    expect(page.get_by_text("已停止，算好的向量都留着")).to_be_visible()
    expect(part(page, "fill")).to_be_visible()


def test_what_one_browser_chose_another_does_not_see(settings):
    one, _ = settings()
    use_zhipu(one)
    other, _ = settings()
    expect(part(other, "use.zhipu")).to_be_visible()
    assert other.get_by_text("zhipu:glm-4.6", exact=True).count() == 0


@pytest.mark.parametrize(("locale", "word"), [("zh-CN", "现在由谁来做"), ("en-US", "What does the work now")])
def test_nothing_of_the_settings_is_wider_than_a_phone(settings, locale, word):
    page, _ = settings(locale=locale, width=390)
    expect(page.get_by_text(word)).to_be_visible()
    unfold(page, "prices.fold")
    expect(part(page, "prices.save")).to_be_visible()
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("node => node.scrollWidth <= node.clientWidth")


def test_a_price_that_is_typed_in_is_kept_for_everyone(settings):
    page, _ = settings()
    unfold(page, "prices.fold")
    grid = page.get_by_test_id("stDataFrame").locator("canvas").first
    grid.click(position={"x": 430, "y": 50}, force=True)
    page.keyboard.type("7.5")
    page.keyboard.press("Enter")
    page.wait_for_timeout(500)
    part(page, "prices.save").click()
    expect(page.get_by_text("价目已保存")).to_be_visible()
