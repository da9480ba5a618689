"""What the parts of the Coverage page draw from: one value, made once a script run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from core.coverage.gathering import Gathered
from core.coverage.needles import Needle, needle_of, written
from core.coverage.phrasing import phrased
from core.coverage.reach import PassageRow
from core.domain import Passage
from core.knowledge.base import KnowledgeBase
from core.words import Words
from pages.parts.coverage.links import Asked
from pages.parts.coverage.work import Work
from pages.parts.frame import Frame
from pages.parts.literal import inline
from pages.parts.sources import COLOURS


@dataclass(frozen=True)
class View:
    """Results over the base that they hold of."""

    page: Frame
    base: KnowledgeBase
    work: Work
    found: Gathered

    @property
    def words(self) -> Words:
        """The reader's language."""
        return self.page.words

    @property
    def modes(self) -> tuple[str, ...]:
        """The modes that were asked."""
        return self.found.reach.modes

    @property
    def asked(self) -> Asked:
        """How the questions were asked."""
        return Asked(self.modes, self.found.reach.k)

    @cached_property
    def rows(self) -> Mapping[str, PassageRow]:
        """Every passage with its counts, by id in the order of the base."""
        found = (row for section in self.found.reach.rows(self.base) for row in section.passages)
        return {row.passage.id: row for row in sorted(found, key=lambda row: row.passage.order)}

    @cached_property
    def unreached(self) -> tuple[Passage, ...]:
        """What no question had given to a writer."""
        return tuple(row.passage for row in self.rows.values() if not row.reached)

    def met(self, passage: Passage) -> int:
        """How often any mode ranked or read a passage."""
        counts = self.rows[passage.id].together
        return counts.retrieved or counts.read

    def mode(self, mode: str, text: str = "") -> str:
        """A mode's name in the colour of its place, or another text in it; Markdown."""
        return f":{COLOURS[self.modes.index(mode) % len(COLOURS)]}[{inline(text or self.words.mode(mode))}]"

    @cached_property
    def _needles(self) -> Mapping[str, Needle]:
        made = self.work.needles.needles if self.work.needles else ()
        return {**written(self.base, self.found.questions), **{needle.passage_id: needle for needle in made}}

    def needle(self, passage: Passage) -> Needle | None:
        """The question that asks for a passage alone; `None` where there is none."""
        if known := self._needles.get(passage.id):
            return known
        made = phrased(passage)
        return needle_of(passage, made, "template") if made else None
