"""Files on their way in: uploaded, read beside the script, and kept as readings, their bytes no longer than needed.

Reading goes on over clicks and page changes; only Stop ends it. What it has read lies on the session's tray.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.authoring.bringing import Brought
from core.authoring.corpora import Uploaded, is_corpus
from core.authoring.intake import Incoming, Taken, opened, read_one
from core.domain import Say
from core.errors import WorkbenchError, reason_of
from core.knowledge.beir import CORPUS
from core.knowledge.formats import MOST_BYTES, Options, formats
from core.knowledge.formats.scanned import available
from core.knowledge.reading import Candidate, candidates
from core.words import Words
from pages.parts import own
from pages.parts.beside import ticks
from pages.parts.library import chosen, large
from pages.parts.literal import inline, short

LIMIT = MOST_BYTES // 1_000_000
"""Megabytes that one file may have."""
_KEY = "importing"
_WIDE = 60
"""Columns of type of a file's name beside the progress of reading."""


@dataclass(frozen=True)
class Held:
    """A file on the tray: as it was read, and where its encoding is a guess its bytes with those it may have."""

    taken: Taken
    data: bytes = b""
    offered: tuple[Candidate, ...] = ()

    def read_as(self, encoding: str) -> Held:
        """The same file in the encoding that a person chose."""
        name = self.taken.name
        taken = read_one(Incoming(name, len(self.data), lambda: self.data), Options(encoding))
        return replace(self, taken=replace(taken, same=self.taken.same))


@dataclass(frozen=True)
class Tray:
    """What a session is about to import, or has: one value under one key.

    `edition` counts what the uploader has given: a new one of it is empty. `done` is the import that just ended, into
    the base of that name. A `corpus` is no file among others but a base of its own. `suggested` is what a base made of
    these files may be called.
    """

    held: tuple[Held, ...] = ()
    job: Job | None = None
    edition: int = 0
    done: tuple[str, Brought] | None = None
    corpus: Uploaded | None = None
    suggested: str = ""


class Job:
    """Files being read in a thread of its own; only that thread adds to `held`."""

    def __init__(self, files: Sequence[Incoming], *, scanned: bool) -> None:
        self.held: list[Held] = []
        self.corpus: Uploaded | None = None
        self.done, self.total, self.name = 0, len(files), ""
        self.stopped = threading.Event()
        with_one = ThreadPoolExecutor(1, "reading")
        self.going: Future[None] = with_one.submit(self._work, files, Options(scanned=scanned))
        with_one.shutdown(wait=False)

    def _work(self, files: Sequence[Incoming], options: Options) -> None:
        incoming = opened(files)
        self.total = len(incoming)
        if is_corpus(incoming):
            return self._whole(incoming)
        for self.done, one in enumerate(incoming):
            if self.stopped.is_set():
                return
            self.name = one.name
            self.held.append(_held(one, options))
        self.done = self.total

    def _whole(self, incoming: Sequence[Incoming]) -> None:
        """A corpus, read as one; what is the matter with it is told as of a file."""
        try:
            self.corpus = Uploaded(incoming)
        except WorkbenchError as refused:
            self.held.append(Held(Taken(CORPUS[0], None, refused.say)))
        except OSError as unwritable:
            say = Say.of("base.file.unreadable", file=CORPUS[0], reason=reason_of(unwritable))
            self.held.append(Held(Taken(CORPUS[0], None, say)))


def _held(one: Incoming, options: Options) -> Held:
    kept = [b""]

    def read() -> bytes:
        kept[0] = one.read()
        return kept[0]

    taken = read_one(replace(one, read=read), options)
    if taken.reading is None or not taken.reading.guessed:
        return Held(taken)
    return Held(taken, kept[0], candidates(kept[0]))


def look() -> Tray:
    """What lies on this session's tray."""
    found = st.session_state.get(_KEY)
    return found if isinstance(found, Tray) else Tray()


def put(tray: Tray) -> None:
    """Lay it out."""
    st.session_state[_KEY] = tray


def change(at: int, how: Callable[[Held], Held]) -> None:
    """Change one file on the tray."""
    tray = look()
    if at < len(tray.held):
        put(replace(tray, held=(*tray.held[:at], how(tray.held[at]), *tray.held[at + 1 :])))


def clear() -> None:
    """Take everything off the tray."""
    put(Tray(edition=look().edition + 1))


def ask(words: Words) -> None:
    """The uploader, for files or a whole folder; what it gives begins to be read."""
    tray = look()
    way = st.segmented_control(
        words("ui.import.way"),
        ["files", "folder"],
        default="files",
        format_func=lambda way: words(f"ui.import.way_{way}"),
        key="import.way",
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    several: Any = "directory" if way == "folder" else True
    key = f"import.{way}.{tray.edition}"
    with st.container(gap=None):
        files = st.file_uploader(  # for files of any type: those that cannot be read are told with the others
            words(f"ui.import.upload_{way}"), max_upload_size=LIMIT, accept_multiple_files=several, key=key
        )
        large.watch(key, LIMIT, _refuse)
    st.caption(words("ui.import.limits", megabytes=LIMIT, known=[*sorted(formats()), ".zip"]))
    scanned = _scanned(words)
    if files and tray.job is None:
        named = [file.name for file in files]
        incoming = [Incoming(file.name, file.size, file.getvalue) for file in files]
        job = Job(chosen.shown(incoming), scanned=scanned)
        put(replace(tray, job=job, edition=tray.edition + 1, done=None, suggested=chosen.called(named)))
        let_go([file.file_id for file in files])
        st.rerun()


def _scanned(words: Words) -> bool:
    """Whether scanned pages are to be recognised, where that can be done."""
    if available():
        return st.toggle(words("ui.import.scanned"), value=True, key="import.scanned", persist_state="session")
    st.toggle(words("ui.import.scanned"), value=False, key="import.unscanned", disabled=True)
    st.caption(words("ui.import.scanned_missing"))
    return False


def _refuse(files: Sequence[Incoming], alone: bool) -> None:
    """Lay files that the browser kept back on the tray; the uploader becomes empty unless it has others to give."""
    tray = look()
    held = [Held(read_one(one)) for one in chosen.shown(files) if one.size > MOST_BYTES]
    if held:
        put(replace(tray, held=(*tray.held, *held), done=None, edition=tray.edition + alone))


def let_go(ids: Sequence[str]) -> None:
    """Let the server forget uploaded files, which it would keep as long as the session: the job has them now."""
    context = get_script_run_ctx()
    if context is None or not isinstance(files := context.uploaded_file_mgr, MemoryUploadedFileManager):
        return
    for id in ids:
        files.remove_file(context.session_id, id)


def watch(words: Words) -> None:
    """Show how far reading is until it ends; what was read comes onto the tray."""
    job = look().job
    if job is None:
        return
    bar = st.empty()
    st.button(words("ui.live.stop"), key="import.stop", icon=":material/stop_circle:", on_click=_stop)
    for _ in ticks(job.going):
        name = inline(short(job.name, _WIDE))
        share = job.done / job.total if job.total else 0.0
        bar.progress(share, words("ui.import.reading", done=job.done, total=job.total, file=name))
    _take(job)
    st.rerun()


def _stop() -> None:
    job = look().job
    if job:
        job.stopped.set()
        own.say("import", Say.of("ui.import.stopped", done=len(job.held), rest=job.total - len(job.held)))
        _take(job)


def _take(job: Job) -> None:
    """Put what a job has read onto the tray, once."""
    tray = look()
    if tray.job is job:
        put(replace(tray, held=(*tray.held, *job.held), corpus=job.corpus or tray.corpus, job=None))
        if job.going.done():
            job.going.result()
