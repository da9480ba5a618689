"""What the agent's harness costs in tokens: `python -m benchmarks.economy [--beir FOLDER] [--quick]`.

A scripted planner makes the same calls, and gets the same hits, under two harnesses: as it is (snippets with a line of
facts), and with whole passages in their place; each with and without a `summarize` in the middle. Tokens are those of
all prompts that the planner was really sent, counted by the engine's own tokeniser and, as `usage`, by the server.

Then what one search with several queries costs beside the same queries one by one, and what whole agentic runs cost
beside `bm25` on the same question, the same writer answering both. The engine's tokeniser is made for prose and cuts
the JSON of tools into little more than two characters a token; the rough count takes four of any that are not Chinese.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean, median

from benchmarks.scripted import Turn, play, said, searching, sent
from benchmarks.served import WRITER, Served
from benchmarks.verdicts import Measure, show
from core.agent.function_calling import SHOW, FunctionCalling
from core.agent.ledger import Ledger
from core.agent.loop import Limits, Loop
from core.agent.rules import RulesPolicy
from core.agent.tools import Show, Toolbox
from core.asking import entrants
from core.bench import Bench, open_bench
from core.domain import Call, Step
from core.knowledge.shelf import questions
from core.llm.dialect import rough
from core.race import compare
from core.retrieval.ranking import Way

BODIES = replace(SHOW, before=1_000_000, after=1_000_000)
"""Whole passages in place of snippets."""
SHARE, TIMES = 0.60, 4.0
"""Prompt tokens with snippets may be this share of those with bodies, on long passages; agentic's of bm25's total."""
KEPT = 7


@dataclass(frozen=True, slots=True)
class Cost:
    """What planners were sent: tokens by this engine's count and by the server's; tool calls and turns."""

    counted: int = 0
    told: int = 0
    calls: int = 0
    turns: int = 0

    def __add__(self, other: Cost) -> Cost:
        """Both together."""
        return Cost(
            self.counted + other.counted,
            self.told + other.told,
            self.calls + other.calls,
            self.turns + other.turns,
        )


@dataclass(frozen=True, slots=True)
class Whole:
    """Tokens of a whole run: in all, by who counts, and the engine's count by what they are."""

    totals: dict[str, int]
    parts: Counter[str]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beir", help="a folder with long passages")
    parser.add_argument("--quick", action="store_true", help="two questions, to see that it works")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, Served() as served:
        settings = served.settings(home)
        bench = open_bench(settings)
        several = [q.question for q in questions(bench.base).questions if q.kind == "multi_aspect"]
        several = several[:2] if given.quick else several
        report_harness("bundled base", bench, served, several, most=None)
        if given.beir:
            long = open_bench(settings, given.beir)
            asked = [question.question for question in questions(long.base).questions]
            report_harness("long passages", long, served, asked[:2] if given.quick else asked, most=SHARE)
        report_queries(bench, served, several)
        for _ in bench.fill():
            pass
        report_runs(bench, served, several)


def wordings(bench: Bench, question: str) -> list[str]:
    """The queries a model would try: the question's parts, or its terms together and by halves."""
    marks = str.maketrans(dict.fromkeys("，；。？！：,;?!:", "\n"))
    parts = [part.strip() for part in question.translate(marks).split("\n") if len(part.strip()) > 3]
    terms = list(dict.fromkeys(bench.retriever.tokeniser.query(question)))
    half = len(terms) // 2
    halves = [" ".join(some) for some in (terms, terms[:half], terms[half:], terms[::2], terms[1::2]) if some]
    return list(dict.fromkeys([question, *parts, *halves]))


def found(bench: Bench, queries: Sequence[str], way: Way = "bm25") -> list[str]:
    """The references that a search for `queries` lists, best first."""
    toolbox = Toolbox(bench.retriever, Ledger(), bench.count, way, show=SHOW)
    return [hit.passage.id for hit in toolbox.run(Call("search", {"queries": list(queries)})).hits]


def gathered(bench: Bench, served: Served, question: str, turns: Sequence[Turn], show: Show = SHOW) -> Cost:
    """What the planner was sent for one question under a harness; raises `RuntimeError` where a turn was not played."""
    served.do(play, turns)
    own, ledger = bench.for_run(), Ledger()
    policy = FunctionCalling(own.chat("planner"), bench.base, RulesPolicy(own.retriever))
    toolbox = Toolbox(own.retriever, ledger, bench.count, "bm25", show=show)
    loop = Loop(policy, toolbox, ledger, Limits(dry_rounds=len(turns)))
    steps = [event for event in loop.run(question) if isinstance(event, Step)]
    requests = served.do(sent)
    if len(requests) != len(turns):
        raise RuntimeError(f"{len(turns)} turns, {len(requests)} requests: {question}")
    counted = sum(bench.count(text) for _, texts in requests for _, text in texts)
    told = sum(step.usage.prompt or 0 for step in steps if step.usage)
    return Cost(counted, told, sum(step.call is not None for step in steps), len(requests))


def report_harness(name: str, bench: Bench, served: Served, asked: Sequence[str], most: float | None) -> None:
    """Snippets beside bodies under the same calls, with and without a `summarize` in the middle."""
    measures = []
    for summarize in (False, True):
        told = {SHOW: Cost(), BODIES: Cost()}
        for question in asked:
            turns = script(bench, question, summarize=summarize)
            for harness in told:
                told[harness] += gathered(bench, served, question, turns, harness)
        for kind, value in (("engine's count", "counted"), ("server's usage", "told")):
            a, b = (getattr(cost, value) / len(asked) for cost in told.values())
            label = f"{'with' if summarize else 'without'} summarize, {kind}: bodies → snippets"
            measures.append(Measure(label, f"{b:,.0f} → {a:,.0f} tokens, ×{a / b:.2f}", a / b, most))
    lengths = [len(passage.text) for passage in bench.base.passages]
    about = f"{len(asked)} questions, passages of {median(lengths):.0f} characters (mean {mean(lengths):.0f})"
    show(f"Planner's prompts a question, {name}: {about}", measures)


def script(bench: Bench, question: str, *, summarize: bool) -> list[Turn]:
    """Three searches, a passage opened beside the second, what is best kept in between if so, and at the end."""
    queries = wordings(bench, question)
    best = found(bench, queries[:4])
    turns: list[Turn] = [
        [searching(*queries[:4])],
        [searching(*queries[4:7]), ("open", {"reference": best[0]})],
        [searching(*queries[7:10])],
        _named(best),
    ]
    if summarize:
        turns.insert(2, [("summarize", {"keep": best[:3], "notes": ""})])
    return turns


def _named(references: Sequence[str]) -> str:
    return " ".join(f"[{reference}]" for reference in references[:KEPT])


def report_queries(bench: Bench, served: Served, asked: Sequence[str]) -> None:
    """Several queries as one search, beside one search each."""
    together, apart = Cost(), Cost()
    for question in asked:
        queries = wordings(bench, question)[:4]
        end = _named(found(bench, queries))
        together += gathered(bench, served, question, [[searching(*queries)], end])
        apart += gathered(bench, served, question, [*([searching(query)] for query in queries), end])
    n = len(asked)
    measures = [
        Measure("tool calls in one search", f"{together.calls / n:g}", together.calls / n, 1.0),
        Measure("tool calls one by one", f"{apart.calls / n:g}"),
        Measure("planner's turns: one by one → one search", f"{apart.turns / n:g} → {together.turns / n:g}"),
        Measure(
            "its prompts: one by one → one search",
            f"{apart.counted / n:,.0f} → {together.counted / n:,.0f} tokens, ×{together.counted / apart.counted:.2f}",
        ),
    ]
    show(f"Four queries a question, {n} questions", measures)


def report_runs(bench: Bench, served: Served, asked: Sequence[str]) -> None:
    """Whole agentic runs beside `bm25` on the same questions, and where their tokens go."""
    measures = []
    for name, turns_of in (("one search, keep", brief), ("search, find and open, search, keep", thorough)):
        pairs = [
            (
                whole(bench, served, "agentic", question, turns_of(bench, question)),
                whole(bench, served, "bm25", question),
            )
            for question in asked
        ]
        most = TIMES if turns_of is brief else None
        for kind in ("server's usage", "engine's count", "rough count"):
            ratio = median(agentic.totals[kind] / alone.totals[kind] for agentic, alone in pairs)
            measures.append(Measure(f"{name}: {kind}", f"×{ratio:.2f}", ratio, most))
        parts = sum((agentic.parts for agentic, _ in pairs), Counter[str]())
        told = ", ".join(f"{part} {count / len(asked):,.0f}" for part, count in parts.most_common())
        measures.append(Measure("… of which, engine's count a question", told))
    alone = mean(alone.totals["engine's count"] for _, alone in pairs)
    measures.append(Measure("bm25, engine's count a question", f"{alone:,.0f}"))
    show(f"Total tokens of agentic, times bm25's, medians of {len(asked)} questions", measures)


def brief(bench: Bench, question: str) -> list[Turn]:
    """What a sensible model does: the aspects in one search, then it keeps the best."""
    queries = wordings(bench, question)[1:5]
    return [[searching(*queries)], _named(found(bench, queries, "rerank"))]


def thorough(bench: Bench, question: str) -> list[Turn]:
    """It also looks inside two documents and searches once more."""
    queries = wordings(bench, question)[1:]
    best = found(bench, queries[:4], "rerank")
    document = bench.base.passage(best[0]).document
    word = bench.retriever.tokeniser.query(question)[0]
    inside: Turn = [("find", {"reference": document, "pattern": word}), ("open", {"reference": best[1]})]
    return [[searching(*queries[:4])], inside, [searching(*queries[4:7])], _named(best)]


def whole(bench: Bench, served: Served, mode: str, question: str, turns: Sequence[Turn] = ()) -> Whole:
    """One mode's whole run; raises `RuntimeError` where it did not end well."""
    served.do(play, turns)
    run = compare(bench, entrants(question, [mode], None, {})).runs[0]
    if run.stop_reason != "answered":
        raise RuntimeError(f"{mode}: {run.stop_reason} {run.error}")
    called = [text for turn in turns if not isinstance(turn, str) for _, text in said(turn).calls]
    texts = [("replies", text) for text in (run.answer, run.reasoning, *called)]
    before = 0
    for model, told in served.do(sent):
        talk = [text for kind, text in told if kind in ("assistant", "tool")]
        rest = "writer's prompt" if model == WRITER else "rules and tools"
        texts += [(rest, text) for kind, text in told if kind not in ("assistant", "tool")]
        texts += [("results again" if at < before else "results", text) for at, text in enumerate(talk)]
        before = len(talk)
    parts = Counter[str]()
    for part, text in texts:
        parts[part] += bench.count(text)
    usage = (run.usage.prompt or 0) + (run.usage.completion or 0)
    roughly = sum(rough(text) for _, text in texts)
    return Whole({"server's usage": usage, "engine's count": parts.total(), "rough count": roughly}, parts)


if __name__ == "__main__":
    main()
