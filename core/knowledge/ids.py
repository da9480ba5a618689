"""Ids of passages: `document#label`, in many a corpus `document|label`, with `~2` behind where one repeats."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

_SEPARATOR = re.compile(r"[#|]")
_REPEAT = re.compile(r"~[0-9]+$")
_MANY = 2_000
"""Ids compared one by one for near matches; in a bigger base only those of near documents."""


def document_of(id: str) -> str:
    """The document that a passage id names.

    >>> document_of("手册/安装#3")
    '手册/安装'
    """
    return id.rsplit("#", 1)[0]


def label_of(id: str) -> str:
    """What an id ends with: the passage's own label or number.

    >>> label_of("手册/安装#3"), label_of("消防法|第六条")
    ('3', '第六条')
    """
    return _SEPARATOR.split(id)[-1]


def unrepeated(id: str) -> str:
    """An id, or a label, as it was before it was told apart from others of its name.

    >>> unrepeated("a#第一条~2")
    'a#第一条'
    """
    return _REPEAT.sub("", id)


def near(id: str, ids: Sequence[str]) -> list[str]:
    """Up to three ids like `id`: those with its label first, then by likeness.

    >>> near("第二条", ["a#第一条", "a#第二条"])
    ['a#第二条', 'a#第一条']
    """
    label = label_of(id).strip()
    same = [known for known in ids if label_of(known).strip() == label][:_MANY]
    pool = ids if len(ids) <= _MANY else _in_near_documents(id, ids)
    likely = difflib.get_close_matches(id, same, n=3, cutoff=0.0) + difflib.get_close_matches(id, pool, n=3, cutoff=0.3)
    return list(dict.fromkeys(likely))[:3]


def _in_near_documents(id: str, ids: Sequence[str]) -> list[str]:
    """The ids of the documents whose names are most like the one that `id` begins with."""
    heads = list(dict.fromkeys(_head(known) for known in ids))
    likely = difflib.get_close_matches(_head(id), heads[: 10 * _MANY], n=2, cutoff=0.4)
    return [known for known in ids if _head(known) in likely]


def _head(id: str) -> str:
    return _SEPARATOR.split(id)[0]
