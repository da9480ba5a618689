"""The text of one Word paragraph, run by run, and what hangs on it: notes, pictures, text boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from core.knowledge.formats.word_names import named
from core.knowledge.formats.word_styles import Styles

_VML = "{urn:schemas-microsoft-com:vml}"
_COMPATIBLE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart"
_BOX = named("w:txbxContent")
_PICTURES = (named("pic:pic"), f"{_VML}imagedata", _CHART, named("dgm:relIds"))
_DRAWN = ((_CHART, named("r:id")), (named("dgm:relIds"), named("r:dm")))

_DROPPED = frozenset(
    named(f"w:{name}")
    for name in "pPr rPr del moveFrom delText instrText delInstrText sdtPr sdtEndPr fldChar softHyphen".split()
)
_SIGNS = {0xF0FE: "☑", 0xF052: "☑", 0xF0FC: "✓", 0xF0FB: "✗", 0xF0A8: "☐", 0xF0A3: "☐", 0xF06F: "☐", 0xF0B7: "•"}
"""Signs of the symbol fonts whose private codes mean nothing without the font."""

_LOST = "\ufffd"


@dataclass(slots=True)
class Inline:
    """A paragraph: its text with marks of its notes, the notes' elements, words on pictures, text boxes within.

    `drawn` are the relations to parts that hold the words of diagrams and charts.
    """

    text: str = ""
    notes: list[tuple[str, Any]] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)


class Runs:
    """Reads paragraphs one after the other; notes are numbered through the document. `hidden` counts what is unseen."""

    def __init__(self, styles: Styles, notes: dict[tuple[str, str], Any], mark: str) -> None:
        self._styles = styles
        self._notes = notes
        self._mark = mark
        self._noted = 0
        self.hidden = 0
        self._tellers: dict[str, Callable[[Any, Inline], None]] = {
            named("w:r"): self._run,
            named("w:t"): self._text,
            named("w:tab"): lambda element, into: _add(into, "\t"),
            named("w:cr"): lambda element, into: _add(into, "\n"),
            named("w:br"): self._break,
            named("w:noBreakHyphen"): lambda element, into: _add(into, "\u2011"),
            named("w:sym"): self._sign,
            named("w:footnoteReference"): lambda element, into: self._note("footnote", element, into),
            named("w:endnoteReference"): lambda element, into: self._note("endnote", element, into),
            named("w:drawing"): self._drawing,
            named("w:pict"): self._drawing,
            named("w:object"): self._drawing,
            named("w:ruby"): self._ruby,
            named("m:t"): self._text,
            f"{_COMPATIBLE}AlternateContent": self._alternate,
        }

    def read(self, paragraph: Any) -> Inline:
        """What a paragraph shows: insertions are kept, deletions are not, hidden text is only counted."""
        into = Inline()
        self._walk(paragraph, into)
        return into

    def _walk(self, element: Any, into: Inline) -> None:
        for child in element:
            if teller := self._tellers.get(child.tag):
                teller(child, into)
            elif isinstance(child.tag, str) and child.tag not in _DROPPED:
                self._walk(child, into)

    def _run(self, run: Any, into: Inline) -> None:
        if self._styles.hides(run):
            self.hidden += sum(len(text.text or "") for text in run.iter(named("w:t")))
        else:
            self._walk(run, into)

    def _text(self, element: Any, into: Inline) -> None:
        _add(into, element.text or "")

    def _break(self, element: Any, into: Inline) -> None:
        if element.get(named("w:type")) not in ("page", "column"):
            _add(into, "\n")

    def _sign(self, element: Any, into: Inline) -> None:
        code = int(element.get(named("w:char")) or "0", 16)
        private = 0xE000 <= code <= 0xF8FF
        _add(into, _SIGNS.get(code) or (_LOST if private or not code else chr(code)))

    def _ruby(self, element: Any, into: Inline) -> None:
        for part, form in ((named("w:rubyBase"), "{}"), (named("w:rt"), "（{}）")):
            for found in element.iterchildren(part):
                inner = self.read(found)
                _add(into, form.format(inner.text))

    def _note(self, kind: str, element: Any, into: Inline) -> None:
        note = self._notes.get((kind, element.get(named("w:id")) or ""))
        if note is not None:
            self._noted += 1
            name = f"{self._mark}{self._noted}"
            _add(into, f"（{name}）" if self._mark == "注" else f" ({name})")
            into.notes.append((name, note))

    def _alternate(self, element: Any, into: Inline) -> None:
        """Of several forms of the same thing the first, else nothing would be told but twice."""
        for form in element:
            if isinstance(form.tag, str):
                self._walk(form, into)
                return

    def _drawing(self, element: Any, into: Inline) -> None:
        into.boxes += _outermost(element)
        if any(next(element.iter(tag), None) is not None for tag in _PICTURES):
            into.pictures.append(_alt(element))
        for tag, name in _DRAWN:
            into.drawn += [identifier for each in element.iter(tag) if (identifier := each.get(name))]


def _add(into: Inline, text: str) -> None:
    into.text += text


def _outermost(element: Any) -> Iterator[Any]:
    """The text boxes within, not those within them."""
    for child in element:
        if child.tag == _BOX:
            yield child
        elif child.tag != f"{_COMPATIBLE}Fallback":
            yield from _outermost(child)


def _alt(element: Any) -> str:
    for properties in element.iter(named("wp:docPr"), named("pic:cNvPr")):
        if said := properties.get("descr") or properties.get("title"):
            return str(said)
    return next((str(said) for shape in element.iter(f"{_VML}shape") if (said := shape.get("alt"))), "")
