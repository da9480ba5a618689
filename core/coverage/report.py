"""The report of a base's coverage: one value for the page and the command, as a document and as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.coverage import missed
from core.coverage.health import Finding, Severity, failed
from core.coverage.needles import Needle, Needles
from core.coverage.pairs import Pair, Pairs
from core.coverage.reach import Counts, PassageRow, Reach, SectionRow
from core.domain import Say
from core.knowledge.base import KnowledgeBase
from core.words import Words

SHOWN = 20
"""Findings of a kind, passages and needles that the plain text lists; the document holds all."""
_QUOTED = 60
"""Characters of a text in a finding."""


@dataclass(frozen=True, slots=True)
class Report:
    """What is known of a base's coverage; `reach` and `needles` are `None` where nothing was asked."""

    base: KnowledgeBase
    health: tuple[Finding, ...] = ()
    pairs: Pairs = Pairs()
    reach: Reach | None = None
    needles: Needles | None = None
    notices: tuple[Say, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of health, then the pairs to look at."""
        return (*self.health, *(finding_of(pair) for pair in self.pairs.all))

    @property
    def failed(self) -> bool:
        """Whether the check is not met: a finding is an error."""
        return failed(self.health)


def finding_of(pair: Pair) -> Finding:
    """A pair as a finding: the two passages, and why they are worth a look."""
    values: dict[str, Any] = {"first": pair.first.id, "second": pair.second.id, "more": _more(pair)}
    if pair.kind == "near_duplicate":
        values["percent"] = _percent(pair)
        return Finding(
            "near_duplicate", (pair.first.id, pair.second.id), Say("coverage.near_duplicate", values), "notice"
        )
    told = [Say.of(f"coverage.differs.{d.kind}", first=d.first, second=d.second).as_value() for d in pair.differences]
    values |= {"differences": told, "shared": list(pair.shared)}
    return Finding("contradiction", (pair.first.id, pair.second.id), Say("coverage.contradiction", values))


def _percent(pair: Pair) -> int:
    return int(100 * pair.likeness)


def _more(pair: Pair) -> dict[str, Any] | str:
    """How many more there are, as what is said at the end of the sentence."""
    return Say.of("coverage.more", count=pair.more).as_value() if pair.more else ""


def document(report: Report, words: Words) -> dict[str, Any]:
    """The document of `coverage`."""
    rows = report.reach.rows(report.base) if report.reach else ()
    base = report.base
    return {
        "kb": {"name": base.name, "title": base.title, "version": base.version, "passages": len(base.passages)},
        "questions": _questions(report.reach, words),
        "sections": [_section(row) for row in rows] or _unasked(base),
        "unreached": [row.passage.id for section in rows for row in section.passages if not row.reached],
        "unretrieved": [p.id for p in report.reach.unretrieved(base)] if report.reach else [],
        "needles": [_needle(needle) for needle in report.needles.needles] if report.needles else [],
        "needles_without_fact": list(report.needles.without) if report.needles else [],
        "needles_fact_without_question": list(report.needles.unasked) if report.needles else [],
        "needles_left": report.needles.left if report.needles else 0,
        "findings": [_finding(finding, words) for finding in report.findings],
        "pairs_left": dict(report.pairs.left or {}),
        "pairs_compared": report.pairs.compared,
        "notices": [words.say(say) for say in _notices(report)],
        "failed": report.failed,
    }


def _questions(found: Reach | None, words: Words) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "modes": list(found.modes),
        "total": found.total,
        "asked": found.asked,
        "answers": found.answers,
        "passages_given": found.k,
        **missed.document(found),
        "without_evidence": [asdict(barren) for barren in found.barren],
        "failures": {mode: {"runs": count, "first": words.say(why)} for mode, (count, why) in found.failures.items()},
        "refused": [{"id": id, "reason": words.say(why)} for id, why in found.refused],
    }


def _section(row: SectionRow) -> dict[str, Any]:
    return {
        "section": row.section,
        "passages": len(row.passages),
        "reached": row.reached,
        "counts": [_passage(passage) for passage in row.passages],
    }


def _passage(row: PassageRow) -> dict[str, Any]:
    return {"passage_id": row.passage.id, "modes": {mode: asdict(counts) for mode, counts in row.counts.items()}}


def _unasked(base: KnowledgeBase) -> list[dict[str, Any]]:
    """The sections where no question was asked: what is reached is unknown."""
    return [
        {"section": section, "passages": len(passages), "reached": None, "counts": []}
        for section, passages in base.sections.items()
    ]


def _needle(needle: Needle) -> dict[str, Any]:
    return {**asdict(needle), "fact": needle.fact}


def _finding(finding: Finding, words: Words) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "passages": list(finding.passages),
        "text": words.say(finding.say),
        "severity": finding.severity,
    }


def _notices(report: Report) -> tuple[Say, ...]:
    return (*report.notices, *(report.needles.notices if report.needles else ()))


def lines(report: Report, words: Words) -> Iterator[str]:
    """The report for a terminal: what is wrong first, then what questions reach, then the needles."""
    base = report.base
    yield words("cli.base", title=base.title, passages=len(base.passages), version=base.version)
    yield from _of_findings(report, words)
    if report.reach:
        yield from _of_reach(report.reach, base, words)
    if report.needles:
        yield from _of_needles(report.needles, base, words)


def _of_findings(report: Report, words: Words) -> Iterator[str]:
    yield ""
    if not report.findings:
        yield words("coverage.healthy")
    for severity in ("error", "warning", "notice"):
        yield from _of_severity([each for each in report.findings if each.severity == severity], severity, words)
    for kind, count in (report.pairs.left or {}).items():
        if count:
            yield f"  {words(f'coverage.left.{kind}', count=count)}"
    if report.base.passages:
        yield words("coverage.compared", count=report.pairs.compared)


def _of_severity(found: Sequence[Finding], severity: Severity, words: Words) -> Iterator[str]:
    for kind in dict.fromkeys(finding.kind for finding in found):
        alike = [finding for finding in found if finding.kind == kind]
        yield f"{words(f'coverage.severity.{severity}')} · {words(f'coverage.kind.{kind}')} ({len(alike)})"
        yield from (f"  {words.say(finding.say)}" for finding in alike[:SHOWN])
        if len(alike) > SHOWN:
            yield f"  {words('coverage.more', count=len(alike) - SHOWN)}"


def _of_reach(found: Reach, base: KnowledgeBase, words: Words) -> Iterator[str]:
    rows = found.rows(base)
    reached = sum(row.reached for row in rows)
    yield ""
    yield words("coverage.reach", asked=found.asked, total=found.total, reached=reached, passages=len(base.passages))
    for row in rows if len(rows) <= 2 * SHOWN else ():
        counts = {mode: sum((p.counts[mode] for p in row.passages), Counts()).given for mode in found.modes}
        given = [f"{words.mode(mode)} {count}" for mode, count in counts.items()]
        values = {"section": row.section, "reached": row.reached, "passages": len(row.passages), "given": given}
        yield f"  {words('coverage.section', **values)}"
    unreached = found.unreached(base)
    yield from _listed("coverage.unreached", [f"{passage.id}  {_short(passage.text)}" for passage in unreached], words)
    yield from missed.lines(found, SHOWN, words)
    yield from _listed("coverage.barren", [f"{barren.id}  {barren.question}" for barren in found.empty], words)
    for mode, (count, why) in found.failures.items():
        yield words("coverage.failures", mode=words.mode(mode), count=count, reason=words.say(why))


def _of_needles(found: Needles, base: KnowledgeBase, words: Words) -> Iterator[str]:
    if found.needles:
        yield ""
        lost = sum(bool(needle.lost) for needle in found.needles)
        yield words("coverage.needles", count=len(found.needles), lost=lost)
    for needle in sorted(found.needles, key=lambda needle: -len(needle.lost))[:SHOWN]:
        ranks = "  ".join(f"{words.mode(mode)} {_place(needle, mode)}" for mode in needle.ranks)
        yield f"  {needle.passage_id} · {needle.question} ({needle.fact})"
        yield f"      {words(f'coverage.source.{needle.source}')} · {ranks}"
    if len(found.needles) > SHOWN:
        yield f"  {words('coverage.more', count=len(found.needles) - SHOWN)}"
    if found.left:
        yield words("coverage.needles_left", count=found.left)
    for code, ids in (("needles_unasked", found.unasked), ("needles_without", found.without)):
        yield from _listed(f"coverage.{code}", [f"{id}  {_short(base.passage(id).text)}" for id in ids], words)


def _place(needle: Needle, mode: str) -> str:
    """The rank of a passage in a mode, marked where the writer did not get it or the answer lacks the fact."""
    rank = needle.ranks[mode]
    mark = "✗" if not needle.given.get(mode) else "~" if needle.stated.get(mode) is False else "✓"
    return f"{'—' if rank is None else rank}{mark}"


def _listed(code: str, items: Sequence[str], words: Words) -> Iterator[str]:
    if items:
        yield words(code, count=len(items))
        yield from (f"  {item}" for item in items[:SHOWN])
        if len(items) > SHOWN:
            yield f"  {words('coverage.more', count=len(items) - SHOWN)}"


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _QUOTED else f"{plain[:_QUOTED]}…"
