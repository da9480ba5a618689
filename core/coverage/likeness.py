"""Which passages nearly repeat each other: MinHash finds the candidates, exact Jaccard of shingles decides.

Broder, "On the resemblance and containment of documents" (1997); bands after Leskovec, Rajaraman and Ullman,
Mining of Massive Datasets, ch. 3.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from core.knowledge.folding import fold, has_han
from core.ports import never

ALIKE = 0.7
"""Jaccard of shingles from which two passages nearly repeat each other."""
_LENGTH = 4
"""Characters of a shingle in Chinese; three words in other languages."""
_WORDS = 3
_LEAST = 16
"""Shingles below which a passage is too short to tell anything by."""
_BANDS, _ROWS = 16, 3
"""Of two passages alike by 0.7, 998 in 1,000 share a band; of those alike by 0.3, 35 in 100 do, to be refused."""
_CROWD, _FIRST = 60, 3
"""Passages of one band compared each with each; a larger crowd is boilerplate, each compared with the first few."""
_SEED = 7
"""Any number will do; always the same one finds always the same pairs."""

_PRIME = np.uint64((1 << 31) - 1)


def shingles(text: str) -> frozenset[int]:
    """Hashes of the overlapping pieces of a text, blanks, punctuation and width aside."""
    folded = fold(text)[0]
    if has_han(folded):
        plain = re.sub(r"\W", "", folded)
        return frozenset(zlib.crc32(plain[at : at + _LENGTH].encode()) for at in range(len(plain) - _LENGTH + 1))
    words = re.findall(r"\w+", folded)
    return frozenset(zlib.crc32(" ".join(words[at : at + _WORDS]).encode()) for at in range(len(words) - _WORDS + 1))


def jaccard(one: frozenset[int], other: frozenset[int]) -> float:
    """Share of what both hold among what either holds."""
    common = len(one & other)
    return common / (len(one) + len(other) - common) if common else 0.0


def alike(texts: Sequence[str], stopped: Callable[[], bool] = never) -> Iterator[tuple[int, int, float]]:
    """Pairs of positions (first < second) whose Jaccard is at least `ALIKE`, with it; in no order."""
    sets = [shingles(text) for text in texts]
    known: set[tuple[int, int]] = set()
    for crowd in _crowds(sets):
        if stopped():
            return
        for first, second in _within(crowd):
            if (first, second) in known:
                continue
            known.add((first, second))
            if (likeness := jaccard(sets[first], sets[second])) >= ALIKE:
                yield first, second, likeness


def _within(crowd: Sequence[int]) -> Iterator[tuple[int, int]]:
    if len(crowd) <= _CROWD:
        yield from combinations(crowd, 2)
        return
    for at, second in enumerate(crowd):
        yield from ((first, second) for first in crowd[: min(_FIRST, at)])


def _crowds(sets: Sequence[frozenset[int]]) -> Iterator[list[int]]:
    """Positions that share a band of their signatures."""
    random = np.random.default_rng(_SEED)
    factors = random.integers(1, int(_PRIME), size=(_BANDS * _ROWS, 1), dtype=np.uint64)
    shifts = random.integers(0, int(_PRIME), size=(_BANDS * _ROWS, 1), dtype=np.uint64)
    bands: dict[tuple[int, bytes], list[int]] = {}
    for position, found in enumerate(sets):
        if len(found) >= _LEAST:
            signature = _signature(found, factors, shifts)
            for band in range(_BANDS):
                rows = signature[band * _ROWS : (band + 1) * _ROWS].tobytes()
                bands.setdefault((band, rows), []).append(position)
    yield from (crowd for crowd in bands.values() if len(crowd) > 1)


def _signature(
    found: frozenset[int], factors: npt.NDArray[np.uint64], shifts: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint64]:
    """The least value of each of the hash functions over the shingles."""
    values = np.fromiter(found, dtype=np.uint64, count=len(found)) % _PRIME
    least: npt.NDArray[np.uint64] = ((factors * values + shifts) % _PRIME).min(axis=1)
    return least
