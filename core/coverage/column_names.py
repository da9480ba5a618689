"""Which columns and cells of a row a question can be made of: a name that tells something, a thing that has a name."""

from __future__ import annotations

import re

from core.knowledge.spotting import Source
from core.knowledge.spotting.codes import codes

_GENERIC = frozenset(
    "text texts answer answers content contents question questions title titles id ids no number index url urls "
    "link links note notes remark remarks comment comments description body value name names page row line "
    "内容 正文 文本 答案 回答 答 问题 问 标题 题目 编号 序号 号 备注 说明 附注 链接 网址 页码 行号 值 名称 描述".split()
)
"""Names of columns that tell nothing of what stands in them."""
_NO_SUBJECT = _GENERIC - frozenset("title titles name names 标题 题目 名称".split())
"""Those whose value is no name of what the row is about."""
_MARKUP = re.compile(r"[\[\]()<>`*|=\\{}]")


def is_name(text: str) -> bool:
    """Whether a text can stand for what is asked about: with a letter or a code in it, no question and no formula."""
    named = any(map(str.isalpha, text)) or next(codes(Source(text)), None) is not None
    return named and not text.rstrip().endswith(("?", "？")) and not text.lstrip().startswith(("=", "＝", "@", "+"))


def is_thing(column: str, value: str) -> bool:
    """Whether a cell says what its row is about."""
    return column.strip().lower() not in _NO_SUBJECT and is_name(value)


def tells(column: str) -> bool:
    """Whether the name of a column tells what stands in it."""
    return is_name(column) and column.strip().lower() not in _GENERIC and not _MARKUP.search(column)
