"""The figures behind a why: each term's part of the score, the cosine, and every query of a mode that asks several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.domain import Passage, Say, Step
from core.explain.passage import Explanation
from core.explain.terms import Near, TermRow, Terms
from core.knowledge.tokeniser import Term
from core.modes import Asked
from core.words import Words
from pages.parts.explain import grid
from pages.parts.explain.grid import Line
from pages.parts.explain.view import View
from pages.parts.literal import inline
from pages.parts.numbers import DASH
from pages.parts.sources import COLOURS

TOOLS = ("search", "find")
"""Tools that have a name in words."""
_CUT = 400
"""Terms of a passage that are shown."""
_LISTED = 60
"""Rows of a table of terms or queries; the rest is a count."""


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
    head = [words(f"ui.explain.terms.{name}") for name in ("term", "tf", "df", "idf", "contribution", "note")]
    lines = [_line(row, largest, words) for row in rows[:_LISTED]]
    if len(rows) > _LISTED:
        rest = sum(row.contribution for row in rows[_LISTED:])
        lines.append(Line((words("ui.explain.terms.rest", count=len(rows) - _LISTED), "", "", "", f"{rest:.3f}", "")))
    lines += _doubted(rows, found, words)
    lines.append(Line((words("ui.explain.terms.sum"), "", "", "", f"{found.score:.3f}", ""), sum=True))
    grid.draw("explain.terms", words("ui.explain.terms.shared"), head, "lrrrrl", lines)
    values = {"rank": found.rank, "matching": found.matching, "length": found.length, "mean": round(found.mean_length)}
    st.caption(words("ui.explain.terms.score", score=f"{found.score:.3f}", **values))


def _doubted(rows: Sequence[TermRow], found: Terms, words: Words) -> list[Line]:
    """What the terms add up to and what that is multiplied by, where the passage was read with little confidence."""
    if found.factor == 1:
        return []
    total = sum(row.contribution for row in rows)
    note = words("ui.explain.terms.doubted_note")
    return [
        Line((words("ui.explain.terms.words_sum"), "", "", "", f"{total:.3f}", ""), sum=True),
        Line((words("ui.explain.terms.doubted"), "", "", "", f"× {found.factor:.3g}", note)),
    ]


def _missing(rows: Sequence[TermRow], words: Words) -> None:
    """Terms that the passage lacks: a row for each that something can be said of, the others in one line."""
    told = [row for row in rows if row.note or row.near]
    title = words("ui.explain.terms.missing", count=len(rows))
    st.markdown(f"**{title}**")
    if told:
        head = [words(f"ui.explain.terms.{name}") for name in ("term", "df", "note")]
        lines = [Line((row.term, f"{row.df:,}", _note(row, words))) for row in told[:_LISTED]]
        grid.draw("explain.missing", title, head, "lrl", lines)
        _more(len(told), words)
    if rest := [row for row in rows if row not in told]:
        names = words.join([words("ui.explain.terms.in_passages", term=row.term, df=row.df) for row in rest[:_CUT]])
        st.caption(inline(words("ui.explain.terms.no_near" if told else "ui.explain.terms.plain", names=names)))


def _line(row: TermRow, largest: float, words: Words) -> Line:
    share = row.contribution / largest if row.contribution > 0 and largest > 0 else None
    figures = (f"{row.tf:,}", f"{row.df:,}", f"{row.idf:.3f}", f"{row.contribution:.3f}")
    return Line((row.term, *figures, _note(row, words)), share)


def _note(row: TermRow, words: Words) -> str:
    """A warning of the term's weight, and what nearly met it."""
    parts = [words.say(row.note)] if row.note else []
    parts += [_near(near, words) for near in row.near]
    return words("ui.explain.joint").join(parts)


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


def draw_queries(view: View, passage: Passage, queries: Mapping[str, Sequence[Asked]]) -> None:
    """Every query of the modes that ask several: its step and tool, where it looked, and the rank it gave."""
    words = view.words
    for place, run in enumerate(view.comparison.runs):
        asked = queries.get(run.mode)
        if not asked:
            continue
        found = sum(1 for each in asked if each.rank)
        name = f":{COLOURS[place % len(COLOURS)]}[**{inline(words.mode(run.mode))}**]"
        st.markdown(words("ui.explain.queries.found", mode=name, found=found, count=len(asked)))
        head = [words(f"ui.explain.queries.{column}") for column in ("query", "step", "rank", "tool", "where")]
        lines = [_query(each, run.steps[each.step - 1], passage, words) for each in asked[:_LISTED]]
        grid.draw(f"explain.queries.{run.mode}", words("ui.explain.detail.queries"), head, "lrrll", lines)
        _more(len(asked), words)


def _query(asked: Asked, step: Step, passage: Passage, words: Words) -> Line:
    """A query; one that looked inside another document could not have brought the passage."""
    document = step.detail.values.get("document")
    inside = document is None or any(hit.passage.document == passage.document for hit in step.hits)
    nowhere = words("ui.passage.nowhere" if inside else "ui.explain.queries.elsewhere")
    tool = words(f"ui.explain.tool.{step.name}") if step.name in TOOLS else step.name
    where = words("ui.explain.queries.whole") if document is None else str(document)
    return Line((asked.query, f"{asked.step:,}", f"{asked.rank:,}" if asked.rank else nowhere, tool, where))
