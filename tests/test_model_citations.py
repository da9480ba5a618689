"""Answers of models as they come over HTTP: their marks resolved against the evidence, nothing in them acting."""

from __future__ import annotations

import json
import re

import pytest

from core.asking import entrants
from core.citations import cite, flags
from core.documents import comparison_document
from core.race import compare
from core.words import Words
from pages.parts.answer import markdown
from tests.conftest import CASES
from tests.loopback import Said

FORMS = json.loads((CASES / "answers_citation_forms.json").read_text(encoding="utf-8"))
EXPECTED = [
    ({1: "A", 3: "C"}, []),
    ({5: None}, ["citation.dangling"]),
    ({1: "A", 2: "B", 3: "C"}, []),
    ({}, None),
    ({}, ["citation.none"]),
    ({}, []),
]
"""Of each handed answer: what its marks point at, and its flags (`None`: not what the case is about)."""


@pytest.fixture
def answered(server, at_server, open_base):
    """Has the model say `answer` to a question that so many sources were found for; the run and its base."""

    def run(answer, *sources):
        texts = {name: f"# {name}\n第一条 退货规则{name}：七日。\n" for name in sources}
        bench = open_base(at_server(), **texts)
        server.always(Said(answer))
        return compare(bench, entrants("退货规则？", ["bm25"], len(sources), {})), bench

    return run


@pytest.mark.parametrize(
    ("form", "expected"), list(zip(FORMS, EXPECTED, strict=True)), ids=[f["answer"] for f in FORMS]
)
def test_marks_of_every_handed_answer_point_at_their_own_sources(answered, form, expected):
    comparison, bench = answered(form["answer"], *form["sources"])
    run = comparison.runs[0]
    citations = cite(run.answer, run.evidence, bench.retriever.tokeniser)
    order = [passage.document for passage in run.evidence]
    found = {c.number: c.passage.document if c.passage else None for c in citations}
    assert found == {n: order["ABC".index(name)] if name else None for n, name in expected[0].items()}
    if expected[1] is not None:
        assert [flag.code for flag in flags(run.answer, citations)] == expected[1]


def test_the_document_calls_a_mark_that_points_nowhere_dangling(answered):
    comparison, bench = answered("七日内可退[5]。", "A", "B")
    document = comparison_document(comparison, bench.retriever.tokeniser, Words("zh"))
    assert document["runs"][0]["citations"] == [{"number": 5, "passage_id": None, "quote": "", "status": "dangling"}]


@pytest.mark.parametrize("case", ["md_price_dollar_tilde.md", "md_html_payload.md"])
def test_what_a_model_writes_is_shown_and_never_acts(answered, case):
    payload = (CASES / case).read_text(encoding="utf-8")
    comparison, _ = answered(payload, "A")
    drawn = markdown(comparison.runs[0].answer, (), "blue")
    outside_code = re.sub(r"(?ms)^(~{3,})\n.*?^\1$", "", drawn)
    assert not re.search(r"(?<!\\)(<|\$|~|!\[|\]\()", outside_code)


def test_control_characters_and_lone_surrogates_of_a_model_reach_nobody(answered):
    comparison, bench = answered("七日\u0000内\u202e可退\u0007[1]。", "A")
    drawn = markdown(comparison.runs[0].answer, (), "blue")
    assert not set("\u0000\u202e\u0007") & set(drawn)
    json.dumps(comparison_document(comparison, bench.retriever.tokeniser, Words("zh")), ensure_ascii=False).encode()
