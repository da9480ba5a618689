"""What a user gave, checked once for app and command line."""

from __future__ import annotations

import pytest

from core.asking import checked, entrants, mode_ids, parse_pairs
from core.errors import UsageError
from core.modes import choose, registry

BM25, AGENTIC = choose(["bm25", "agentic"])


def refused(call, *given):
    with pytest.raises(UsageError) as caught:
        call(*given)
    return caught.value.say


def test_without_a_choice_the_first_three_modes_run_with_their_defaults():
    chosen = entrants(" 问题 ", None, None, {})
    assert [mode.id for mode, _ in chosen] == list(registry())[:3]
    assert {ask.question for _, ask in chosen} == {"问题"}
    assert chosen[0][1].parameters == {"k": 5}


def test_modes_keep_the_order_given_and_come_once():
    assert [mode.id for mode, _ in entrants("问", ["rerank", "bm25", "rerank"], None, {})] == ["rerank", "bm25"]


def test_values_come_in_the_type_of_their_parameter():
    values = checked(AGENTIC, {"calls": "7", "ranking": "bm25"})
    assert values == {"calls": 7, "evidence": 20, "candidates": 20, "ranking": "bm25"}
    assert isinstance(values["calls"], int)


@pytest.mark.parametrize("value", ["0", "101", "nan", "inf", "-inf", "many", "", None, [], "1e9"])
def test_a_number_out_of_its_bounds_is_refused_with_them(value):
    say = refused(checked, BM25, {"k": value})
    assert (say.code, say.values["low"], say.values["high"]) == ("parameter.range", 1, 100)


def test_a_choice_that_is_not_offered_is_refused_with_those_that_are():
    assert refused(checked, AGENTIC, {"ranking": "magic"}).values["choices"] == ["rerank", "bm25"]


def test_an_unknown_parameter_names_those_there_are():
    assert refused(checked, BM25, {"size": 1}).values == {"name": "bm25.size", "known": ["k"]}


@pytest.mark.parametrize("k", [0, -1, 101])
def test_a_cut_out_of_bounds_is_refused(k):
    assert refused(entrants, "问", None, k, {}).code == "parameter.range"


def test_an_unknown_mode_names_those_there_are_also_in_parameters():
    assert refused(entrants, "问", ["magic"], None, {}).values["known"] == list(registry())
    assert refused(entrants, "问", ["bm25"], None, {"magic": {"k": 1}}).code == "mode.unknown"


@pytest.mark.parametrize("pair", ["", "k", "k=5", "bm25.k", ".k=5", "bm25.=5", "=", "."])
def test_a_pair_in_another_form_is_refused(pair):
    assert refused(parse_pairs, [pair]).code == "parameter.form"


def test_pairs_are_grouped_by_mode():
    pairs = ["bm25.k=5", "agentic.calls = 7", "bm25.k=6", "x.y=a=b"]
    assert parse_pairs(pairs) == {"bm25": {"k": "6"}, "agentic": {"calls": "7"}, "x": {"y": "a=b"}}


def test_modes_in_a_text_are_cut_at_commas_and_none_at_all_is_refused():
    assert (mode_ids(" bm25, ,rerank "), mode_ids(None)) == (["bm25", "rerank"], None)
    assert refused(mode_ids, " , ").code == "mode.none"
