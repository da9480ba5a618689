import json
from pathlib import Path

import pytest

from core.citations import cite, flags, pieces
from core.domain import Citation, Passage
from core.knowledge.tokeniser import Tokeniser
from core.marks import marks

CASES = Path(__file__).parent / "cases"
FORMS = json.loads((CASES / "answers_citation_forms.json").read_text(encoding="utf-8"))

NOTICE = "第七条 员工辞职应当提前三十日书面通知公司；试用期内提前三日通知即可。"
PAY = "第二十条 病假工资按照基本工资的百分之八十发放，累计超过5,000元的，由财务部复核。"


@pytest.fixture(scope="module")
def tokeniser() -> Tokeniser:
    return Tokeniser()


def passages(*texts: str) -> list[Passage]:
    return [Passage(f"制度#{n}", "制度", "人事", text[:4].strip(), text, n) for n, text in enumerate(texts)]


def numbers(answer: str) -> list[tuple[int, ...]]:
    return [mark.numbers for mark in marks(answer)]


def statuses(answer: str, evidence: list[Passage], tokeniser: Tokeniser) -> dict[int, str]:
    return {citation.number: citation.status for citation in cite(answer, evidence, tokeniser)}


def test_adjacent_marks_point_at_their_own_sources(tokeniser):
    evidence = passages(*FORMS[0]["sources"])
    found = cite(FORMS[0]["answer"], evidence, tokeniser)
    assert [(c.number, c.passage) for c in found] == [(1, evidence[0]), (3, evidence[2])]


def test_a_number_beyond_the_evidence_dangles_and_is_flagged(tokeniser):
    found = cite(FORMS[1]["answer"], passages(*FORMS[1]["sources"]), tokeniser)
    assert found == (Citation(5, None, "", "dangling"),)
    assert [(say.code, say.values["numbers"]) for say in flags(FORMS[1]["answer"], found)] == [
        ("citation.dangling", [5])
    ]


def test_every_bracket_form_is_read():
    assert numbers(FORMS[2]["answer"]) == [(2,), (1, 3), (1,), (1, 2, 3)]
    assert numbers("[1、3] [1–3] [ 2 ; 1 ] ［１，２］ [1,1]") == [(1, 3), (1, 2, 3), (2, 1), (1, 2), (1,)]


def test_code_links_footnotes_and_array_indices_are_no_marks():
    assert numbers(FORMS[3]["answer"]) == []
    assert numbers("```\nx = y [1]\n```\n~~~python\n[2]\n~~~") == []
    assert numbers("`` a ` [1] ``，[1]: http://127.0.0.1，[1](/a)，rows[1]，a[1][2]，data_x[1]，x[1] = 3") == []
    assert numbers("代码未闭合：\n```\n[1]") == []


def test_marks_right_after_latin_words_of_prose_are_marks():
    assert numbers("Notice is 30 days[1]. 支持USB[2]，型号2200[3]（第3条）[1](第三条)。") == [(1,), (2,), (3,), (1,)]


def test_years_intervals_and_absurd_ranges_are_no_marks():
    assert numbers("[2024] [0] [0,1] [3-1] [1-99] [1000]") == []


def test_a_mark_inside_an_attributed_quote_is_source_text():
    answer = "“年付优惠[5]；他说“可以[6]””[1]，而“年付[2]”是未标来源的引语。"
    assert numbers(answer) == [(1,), (2,)]


def test_pieces_join_to_the_answer_and_keep_quotes_literal(tokeniser):
    answer = "规定如下：“**三十日**[9]”[1]，`x[1]`，另见[4]。"
    cut = pieces(answer, cite(answer, passages(NOTICE), tokeniser))
    assert "".join(piece.text for piece in cut) == answer
    assert [piece.text for piece in cut if piece.literal] == ["“**三十日**[9]”"]
    assert [(p.mark.numbers, p.citations[0].status) for p in cut if p.mark] == [
        ((1,), "ungrounded"),
        ((4,), "dangling"),
    ]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("辞职要提前30天书面通知公司[1]。", "grounded"),
        ("辞职要提前６０天书面通知公司[1]。", "ungrounded"),
        ("制度写明“应当提前三十日 书面通知公司”[1]。", "grounded"),
        ("制度写明“应当提前…通知公司”[1]。", "grounded"),
        ("制度写明「应当提前四十日书面通知公司」[1]。", "ungrounded"),
        ("员工可以带宠物上班[1]。", "ungrounded"),
        ("试用期内提前三日通知公司。[1]食堂十二点开门。", "grounded"),
        ("辞职须书面通知公司。\n依据：[1]", "grounded"),
        ("[1] 辞职须提前三十日书面通知公司", "grounded"),
    ],
)
def test_a_claim_is_grounded_by_its_quotes_numbers_and_words(answer, status, tokeniser):
    assert statuses(answer, passages(NOTICE), tokeniser) == {1: status}


def test_two_marks_in_a_sentence_stand_for_their_own_clauses(tokeniser):
    answer = "辞职提前三十日通知公司[1]，病假工资按80%发放[2]。"
    assert statuses(answer, passages(NOTICE, PAY), tokeniser) == {1: "grounded", 2: "grounded"}
    swapped = answer.replace("[1]", "[x]").replace("[2]", "[1]").replace("[x]", "[2]")
    assert statuses(swapped, passages(NOTICE, PAY), tokeniser) == {2: "ungrounded", 1: "ungrounded"}


def test_sources_under_one_mark_bear_a_claim_together(tokeniser):
    answer = "辞职提前三十日通知公司，病假工资超过五千元由财务部复核[1,2]。"
    assert statuses(answer, passages(NOTICE, PAY), tokeniser) == {1: "grounded", 2: "grounded"}


def test_one_unsupported_claim_makes_a_repeated_citation_ungrounded(tokeniser):
    answer = "辞职须提前三十日书面通知公司[1]。食堂中午开门[1]。"
    assert statuses(answer, passages(NOTICE), tokeniser) == {1: "ungrounded"}


def test_the_quote_is_literal_text_of_the_passage(tokeniser):
    wrapped = "Employees may carry over up to five days of unused\nannual leave. ＸＲ－２２００ needs approval."
    for answer in ("“five days of unused annual leave”[1]", "XR-2200 needs approval[1].", "Unrelated words[1]."):
        (citation,) = cite(answer, passages(wrapped), tokeniser)
        assert citation.quote and citation.quote in wrapped
    assert cite("规则见“提前三日通知即可”[1]", passages(NOTICE), tokeniser)[0].quote == "提前三日通知即可"


def test_english_inflections_meet(tokeniser):
    evidence = passages("Employees returning equipment must notify the manager within 3 days.")
    claim = "An employee who returns equipment notifies the managers within three (3) days[1]."
    assert statuses(claim, evidence, tokeniser) == {1: "grounded"}


@pytest.mark.parametrize("answer", [FORMS[4]["answer"], "资料没有提到。但七天可退。", "You may carry over five days."])
def test_claims_without_any_citation_are_flagged(answer):
    assert [say.code for say in flags(answer, ())] == ["citation.none"]


@pytest.mark.parametrize(
    "answer",
    [
        FORMS[5]["answer"],
        "",
        " \n",
        "抱歉，资料中未找到相关规定，建议咨询人事部。",
        "根据现有资料无法回答该问题。请补充材料。",
        "您是指哪一年的年假？",
        "The sources do not mention pets.",
        "Not found.",
        "I could not find any information about that. Please contact support.",
    ],
)
def test_a_refusal_an_empty_answer_and_a_question_back_are_not_flagged(answer):
    assert flags(answer, ()) == ()


def test_an_answer_still_streaming_never_breaks(tokeniser):
    answer = "```a\n[1]\n```\n“三十日[2]”[1]，见[1-2]与`x[1]`【1】。"
    for length in range(len(answer)):
        part = answer[:length]
        assert "".join(piece.text for piece in pieces(part, cite(part, passages(NOTICE), tokeniser))) == part
