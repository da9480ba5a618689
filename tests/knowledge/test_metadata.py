"""Metadata: what is found and what is given, when it is worked out, and what a record keeps of it."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from core.domain import Passage
from core.knowledge import metadata as module
from core.knowledge.metadata import Metadata, confidence_of, metadata_of, recorded
from core.retrieval.filters import Filters

TEXT = "第十条 XR-2200 的保修期为三年，xr 2200 与 KT-2200 由甲方在 2021年5月1日前依照第六十一条更换，费用五百元。"


def test_it_holds_what_the_text_states_each_once():
    found = Metadata("article", TEXT, "保修")
    assert dict(found) == {
        "type": "article",
        "models": ["XR-2200", "KT-2200"],
        "parties": ["甲方"],
        "amounts": ["五百元"],
        "dates": ["2021-05-01"],
        "periods": ["三年"],
        "articles": ["第六十一条"],
    }


def test_the_label_that_a_text_opens_with_is_no_reference():
    assert "articles" not in Metadata("article", "第十条 依法执行。")
    assert Metadata("article", "第十条规定的情形。")["articles"] == ["第十条"]


def test_keys_with_nothing_in_them_are_absent():
    found = Metadata("paragraph", "无关的话。")
    assert list(found) == ["type"] and len(found) == 1
    assert "models" not in found and found.get("confidence") is None


def test_what_is_given_stands_for_what_would_be_found():
    found = Metadata("article", TEXT, given={"type": "note", "models": ["ZX-9000"], "confidence": 0.5, "owner": "王"})
    assert (found["type"], found["models"], found["confidence"], found["owner"]) == ("note", ["ZX-9000"], 0.5, "王")
    assert ("zx9000", "ZX-9000") in set(found.keys_of_facts()) and "xr2200" not in dict(found.keys_of_facts())


@pytest.mark.parametrize(
    ("document", "section", "text", "found"),
    [
        ("法规/某规定(2010-12-23)", "总则", "正文。", "2010-12-23"),
        ("某规定", "某规定（2021年5月1日） › 总则", "正文。", "2021-05-01"),
        ("记录", "纪要", "2024-03-05 例会决定……", "2024-03-05"),
        ("记录", "纪要", "【2024年3月】例会决定……", "2024-03"),
        ("某规定", "附则", "本规定自2008年1月1日起施行。", None),
        ("某规定(试行)", "总则", "正文。", None),
    ],
)
def test_its_own_date_is_told_by_names_or_the_opening_never_by_a_mention(document, section, text, found):
    assert Metadata("article", text, section, document=document).get("date") == found


def test_nothing_is_read_before_it_is_asked_for(monkeypatch):
    read = []
    monkeypatch.setattr(module, "entities", lambda text: read.append(text))
    found = Metadata("article", TEXT, given={"confidence": 0.3})
    passage = Passage("a", "d", "s", "", TEXT, 0, metadata=found)
    assert (found["type"], confidence_of(passage), recorded(found)) == (
        "article",
        0.3,
        {"type": "article", "confidence": 0.3},
    )
    assert read == []


def test_a_record_keeps_the_type_and_what_was_given_and_equals_it():
    found = Metadata("article", TEXT, given={"confidence": 0.3})
    kept = json.loads(json.dumps(recorded(found)))
    assert kept == {"type": "article", "confidence": 0.3} and found == kept and kept == found
    assert found != {"type": "article"}


def test_it_is_copied_and_pickled_whole():
    found = Metadata("article", TEXT, "节", {"owner": "王"})
    for same in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert same == found and dict(same) == dict(found)
    assert found != Metadata("article", TEXT + "。", "节", {"owner": "王"})


def test_a_passage_that_carries_only_what_it_was_given_is_described_too():
    passage = Passage("a#第十条", "规定(2010-12-23)", "总则", "第十条", TEXT, 0, metadata={"type": "article"})
    assert metadata_of(passage)["models"] == ["XR-2200", "KT-2200"] and metadata_of(passage)["date"] == "2010-12-23"


def test_the_facts_of_the_headings_above_are_known_apart_from_its_own():
    found = Metadata("paragraph", "保修期为 24 个月，KT-2200 除外。", "手册 › XR-2200B 与 KT-2200")
    assert found["models"] == ["KT-2200"] and found["headings"] == ["XR-2200B"]
    assert {"xr2200b", "kt2200", "24 month"} <= {key for key, _ in found.keys_of_facts()}


def test_a_model_that_its_author_gave_stands_for_that_of_the_heading():
    found = Metadata("paragraph", "保修两年。", "XR-2200B", {"models": ["ZX-9000"]})
    assert "headings" not in found and [key for key, _ in found.keys_of_facts()] == ["zx9000", "2 year"]


def test_a_filter_on_a_model_lets_pass_what_stands_below_its_heading():
    below = Passage("a#1", "a", "手册 › XR-2200B", "", "保修两年。", 0)
    other = Passage("a#2", "a", "手册 › XR-2200", "", "保修一年。", 1)
    assert Filters(entity="xr 2200b").passes(below) and not Filters(entity="XR-2200B").passes(other)


@pytest.mark.parametrize("value", [True, "0.5", None, [0.1]])
def test_a_confidence_that_is_no_number_is_none(value):
    assert confidence_of(Passage("a", "d", "s", "", "x", 0, metadata={"confidence": value})) is None
