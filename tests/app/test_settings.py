"""The settings page: nothing is used unasked, keys stay with the session, and each thing that cannot be is told."""

import os

import pandas as pd
import pytest

from core.endpoints import ZHIPU_URL, Endpoint
from core.pricing import Prices
from core.saved import Address, Choices, Saved
from core.settings import Limits, Role
from core.spending import Spending
from pages.parts.settings_prices import _rows
from tests.app.conftest import KEY, plain, press, settings_page, text, visit
from tests.loopback import Failed, Said, no_tools, strict

pytestmark = pytest.mark.usefixtures("home")
CALLS = Said("", "", (("search", '{"query": "ready"}'),))


def roles_of(at):
    """What the card at the top says of each role."""
    card = next(element.value for element in at.markdown if "**作答**" in element.value)
    return plain(card)


def enter(at, name, **values):
    """Fill an endpoint's form and save it."""
    for part, value in values.items():
        at.text_input(key=f"endpoint.{name}.{part}").set_value(value)
    return press(at, f"endpoint.{name}.save")


def choose(at, role, endpoint, model=""):
    at.selectbox(key=f"role.{role}.endpoint").set_value(endpoint)
    at.text_input(key=f"role.{role}.model").set_value(model)
    return press(at, "roles.apply")


@pytest.mark.parametrize(("locale", "word"), [("zh-CN", "现在由谁来做"), ("en-GB", "What does the work now")])
def test_it_says_what_runs_now_in_the_readers_language(locale, word):
    at = settings_page(locale)
    assert not at.exception
    assert word in text(at)
    assert not any((button.key or "").startswith("try.") for button in at.button)


def test_a_key_of_the_environment_is_offered_and_not_used_before_the_tap(server):
    at = settings_page()
    assert "离线" in roles_of(at) and "demo" not in roles_of(at)
    assert "…9876" in plain(at.button(key="use.openai").label)
    press(at, "use.openai")
    assert roles_of(at).count("`openai:demo`") == 2 and "**向量** · 离线" in roles_of(at)
    press(at, "offline")
    assert "demo" not in roles_of(at)
    assert server.requests == []


def test_the_start_page_names_a_key_that_waits(server):
    at = visit().run()
    assert "现在没有使用" in text(at)
    assert any(link.label.endswith("打开设置") for link in at.get("page_link"))


def test_an_entered_key_is_trimmed_and_only_its_last_characters_are_shown():
    at = enter(settings_page(), "openai", key="  sk-entered-key-4321\n")
    assert any("…4321" in plain(fold.label) for fold in at.expander)
    assert at.text_input(key="endpoint.openai.key").value == ""
    assert "sk-entered" not in str(at)
    press(at, "endpoint.openai.forget")
    assert not any("4321" in fold.label for fold in at.expander)


@pytest.mark.parametrize(
    ("part", "value", "word"),
    [("key", "密钥 abc", "不像一个密钥"), ("url", "http://u:p@host/v1", "不是可用的接口地址"), ("url", "", "接口地址")],
)
def test_what_cannot_be_a_key_or_an_address_is_refused_in_a_sentence(part, value, word):
    at = enter(settings_page(), "openai", **{part: value})
    assert len(at.warning) == 1 and word in plain(at.warning[0].value)
    assert at.text_input(key="endpoint.openai.key").value == ""


def test_a_key_never_follows_an_address_that_it_was_not_entered_for(server):
    at = enter(settings_page(), "openai", url="http://localhost:1/v1")
    assert "没有带过去" in at.warning[0].value
    assert not any("9876" in fold.label for fold in at.expander)
    enter(at, "openai", key="sk-for-the-new-one-1111")
    enter(at, "openai", url=server.url)
    assert any("…9876" in plain(fold.label) for fold in at.expander)


def test_an_address_that_another_session_kept_does_not_get_an_entered_key(home):
    at = enter(settings_page(), "openai", key="sk-entered-key-4321")
    Saved(home).store(Choices(endpoints={"openai": Address("http://elsewhere.example/v1")}))
    at.run()
    assert not any("4321" in fold.label for fold in at.expander)


def test_an_endpoint_of_ones_own_is_added_named_and_removed():
    at = settings_page()
    at.text_input(key="add.name").set_value("ollama")
    at.text_input(key="add.url").set_value("localhost:11434")
    press(at, "add.save")
    assert at.text_input(key="endpoint.ollama.url").value == "http://localhost:11434/v1"
    choose(at, "writer", "ollama", "qwen2.5:7b")
    assert "`ollama:qwen2.5:7b`" in roles_of(at)
    press(at, "endpoint.ollama.remove")
    assert "ollama" in at.selectbox(key="role.writer.endpoint").options[-1]


@pytest.mark.parametrize("name", ["Ollama", "带中文", "openai", "offline", ""])
def test_a_name_that_will_not_do_is_refused(name):
    at = settings_page()
    at.text_input(key="add.name").set_value(name)
    at.text_input(key="add.url").set_value("localhost:1")
    press(at, "add.save")
    assert len(at.warning) == 1


def test_a_role_without_a_model_is_refused_and_what_was_typed_stays():
    at = choose(settings_page(), "writer", "openai")
    assert "没有默认模型" in plain(at.warning[0].value)
    assert at.selectbox(key="role.writer.endpoint").value == "openai" and "**作答** · 离线" in roles_of(at)


def test_the_planner_follows_the_writer_until_it_has_a_model_of_its_own(server):
    at = choose(settings_page(), "writer", "openai", "big")
    assert roles_of(at).count("`openai:big`") == 2
    choose(at, "planner", "openai", "small")
    assert "**检索规划** · `openai:small`" in roles_of(at)
    choose(at, "writer", "openai", "bigger")
    assert "`openai:small`" in roles_of(at) and "`openai:bigger`" in roles_of(at)


def test_a_saved_role_whose_endpoint_is_gone_is_told_and_can_be_mended(home):
    Saved(home).store(Choices(roles={"writer": Role("gone:m")}))
    at = visit().run()
    assert not at.exception and "gone" in plain(text(at))
    at.switch_page("pages/settings.py").run()
    assert not at.exception and at.selectbox(key="role.writer.endpoint").value == "gone"
    press(at, "offline")
    assert "知识库" in text(at.switch_page("pages/compare.py").run())


def test_a_test_of_a_model_tells_time_tokens_and_whether_tools_are_called(server, home):
    server.always(CALLS, tools=True)
    at = press(settings_page(), "use.openai")
    press(at, "try.all")
    told = [plain(element.value) for element in at.success]
    assert any("检索规划" in line and "会调用工具" in line and "tokens" in line for line in told)
    assert any("作答" in line and "openai:demo" in line for line in told)
    assert [chat.key for chat in server.chats] == [KEY] * 3
    assert Spending(home).today().tokens > 0


def test_a_test_says_that_an_endpoint_calls_no_tools(server):
    server.always(strict(Said("ready"), [no_tools]), tools=True)
    at = press(press(settings_page(), "use.openai"), "try.planner")
    assert "不支持工具调用" in plain(at.warning[-1].value)


def test_a_test_that_fails_tells_what_a_column_would_and_never_the_key(server):
    server.always(Failed(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}))
    at = press(press(settings_page(), "use.openai"), "try.writer")
    assert "不接受这个密钥" in plain(at.error[0].value) and KEY not in str(at)


def test_a_test_of_embeddings_tells_their_dimension(server):
    at = choose(settings_page(), "embeddings", "openai", "demo-embedding")
    press(at, "try.embeddings")
    assert "维" in plain(at.success[-1].value) and server.embeddings


def test_a_test_is_held_to_the_limits(server):
    at = press(settings_page(), "use.openai")
    at.number_input(key="limit.run_tokens").set_value(1)
    press(at, "limits.apply")
    press(at, "try.writer")
    assert "上限" in at.error[0].value and server.chats == []


def test_a_limit_of_the_environment_holds_in_every_session(monkeypatch):
    monkeypatch.setenv("WORKBENCH_LIMIT_DAY_TOKENS", "500")
    at = settings_page()
    assert at.number_input(key="limit.day_tokens").disabled and at.number_input(key="limit.day_tokens").value == 500
    at.number_input(key="limit.run_cny").set_value(0.5)
    press(at, "limits.apply")
    assert at.number_input(key="limit.day_tokens").value == 500 and at.number_input(key="limit.run_cny").value == 0.5


def test_a_model_that_a_limit_of_money_cannot_hold_is_named(server):
    at = press(settings_page(), "use.openai")
    at.number_input(key="limit.day_cny").set_value(1.0)
    press(at, "limits.apply")
    assert any("openai:demo" in plain(element.value) for element in at.warning)


def test_what_is_kept_for_everyone_holds_no_key(server, home):
    at = enter(press(settings_page(), "use.openai"), "openai", key="sk-entered-key-4321")
    press(at, "keep")
    assert Saved(home).load().roles["writer"].model == "openai:demo"
    assert "planner" not in Saved(home).load().roles
    other = settings_page()
    assert "`openai:demo`" in roles_of(other) and "4321" not in str(other)
    kept = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert b"entered-key" not in kept and KEY.encode() not in kept


def test_two_sessions_see_neither_roles_nor_keys_of_each_other(server):
    mine, other = settings_page(), settings_page()
    press(enter(mine, "openai", key="sk-entered-key-4321"), "use.openai")
    other.run()
    assert "demo" in roles_of(mine) and "demo" not in roles_of(other)
    assert not any("4321" in fold.label for fold in other.expander)


def test_settings_that_cannot_be_kept_hold_for_the_session_and_that_is_said(server, home):
    (home / "workbench.sqlite").mkdir()
    at = press(press(settings_page(), "use.openai"), "keep")
    assert any("没有保存" in plain(element.value) for element in at.warning)
    press(at, "prices.restore")
    assert any("价目没有保存" in plain(element.value) for element in at.warning)
    assert "`openai:demo`" in roles_of(at)


@pytest.mark.skipif(os.geteuid() == 0, reason="whoever may do everything may write everywhere")
def test_a_data_folder_that_cannot_be_written_is_said(home):
    home.chmod(0o500)
    try:
        assert any("不能写" in plain(element.value) for element in settings_page().warning)
    finally:
        home.chmod(0o700)


def test_empty_cells_and_rows_of_the_price_table_are_no_prices():
    frame = pd.DataFrame(
        [
            {"host": "", "model": "m", "currency": "CNY", "input": 1.0, "output": 2.0, "cached": None, "upto": None},
            dict.fromkeys(("host", "model", "currency", "input", "output", "cached", "upto")),
        ]
    )
    row, *rest = Prices.edited(_rows(frame)).of(Endpoint("zhipu", "zhipu", ZHIPU_URL), "m")
    assert (row.input, row.cached, row.upto, rest) == (1.0, None, None, [])


def test_the_shipped_prices_come_back(home):
    edited = Prices([{"host": "", "model": "m", "currency": "CNY", "input": 1, "output": 2}])
    Saved(home).store(Choices(prices=edited, limits=Limits(run_tokens=7)))
    at = press(settings_page(), "prices.restore")
    assert Saved(home).load().prices.edits == [] and Saved(home).load().limits == Limits(run_tokens=7)
    assert any("价目已保存" in element.value for element in at.success)


def test_a_sessions_choices_can_be_taken_back(server):
    at = press(press(settings_page(), "use.openai"), "back")
    assert "demo" not in roles_of(at)
