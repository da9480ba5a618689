"""`import`: files into a knowledge base, each with its own outcome; the base is made where there is none."""

from __future__ import annotations

import time
import unicodedata
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from core.authoring.bringing import bring, target
from core.authoring.corpora import bring_corpus
from core.authoring.importing import Outcome, Status
from core.authoring.intake import on_disk, read_all
from core.authoring.sharing import from_zip
from core.authoring.zipped import holds_base, is_zip
from core.cli.output import complain, show, show_json
from core.domain import Say
from core.errors import UsageError
from core.knowledge.beir import corpus_file
from core.knowledge.formats import Options
from core.knowledge.loading import load_folder
from core.knowledge.sentences import columns
from core.opened import index
from core.settings import Settings
from core.words import Words
from core.words.files import beneath

_PACE = 2.0
"""Seconds between two reports of progress."""
_MANY = 2_000
"""Passages from one report of segmentation to the next."""
_STATES: tuple[Status, ...] = ("imported", "warned", "refused")


def command(given: Namespace, settings: Settings, words: Words) -> int:
    """Import, index, and print what became of each file; 1 when none came in."""
    if not given.kb:
        raise UsageError("import.where")
    _known(given.encoding)
    paths = [Path(path).expanduser() for path in given.files]
    folder, outcomes, told = (_whole(paths) or _files)(given, paths, settings, words)
    came = any(outcome.status != "refused" for outcome in outcomes)
    if came:  # so that the first question need not wait
        index(settings, load_folder(folder), lambda done, total: _segmented(done, total, words))
    if given.json:
        files = [_document(outcome, words) for outcome in outcomes]
        show_json({"kb": given.kb, "files": files, "notices": [words.say(say) for say in told]})
    else:
        _print(outcomes, words)
        for say in told:
            show(_visible(f"· {words.say(say)}"))
    return 0 if came else 1


Done = tuple[Path, Sequence[Outcome], Sequence[Say]]
"""The base's folder, what became of each file, and what else a person should know."""
Way = Callable[[Namespace, list[Path], Settings, Words], Done]
"""How what was named comes in."""


def _whole(paths: list[Path]) -> Way | None:
    """How a path comes in that is a base of its own: a BEIR folder, or the zip of a base; it must stand alone."""
    for path in paths:
        try:
            corpus = path.is_dir() and corpus_file(path) is not None
        except OSError:  # reading it tells
            continue
        if not corpus and not (is_zip(path.name) and path.is_file() and holds_base(path)):
            continue
        if len(paths) > 1:
            raise UsageError("import.corpus_alone" if corpus else "import.base_alone", path=str(path))
        return _corpus if corpus else _shared
    return None


def _known(encoding: str | None) -> None:
    """Raise `UsageError` for an encoding of texts that Python does not have."""
    try:
        b"a".decode(encoding or "utf-8", "replace")
    except (LookupError, UnicodeError) as unknown:
        raise UsageError("import.encoding", encoding=encoding) from unknown


def _corpus(given: Namespace, paths: list[Path], settings: Settings, words: Words) -> Done:
    return *bring_corpus(settings.home, given.kb, paths[0]), ()


def _shared(given: Namespace, paths: list[Path], settings: Settings, words: Words) -> Done:
    received = from_zip(paths[0], settings.home, given.kb)
    folder = settings.home / "kb" / received.name
    left = [Say.of("import.left_out", count=len(received.left_out), files=received.left_out)]
    told = tuple(left if received.left_out else ())
    status: Status = "warned" if told else "imported"
    passages = len(load_folder(folder).passages)
    return folder, [Outcome(paths[0].name, status, Say.of("import.received"), "", passages, told)], ()


def _files(given: Namespace, paths: list[Path], settings: Settings, words: Words) -> Done:
    """Files and folders of files into the base."""
    base = target(settings.home, given.kb)
    incoming = on_disk(paths)
    if not incoming:
        complain(words("import.nothing", paths=[str(path) for path in paths]))
    last = time.monotonic()

    def tell(done: int, total: int, name: str) -> None:
        nonlocal last
        if done < total and time.monotonic() - last > _PACE:
            last = time.monotonic()
            complain(_visible(words("import.reading", done=done + 1, total=total, file=name)))

    taken = list(read_all(incoming, {"": Options(given.encoding, not given.no_ocr)}, tell))
    brought = bring(settings.home, base, taken, given.same, author=given.author)
    return brought.folder, brought.outcomes, list(brought.gold.told.values())


def _segmented(done: int, total: int, words: Words) -> None:
    if total > _MANY and done % _MANY == 0:
        complain(words("cli.segmenting", done=done, total=total))


def _print(outcomes: Sequence[Outcome], words: Words) -> None:
    """A line a file, its state and passages in columns before its name, and below it what to check."""
    states = {state: words(f"import.status.{state}") for state in _STATES}
    counts = [words("import.count.passages", count=one.passages) if one.passages else "" for one in outcomes]
    wide, most = (max(map(columns, texts), default=0) for texts in (states.values(), counts))
    for one, count in zip(outcomes, counts, strict=True):
        state = states[one.status]
        margin = f"{state}{' ' * (wide - columns(state))}  {' ' * (most - columns(count))}{count}  "
        show(f"{margin}{_visible(_line(one, words))}")
        for warning in one.warnings:
            show(f"{' ' * columns(margin)}· {_visible(beneath(warning, words))}")
    if len(outcomes) > 1:
        kinds = [one.status for one in outcomes]
        numbers = {state: kinds.count(state) for state in _STATES}
        came = numbers["imported"] + numbers["warned"]
        show(words("import.summary", total=len(kinds), **{**numbers, "imported": came}))


def _visible(line: str) -> str:
    """A line in which a file's name can neither command the terminal nor turn the reading order around."""
    return "".join("\ufffd" if unicodedata.category(one) in ("Cc", "Cf", "Zl", "Zp") else one for one in line)


def _line(one: Outcome, words: Words) -> str:
    """The file's name with the reason of its state; a sentence that begins with the name is said as it is."""
    reason = words.say(one.reason) if one.reason else ""
    if one.reason is None and one.encoding not in ("", "utf-8"):
        return f"{one.file} — {words('import.encoded', encoding=one.encoding)}"
    if one.reason is None or reason.startswith(one.file):
        return reason or one.file
    return f"{one.file} — {beneath(one.reason, words)}"


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
