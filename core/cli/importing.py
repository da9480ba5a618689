"""`import`: files into a knowledge base, each with its own outcome; the base is made where there is none."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from core.authoring.bringing import bring, target
from core.authoring.corpora import bring_corpus
from core.authoring.importing import Outcome
from core.authoring.intake import on_disk, read_all
from core.bench import index
from core.cli.output import complain, show, show_json
from core.errors import UsageError
from core.knowledge.beir import corpus_file
from core.knowledge.formats import Options
from core.knowledge.loading import load_folder
from core.settings import Settings
from core.words import Words


def command(given: Namespace, settings: Settings, words: Words) -> int:
    """Import, index, and print what became of each file; 1 when none came in."""
    if not given.kb:
        raise UsageError("import.where")
    paths = [Path(path).expanduser() for path in given.files]
    corpora = [path for path in paths if path.is_dir() and corpus_file(path)]
    if corpora and len(paths) > 1:
        raise UsageError("import.corpus_alone", path=str(corpora[0]))
    if corpora:
        folder, outcomes = bring_corpus(settings.home, given.kb, corpora[0])
    else:
        folder, outcomes = _bring(given, paths, settings, words)
    came = any(outcome.status != "refused" for outcome in outcomes)
    if came:  # so that the first question need not wait
        index(settings, load_folder(folder), lambda done, total: _tell(done, total, words))
    _print(given, outcomes, words)
    return 0 if came else 1


def _bring(given: Namespace, paths: list[Path], settings: Settings, words: Words) -> tuple[Path, tuple[Outcome, ...]]:
    """Files and folders of files into the base."""
    incoming = on_disk(paths)
    base = target(settings.home, given.kb)
    options = {one.name: Options(given.encoding, not given.no_ocr) for one in incoming}

    def tell(done: int, total: int, name: str) -> None:
        if total > _FEW and done and done % _FEW == 0:
            complain(words("cli.importing", done=done, total=total))

    taken = list(read_all(incoming, options, tell))
    brought = bring(settings.home, base, taken, given.same, author=given.author)
    return brought.folder, brought.outcomes


_FEW = 50
"""Files from one report of progress to the next."""


def _tell(done: int, total: int, words: Words) -> None:
    if total > _MANY and done % _MANY == 0:
        complain(words("cli.segmenting", done=done, total=total))


_MANY = 2_000
"""Passages from one report of progress to the next."""


def _print(given: Namespace, outcomes: tuple[Outcome, ...], words: Words) -> None:
    if given.json:
        show_json({"kb": given.kb, "files": [_document(outcome, words) for outcome in outcomes]})
        return
    for one in outcomes:
        told = words(f"import.status.{one.status}", passages=one.passages)
        reason = f" — {words.say(one.reason)}" if one.reason else ""
        show(f"{one.file}: {told}{reason}")
        for warning in one.warnings:
            show(f"  · {words.say(warning)}")


def _document(one: Outcome, words: Words) -> dict[str, Any]:
    """An outcome as its JSON document has it."""
    return {
        "file": one.file,
        "status": one.status,
        "reason": words.say(one.reason) if one.reason else None,
        "encoding": one.encoding or None,
        "passages": one.passages,
        "warnings": [words.say(warning) for warning in one.warnings],
    }
