"""The terms of every passage, cut once and kept on disk: a second start cuts nothing, an edit only what it touched.

One file a base holds, passage by passage, the hash of the indexed string and the numbers of its terms. It opens
with a digest of the rest, so that a file cut short or damaged is noticed and made anew; it is replaced in one
step, so that processes building at once each leave a whole file and the last one stays.
"""

from __future__ import annotations

import io
import logging
from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.knowledge.tokeniser import Tokeniser
from core.ports import Progress
from core.retrieval.bm25 import KeywordIndex
from core.retrieval.vector_cache import text_hash
from core.whole_files import put

_LOG = logging.getLogger(__name__)
_FORMAT = b"segments 1\n"
_HASH = 16
_SMALL = 20_000
"""Characters below which a base is cut anew at each start (about a tenth of a second) instead of kept."""
_EVERY = 100
"""Passages from one progress report to the next."""


class _Damaged(Exception):
    """The file is not one that this version wrote whole."""


@dataclass(frozen=True, slots=True)
class Segments:
    """Texts as term numbers: `hashes` one a text, `lengths` (N,) cuts `numbers`, which points into `terms`."""

    terms: Sequence[str]
    hashes: Sequence[bytes]
    lengths: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.integer[Any]]


_NONE = Segments((), (), np.zeros(0, np.int64), np.zeros(0, np.int32))


def index_of(
    texts: Sequence[str],
    tokeniser: Tokeniser,
    folder: Path | None,
    progress: Progress | None = None,
    key: str = "base",
) -> KeywordIndex:
    """Index `texts`; see `segments_of` for what is cut and kept."""
    segments = segments_of(texts, tokeniser, folder, progress, key)
    return KeywordIndex.from_numbers(segments.terms, segments.numbers, segments.lengths)


def segments_of(
    texts: Sequence[str],
    tokeniser: Tokeniser,
    folder: Path | None,
    progress: Progress | None = None,
    key: str = "base",
) -> Segments:
    """Cut `texts`, but for those that the file of base `key` in `folder` holds.

    `progress` is told (texts cut, texts to cut) when there are any to cut. Without `folder`, or for a base below
    20,000 characters, nothing is read or kept. A folder that cannot be read or written costs time, not the terms.
    """
    if folder is None or sum(map(len, texts)) < _SMALL:
        return _cut(texts, _NONE, tokeniser, progress)
    path = folder / f"{blake2b(key.encode(), digest_size=8).hexdigest()}.segments"
    known = _load(path, tokeniser.fingerprint)
    segments = _cut(texts, known, tokeniser, progress)
    if segments is not known:
        _save(path, tokeniser.fingerprint, segments)
    return segments


def _cut(texts: Sequence[str], known: Segments, tokeniser: Tokeniser, progress: Progress | None) -> Segments:
    """The segments of `texts`, taken from `known` where the text is the same; `known` itself when nothing changed."""
    hashes = [text_hash(text) for text in texts]
    if hashes == known.hashes:
        return known
    rows = {digest: row for row, digest in enumerate(known.hashes)}
    fresh = {digest: text for digest, text in zip(hashes, texts, strict=True) if digest not in rows}
    numbers: defaultdict[str, int] = defaultdict(None, {term: number for number, term in enumerate(known.terms)})
    numbers.default_factory = numbers.__len__
    occurrences, lengths = array("i"), array("q")
    for done, (digest, text) in enumerate(fresh.items(), 1):
        terms = tokeniser.tokens(text)
        rows[digest] = len(known.hashes) + len(lengths)
        occurrences.extend(map(numbers.__getitem__, terms))
        lengths.append(len(terms))
        if progress is not None and (done % _EVERY == 0 or done == len(fresh)):
            progress(done, len(fresh))
    pool = Segments(
        tuple(numbers),
        hashes,
        np.concatenate([known.lengths, np.array(lengths, np.int64)]),
        np.concatenate([known.numbers.astype(np.int32), np.array(occurrences, np.int32)]),
    )
    return _picked(pool, np.array([rows[digest] for digest in hashes], np.int64))


def _picked(pool: Segments, rows: npt.NDArray[np.int64]) -> Segments:
    """The texts at `rows` of `pool`, in that order, without the terms that none of them holds any more."""
    lengths = pool.lengths[rows]
    from_starts = (np.cumsum(pool.lengths) - pool.lengths)[rows]
    to_starts = np.cumsum(lengths) - lengths
    numbers = pool.numbers[np.arange(lengths.sum()) + np.repeat(from_starts - to_starts, lengths)]
    used = np.bincount(numbers, minlength=len(pool.terms)) > 0
    terms = [term for term, stands in zip(pool.terms, used, strict=True) if stands]
    renumbered = (np.cumsum(used) - 1).astype(np.min_scalar_type(len(terms)))
    return Segments(terms, pool.hashes, lengths, renumbered[numbers])


def _load(path: Path, fingerprint: str) -> Segments:
    """What the file holds; nothing where it is absent, of another tokeniser, damaged or unreadable (logged)."""
    try:
        return _decoded(path.read_bytes(), fingerprint)
    except FileNotFoundError:
        return _NONE
    except (_Damaged, OSError) as problem:
        _LOG.warning("segments in %s cannot be used and are made anew: %s", path, problem or "damaged")
        return _NONE


def _save(path: Path, fingerprint: str, segments: Segments) -> None:
    """Replace the file in one step; a folder that cannot be written is only logged."""
    try:
        put(path, _encoded(segments, fingerprint))
    except OSError as problem:
        _LOG.warning("segments cannot be kept in %s and will be made anew: %s", path, problem)


def _encoded(segments: Segments, fingerprint: str) -> bytes:
    payload = io.BytesIO()
    np.savez(
        payload,
        fingerprint=_packed(fingerprint.encode()),
        terms=_packed("\n".join(segments.terms).encode()),
        hashes=_packed(b"".join(segments.hashes)),
        lengths=segments.lengths.astype(np.min_scalar_type(segments.lengths.max(initial=0))),
        numbers=segments.numbers,
    )
    return _FORMAT + blake2b(payload.getbuffer(), digest_size=_HASH).digest() + payload.getbuffer()


def _decoded(raw: bytes, fingerprint: str) -> Segments:
    """Undo `_encoded`; nothing where another tokeniser cut. Raises `_Damaged`."""
    start = len(_FORMAT) + _HASH
    payload = memoryview(raw)[start:]
    if raw[:start] != _FORMAT + blake2b(payload, digest_size=_HASH).digest():
        raise _Damaged
    with np.load(io.BytesIO(payload), allow_pickle=False) as arrays:
        if arrays["fingerprint"].tobytes() != fingerprint.encode():
            return _NONE
        hashes = arrays["hashes"].tobytes()
        terms = arrays["terms"].tobytes().decode()
        return Segments(
            terms.split("\n") if terms else [],
            [hashes[at : at + _HASH] for at in range(0, len(hashes), _HASH)],
            arrays["lengths"].astype(np.int64),
            arrays["numbers"],
        )


def _packed(raw: bytes) -> npt.NDArray[np.uint8]:
    return np.frombuffer(raw, np.uint8)
