"""A BEIR folder becomes a base of its own, as it is: its passages keep the ids they came with."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import mkdtemp

from core.authoring.bases import free_name, making
from core.authoring.facts import checked
from core.authoring.importing import Outcome
from core.authoring.intake import Incoming
from core.authoring.names import safe_name
from core.authoring.toml_text import dumped
from core.domain import Say
from core.errors import BaseError, UsageError
from core.knowledge.beir import CORPUS, corpus_file, load_beir
from core.knowledge.loading import FACTS
from core.knowledge.shelf import questions

_BESIDE = ("queries.jsonl", "qrels/*.tsv", "kb.toml", "dictionary.txt", "questions/*.csv", "questions/*.jsonl")
"""What is taken along beside the corpus."""
_TOLD = 20
"""Things told of a corpus; a broken one may have one for every line."""


class Uploaded:
    """A corpus with its questions as it was uploaded, in a folder that goes with this value.

    `passages` and `questions` count what it holds, `left` names the files that belong to no corpus.
    """

    def __init__(self, incoming: Sequence[Incoming]) -> None:
        """Raises `BaseError` as `load_beir` does and for a corpus without a passage, `WorkbenchError`, OSError."""
        self.folder = Path(mkdtemp(prefix="corpus-"))
        weakref.finalize(self, shutil.rmtree, self.folder, True)
        self.left = tuple(one.name for one in incoming if not self._laid(one))
        base = load_beir(self.folder, "")
        if not base.passages:
            lying = corpus_file(self.folder)
            raise BaseError("base.file.empty", file=lying.name if lying else CORPUS[0])
        self.passages, self.questions = len(base.passages), len(questions(base).questions)

    def _laid(self, one: Incoming) -> bool:
        """Put a file where it belongs in the folder; whether it belongs anywhere, and is the first of its name."""
        name = one.name.rsplit("/", 1)[-1]
        if name in (*CORPUS, "queries.jsonl"):
            place = self.folder / name
        elif name.lower().endswith(".tsv"):
            place = self.folder / "qrels" / safe_name(name)
        else:
            return False
        if place.exists():  # another of that name, from another folder, was first
            return False
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(one.read())
        return True


def is_corpus(incoming: Iterable[Incoming]) -> bool:
    """Whether files that come in hold a BEIR corpus."""
    return any(one.name.rsplit("/", 1)[-1] in CORPUS for one in incoming)


def bring_corpus(
    home: Path, name: str, folder: Path, title: str = "", language: str = ""
) -> tuple[Path, tuple[Outcome, ...]]:
    """Copy the corpus with its questions to the shelf; the new base's folder, and what became of each file.

    `title` and `language` are what a corpus says of itself that has no `kb.toml`. Raises `UsageError` for a name that
    is taken or no name, `BaseError` for a corpus without a passage, `StoreError`.
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
        if not (made / FACTS).exists():
            facts = checked({key: text for key, text in (("title", title), ("language", language)) if text})
            (made / FACTS).write_text(dumped(facts), encoding="utf-8", newline="\n")
    told = [say for _, say in (*base.unread, *base.warnings, *questions(base).notices)][:_TOLD]
    first = Outcome(corpus.name, "warned" if told else "imported", None, "utf-8", len(base.passages), tuple(told))
    beside = Say.of("import.beside_corpus")
    others = (Outcome(file.relative_to(folder).as_posix(), "imported", beside) for file in files[1:])
    return home / "kb" / name, (first, *others)
