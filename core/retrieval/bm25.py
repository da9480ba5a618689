"""BM25 over a sparse inverted index: every term's passages, so that a query touches only what it matches.

The index holds counts alone. `k1`, `b`, the idf variant and `epsilon` come with each question, so a reader can
change them live and nothing is rebuilt; only the tf part of every posting is kept, for a few `k1` and `b`.
"""

from __future__ import annotations

import math
import sys
import threading
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, KeysView, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from core.retrieval.formula import IDF, USUAL, Bm25, TermScore
from core.retrieval.placing import FREE, Floats, Placing, place, places, scaled
from core.retrieval.postings import Integers, counted, exchanged, merged

_BATCH = 4096
"""Passages counted in one go; any size gives the same index."""
_KEPT = 3
"""Settings whose weights are kept: those in force, and two that are being tried."""
_SMALLEST = math.ulp(0.0)


class KeywordIndex:
    """An inverted index over the terms of passages, which it knows by their position (0, 1, …).

    The postings of term `t` are `positions[starts[t]:starts[t + 1]]` (ascending) with as many `frequencies`;
    `lengths` holds every passage's number of terms. Immutable, so many threads may search it at once.
    """

    def __init__(
        self,
        terms: Iterable[str],
        starts: Integers,
        positions: npt.NDArray[np.int32],
        frequencies: npt.NDArray[np.integer[Any]],
        lengths: Integers,
    ) -> None:
        """Take ready postings; `build` and `from_numbers` make them."""
        self._numbers = {term: number for number, term in enumerate(terms)}
        self._starts = starts
        self._positions = positions
        self._frequencies = frequencies
        self._lengths = lengths
        self._lock = threading.Lock()
        self._weights: dict[tuple[float, float], Floats] = {}

    @classmethod
    def build(cls, documents: Iterable[Sequence[str]]) -> Self:
        """Index the terms of passages, in passage order; there may be none, and they may be empty."""
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__

        def batches() -> Iterator[tuple[npt.NDArray[np.int32], Integers]]:
            remaining = iter(documents)
            while batch := list(islice(remaining, _BATCH)):
                occurrences = array("i", map(numbers.__getitem__, chain.from_iterable(batch)))
                yield np.asarray(occurrences, np.int32), np.array([len(document) for document in batch], np.int64)

        return cls._from_batches(numbers, batches())

    @classmethod
    def from_numbers(cls, terms: Collection[str], occurrences: npt.NDArray[np.integer[Any]], lengths: Integers) -> Self:
        """Index passages given as term numbers.

        `occurrences` holds, passage after passage, the number of every term as it stands there; `lengths` (N,)
        cuts it into passages. Every one of `terms` must occur.
        """
        cuts = np.arange(_BATCH, len(lengths), _BATCH)
        parts = np.split(occurrences, np.cumsum(lengths)[cuts - 1])
        return cls._from_batches(terms, zip(parts, np.split(lengths, cuts), strict=True))

    @classmethod
    def _from_batches(
        cls, terms: Collection[str], batches: Iterable[tuple[npt.NDArray[np.integer[Any]], Integers]]
    ) -> Self:
        """Count batch by batch, so that the memory needed is hardly more than the index itself takes."""
        batch_counts, lengths, passages = [], [np.zeros(0, np.int64)], 0
        for occurrences, batch_lengths in batches:
            batch_counts.append(counted(occurrences, batch_lengths, passages))
            lengths.append(batch_lengths)
            passages += len(batch_lengths)
        return cls(terms, *merged(batch_counts, len(terms)), np.concatenate(lengths))

    def replaced(self, documents: Mapping[int, Sequence[str]]) -> KeywordIndex:
        """The index with other terms for the passages at these positions: as built anew, but for the order of terms."""
        changed = np.array(sorted(documents), np.int64)
        given = [documents[at] for at in changed.tolist()]
        numbers = dict(self._numbers)
        occurrences = [numbers.setdefault(term, len(numbers)) for term in chain.from_iterable(given)]
        lengths = self._lengths.copy()
        lengths[changed] = [len(terms) for terms in given]
        fresh = counted(np.array(occurrences, np.int64), lengths[changed], 0)
        now = exchanged(self._starts, self._positions, self._frequencies, changed, fresh)
        counts = now.counts(len(numbers))
        standing = [term for term, count in zip(numbers, counts.tolist(), strict=True) if count]
        starts = np.cumsum([0, *counts[counts > 0].tolist()], dtype=np.int64)
        return KeywordIndex(standing, starts, now.positions, now.frequencies, lengths)

    def __len__(self) -> int:
        """Number of passages."""
        return len(self._lengths)

    @property
    def vocabulary(self) -> KeysView[str]:
        """Every term that occurs."""
        return self._numbers.keys()

    @property
    def mean_length(self) -> float:
        """Mean number of terms of a passage; 0 in an empty base."""
        return int(self._lengths.sum()) / len(self) if len(self) else 0.0

    def document_frequency(self, term: str) -> int:
        """In how many passages `term` stands."""
        return len(self._postings(term))

    def matching(self, terms: Iterable[str], within: Integers | None = None) -> int:
        """In how many passages, of all or of those at the positions `within`, at least one of `terms` stands."""
        held = np.zeros(len(self), np.bool_)
        for postings in map(self._postings, terms):
            held[self._positions[postings.start : postings.stop]] = True
        return int(np.count_nonzero(held if within is None else held[within]))

    def idf(self, term: str, bm25: Bm25 = USUAL) -> float:
        """The weight of `term` by its rarity; 0 for one that stands nowhere."""
        frequency = self.document_frequency(term)
        return self._idf(frequency, bm25) if frequency else 0.0

    def scores(self, terms: Sequence[str], bm25: Bm25 = USUAL) -> Floats:
        """Score of every passage, (N,) float64; 0 where no term matches. A repeated term counts repeatedly."""
        weights = self._tf_weights(bm25)
        scores = np.zeros(len(self))
        for postings, idf in self._standing(terms, bm25):
            np.add.at(scores, self._positions[postings], weights[postings] * idf)
        return scores

    def search(
        self, terms: Sequence[str], k: int, bm25: Bm25 = USUAL, within: Integers | None = None, placing: Placing = FREE
    ) -> tuple[Integers, Floats]:
        """Positions and scores of the best `k` passages with at least one term, best first, ties by position.

        Whether a passage is a hit depends on its terms alone, never on its score, but for those that `placing` puts in
        front. `within` holds the positions to look at (in any order, each once counted), where `placing` tells none;
        idf stays that of the whole base.
        """
        placing = placing if within is None else replace(placing, within=within)
        scores, lowest = self.ranked(terms, bm25, placing)
        best = places(scores, lowest, k, placing)
        return best, np.where(np.isneginf(scores[best]), 0.0, scores[best])

    def rank(self, terms: Sequence[str], position: int, bm25: Bm25 = USUAL, placing: Placing = FREE) -> int | None:
        """Rank of a passage (from 1) among all hits, `None` where it is none: no term stands in it."""
        return place(*self.ranked(terms, bm25, placing), position, placing)

    def explain(self, terms: Sequence[str], position: int, bm25: Bm25 = USUAL) -> tuple[TermScore, ...]:
        """What each query term gives the passage at `position`, in query order, also those with tf 0."""
        weights = self._tf_weights(bm25)
        explained = []
        for term in terms:
            postings = self._postings(term)
            idf = self.idf(term, bm25)
            at = bisect_left(self._positions, position, postings.start, postings.stop)
            stands = at < postings.stop and self._positions[at] == position
            tf = int(self._frequencies[at]) if stands else 0
            contribution = float(weights[at]) * idf if stands else 0.0
            explained.append(TermScore(term, tf, len(postings), idf, contribution))
        return tuple(explained)

    def _postings(self, term: str) -> range:
        """Where the postings of `term` lie; empty for one that stands nowhere."""
        number = self._numbers.get(term)
        return range(0) if number is None else range(int(self._starts[number]), int(self._starts[number + 1]))

    def _standing(self, terms: Sequence[str], bm25: Bm25) -> list[tuple[slice, float]]:
        """Postings and idf of the terms that stand anywhere."""
        found = [postings for term in terms if (postings := self._postings(term))]
        return [(slice(one.start, one.stop), self._idf(len(one), bm25)) for one in found]

    def ranked(self, terms: Sequence[str], bm25: Bm25 = USUAL, placing: Placing = FREE) -> tuple[Floats, float]:
        """Scores, and the lowest that a matching passage can have: every other passage lies below it."""
        scores = scaled(self.scores(terms, bm25), placing)
        doubtful = [postings for postings, idf in self._standing(terms, bm25) if idf <= 0]
        if not doubtful:
            return scores, _SMALLEST
        matched = scores > 0
        for postings in doubtful:
            matched[self._positions[postings]] = True
        return np.where(matched, scores, -np.inf), -sys.float_info.max

    def _tf_weights(self, bm25: Bm25) -> Floats:
        """The tf part of every posting; one float64 a posting, kept for the `k1` and `b` asked for last."""
        settings = (bm25.k1, bm25.b)
        with self._lock:
            weights = self._weights.pop(settings, None)
            self._weights[settings] = found = self._weigh(bm25) if weights is None else weights
            if len(self._weights) > _KEPT:
                del self._weights[next(iter(self._weights))]
            return found

    def _weigh(self, bm25: Bm25) -> Floats:
        norms = bm25.k1 * (1 - bm25.b + bm25.b * self._lengths / (self.mean_length or 1))
        weights = self._frequencies.astype(np.float64)
        denominators = norms[self._positions]
        denominators += weights
        weights *= bm25.k1 + 1
        weights /= denominators
        return weights

    def _idf(self, frequency: int, bm25: Bm25) -> float:
        idf = IDF[bm25.variant](len(self), frequency)
        return idf if idf >= 0 else bm25.epsilon * self._mean_okapi_idf

    @cached_property
    def _mean_okapi_idf(self) -> float:
        # Summed one by one as rank-bm25 does, so that scores agree to the last bit and no tie falls differently.
        idfs = [IDF["okapi"](len(self), frequency) for frequency in np.diff(self._starts).tolist()]
        return float(np.cumsum(idfs)[-1]) / len(idfs)
