"""An answer as Markdown: paragraphs, lists, bold, tables and code; everything else in it is shown literally."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.citations import Piece, pieces
from core.domain import Citation
from pages.parts.literal import inline, shown

_HELD = 0xF0000
"""Private code points that stand for a mark or a quote while the text around it is read."""
_HOLDER = re.compile("[\U000f0000-\U000ffffd]")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_ITEM = re.compile(r"([ \t]*)([-*+]|[0-9]{1,3}[.)])[ \t]+(?=\S)")
_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_SPAN = re.compile(r"(?P<ticks>`+)(?P<code>[^`\n]+)(?P=ticks)(?!`)|\*\*(?P<bold>(?=\S)[^\n]+?(?<=\S))\*\*")
_CELL = re.compile(r"(?<!\\)\|")


def markdown(answer: str, citations: Sequence[Citation], colour: str) -> str:
    """The answer with its marks in `colour`; a mark that points nowhere is red."""
    found = pieces(_HOLDER.sub("\ufffd", shown(answer)), citations)
    text = "".join(chr(_HELD + at) if piece.mark or piece.literal else piece.text for at, piece in enumerate(found))
    return _Writer(found, colour).blocks(text.split("\n"))


class _Writer:
    """Rebuilds an answer line by line from what is allowed in it."""

    def __init__(self, found: Sequence[Piece], colour: str) -> None:
        self._found = found
        self._colour = colour

    def blocks(self, lines: Sequence[str]) -> str:
        """Blocks are set apart by empty lines; lines of one paragraph by hard breaks."""
        out: list[str] = []
        at = 0
        kind = ""
        while at < len(lines):
            line = lines[at]
            if fence := _FENCE.match(line):
                block, at = self._code(lines, at, fence.group(1))
                now = "code"
            elif "|" in line and at + 1 < len(lines) and "|" in lines[at + 1] and _RULE.fullmatch(lines[at + 1]):
                block, at = self._table(lines, at)
                now = "table"
            elif item := _ITEM.match(line):
                block, at, now = self._item(line, item, kind == "item"), at + 1, "item"
            else:
                block, at, now = self._inline(line.strip()), at + 1, "text" if line.strip() else ""
            joint = "\\\n" if kind == now == "text" else "\n" if kind == now == "item" else "\n\n"
            out += [joint, block] if block and out else [block] if block else []
            kind = now
        return "".join(out)

    def _code(self, lines: Sequence[str], at: int, fence: str) -> tuple[str, int]:
        """A fenced block up to its end, without its language: one of them would be drawn instead of shown."""
        end = at + 1
        while end < len(lines) and not re.fullmatch(rf"[ \t]*{fence[0]}{{{len(fence)},}}[ \t]*", lines[end]):
            end += 1
        body = self._raw("\n".join(lines[at + 1 : end]))
        longest = max((len(run) for run in re.findall("~+", body)), default=0)
        wall = "~" * max(3, longest + 1)
        return f"{wall}\n{body}\n{wall}", end + 1

    def _table(self, lines: Sequence[str], at: int) -> tuple[str, int]:
        width = len(_cells(lines[at]))
        rows = [lines[at]]
        end = at + 2
        while end < len(lines) and "|" in lines[end]:
            rows.append(lines[end])
            end += 1
        drawn = [
            "|" + "|".join(self._inline(cell) or " " for cell in _fitted(_cells(row), width)) + "|" for row in rows
        ]
        return "\n".join([drawn[0], "|" + "---|" * width, *drawn[1:]]), end

    def _item(self, line: str, item: re.Match[str], follows: bool) -> str:
        indent = "    " if follows and len(item.group(1).expandtabs(4)) >= 2 else ""
        return f"{indent}{item.group(2)} {self._inline(line[item.end() :].strip())}"

    def _inline(self, text: str) -> str:
        out = []
        at = 0
        for span in _SPAN.finditer(text):
            out.append(self._plain(text[at : span.start()]))
            if span["bold"]:
                out.append(f"**{self._inline(span['bold'])}**")
            else:
                out.append(f"{span['ticks']}{self._raw(span['code'])}{span['ticks']}")
            at = span.end()
        return "".join([*out, self._plain(text[at:])])

    def _plain(self, text: str) -> str:
        """Literal text with the marks and quotes that stand in it."""
        out = []
        at = 0
        for holder in _HOLDER.finditer(text):
            out += [_kept(text[at : holder.start()]), self._held(holder.group())]
            at = holder.end()
        return "".join([*out, _kept(text[at:])])

    def _held(self, holder: str) -> str:
        piece = self._found[ord(holder) - _HELD]
        if piece.mark is None:
            return _kept(piece.text)
        points = any(citation.passage for citation in piece.citations)
        return f":{self._colour if points else 'red'}[{inline(piece.text)}]"

    def _raw(self, text: str) -> str:
        return _HOLDER.sub(lambda holder: self._found[ord(holder.group()) - _HELD].text, text)


def _kept(text: str) -> str:
    """Literal text that keeps a blank at either end."""
    middle = inline(text)
    if not middle:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{middle}{' ' if text[-1].isspace() else ''}"


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in _CELL.split(row.strip().removeprefix("|").removesuffix("|"))]


def _fitted(cells: list[str], width: int) -> list[str]:
    return (cells + [""] * width)[:width]
