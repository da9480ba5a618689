"""Sentences of a text, parts of a question, and what they say: what citations check, writer and agent work with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise

from core.knowledge.folding import fold
from core.knowledge.numerals import SMALL
from core.knowledge.tokeniser import Tokeniser

LONG, SLICE = 240, 400
"""Columns (Han count two) over which a sentence is cut for display; characters after which it ends unpunctuated."""

WIDE = 60
"""Columns from which a line that simply ends may have been broken by hand in the middle of a sentence."""

_FUNCTION_WORDS = frozenset(
    """什么 怎么 怎样 如何 为什么 是否 哪些 哪个 哪里 多少 多久 几个 怎么办 需要 可以 应该 应当 必须 能够 能否 可否
    有没有 能不能 是不是 要不要 会不会 可不可以 这个 那个 这些 那些 这样 那样 我们 你们 他们 自己 因为 所以 如果 但是
    而且 并且 或者 还是 以及 关于 对于 根据 按照 依照 规定 相关 有关 进行 请问 一下 现在 时候 情况 问题 没有 不能 不得
    不是 就是 只是 已经 之前 之后 以前 以后 其中 由于 因此
    the an of to in on at by for with from and or but if is are was were be been do does did has have had can could
    may might must shall should will would not no it its this that these those you he she they we my your his her
    their our me him them us what which who whom whose when where why how many much there any some as than then so
    about into also please""".split()
)
_FUNCTION_CHARACTERS = frozenset(
    "的了是在和与或及有不也都就要会能可对从到把被吗呢吧啊这那其之为以于上下中后前里等个我你他她它们谁哪何怎么去来说让给"
)

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_RUN = re.compile(HAN.pattern + "+")
_NUMERAL = f"[0-9{SMALL}]+"
_UNSEGMENTED = re.compile(rf"第{_NUMERAL}(?:条|章|节|款|项|部分|编)(?:之{_NUMERAL})?|[^\s{HAN.pattern[1:-1]}]+")
_END = re.compile(
    r"[。！？!?；;]+[”’」』）)\"']*"
    r"|(?<!\b\w)(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bNo)(?<!\bSt)(?<!\bvs)(?<!\bMrs)\.[”’)\"']*(?=\s+[^\sa-z]|\s*\Z)"
    r"|\n"
)
_LEADING = re.compile(r"(?:\s+|[#>*+\-]+\s+|\||[0-9]{1,3}[.)]\s+|[0-9]{1,3}、)+")
_WRAPPED = re.compile(r"\n[ \t]*(?=[^\W\d_])(?!第)")
_STOP = "(?:[，、；;：。]|[,:](?![0-9]))"
_CLAUSE_END = re.compile(_STOP)
_CLAUSE = re.compile(rf"(?:(?!{_STOP}).){{0,118}}(?:{_STOP}|\Z)|.{{60,118}}\s|.{{119}}", re.DOTALL)

_JOINT = re.compile(
    r"[，。？！；\n?!;]+|[,:：](?![0-9])|\.(?=\s|\Z)"
    r"|以及|并且|而且|但是|或者|还是|另外|同时|还有|此外|因此|所以|然后|不过|可是"
    r"|\b(?:but|also|and(?=\s+(?:what|which|who|how|when|where|why|is|are|can|do|does|may|must|should|will)\b))\b",
    re.IGNORECASE,
)
_SLIGHT = 6
"""Columns up to which a part of a question says too little to stand alone."""


def sentences(text: str, longest: int = SLICE) -> list[tuple[int, int]]:
    """Spans of the sentences of `text` without leading list and heading marks; a hard-wrapped line goes on.

    >>> [("年假五天。病假另计。"[a:b]) for a, b in sentences("年假五天。病假另计。")]
    ['年假五天。', '病假另计。']
    """
    spans = []
    start = 0
    for stop in [*(m.end() for m in _END.finditer(text) if not _goes_on(text, m)), len(text)]:
        while start < stop:
            lead = _LEADING.match(text, start, stop)
            start = lead.end() if lead else start
            end = stop
            if end - start > longest:
                cuts = [m.end() for m in _CLAUSE_END.finditer(text, start + longest // 2, start + longest)]
                end = cuts[-1] if cuts else start + longest
            if last := len(text[start:end].rstrip(" \t\r\n|")):
                spans.append((start, start + last))
            start = end
    return spans


def _goes_on(text: str, end: re.Match[str]) -> bool:
    """Whether a line break is a hard wrap inside a sentence: a long line before it, a plain word after it."""
    if end.group() != "\n" or not _WRAPPED.match(text, end.start()):
        return False
    return columns(text[text.rfind("\n", 0, end.start()) + 1 : end.start()]) >= WIDE


def columns(text: str) -> int:
    """Width of `text` where a Han or other wide character takes two columns."""
    return sum(2 if ord(character) > 0x2E7F else 1 for character in text)


def content(tokeniser: Tokeniser, text: str) -> frozenset[str]:
    """What `text` says, to be looked for in what another text is `holding`: its terms without function words.

    Han words stand as their pairs of characters, and single characters that stand together (年, 假) as pairs too,
    since the segmenter cuts words that it does not know; alone they count only where there is nothing longer.
    Latin words lose a plural s and all after six letters, so that `returned` meets `return`.
    """
    tokens = tokeniser.tokens(text)
    found = {part for token in tokens if len(token) > 1 and token not in _FUNCTION_WORDS for part in _parts(token)}
    found |= {a + b for a, b in pairwise(tokens) if _says(a) and _says(b)}
    return frozenset(found) or frozenset(filter(_says, tokens))


def holding(tokeniser: Tokeniser, text: str) -> frozenset[str]:
    """All that `text` holds for `content` to be found in; without segmenting, which would take most of the time."""
    folded = fold(text)[0]
    pairs = {run[at : at + 2] for run in _RUN.findall(folded) for at in range(len(run) - 1)}
    return frozenset(pairs).union(folded, map(_stem, tokeniser.tokens(" ".join(_UNSEGMENTED.findall(folded)))))


def _parts(token: str) -> Iterable[str]:
    return (a + b for a, b in pairwise(token)) if _RUN.fullmatch(token) else (_stem(token),)


def _says(token: str) -> bool:
    """Whether a token is a single Han character that is no function word."""
    return len(token) == 1 and bool(HAN.match(token)) and token not in _FUNCTION_CHARACTERS


def _stem(term: str) -> str:
    if not (term.isascii() and term.isalpha()) or len(term) < 4:
        return term
    if term.endswith("ies"):
        return f"{term[:-3]}y"[:6]
    return (term[:-1] if term.endswith("s") and not term.endswith("ss") else term)[:6]


def window(text: str, wanted: Callable[[str], int]) -> str:
    """The clause of `text` that `wanted` scores highest with those around it, whole, in at most `LONG` columns."""
    ends = [0, *(m.end() for m in _CLAUSE.finditer(text) if m.group())]
    last = max(range(1, len(ends)), key=lambda at: (wanted(text[ends[at - 1] : ends[at]]), -at))
    first = last - 1
    while last + 1 < len(ends) and columns(text[ends[first] : ends[last + 1]]) <= LONG:
        last += 1
    while first and columns(text[ends[first - 1] : ends[last]]) <= LONG:
        first -= 1
    return text[ends[first] : ends[last]].strip()


def aspects(question: str, content_of: Callable[[str], frozenset[str]], most: int) -> list[str]:
    """The parts of a question: its clauses, those that say too little joined to a neighbour, at most `most`.

    `content_of` gives the content terms of a clause.
    """
    cuts = [(m.start(), m.end()) for m in _JOINT.finditer(question)]
    starts, ends = [0, *(b for _, b in cuts)], [*(a for a, _ in cuts), len(question)]
    spans = [(a, b) for a, b in zip(starts, ends, strict=True) if question[a:b].strip()]
    sizes = [len(content_of(question[a:b])) if columns(question[a:b]) > _SLIGHT else 0 for a, b in spans]
    while len(spans) > 1 and (len(spans) > most or not min(sizes)):
        least = sizes.index(min(sizes))
        into = least - 1 if least and (least + 1 == len(spans) or sizes[least - 1] <= sizes[least + 1]) else least
        spans[into : into + 2] = [(spans[into][0], spans[into + 1][1])]
        sizes[into : into + 2] = [sizes[into] + sizes[into + 1]]
    return [question[a:b].strip() for a, b in spans]
