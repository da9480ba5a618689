"""What the offline writer makes of each mode's evidence: facts, length, time, refusals; with meaning and without.

    python -m benchmarks.writer [--kb elevator] [--home FOLDER] [--split report] [--questions 50] [--show ID]

For each question of the base's sets and each mode the evidence is retrieved once, then both writers answer from it:
one by words alone, one also by the passages' vectors. A fact counts where its text stands literally in the answer;
`in evidence` is the share that any writer could have stated. A refused answer says that nothing was found; what it
shows as nearest still counts for `facts`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.asking import entrants
from core.bench import Bench, open_bench
from core.citations import cite, flags, pieces
from core.domain import Passage
from core.environment import load
from core.knowledge.questions import Question
from core.knowledge.shelf import questions
from core.knowledge.tokeniser import Tokeniser
from core.llm.extractive import ExtractiveWriter
from core.ports import Writer
from core.race import compare


@dataclass(frozen=True, slots=True)
class Answer:
    """One writer on one mode's evidence: its text, seconds to write it, whether it is a refusal."""

    text: str
    seconds: float
    refused: bool


@dataclass(frozen=True, slots=True)
class Case:
    """A question with one mode's evidence and what the two writers made of it."""

    question: Question
    mode: str
    evidence: tuple[Passage, ...]
    plain: Answer
    meant: Answer

    def stated(self, text: str) -> int:
        """How many of the question's facts stand in `text`, and in the evidence: a heading repeats the question."""
        held = "\n".join(passage.text for passage in self.evidence)
        return sum(fact in text and fact in held for fact in self.question.facts)


def written(writer: Writer, question: str, evidence: Sequence[Passage], tokeniser: Tokeniser) -> Answer:
    """Let a writer answer; without evidence every mode refuses."""
    if not evidence:
        return Answer("", 0.0, True)
    began = time.perf_counter()
    text = "".join(getattr(said, "text", "") for said in writer.write(question, evidence))
    seconds = time.perf_counter() - began
    return Answer(text, seconds, refusal(text, evidence, tokeniser))


def refusal(text: str, evidence: Sequence[Passage], tokeniser: Tokeniser) -> bool:
    """Whether an answer, quotes and marks taken out, makes no claim by the measure of `citations.flags`."""
    parts = pieces(text, cite(text, evidence, tokeniser))
    return not flags("".join(part.text for part in parts if not part.literal and part.mark is None), ())


def cases(bench: Bench, asked: Sequence[Question]) -> Iterator[Case]:
    """Every question through every mode and both writers."""
    tokeniser = bench.retriever.tokeniser
    plain = ExtractiveWriter(tokeniser)
    for done, question in enumerate(asked, 1):
        comparison = compare(bench, entrants(question.question, None, None, {}), retrieval_only=True, one_by_one=True)
        for run in comparison.runs:
            given = (question.question, run.evidence, tokeniser)
            meant = written(bench.writer(), *given)
            yield Case(question, run.mode, run.evidence, written(plain, *given), meant)
        print(f"\r{done}/{len(asked)}", end="", file=sys.stderr)
    print(file=sys.stderr)


def row(kind: str, mode: str, found: Sequence[Case]) -> str:
    """One line of the table: words alone / with meaning."""
    facts = sum(len(case.question.facts) for case in found)
    held = sum(case.stated("\n".join(p.text for p in case.evidence)) for case in found)

    plain, meant = ([case.plain for case in found], [case.meant for case in found])
    told = [sum(c.stated(a.text) for c, a in zip(found, answers, strict=True)) for answers in (plain, meant)]
    cells = (
        _both([count / facts for count in told], ".2f") if facts else "–",
        f"{held / facts:.2f}" if facts else "–",
        _both([count / held for count in told], ".2f") if held else "–",
        _both([statistics.mean(len(a.text) for a in answers) for answers in (plain, meant)], ".0f"),
        _both([statistics.median(a.seconds for a in answers) for answers in (plain, meant)], ".3f"),
        _both([sum(a.refused for a in answers) for answers in (plain, meant)], ".0f"),
    )
    return f"| {kind} | {mode} | {len(found)} | {' | '.join(cells)} |"


def _both(values: Sequence[float], shape: str) -> str:
    """Words alone / with meaning."""
    return " / ".join(f"{value:{shape}}" for value in values)


def table(found: Sequence[Case]) -> Iterator[str]:
    """The lines of one split, by kind and mode."""
    yield "| kind | mode | n | facts | in evidence | of those | characters | seconds | refused |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for kind in dict.fromkeys(case.question.kind for case in found):
        for mode in dict.fromkeys(case.mode for case in found):
            yield row(kind, mode, [case for case in found if (case.question.kind, case.mode) == (kind, mode)])


def main() -> None:
    """Print one table a split, each cell words alone / with meaning."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--kb", default="elevator", help="name or path of the base")
    parser.add_argument("--home", type=Path, help="data folder with cached vectors")
    parser.add_argument("--split", help="only this split")
    parser.add_argument("--questions", type=int, help="at most so many, evenly taken")
    parser.add_argument("--show", help="print the answers to the question with this id too")
    given = parser.parse_args()
    settings = load({"WORKBENCH_HOME": str(given.home)} if given.home else None)
    bench = open_bench(settings, given.kb)
    asked = [q for q in questions(bench.base).questions if given.split in (None, q.split)]
    if given.questions:
        asked = asked[:: max(1, len(asked) // given.questions)][: given.questions]
    found = list(cases(bench, asked))
    for split in dict.fromkeys(case.question.split for case in found):
        print(f"\n{given.kb}, {split or 'all'}: each cell words alone / with meaning\n")
        print("\n".join(table([case for case in found if case.question.split == split])))
    for case in found:
        if case.question.id == given.show:
            print(f"\n── {case.mode}, words alone ──\n{case.plain.text}\n\n── with meaning ──\n{case.meant.text}")


if __name__ == "__main__":
    main()
