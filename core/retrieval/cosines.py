"""The order by meaning: hits by their cosine to a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.domain import Hit, Say
from core.ports import Embedding
from core.retrieval.doubt import LOWERED, doubted
from core.retrieval.vector_table import Lookup
from core.retrieval.vectors import cosines_to

EXACT = "exact"
"""The score that marks a hit which the question names exactly: how far in front it stands (`Placing.grades`)."""


def by_cosine(hits: Sequence[Hit], asked: Embedding, found: Lookup) -> tuple[tuple[Hit, ...], Say | None]:
    """Hits in the order of their cosines, those without a vector behind, and what should be known of that.

    What the question names exactly stays in front; what was read with little confidence counts as `LOWERED` farther
    away, in its score, not in its cosine.
    """
    if not asked.vectors.any():
        return tuple(hits), Say.of("embeddings.question_zero")
    has = np.asarray(found.matrix.any(axis=1))
    cosines = np.where(has, cosines_to(asked.vectors, found.matrix), -1.0)
    scores = cosines - [LOWERED if doubted(hit.passage) is not None else 0.0 for hit in hits]
    exact = np.array([hit.scores.get(EXACT, 0.0) for hit in hits])
    order = np.lexsort((np.arange(len(hits)), -scores, ~has, -exact)).tolist()
    reordered = tuple(
        replace(
            hits[i],
            rank=rank,
            score=float(scores[i]),
            scores={**hits[i].scores, "cosine": float(cosines[i])} if has[i] else hits[i].scores,
        )
        for rank, i in enumerate(order, 1)
    )
    if not has.all():
        return reordered, Say.of("embeddings.zero", count=int((~has).sum()))
    split = asked.split + found.split
    return reordered, Say.of("embeddings.split", count=split) if split else None
