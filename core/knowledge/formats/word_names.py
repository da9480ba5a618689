"""Names of Word's XML with their namespaces, each worked out once: a long document asks for them a million times."""

from __future__ import annotations

from functools import cache
from typing import Any

from docx.oxml.ns import qn


@cache
def named(path: str) -> str:
    """The full name of a tag or attribute, or of a path of tags.

    >>> named("w:p")
    '{http://schemas.openxmlformats.org/wordprocessingml/2006/main}p'
    """
    return "/".join(qn(step) for step in path.split("/"))


def value(element: Any | None, path: str) -> str | None:
    """The `w:val` of what lies at a path below an element; `None` where it or the value is not there."""
    found = None if element is None else element.find(named(path))
    return None if found is None else found.get(named("w:val"))
