"""Doubt: passages that were read with little confidence (a scan) are ranked down by a stated measure."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.knowledge.metadata import confidence_of
from core.retrieval.memo import Memo

THRESHOLD = 0.8
"""Confidence below which a passage is ranked down: a line of clear print is recognised with more than .9."""
FACTOR = 0.7
"""What a BM25 score of such a passage is multiplied by: it must be nearly half as good again to lead."""
LOWERED = 0.02
"""What is taken from a cosine of such a passage where passages are put in order: as near as equally good hits lie."""

_FACTORS: Memo[npt.NDArray[np.float64] | None] = Memo(1)


def doubted(passage: Passage) -> float | None:
    """The confidence of a passage that is ranked down; `None` for any other."""
    confidence = confidence_of(passage)
    return confidence if confidence is not None and confidence < THRESHOLD else None


def factors(base: KnowledgeBase) -> npt.NDArray[np.float64] | None:
    """What each BM25 score is multiplied by, shape `(N,)`; `None` where no passage is ranked down."""

    def make() -> npt.NDArray[np.float64] | None:
        low = [passage.order for passage in base.passages if doubted(passage) is not None]
        if not low:
            return None
        found = np.ones(len(base.passages))
        found[low] = FACTOR
        return found

    return _FACTORS.of(base, "factors", make)
