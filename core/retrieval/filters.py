"""Filters on where a passage stands: document, section, type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.knowledge.folding import fold


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that must all hold; an empty one lets everything pass. Texts match as folded parts of a name."""

    document: str = ""
    section: str = ""
    type: str = ""

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """What can be filtered on."""
        return tuple(f.name for f in fields(cls))

    def passes(self, passage: Passage) -> bool:
        """Whether `passage` meets every condition."""
        found: Mapping[str, Any] = {
            "document": passage.document,
            "section": passage.section,
            "type": passage.metadata.get("type", ""),
        }
        return all(
            fold(wanted)[0] in fold(str(found[name]))[0] for name in self.names() if (wanted := getattr(self, name))
        )

    def within(self, base: KnowledgeBase) -> npt.NDArray[np.int64] | None:
        """Positions of the passages that pass; `None` when there is no condition."""
        if not any(getattr(self, name) for name in self.names()):
            return None
        return np.array([p.order for p in base.passages if self.passes(p)], dtype=np.int64)
