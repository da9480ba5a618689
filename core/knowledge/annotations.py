"""What is known of passages beside their text, in `passages.jsonl`: a line for each that has something to tell.

A passage is recognised by its text, since the number in its id changes when another is put before it; where its text
is new, by its id.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from core.errors import BaseError
from core.json_values import read_json
from core.knowledge.ids import document_of

ANNOTATIONS = "passages.jsonl"
"""Where annotations lie in a base's folder."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """What is known of the passage `id` whose text hashes to `text` (`text_digest`).

    `page` and `confidence` come from its source, `metadata` from its author; a `disabled` passage stays in its file
    but is not searched.
    """

    id: str
    text: str
    page: int | None = None
    confidence: float | None = None
    disabled: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def says_something(self) -> bool:
        """Whether there is anything worth keeping."""
        return self.page is not None or self.confidence is not None or self.disabled or bool(self.metadata)

    @property
    def given(self) -> dict[str, Any]:
        """What stands in the passage's metadata because of it."""
        return {**({} if self.confidence is None else {"confidence": self.confidence}), **self.metadata}


def text_digest(text: str) -> str:
    """16 hex digits that recognise a passage's text.

    >>> text_digest("第一条 适用本法。") == text_digest("第一条 适用本法。 ")
    True
    """
    return blake2b(" ".join(text.split()).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


class Annotations:
    """The annotations of a base, by document."""

    def __init__(self, known: Iterable[Annotation] = ()) -> None:
        self._by_document: dict[str, list[Annotation]] = {}
        for one in known:
            self._by_document.setdefault(document_of(one.id), []).append(one)

    @classmethod
    def decoded(cls, text: str) -> Annotations:
        """Undo `encoded`; raises BaseError `base.annotations.broken` (line, reason)."""
        found = []
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                try:
                    found.append(_annotation(read_json(line)))
                except (ValueError, TypeError, KeyError) as wrong:
                    raise BaseError(
                        "base.annotations.broken", file=ANNOTATIONS, line=number, reason=str(wrong)
                    ) from wrong
        return cls(found)

    def encoded(self) -> bytes:
        """As `passages.jsonl`: by document and then as they were given."""
        kept = (one for document in sorted(self._by_document) for one in self._by_document[document])
        lines = (json.dumps(_fields(one), ensure_ascii=False) for one in kept if one.says_something)
        return "".join(f"{line}\n" for line in lines).encode()

    def of(self, document: str) -> tuple[Annotation, ...]:
        """All of one document."""
        return tuple(self._by_document.get(document, ()))

    def replaced(self, documents: Mapping[str, Iterable[Annotation]]) -> Annotations:
        """These, but for those of `documents`, which are given anew."""
        others = (one for name, kept in self._by_document.items() if name not in documents for one in kept)
        return Annotations([*others, *(one for kept in documents.values() for one in kept)])

    def matched(self, document: str, passages: Sequence[tuple[str, str]]) -> list[Annotation | None]:
        """The annotation of each of a document's passages, given as (id, text) in order."""
        known = self._by_document.get(document)
        if not known:
            return [None] * len(passages)
        digests = [text_digest(text) for _, text in passages]
        keys = [(id, digest) for (id, _), digest in zip(passages, digests, strict=True)]
        exact = {(one.id, one.text): one for one in known}
        claimed = exact.keys() & set(keys)
        free = [one for one in known if (one.id, one.text) not in claimed]
        by_text: dict[str, list[Annotation]] = {}
        for one in reversed(free):
            by_text.setdefault(one.text, []).append(one)
        gone = {one.id: one for one in free if one.text not in set(digests)}
        return [  # each is given to one passage at most, the surest first
            exact[key] if key in claimed else by_text[key[1]].pop() if by_text.get(key[1]) else gone.get(key[0])
            for key in keys
        ]


def _fields(one: Annotation) -> dict[str, Any]:
    found: dict[str, Any] = {"id": one.id, "text": one.text}
    if one.page is not None:
        found["page"] = one.page
    if one.confidence is not None:
        found["confidence"] = round(one.confidence, 4)
    if one.disabled:
        found["disabled"] = True
    return found | ({"metadata": dict(one.metadata)} if one.metadata else {})


def _annotation(row: Any) -> Annotation:
    """A line's annotation; raises ValueError, TypeError or KeyError where it is none."""
    if not isinstance(row, dict):
        raise TypeError("{…}")
    page, confidence, metadata = row.get("page"), row.get("confidence"), row.get("metadata", {})
    if not isinstance(row["id"], str) or not isinstance(row["text"], str) or not isinstance(metadata, dict):
        raise TypeError("id, text, metadata")
    if isinstance(page, bool) or not isinstance(page, int | None) or not isinstance(confidence, float | int | None):
        raise TypeError("page, confidence")
    disabled = row.get("disabled", False)
    return Annotation(row["id"], row["text"], page, confidence, disabled is True, metadata)
