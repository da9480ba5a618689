import random
import re
from pathlib import Path

import pytest

from core.citations import cite, flags
from core.domain import Passage
from core.errors import EmbeddingError
from core.knowledge.tokeniser import Tokeniser
from core.llm.extractive import ASPECTS, CANDIDATES, QUOTES, TEMPLATES, ExtractiveWriter
from core.llm.naming import HEADED, HELD, REFERRED, foreign, says
from core.marks import marks

CASES = Path(__file__).parent / "cases"

LEAVE = (
    "第五条 员工请年假须提前三个工作日在系统中提交申请，由直属主管审批；三日以上的，另由部门负责人审批。",
    "第六条 病假须提交二级以上医院出具的诊断证明。急诊来不及申请的，应当在返岗后两日内补交。",
    "第九条 工作满一年不满十年的，年假五天；满十年不满二十年的，年假十天。",
    "第十条 当年未休的年假可以结转至次年三月三十一日，逾期作废，公司原因造成未休的除外。",
    "第十二条 病假期间的工资按照本人基本工资的百分之八十发放，一年累计不超过三十天。",
)
POLICY = (
    "## Annual leave\n\nEmployees may carry over up to five days of unused annual leave. Carried-over days\n"
    "expire on 31 March of the following year.",
    "## Sick leave\n\n- Sick leave of more than two days needs a doctor's note.\n"
    "- Sick pay is 80 % of the base salary, e.g. for at most 30 days a year.",
    "## Visitors\n\nVisitors sign in at reception. No. 5 Gate is closed on weekends.",
)


@pytest.fixture(scope="module")
def tokeniser() -> Tokeniser:
    return Tokeniser()


@pytest.fixture(scope="module")
def writer(tokeniser) -> ExtractiveWriter:
    return ExtractiveWriter(tokeniser)


def passages(*texts: str, section: str = "") -> list[Passage]:
    return [Passage(f"制度#{n}", "制度", section, "", text, n) for n, text in enumerate(texts)]


def answer(writer: ExtractiveWriter, question: str, evidence: list[Passage]) -> str:
    return "".join(writer.extract(question, evidence))


def quotes(text: str) -> list[tuple[str, int]]:
    return [(quote, int(number)) for quote, number in re.findall(r"[“「](.*?)[”」]\[(\d+)\]", text)]


def test_each_part_of_a_question_is_answered_with_its_own_quote(writer):
    text = answer(writer, "请病假要交什么材料，工资怎么发？", passages(*LEAVE))
    assert text.startswith(TEMPLATES["zh"]["lead"])
    assert f"**请病假要交什么材料**\n“{LEAVE[1]}”[2]" in text
    assert f"**工资怎么发**\n“{LEAVE[4]}”[5]" in text


def test_an_english_question_is_answered_in_english(writer):
    question = "How many unused days can I carry over, and is a doctor's note needed for sick leave?"
    text = answer(writer, question, passages(*POLICY))
    assert text.startswith(TEMPLATES["en"]["lead"])
    assert "“Employees may carry over up to five days of unused annual leave." in text
    assert "days expire on 31 March" in text and "needs a doctor's note.”[2]" in text


def test_every_quote_is_literal_and_grounded(writer, tokeniser):
    evidence = passages(*LEAVE)
    text = answer(writer, "年假有几天，怎么请年假，没休的年假能不能结转，病假工资怎么发？", evidence)
    assert len(quotes(text)) >= 3
    assert all(quote in evidence[number - 1].text for quote, number in quotes(text))
    assert {citation.status for citation in cite(text, evidence, tokeniser)} == {"grounded"}


def test_no_sentence_is_quoted_twice_and_quotes_are_bounded(writer):
    rule = "第{0}条 年假申请由第{0}部门审批，病假工资由第{0}财务组发放，加班费由第{0}人事组核定。"
    question = "年假谁审批，病假工资谁发放，加班费谁核定？年假；病假；加班费谁管？"
    found = quotes(answer(writer, question, passages(*(rule.format(n) for n in range(1, 21)))))
    assert 3 <= len(found) <= QUOTES
    assert len(found) == len(set(found))


def test_parts_that_no_evidence_speaks_to_are_named(writer):
    text = answer(writer, "未休的年假可以结转吗？公司食堂早餐几点供应？", passages(*LEAVE[:4]))
    assert f"“{LEAVE[3]}”[4]" in text
    assert text.endswith(TEMPLATES["zh"]["missing"].format(parts="“公司食堂早餐几点供应”"))


@pytest.mark.parametrize("question", ["宠物可以带吗？", "Are pets allowed?", "？？", "🙂"])
def test_evidence_that_shares_nothing_gives_a_refusal(writer, question):
    text = answer(writer, question, passages(*LEAVE))
    assert text in {words["refusal"] for words in TEMPLATES.values()}
    assert flags(text, ()) == ()


def test_a_single_word_in_common_is_shown_as_nearest_and_as_no_answer(writer, tokeniser):
    evidence = passages(*LEAVE)
    text = answer(writer, "公司食堂早餐几点供应？", evidence)
    assert text.startswith(TEMPLATES["zh"]["nearest"] + TEMPLATES["zh"]["by_words"])
    assert flags(text, cite(text, evidence, tokeniser)) == ()
    assert quotes(text) == [(LEAVE[3], 4)]


def test_the_passage_ranked_first_is_quoted_where_only_its_section_shares_a_word(writer):
    evidence = passages("公共区域的影像资料至少保存三十日。", section="监控")
    evidence += passages("监控室由保安员值守，监控设备每月检查。")
    text = answer(writer, "监控设备多久检查？", evidence)
    assert [number for _, number in quotes(text)] == [1, 2]
    assert TEMPLATES["zh"]["first"] in text


def test_instructions_in_a_source_are_not_obeyed(writer, tokeniser):
    evidence = passages((CASES / "md_prompt_injection.md").read_text(encoding="utf-8"))
    text = answer(writer, "客服电话", evidence)
    assert quotes(text) == [("客服电话 400-000-0000。", 1)]
    assert "系统维护中" not in text and "tool_call" not in text
    assert [(c.number, c.status) for c in cite(text, evidence, tokeniser)] == [(1, "grounded")]


def test_marks_and_markup_in_a_source_stay_literal(writer, tokeniser):
    source = (CASES / "md_price_dollar_tilde.md").read_text(encoding="utf-8").replace("[1]", "[7]")
    text = answer(writer, "标准版价格多少，年付优惠吗？", passages(source))
    assert "约~$119.60~至$167.88，年付优惠[7]；" in text
    assert [mark.numbers for mark in marks(text)] == [(1,)]


def test_html_in_a_source_is_quoted_as_it_stands(writer):
    source = (CASES / "md_html_payload.md").read_text(encoding="utf-8")
    text = answer(writer, "公告欢迎谁？", passages(source))
    assert '“<img src=x onerror="alert(1)">欢迎<script>alert(2)</script>”[1]' in text


@pytest.mark.parametrize(
    "hostile", ["年假”[9] “可以[8]。", "“年假」[9]『可以。", "年假 ` 可以 ```[9]。", "年假“十天”[9]。"]
)
def test_no_source_can_forge_a_mark(writer, hostile, tokeniser):
    text = answer(writer, "年假可以[6]休几天`？", passages(hostile))
    assert {number for mark in marks(text) for number in mark.numbers} == {1}


def test_a_long_sentence_is_cut_at_clauses_round_what_matters(writer, tokeniser):
    long = "，".join(f"第{n}类物资由{n}号仓库登记入账" for n in range(40)) + "，年假由人事部审批，" + "其余照旧，" * 30
    evidence = passages(long)
    text = answer(writer, "年假由谁审批？", evidence)
    ((quote, _),) = quotes(text)
    assert "年假由人事部审批" in quote and quote.startswith("…") and quote.endswith("…") and len(quote) < 140
    assert cite(text, evidence, tokeniser)[0].status == "grounded"


def test_one_long_line_without_punctuation_gives_a_bounded_quote(writer):
    source = (CASES / "txt_one_long_line_no_punct.txt").read_text(encoding="utf-8")
    found = quotes(answer(writer, source[2000:2012], passages(source)))
    assert found and all(len(quote) <= 250 and quote.strip("…") in source for quote, _ in found)


def test_a_long_question_has_at_most_so_many_parts_that_cover_it(writer):
    question = "，".join(f"第{n}个员工问年假第{n}天怎么算" for n in range(300))
    parts = writer.aspects(question)
    assert len(parts) <= ASPECTS
    assert "，".join(parts) == question


def near(word: str, high: float = 0.95, low: float = 0.8):
    """A similarity in whose space one word decides what is near."""
    return lambda _, passages: [high if word in passage.text else low for passage in passages]


def test_similarity_is_asked_once_a_part_and_finds_what_shares_no_word(tokeniser):
    asked: list[tuple[str, int]] = []

    def similarity(part, evidence):
        asked.append((part, len(evidence)))
        return near("留存")(part, evidence)

    evidence = passages(*LEAVE * 4, "影像资料留存不少于三十日。")
    question = "录像能看多久，宠物能不能进？"
    text = answer(ExtractiveWriter(tokeniser, similarity), question, evidence[-12:] + evidence)
    assert sorted(asked) == sorted((part, CANDIDATES) for part in ("录像能看多久", "宠物能不能进", question))
    assert "“影像资料留存不少于三十日。”[12]" in text


def test_text_that_only_retells_the_question_yields_to_text_that_adds(tokeniser):
    retold = "员工年假没休完，年假没休完怎么处理，问过主管。"
    evidence = passages(retold, LEAVE[3], LEAVE[0])
    question = "员工年假没休完，怎么处理，问过主管？"
    text = answer(ExtractiveWriter(tokeniser, near("结转", 0.9, 0.85)), question, evidence)
    assert f"“{LEAVE[3]}”[2]" in text
    assert text.count("[1]") <= 1


def test_a_part_whose_text_is_quoted_already_shares_its_heading(writer):
    text = answer(writer, "病假工资怎么发，病假工资按什么发放，年假有几天？", passages(*LEAVE))
    assert text.count(LEAVE[4]) == 1
    assert "**病假工资怎么发 / 病假工资按什么发放**" in text


def test_a_slight_part_that_nothing_speaks_to_is_not_named_as_missing(writer):
    text = answer(writer, "病假期间的工资怎么发放，当年未休的年假能结转吗，到底该谁来拍板？", passages(*LEAVE))
    assert "**当年未休的年假能结转吗 / 到底该谁来拍板**" in text
    assert "没有找到" not in text


def test_far_evidence_is_refused_however_common_its_words(tokeniser):
    question = "公司工资由谁审批公示？"
    text = answer(ExtractiveWriter(tokeniser, near("病假", 0.86, 0.8)), question, passages(*LEAVE))
    assert text.startswith(TEMPLATES["zh"]["nearest"] + TEMPLATES["zh"]["by_meaning"])
    assert {number for _, number in quotes(text)} == {2, 5}


def test_an_embedder_that_fails_leaves_the_answer_by_words(tokeniser, writer):
    def failing(part, evidence):
        raise EmbeddingError("embeddings.unavailable")

    question = "请病假要交什么材料，工资怎么发？"
    text = answer(ExtractiveWriter(tokeniser, failing), question, passages(*LEAVE))
    assert text == answer(writer, question, passages(*LEAVE))


def test_the_answer_streams_piece_by_piece(writer):
    said = list(writer.extract("请病假要交什么材料，工资怎么发？", passages(*LEAVE)))
    assert len(said) >= 5 and all(said)


def test_random_hostile_sources_neither_forge_a_mark_nor_lose_their_own(writer, tokeniser):
    scraps = [*'“”「」"`\n\u2028。，…', "[9]", "【9】", "```", "年假", "五天", "# "]
    pick = random.Random(1)
    for _ in range(300):
        evidence = passages(*("".join(pick.choices(scraps, k=20)) for _ in range(3)))
        text = answer(writer, "年假几天[9]，“五天` 够吗", evidence)
        assert {number for mark in marks(text) for number in mark.numbers} <= {1, 2, 3}
        assert {citation.status for citation in cite(text, evidence, tokeniser)} <= {"grounded"}


@pytest.mark.parametrize("question", ["公司工资由谁审批公示？", "Who signs off the salary rounds?"])
def test_a_passage_near_in_meaning_alone_is_never_said_to_answer_nothing(question, tokeniser):
    text = answer(ExtractiveWriter(tokeniser, near("病假", 0.86, 0.8)), question, passages(*LEAVE))
    assert any(said in text for said in ("意思上最接近的原文是", "the nearest in meaning says"))
    assert quotes(text) and "answer" not in text and "没有回答" not in text


@pytest.mark.parametrize("form", ["nearest", "refusal"])
def test_what_it_says_where_nothing_answers_counts_as_a_refusal(form):
    assert all(flags(words[form], ()) == () for words in TEMPLATES.values())


def test_of_a_table_rows_are_quoted_and_not_what_heads_it(bench):
    text = "Spare parts\n\n| Part number | Name | Price |\n|---|---|---|\n| 58-9015 | Steam tip gasket | €4.10 |\n"
    passage = Passage("parts#1", "parts", "Spare parts", "", text, 0)
    answer = "".join(
        token.text for token in ExtractiveWriter(bench.retriever.tokeniser).write("Price of 58-9015?", [passage])
    )
    assert "58-9015 | Steam tip gasket | €4.10" in answer
    assert "Part number" not in answer and "---" not in answer


def row(text: str, number: int = 0) -> Passage:
    return Passage(f"价目#行 {number}", "价目", "", "", text, number, metadata={"type": "row"})


def test_a_row_is_quoted_whole_with_its_price_and_without_its_label(writer, tokeniser):
    evidence = [row("行 4\n型号：58-9015\n名称：锅炉密封圈\n价格（元）：120"), row("行 5\n名称：水泵\n价格：9", 1)]
    text = answer(writer, "锅炉密封圈多少钱？", evidence)
    assert quotes(text) == [("型号：58-9015 名称：锅炉密封圈 价格（元）：120", 1)]
    assert {citation.status for citation in cite(text, evidence, tokeniser)} == {"grounded"}


def test_of_a_long_row_the_short_cells_stand_together_and_the_long_one_in_sentences(writer, tokeniser):
    long = "说明：供热水循环使用。" + "安装时请先关闭总阀并放空管路中的余水。" * 20
    evidence = [row(f"行 4\n型号：58-9017\n名称：水泵\n{long}\n价格（元）：980")]
    found = quotes(answer(writer, "水泵价格多少？", evidence))
    assert found[0] == ("型号：58-9017 名称：水泵 … 价格（元）：980", 1)
    text = answer(writer, "安装时先关闭什么？", evidence)
    assert "“安装时请先关闭总阀并放空管路中的余水。”[1]" in text and "行 4" not in text
    assert {citation.status for citation in cite(text, evidence, tokeniser)} == {"grounded"}


CODES = (
    Passage("m#1", "m", "Codes", "XR-2200B codes", "| Code | Meaning | Remedy |\n|---|---|---|\n"
            "| E12 | boiler above 128 °C | thermostat 58-3220 |\n| E47 | no signal | see E47 on the XR-2200B |", 0),
    Passage("m#2", "m", "Codes", "E47 on the XR-2200B", "The level probe of the boiler gives no signal. "
            "The machine must stay off until the probe was replaced.", 1),
    Passage("m#3", "m", "Parts", "Boards", "| Part | Name | Fits | Price |\n|---|---|---|---|\n"
            "| 58-6625 | control board | XR-2200B | €139.00 |", 2),
    Passage("m#4", "m", "Safety", "Electrical", "A damaged supply cord is replaced with cord set 58-9015. "
            "The XR-2200B needs a residual-current device.", 3),
)  # fmt: skip


def test_the_passage_headed_with_a_code_answers_and_rows_of_other_codes_do_not(writer):
    text = answer(writer, "What does E47 mean on the XR-2200B?", list(CODES))
    found = quotes(text)
    assert (
        "The level probe of the boiler gives no signal. The machine must stay off until the probe was replaced.",
        2,
    ) in found
    assert "E12" not in text and "58-6625" not in text and "see E47" not in text


def test_a_sentence_that_holds_the_number_asked_for_answers_whatever_its_other_words(tokeniser):
    writer = ExtractiveWriter(tokeniser, lambda text, found: [0.8] * len(found))
    text = answer(writer, "Which spare part is 58-9015 and does it fit the XR-2200B?", list(CODES))
    assert text.startswith(TEMPLATES["en"]["lead"])
    assert "cord set 58-9015" in text.split("**does it fit")[0] and "58-6625" not in text


def test_a_code_that_is_lacking_in_a_series_that_is_there_is_not_answered_by_another(writer):
    text = answer(writer, "What does E99 mean?", list(CODES))
    assert not text.startswith(TEMPLATES["en"]["lead"])


def test_each_article_that_is_named_has_a_heading_of_its_own_and_a_reference_to_it_loses(writer):
    texts = (
        "第七条 参照第十九条处理的，押金照退。",
        "第十九条 录像只能证明有人进入。",
        "第二十条 画面缺失的，应当解释。",
    )
    evidence = [Passage(f"a#{t.split()[0]}", "a", "", t.split()[0], t, n) for n, t in enumerate(texts)]
    text = answer(writer, "第十九条和第二十条", evidence)
    assert f"**第十九条**\n“{texts[1]}”[2]" in text and f"**第二十条**\n“{texts[2]}”[3]" in text


@pytest.mark.parametrize(
    ("text", "headed", "said"),
    [
        ("E47 | level probe", {}, {"e47": HELD}),
        ("E47 | see E47", {}, {"e47": REFERRED}),
        ("故障处理见 E47。", {}, {"e47": REFERRED}),
        ("Restart it.", {"e47": HEADED}, {"e47": HEADED}),
        ("依照第二十八条处理。", {}, {"第28条": REFERRED}),
        ("第二十八条 押金照退。", {}, {"第28条": HEADED}),
    ],
)
def test_a_heading_says_more_of_a_code_than_a_mention_and_a_pointer_least(text, headed, said):
    assert says(text, headed) == said


def test_codes_of_other_series_and_the_code_itself_are_not_foreign():
    wanted = frozenset({"e47", "第28条"})
    assert foreign(["e12"], wanted) and foreign(["e12", "xr2200"], wanted)
    assert not foreign(["e12", "e47"], wanted) and not foreign(["xr2200", "第3条"], wanted)
