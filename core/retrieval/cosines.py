"""The order by meaning: hits by their cosine to a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.domain import Hit, Say
from core.ports import Embedding
from core.retrieval.vectors import Lookup, cosines_to


def by_cosine(hits: Sequence[Hit], asked: Embedding, found: Lookup) -> tuple[tuple[Hit, ...], Say | None]:
    """Hits in the order of their cosines, those without a vector behind, and what should be known of that."""
    if not asked.vectors.any():
        return tuple(hits), Say.of("embeddings.question_zero")
    has = np.asarray(found.matrix.any(axis=1))
    cosines = np.where(has, cosines_to(asked.vectors, found.matrix), -1.0)
    order = np.lexsort((np.arange(len(hits)), -cosines, ~has)).tolist()
    reordered = tuple(
        replace(
            hits[i],
            rank=rank,
            score=float(cosines[i]),
            scores={**hits[i].scores, "cosine": float(cosines[i])} if has[i] else hits[i].scores,
        )
        for rank, i in enumerate(order, 1)
    )
    if not has.all():
        return reordered, Say.of("embeddings.zero", count=int((~has).sum()))
    split = asked.split + found.split
    return reordered, Say.of("embeddings.split", count=split) if split else None
