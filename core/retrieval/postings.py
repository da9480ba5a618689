"""Postings: which passages hold each term and how often, counted batch by batch and changed without counting anew.

A posting's key packs the term's number and the passage's position in 64 bits, so that sorting keys sorts by both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Counts = npt.NDArray[np.integer[Any]]


def _packed(terms: Counts, positions: Counts) -> Integers:
    keys = terms.astype(np.int64)
    keys <<= 32
    keys |= positions
    return keys


@dataclass(frozen=True, slots=True)
class Counted:
    """A batch of passages as counts, ordered by term and then by passage; three arrays of one length."""

    terms: npt.NDArray[np.int32]
    positions: npt.NDArray[np.int32]
    frequencies: npt.NDArray[np.integer[Any]]


def counted(occurrences: npt.NDArray[np.integer[Any]], lengths: Integers, first: int) -> Counted:
    """Count the terms of passages from position `first` on, by sorting (term, position) pairs packed in 64 bits."""
    keys = _packed(occurrences, np.repeat(np.arange(first, first + len(lengths), dtype=np.int64), lengths))
    keys.sort()
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    frequencies = np.diff(starts, append=len(keys))
    keys = keys[starts]
    smallest = np.min_scalar_type(frequencies.max(initial=0))
    return Counted((keys >> 32).astype(np.int32), keys.astype(np.int32), frequencies.astype(smallest))


def merged(
    batches: Sequence[Counted], terms: int
) -> tuple[Integers, npt.NDArray[np.int32], npt.NDArray[np.integer[Any]]]:
    """Merge batches into `starts`, `positions` and `frequencies` as `KeywordIndex` holds them."""
    counts = [np.bincount(batch.terms, minlength=terms) for batch in batches]
    starts = np.zeros(terms + 1, np.int64)
    np.cumsum(sum(counts, np.zeros(terms, np.int64)), out=starts[1:])
    positions = np.empty(starts[-1], np.int32)
    frequencies = np.empty(starts[-1], np.result_type(np.uint8, *(batch.frequencies for batch in batches)))
    free = starts[:-1].copy()
    for batch, count in zip(batches, counts, strict=True):
        places = np.arange(len(batch.terms)) + (free - np.cumsum(count) + count)[batch.terms]
        positions[places] = batch.positions
        frequencies[places] = batch.frequencies
        free += count
    return starts, positions, frequencies


@dataclass(frozen=True, slots=True)
class Exchanged:
    """Postings after some passages were counted anew: their keys in order, with as many frequencies."""

    keys: Integers
    frequencies: Counts

    @property
    def positions(self) -> npt.NDArray[np.int32]:
        """The passages of the postings."""
        return self.keys.astype(np.int32)

    def counts(self, terms: int) -> Integers:
        """How many passages hold each of so many terms."""
        return np.bincount(self.keys >> 32, minlength=terms)


def exchanged(starts: Integers, positions: Counts, frequencies: Counts, changed: Integers, fresh: Counted) -> Exchanged:
    """Postings with those of the passages at `changed` (in order) given up for `fresh`, which counts them from 0 on."""
    stays = ~_among(positions, changed)
    terms = np.repeat(np.arange(len(starts) - 1, dtype=np.int64), np.diff(starts))
    keys = _packed(terms[stays], positions[stays])
    own = _packed(fresh.terms, changed[fresh.positions])
    places = np.searchsorted(keys, own)
    wide = np.result_type(frequencies, fresh.frequencies)
    return Exchanged(
        np.insert(keys, places, own), np.insert(frequencies[stays].astype(wide), places, fresh.frequencies)
    )


def _among(positions: Counts, changed: Integers) -> npt.NDArray[np.bool_]:
    """Which of `positions` are among those at `changed`; through a table, since there are millions of them."""
    table = np.zeros(1 + max(positions.max(initial=0), changed.max(initial=0)), np.bool_)
    table[changed] = True
    found: npt.NDArray[np.bool_] = table[positions]
    return found
