"""The sources of a run: the cited ones, then those retrieved but not cited; each opens in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from core.bench import Bench
from core.citations import cite, cited
from core.domain import Citation, Passage
from core.explain.matrix import adds_up, first_ranked
from core.explain.passage import why_of
from core.explain.recorded import as_recorded
from core.knowledge.metadata import metadata_of
from core.knowledge.tokeniser import Tokeniser
from core.modes import registry
from core.retrieval.doubt import doubted
from core.retrieval.memo import Memo
from core.runs import Comparison, Run
from core.words import Words
from pages.parts.labels import named, unclear
from pages.parts.library import describing
from pages.parts.literal import inline
from pages.parts.numbers import DASH, share
from pages.parts.tabular import readable

MOST = 20
"""Passages retrieved but not cited that can be opened; the rest is a count."""
COLOURS = ("orange", "blue", "green", "violet")
"""The places of a comparison in the theme's palette."""


_CITATIONS: Memo[tuple[Citation, ...]] = Memo(64)
_SPANS: Memo[tuple[tuple[int, int], ...]] = Memo(2_048)

FEW = 5
"""Cited sources that a column lists while it is folded or live."""
_HEAD, _ROW = 28, 40
"""Pixels of the line above the cited sources, and of the one line that each of them takes at any width."""


def height(rows: int) -> int:
    """Pixels of a list of cited sources, so that the columns beside it end at the same height."""
    return _HEAD + _ROW * rows


def sign(mode: str, colour: str) -> str:
    """The icon of a mode in the colour of its place."""
    return f":{colour}[:material/{registry()[mode].icon if mode in registry() else 'help'}:]"


def tagged(mode: str, colour: str, words: Words) -> str:
    """The name of a mode behind its icon, in the colour of its place."""
    return f"{sign(mode, colour)} :{colour}[**{inline(words.mode(mode))}**]"


@dataclass(frozen=True)
class Reading:
    """What sources are read with: the words, the tokeniser, the question's terms, all runs of the comparison.

    While it is `live` only what is cited is drawn: the rest would cost the modes still at work their time.
    """

    words: Words
    tokeniser: Tokeniser
    terms: tuple[str, ...]
    runs: tuple[Run, ...]
    bench: Bench | None = None
    live: bool = False

    @classmethod
    def of(cls, comparison: Comparison, words: Words, bench: Bench) -> Reading:
        """How a comparison's sources are read; only over the base it was made with can it be said why."""
        tokeniser = bench.retriever.tokeniser
        same = as_recorded(bench, comparison) if comparison.base == bench.info else None
        return cls(words, tokeniser, telling(tokeniser.query(comparison.question)), comparison.runs, same)

    def marked(self, text: str) -> str:
        """`text` to be read, literally but for its tables, the question's words on a coloured ground."""
        spans = _SPANS.of(self.tokeniser, (text, self.terms), lambda: tuple(self.tokeniser.spans(text, self.terms)))
        return readable(text, spans)

    def citations(self, run: Run) -> tuple[Citation, ...]:
        """What a run's answer cites, resolved against its own evidence."""
        return citations_of(run, self.tokeniser)


def citations_of(run: Run, tokeniser: Tokeniser) -> tuple[Citation, ...]:
    """The citations of a run, worked out once for the whole page."""
    return _CITATIONS.of(tokeniser, (run.answer, run.evidence), lambda: cite(run.answer, run.evidence, tokeniser))


def telling(terms: Sequence[str]) -> tuple[str, ...]:
    """The terms worth marking: single Chinese characters only where there is nothing else.

    >>> telling(["电梯", "了"]), telling(["坏"])
    (('电梯',), ('坏',))
    """
    return tuple(term for term in terms if len(term) > 1 or term.isascii()) or tuple(terms)


def draw_cited(run: Run, citations: Sequence[Citation], reading: Reading, most: int | None) -> None:
    """A line for each cited passage in the order of its number, at most `most` of them; what is left is counted."""
    words = reading.words
    found = sorted((c for c in citations if c.passage), key=lambda c: c.number)
    listed = found if most is None or len(found) <= most else found[: most - 1]
    with st.container(gap=None):
        with st.container(horizontal=True, wrap=False, horizontal_alignment="distribute"):
            code = "ui.sources.cited" if found else "ui.sources.none_cited"
            st.caption(f"**{words(code, count=len(found))}**", wrap=False)
            if found and len(reading.runs) > 1:
                st.caption(words("ui.sources.ranks"), help=words("ui.sources.ranks_help"), width="content", wrap=False)
        for citation in listed:
            _cited(citation, run, reading)
        if len(listed) < len(found):
            st.caption(words("ui.sources.rest", count=len(found) - len(listed)))


def _cited(citation: Citation, run: Run, reading: Reading) -> None:
    assert citation.passage is not None
    doubt = ":red[:material/flag:] " if citation.status == "ungrounded" else ""
    with st.container(
        horizontal=True, wrap=False, vertical_alignment="center", gap="xsmall", height=_ROW, border=False
    ):
        with st.container(width="stretch"):
            _row(f"**{citation.number}**", citation.passage, run, reading, citation)
        st.markdown(f":small[{doubt}{_elsewhere(citation.passage, run, reading)}]", width="content", wrap=False)


def draw_uncited(run: Run, citations: Sequence[Citation], reading: Reading) -> None:
    """The passages given but not cited with their numbers, then those retrieved but cut."""
    numbers = {passage.id: number for number, passage in enumerate(run.evidence, 1)}
    left = uncited(run, citations)
    for passage in left[:MOST]:
        number = numbers.get(passage.id)
        _row(f"**{number}**" if number else ":gray[·]", passage, run, reading)
    if len(left) > MOST:
        st.caption(reading.words("ui.sources.more", count=len(left) - MOST))


def uncited(run: Run, citations: Sequence[Citation]) -> list[Passage]:
    """What a run ranked or gave to the writer and its answer does not cite."""
    numbers = cited(citations)
    return [passage for passage in run.ranking if passage.id not in numbers]


def _row(mark: str, passage: Passage, run: Run, reading: Reading, citation: Citation | None = None) -> None:
    with st.popover(f"{mark} {named(passage, mark=unclear(passage, reading.words))}", type="tertiary", wrap=False):
        draw_passage(passage, reading, citation)
        st.page_link(
            "pages/library.py",
            label=reading.words("ui.sources.open"),
            icon=":material/menu_book:",
            query_params={"p": passage.id},
        )


def draw_passage(passage: Passage, reading: Reading, citation: Citation | None = None) -> None:
    """A whole passage, literally, with where every mode ranked it; one element, since a page may hold sixty."""
    words = reading.words
    title = named(passage, bold=True)
    ended = [(run, colour) for run, colour in zip(reading.runs, COLOURS, strict=False) if run.stop_reason]
    places = [_place(passage, run, reading, colour) for run, colour in ended]
    base = reading.bench.base if reading.bench else None
    whole = base.passage(passage.id) if base and base.has(passage.id) else passage
    foot = f":small[:gray[{inline(' · '.join([passage.document, *known(whole, words)]))}]]"
    parts = [title, reading.marked(passage.text), foot, "\\\n".join(places)]
    if (confidence := doubted(passage)) is not None:
        long = inline(words("ui.filters.unclear_long", share=share(confidence)))
        parts.insert(1, f":small[:red[:material/blur_on: {long}]]")
    if citation and citation.status == "ungrounded":
        parts.insert(1, f":small[:red[:material/flag: {words('ui.sources.ungrounded')}]]")
    if citation and citation.quote and citation.quote.strip() != passage.text.strip():
        parts.insert(-2, f":small[{inline(words('ui.sources.quoted', quote=citation.quote))}]")
    st.markdown("\n\n".join(parts))


def known(passage: Passage, words: Words) -> list[str]:
    """What is known of a passage beside its section: lines, page, type, date and the facts it holds. Plain text."""
    where = [lines(passage.lines, words)] if passage.lines else []
    if passage.page:
        where.append(words("ui.passage.page", page=passage.page))
    return where + describing.facts(replace(passage, metadata=metadata_of(passage)), words)


def lines(span: tuple[int, int], words: Words) -> str:
    """The lines of its file that a passage takes."""
    code = "line" if span[0] == span[1] else "lines"
    return words(f"ui.passage.{code}", first=span[0], last=span[1])


def _place(passage: Passage, run: Run, reading: Reading, colour: str) -> str:
    """Where one mode put a passage: in the mode's own words why, else its rank and whether the writer got it."""
    words = reading.words
    if reading.bench and reading.bench.base.has(passage.id):
        why = why_of(reading.bench, run, reading.bench.base.passage(passage.id))
        return f":{colour}[{inline(words.mode(run.mode))}] {inline(words.say(why.sentence))}"
    rank = run.rank_of(passage.id)
    given = run.gave(passage.id)
    code = "given" if given else "cut" if rank else "unseen"
    return f":{colour}[{inline(words.mode(run.mode))}] {words(f'ui.passage.{code}', rank=rank or DASH)}"


def _elsewhere(passage: Passage, run: Run, reading: Reading) -> str:
    """Its ranks in the other modes that have ended, each behind that mode's icon and in its colour."""
    pairs = zip(reading.runs, COLOURS, strict=False)
    others = [(other, colour) for other, colour in pairs if other.mode != run.mode and other.stop_reason]
    return " ".join(f"{sign(o.mode, c)} :{c}[{_rank(passage, o, reading.words)}]" for o, c in others)


def _rank(passage: Passage, run: Run, words: Words) -> str:
    """Its rank in a run; where searches add up, the step that first ranked it and its rank there.

    In brackets where the writer did not get it.
    """
    rank, first = run.rank_of(passage.id), first_ranked(run, passage.id)
    if first and adds_up(run):
        text = inline(words("ui.passage.step_rank", step=first[0], rank=first[1]))
    else:
        text = f"{rank}" if rank else DASH
    return text if text == DASH or run.gave(passage.id) else f"({text})"
