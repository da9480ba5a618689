"""A BEIR folder becomes a base of its own, as it is: its passages keep the ids they came with."""

from __future__ import annotations

import shutil
from pathlib import Path

from core.authoring.bases import free_name, making
from core.authoring.importing import Outcome
from core.domain import Say
from core.errors import BaseError, UsageError
from core.knowledge.beir import corpus_file, load_beir
from core.knowledge.shelf import questions

_BESIDE = ("queries.jsonl", "qrels/*.tsv", "kb.toml", "dictionary.txt", "questions/*.csv", "questions/*.jsonl")
"""What is taken along beside the corpus."""
_TOLD = 20
"""Things told of a corpus; a broken one may have one for every line."""


def bring_corpus(home: Path, name: str, folder: Path) -> tuple[Path, tuple[Outcome, ...]]:
    """Copy the corpus with its questions to the shelf; the new base's folder, and what became of each file.

    Raises `UsageError` for a name that is taken or no name, `BaseError` for a corpus without a passage, `StoreError`.
    """
    corpus = corpus_file(folder)
    if corpus is None:
        raise UsageError("base.none_here", path=str(folder))
    name = free_name(home, name)
    base = load_beir(folder, name)
    if not base.passages:
        raise BaseError("base.file.empty", file=corpus.name)
    files = [corpus, *(file for pattern in _BESIDE for file in sorted(folder.glob(pattern)) if file.is_file())]
    with making(home, name) as made:
        for file in files:
            place = made / file.relative_to(folder)
            place.parent.mkdir(exist_ok=True)
            shutil.copyfile(file, place)
        if not (made / "kb.toml").exists():
            (made / "kb.toml").write_text("", encoding="utf-8")
    told = [say for _, say in (*base.unread, *base.warnings, *questions(base).notices)][:_TOLD]
    first = Outcome(corpus.name, "warned" if told else "imported", None, "utf-8", len(base.passages), tuple(told))
    beside = Say.of("import.beside_corpus")
    others = (Outcome(file.relative_to(folder).as_posix(), "imported", beside) for file in files[1:])
    return home / "kb" / name, (first, *others)
