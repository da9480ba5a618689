"""What the agentic mode tells of a passage: what brought it, never what came after."""

from core.asking import entrants
from core.knowledge.shelf import questions
from core.race import compare


def test_the_query_that_is_told_came_before_the_passage_was_kept(bench):
    opening = next(q for q in questions(bench.base).questions if "demo:opening" in q.tags)
    (mode, ask) = entrants(opening.question, ["agentic"], None, {})[0]
    run = compare(bench, [(mode, ask)], retrieval_only=True).runs[0]
    told = [mode.why(bench, ask, passage, run).sentence.values for passage in run.evidence]
    assert len(told) > 5 and all(values["step"] <= values["kept"] for values in told)
