"""The whole map as a file that a spreadsheet opens."""

from __future__ import annotations

import csv
import io

from pages.parts.coverage.cells import STAGES
from pages.parts.coverage.view import View
from pages.parts.explain.sheet import safe


def csv_of(view: View) -> bytes:
    """A row for every passage, UTF-8 with a mark at its beginning; no text in it can act as a formula."""
    words, out = view.words, io.StringIO()
    writer = csv.writer(out)
    head = [words(f"ui.explain.file.{name}") for name in ("section", "id", "title")]
    stages = [words(f"ui.coverage.stage.{stage}") for stage in STAGES]
    counts = [f"{words.mode(mode)} · {stage}" for mode in view.modes for stage in stages]
    writer.writerow([safe(text) for text in (*head, words("ui.coverage.figure_reached"), *counts)])
    for row in view.rows.values():
        passage = row.passage
        texts = [safe(text) for text in (passage.section, passage.id, passage.title)]
        each = [getattr(row.counts[mode], stage) for mode in view.modes for stage in STAGES]
        writer.writerow([*texts, int(row.reached), *each])
    return out.getvalue().encode("utf-8-sig", errors="replace")
