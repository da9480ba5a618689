"""Embeddings that need no model: the same text has the same vector, and texts sharing characters are nearer."""

from __future__ import annotations

import base64
import math
import random
import struct
import zlib
from dataclasses import dataclass
from typing import Any

from .replies import Failed, Request, error
from .wire import count_tokens

DIMENSION = 8
OWN_LENGTH = 0.5


@dataclass(frozen=True, slots=True)
class Limits:
    """What a request may hold at most; None is no limit."""

    most_texts: int | None = None
    most_characters: int | None = None

    def refusal(self, request: Request) -> Failed | None:
        """The error for a request that holds nothing, a blank text or too much."""
        texts = request.texts
        if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
            return error(request, 400, "input must not be empty or blank", "1214")
        if self.most_texts is not None and len(texts) > self.most_texts:
            return error(request, 400, f"at most {self.most_texts} texts in one request, got {len(texts)}", "1214")
        longest = max(len(text) for text in texts)
        if self.most_characters is not None and longest > self.most_characters:
            return error(request, 400, f"a text of {longest} characters, at most {self.most_characters}", "1210")
        return None


def vector_of(text: str, dimension: int = DIMENSION) -> list[float]:
    """A vector of length 1: a signed bag of the text's characters, and a smaller part of the text's own."""
    own = random.Random(_hash(text))
    spread = OWN_LENGTH / math.sqrt(dimension)
    values = [own.gauss(0.0, spread) for _ in range(dimension)]
    for character in text.lower():
        place = _hash(character)
        values[place % dimension] += 1.0 if place & 0x10000 else -1.0
    length = math.hypot(*values) or 1.0
    return [value / length for value in values]


def embeddings(request: Request, dimension: int) -> dict[str, Any]:
    """The document that answers a request, its vectors as numbers or in base64 as was asked."""
    size = int(request.body.get("dimensions") or dimension)
    packed = request.body.get("encoding_format") == "base64"
    vectors = [vector_of(text, size) for text in request.texts]
    data = [
        {"object": "embedding", "index": index, "embedding": _packed(vector) if packed else vector}
        for index, vector in enumerate(vectors)
    ]
    tokens = sum(count_tokens(text) for text in request.texts)
    usage = {"prompt_tokens": tokens, "completion_tokens": 0, "total_tokens": tokens}
    return {"object": "list", "model": request.model, "data": data, "usage": usage}


def _hash(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def _packed(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode("ascii")
