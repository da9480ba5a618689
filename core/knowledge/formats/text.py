"""Plain text and Markdown: only the encoding is to be decided."""

from __future__ import annotations

from core.knowledge import reading
from core.knowledge.formats import Options


def read(data: bytes, file: str, options: Options) -> reading.Reading:
    """Decode a text. Raises BaseError as `core.knowledge.reading.read` does."""
    return reading.read(data, file, options.encoding)
