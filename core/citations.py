"""What the marks of an answer cite, resolved only against the evidence of its own run. Pure functions."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain import Citation, Passage, Say
from core.knowledge.folding import fold
from core.knowledge.quantities import COUNTED, SPOKEN, quantities
from core.knowledge.sentences import LONG, columns, content, holding, sentences, window
from core.knowledge.tokeniser import Tokeniser
from core.marks import Mark, closings, scan

SHARE = 0.4
"""Share of a claim's content terms that its passage must hold. On 1,210 sentences of lawyers' answers, each against
an article of its statute that it does not rest on, 0.4 lets one in eleven pass; of those against their own article it
lets half pass, for these lawyers paraphrase freely and add what no article says. 0.3: one in six, and 61 %."""

_UNSPOKEN = frozenset("\ufffc*_“”\"‘’'「」『』")
_EDGES = " .,;:!?。;：、…-()"
_MASK = "\ufffc"
_POINTER = re.compile(r"[^\w“「『\"]*(?:依据|根据|来源|出处|参见|详见|参考|见|sources?|see)?[^\w“「『\"]*", re.I)

_REFUSAL = re.compile(
    "|".join(
        (
            r"(?:资料|文档|来源|知识库|段落|材料|上下文|检索结果|原文)[^。，,]{0,8}(?:未|没有?|无法|不能)[^。，,]{0,6}"
            r"(?:找到|查到|检索到|提及|提到|涉及|说明|回答|包含|给出|提供|记载|规定)",
            r"^.{0,12}(?:未|没有?)能?(?:找到|查到|检索到)",
            r"^.{0,12}(?:无法|不能)(?:回答|作答|确定|判断)",
            r"^.{0,12}(?:资料|信息)不足(?!以)|^.{0,6}不知道",
            r"\b(?:sources?|passages?|documents?|context|knowledge base|text|information)\b.{0,40}(?:\bnot\b|n['’]t\b)"
            r".{0,20}\b(?:answer|mention|contain|cover|say|address|provide|specify|found|available)",
            r"^.{0,30}\b(?:not found|nothing (?:was |is )?found|insufficient information|unable to (?:find|answer))",
            r"\bno (?:relevant |such )?(?:information|passages?|sources?|answer|mention)\b",
            r"^.{0,12}\b(?:can ?not|could not|can['’]t|couldn['’]t|do not|don['’]t) (?:find|answer|determine|know)\b",
        )
    ),
    re.IGNORECASE,
)
"""The forms of a refusal, and no other: a sentence of these says that nothing was found."""

_ADVICE = re.compile("建议|请|您?可以?咨询|您可|如需|如果您|please|you (?:may|could|can)|i suggest|if you", re.I)
"""How a sentence begins that may stand beside a refusal without being a claim."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of an answer for rendering, in order; all `text` joined is the answer.

    A mark carries the citations it resolves to. `literal` text is a quote of a source: to be shown as it stands.
    """

    text: str
    mark: Mark | None = None
    citations: tuple[Citation, ...] = ()
    literal: bool = False


def cite(answer: str, evidence: Sequence[Passage], tokeniser: Tokeniser) -> tuple[Citation, ...]:
    """Resolve each number once, in order of first appearance; number n is `evidence[n - 1]`.

    Grounded means that every claim under the number is borne out by the words: literal quotes stand in the passage;
    else the claim's numbers do, and a fair share (`SHARE`) of its content terms. Under a mark of several sources
    they bear quotes and numbers together and each its part of the terms. A meaning put in other words is
    ungrounded here: no model judges.
    """
    claims: dict[int, list[tuple[str, tuple[int, ...]]]] = {}
    for claim, numbers in _claims(answer):
        for number in numbers:
            claims.setdefault(number, []).append((claim, numbers))
    return tuple(_citation(number, made, evidence, tokeniser) for number, made in claims.items())


def cited(citations: Sequence[Citation]) -> dict[str, int]:
    """The passages that are cited, by id, each with the first number that points at it."""
    found: dict[str, int] = {}
    for citation in citations:
        if citation.passage is not None:
            found.setdefault(citation.passage.id, citation.number)
    return found


def _citation(
    number: int, made: Sequence[tuple[str, tuple[int, ...]]], evidence: Sequence[Passage], tokeniser: Tokeniser
) -> Citation:
    """The citation of one number from all claims made under it, each with the numbers of its mark."""
    if number > len(evidence):
        return Citation(number, None, "", "dangling")
    passage = evidence[number - 1]
    groups = [(claim, [evidence[n - 1] for n in numbers if n <= len(evidence)]) for claim, numbers in made]
    borne = all(_bears(claim, passage, group, tokeniser) for claim, group in groups)
    best = _best_quote(made[0][0], passage, tokeniser)
    return Citation(number, passage, best, "grounded" if borne else "ungrounded")


def flags(answer: str, citations: Sequence[Citation]) -> tuple[Say, ...]:
    """What a reader should be warned of.

    `citation.none`: claims and no citation at all; not for a refusal, an empty answer or a question back.
    `citation.dangling` with `numbers`: marks that point at no evidence.
    """
    if citations:
        dangling = [citation.number for citation in citations if citation.passage is None]
        return (Say.of("citation.dangling", numbers=dangling),) if dangling else ()
    said = [answer[start:end] for start, end in sentences(answer)]
    said = [text for text in said if re.search(r"\w\w", text) and text[-1] not in "?？"]
    claims = [text for text in said if not _REFUSAL.search(text)]
    if len(claims) < len(said):
        claims = [text for text in claims if not _ADVICE.match(text)]
    return (Say.of("citation.none"),) if claims else ()


def pieces(answer: str, citations: Sequence[Citation]) -> tuple[Piece, ...]:
    """The answer cut for rendering: prose, literal quotes and marks, so that no renderer parses again."""
    found, quotes = scan(answer)
    known = {citation.number: citation for citation in citations}
    cuts = {start: Piece(answer[start:end], literal=True) for start, end in quotes}
    for mark in found:
        resolved = tuple(known[number] for number in mark.numbers if number in known)
        cuts[mark.start] = Piece(answer[mark.start : mark.end], mark, resolved)
    result = []
    at = 0
    for start, piece in sorted(cuts.items()):
        result += [Piece(answer[at:start]), piece]
        at = start + len(piece.text)
    return tuple(piece for piece in (*result, Piece(answer[at:])) if piece.text)


def _claims(answer: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Each group of adjacent marks with the words it stands for: those of its sentence since the last group.

    A single group has its whole sentence, a group after a full stop the sentence it closes. Where the words say
    nothing (`依据：[1]`), those after the group, and then the sentence before, come with them.
    """
    found, quotes = scan(answer)
    bare = _hide(answer, [(mark.start, mark.end) for mark in found])
    spans = sentences(_hide(bare, quotes), longest=len(bare))
    groups = _groups(bare, found)
    edges = [0, *(edge for group in groups for edge in (group[0].start, group[-1].end)), len(answer)]
    for at, group in enumerate(groups):
        place = max(0, bisect_right(spans, group[0].start, key=lambda span: span[0]) - 1)
        start, end = spans[place]
        opens = not bare[start : group[0].start].strip(_MASK + " ")
        if opens and place and "\n" not in bare[spans[place - 1][1] : start]:
            place, end = place - 1, start
            start = spans[place][0]
        earlier, later = max(start, edges[2 * at]), min(end, edges[2 * at + 3])
        claim = bare[earlier : group[0].start]
        if later == end and earlier == start or _POINTER.fullmatch(claim):
            claim += bare[group[-1].end : later]
        if _POINTER.fullmatch(claim) and place:
            claim = bare[slice(*spans[place - 1])] + claim
        yield claim.replace(_MASK, ""), tuple(dict.fromkeys(n for mark in group for n in mark.numbers))


def _groups(bare: str, found: Sequence[Mark]) -> list[list[Mark]]:
    """Marks with nothing but spaces and list punctuation between them, together."""
    groups: list[list[Mark]] = []
    for mark in found:
        if not groups or bare[groups[-1][-1].end : mark.start].strip(" ,，、;；和"):
            groups.append([])
        groups[-1].append(mark)
    return groups


def _hide(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """`text` with the spans masked, at unchanged offsets."""
    for start, end in spans:
        text = text[:start] + _MASK * (end - start) + text[end:]
    return text


def _bears(claim: str, passage: Passage, group: Sequence[Passage], tokeniser: Tokeniser) -> bool:
    """Whether the passage bears out the claim, with the other sources of its mark (see `cite`)."""
    quoted, rest = _quoted(claim)
    texts = [_squeeze(source.indexed)[0] for source in group]
    if not all(any(part in text for text in texts) for part in quoted):
        return False
    if not quantities(rest, COUNTED) <= quantities("\n".join(source.indexed for source in group), SPOKEN):
        return False
    terms = content(tokeniser, claim)
    own = _squeeze(passage.indexed)[0]
    if any(part in own for part in quoted) and 2 * len(content(tokeniser, rest)) <= len(terms):
        return True
    together = len(terms & holding(tokeniser, "\n".join(source.indexed for source in group)))
    alone = len(terms & holding(tokeniser, passage.indexed))
    least = max(0.25, SHARE / len(group))
    return bool(terms) and together >= SHARE * len(terms) and alone >= least * len(terms)


def _quoted(claim: str) -> tuple[list[str], str]:
    """The literal quotes of a claim, squeezed, cut at `…`; and the claim without them.

    A quote counts where it closes the claim or is long; a short one elsewhere only names something.
    """
    paired = closings(claim)
    parts: list[str] = []
    rest = ""
    at = 0
    for start in sorted(paired):
        if start < at:
            continue
        squeezed = [_squeeze(part)[0].strip(_EDGES) for part in re.split("…+", claim[start + 1 : paired[start]])]
        if len("".join(squeezed)) >= 8 or not claim[paired[start] + 1 :].strip(_EDGES):
            parts += [part for part in squeezed if part]
            rest += claim[at:start]
            at = paired[start] + 1
    return parts, rest + claim[at:]


def _squeeze(text: str) -> tuple[str, list[int]]:
    """`text` folded, without spaces, quotation marks and emphasis, and the source offset of each character."""
    folded, offsets = fold(text)
    kept = [at for at, character in enumerate(folded) if not (character.isspace() or character in _UNSPOKEN)]
    return "".join(folded[at] for at in kept), kept if offsets is None else [offsets[at] for at in kept]


def _best_quote(claim: str, passage: Passage, tokeniser: Tokeniser) -> str:
    """The literal words of the passage for a claim: what it quotes, else the sentence with most words in common."""
    text, offsets = _squeeze(passage.text)
    if standing := [part for part in _quoted(claim)[0] if part in text]:
        part = max(standing, key=len)
        first = text.find(part)
        return passage.text[offsets[first] : offsets[first + len(part) - 1] + 1]
    terms = content(tokeniser, claim)

    def common(words: str) -> float:
        held = holding(tokeniser, words)
        return len(terms & held) / math.sqrt(len(held) or 1)

    best = max((passage.text[start:end] for start, end in sentences(passage.text)), key=common, default="")
    return best if columns(best) <= LONG else window(best, lambda clause: len(terms & holding(tokeniser, clause)))
