"""The figures behind a why: each term's part of the score, the cosine, and every query of a mode that asks several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.domain import Say
from core.explain.passage import Explanation
from core.explain.terms import Near, TermRow, Terms
from core.knowledge.tokeniser import Term
from core.modes import Asked
from core.words import Words
from pages.parts.explain.view import View
from pages.parts.literal import inline
from pages.parts.numbers import DASH
from pages.parts.sources import COLOURS

_BAR = 12
"""Blocks of the longest bar."""
_CUT = 400
"""Terms of a passage that are shown."""
_LISTED = 60
"""Rows of a table of terms or queries; the rest is a count."""


def _table(head: Sequence[str], align: str, rows: Sequence[Sequence[str]]) -> None:
    """A table that scrolls by itself where the screen is narrow; cells are Markdown, `align` has l or r a column."""
    rule = [":---" if side == "l" else "---:" for side in align]
    with st.container(horizontal=True, wrap=False):
        st.markdown("\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)), width="content")


def draw_terms(found: Terms, unlike: Say | None, words: Words) -> None:
    """What each term of the question gave, what was missing, and both sides as the tokeniser cut them."""
    shared = sorted((row for row in found.rows if row.tf), key=lambda row: -row.contribution)
    missing = [row for row in found.rows if not row.tf]
    if shared:
        _shared(shared, found, words)
    else:
        st.info(words("ui.explain.terms.nothing_shared"), icon=":material/info:")
    if missing:
        _missing(missing, words)
    if unlike:
        st.caption(inline(words("ui.explain.terms.unlike", reason=words.say(unlike))))
    _cut(found, words)


def _shared(rows: Sequence[TermRow], found: Terms, words: Words) -> None:
    largest = max((row.contribution for row in rows), default=0.0)
    head = [words(f"ui.explain.terms.{name}") for name in ("term", "tf", "df", "idf", "contribution")]
    lines = [_line(row, largest, words) for row in rows[:_LISTED]]
    if len(rows) > _LISTED:
        rest = sum(row.contribution for row in rows[_LISTED:])
        lines.append((words("ui.explain.terms.rest", count=len(rows) - _LISTED), "", "", "", f"{rest:.3f}", "", ""))
    total = f"**{found.score:.3f}**"
    lines.append((f"**{words('ui.explain.terms.sum')}**", "", "", "", total, "", ""))
    _table([*head, "", words("ui.explain.terms.note")], "lrrrrll", lines)
    values = {"rank": found.rank, "matching": found.matching, "length": found.length, "mean": round(found.mean_length)}
    st.caption(words("ui.explain.terms.score", score=f"{found.score:.3f}", **values))


def _missing(rows: Sequence[TermRow], words: Words) -> None:
    """Terms that the passage lacks: a row for each that something can be said of, the others in one line."""
    told = [row for row in rows if row.note or row.near]
    st.markdown(f"**{words('ui.explain.terms.missing', count=len(rows))}**")
    if told:
        head = [words(f"ui.explain.terms.{name}") for name in ("term", "df", "note")]
        _table(head, "lrl", [(inline(row.term), f"{row.df:,}", _note(row, words)) for row in told[:_LISTED]])
        _more(len(told), words)
    if rest := [row for row in rows if row not in told]:
        names = words.join([words("ui.explain.terms.in_passages", term=row.term, df=row.df) for row in rest[:_CUT]])
        st.caption(inline(words("ui.explain.terms.no_near" if told else "ui.explain.terms.plain", names=names)))


def _line(row: TermRow, largest: float, words: Words) -> tuple[str, ...]:
    bar = "━" * max(1, round(_BAR * row.contribution / largest)) if row.contribution > 0 and largest > 0 else ""
    figures = (f"{row.tf:,}", f"{row.df:,}", f"{row.idf:.3f}", f"{row.contribution:.3f}")
    return inline(row.term), *figures, f":gray[{bar}]" if bar else "", _note(row, words)


def _note(row: TermRow, words: Words) -> str:
    """A warning of the term's weight, and what nearly met it."""
    parts = [words.say(row.note)] if row.note else []
    parts += [_near(near, words) for near in row.near]
    return inline(words("ui.explain.joint").join(parts))


def _near(near: Near, words: Words) -> str:
    cosine = DASH if near.cosine is None else f"{near.cosine:.2f}"
    return words(f"ui.explain.near.{near.how}", other=near.other, cosine=cosine)


def _more(count: int, words: Words) -> None:
    if count > _LISTED:
        st.caption(words("ui.explain.more_rows", count=count - _LISTED))


def _cut(found: Terms, words: Words) -> None:
    """Question and passage as terms, those in both on a coloured ground."""
    both = {term.text for term in found.question} & {term.text for term in found.passage}
    for side, terms in (("question", found.question), ("passage", found.passage)):
        st.markdown(f"**{words(f'ui.explain.terms.cut_{side}')}**")
        st.markdown(_terms(terms, both, words))
    st.caption(words("ui.explain.terms.cut_help"))


def _terms(terms: Sequence[Term], both: set[str], words: Words) -> str:
    shown = [f":yellow-background[{inline(t.text)}]" if t.text in both else inline(t.text) for t in terms[:_CUT]]
    more = words("ui.explain.terms.cut_more", count=len(terms) - _CUT) if len(terms) > _CUT else ""
    return " / ".join([*shown, *([more] if more else [])]) or words("ui.explain.terms.cut_none")


def draw_meaning(found: Explanation, words: Words) -> None:
    """The cosine, and where it stands among the candidates and among all passages that have a vector."""
    meaning = found.meaning
    if meaning is None:
        text = words.say(found.unknown or Say("embeddings.unavailable"))
        st.info(inline(text), icon=":material/info:")
        return
    code = "candidate" if meaning.candidate_rank else "no_candidate"
    places = {"rank": meaning.rank, "vectors": meaning.vectors, "passages": meaning.passages}
    rows = [
        ("cosine", f"{meaning.cosine:.4f}"),
        ("among_candidates", words(f"ui.explain.meaning.{code}", rank=meaning.candidate_rank, of=meaning.candidates)),
        ("among_all", words("ui.explain.meaning.all", **places)),
    ]
    for name, value in rows:
        st.markdown(f":gray[{words(f'ui.explain.meaning.{name}')}] **{value}**")
    st.caption(words("ui.explain.meaning.help"))


def draw_queries(view: View, queries: Mapping[str, Sequence[Asked]]) -> None:
    """Every query of the modes that ask several: its step, its words and the rank that it gave the passage."""
    words = view.words
    places = {run.mode: place for place, run in enumerate(view.comparison.runs)}
    for mode, asked in queries.items():
        found = sum(1 for each in asked if each.rank)
        name = f":{COLOURS[places[mode] % len(COLOURS)]}[**{inline(words.mode(mode))}**]"
        st.markdown(words("ui.explain.queries.found", mode=name, found=found, count=len(asked)))
        head = [words(f"ui.explain.queries.{column}") for column in ("step", "query", "rank")]
        nowhere = f":gray[{words('ui.passage.nowhere')}]"
        rows = [
            (str(each.step), inline(each.query), f"**{each.rank}**" if each.rank else nowhere)
            for each in asked[:_LISTED]
        ]
        _table(head, "rlr", rows)
        _more(len(asked), words)
