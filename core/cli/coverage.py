"""`coverage`: what a knowledge base covers, which of its passages no question reaches, and its faults."""

from __future__ import annotations

import time
from argparse import Namespace
from dataclasses import dataclass, replace
from pathlib import Path

from core.asking import mode_ids
from core.bench import Bench, prepare
from core.cli.output import complain, show, show_json
from core.cli.waiting import PATIENCE, explained
from core.coverage.health import health
from core.coverage.invented import invented
from core.coverage.needles import USUAL, Needles, needles, tried
from core.coverage.pairs import pairs
from core.coverage.reach import reach
from core.coverage.report import Report, document, lines
from core.coverage.sweep import How, models_of, unpaid
from core.domain import Say
from core.errors import UsageError
from core.knowledge.base import KnowledgeBase
from core.knowledge.questions import Question, QuestionSet, read_questions
from core.knowledge.shelf import questions as beside
from core.modes import choose
from core.opened import shelf
from core.ports import Progress
from core.settings import Settings
from core.words import Words

__all__ = ["USUAL", "command"]

FAILED = 3
"""The exit code of a check that is not met."""


def command(given: Namespace, settings: Settings, words: Words) -> int:
    """Look, ask, and print; 3 where a finding is an error."""
    most = wanted(given.needles)
    how = How(tuple(mode.id for mode in choose(mode_ids(given.modes))))
    base, found = _read(given, settings)
    report = Report(base, health(base, found.questions))
    if base.passages:
        bench = prepare(settings, base)
        report = replace(report, pairs=pairs(base, bench.retriever.tokeniser))
        with explained(bench, words):
            report = _asked(report, _Asking(bench, found.questions, how, most, given.with_models), words)
    report = replace(report, notices=(*_notices(base, found), *report.notices))
    for say in report.notices:
        complain(words.say(say))
    if given.json:
        show_json(document(report, words))
    else:
        for line in lines(report, words):
            show(line)
    return FAILED if report.failed else 0


def wanted(text: str) -> int | None:
    """How many needles: a number, `none`, or `all` (`None`). Raises UsageError for anything else."""
    if text == "all":
        return None
    if text == "none":
        return 0
    if not (text.isascii() and text.isdigit()):
        raise UsageError("coverage.needles_wanted", value=text)
    return int(text[:9])


def _read(given: Namespace, settings: Settings) -> tuple[KnowledgeBase, QuestionSet]:
    """The base and its questions, or those of the file named. Raises `UsageError` and `BaseError`."""
    base = shelf(settings).load(settings.base if given.kb is None else given.kb)
    if given.questions is None:
        return base, beside(base)
    path = Path(given.questions)
    if not path.is_file():
        raise UsageError("coverage.questions_missing", file=given.questions)
    return base, read_questions(path)


def _notices(base: KnowledgeBase, found: QuestionSet) -> tuple[Say, ...]:
    """What was left undone, and why; gold that is not there is a finding and not told again."""
    told = tuple(say for _, say in found.notices if say.code != "questions.gold")
    if not base.passages:
        return (*told, Say.of("coverage.no_passages", base=base.title))
    return told if found.questions else (*told, Say.of("coverage.no_questions"))


@dataclass(frozen=True, slots=True)
class _Asking:
    """What is asked: questions of a bench, how, and how many needles; with the models chosen, or without any."""

    bench: Bench
    questions: tuple[Question, ...]
    how: How
    most: int | None
    with_models: bool


def _asked(report: Report, asking: _Asking, words: Words) -> Report:
    """The report with what the questions and the needles brought up."""
    bench = asking.bench if asking.with_models else unpaid(asking.bench)
    if models := models_of(bench):
        complain(words("coverage.paid", models=models))
    if asking.questions:
        told = _telling("coverage.asking", words)
        report = replace(report, reach=reach(bench, asking.questions, asking.how, told))
    if asking.most != 0:
        made = _made(bench, asking, words)
        answering = replace(asking.how, answers=True)
        report = replace(report, needles=tried(bench, made, answering, _telling("coverage.testing", words)))
    return report


def _made(bench: Bench, asking: _Asking, words: Words) -> Needles:
    """The needles: by a model where one may be asked, else by rule."""
    if models_of(bench, "judge", "writer"):
        return invented(bench, asking.questions, asking.most, _telling("coverage.inventing", words))
    return needles(bench.base, asking.questions, asking.most)


def _telling(code: str, words: Words) -> Progress:
    """Tells on standard error, at most once a second, how far it is."""
    last = time.perf_counter()

    def tell(done: int, total: int) -> None:
        nonlocal last
        if time.perf_counter() - last >= PATIENCE:
            last = time.perf_counter()
            complain(words(code, done=done, total=total))

    return tell
