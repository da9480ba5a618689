"""Embeddings by a provider: requests of a bounded size, answers matched by index and checked before they are used.

A text that is longer than the endpoint takes is embedded in pieces, cut where a line or a sentence ends, and stands as
the mean of its pieces weighted by their lengths. All that fails is told as `embeddings.failed` with its `reason`, a
code with values, as plain values so that a record can keep it.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from core.domain import Usage
from core.endpoints import Endpoint
from core.errors import EmbeddingError, ModelError, StoppedError, TooLongError
from core.knowledge.splitting import cuts
from core.llm.assembling import MOST
from core.llm.failures import from_event
from core.llm.wire import LONG_PATIENCE, PATIENCE, Connection
from core.ports import Embedding, Purse, Scale, never

Rows = npt.NDArray[np.float64]

BATCH = 64
"""Texts in one request: embedding-3's own limit; a server that takes fewer is configured so."""
LONGEST: Mapping[str, int] = {"zhipu": 3_000, "openai": 6_000}
"""Characters of one text. embedding-3 takes 3,072 tokens, and a Chinese character is at most about one; the openai
family's common limit is 8,192 tokens, which leaves room for what their tokenisers cut finer."""
DIMENSIONS: Mapping[str, tuple[int, ...]] = {"embedding-3": (256, 512, 1024, 2048)}
"""Lengths of a vector that a model can be asked for, where only certain ones are."""
DEFAULT_DIMENSION: Mapping[str, int] = {"embedding-3": 1024}

WIDE = Scale(near=0.08, least=0.3, close=0.6, apart=0.05, under=0.03, spread=0.15)
"""For models whose cosines were not measured here, and careful therefore. Models of today spread a base three or four
times as far as E5 does, so the distances are as much longer; unrelated texts mostly stand below `least`, and only what
is plainly on the matter reaches `close`. Not tuned on anything."""

_INVISIBLE = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Fillers that count as letters and symbols, yet show nothing."""


class ProviderEmbedder:
    """One model of one endpoint; safe to share between threads.

    `dimension` is what is asked for: of embedding-3 1,024 unless given, of others the endpoint's setting, else nothing
    is asked and the first answer tells (0 until then). `stopped` ends a wait, `purse` is billed before each request.
    Raises `EmbeddingError` for a length that the model does not have.
    """

    free = False
    scale = WIDE

    def __init__(
        self,
        connection: Connection,
        endpoint: Endpoint,
        model: str,
        dimension: int | None = None,
        stopped: Callable[[], bool] = never,
        purse: Purse | None = None,
    ) -> None:
        self._connection = connection
        self._endpoint = endpoint
        self._model = model
        self._asked = _dimension_to_ask(model, dimension or endpoint.dimension)
        self._stopped = stopped
        self._purse = purse
        self._lock = threading.Lock()
        self.id = f"{endpoint.name}:{model}"
        self.dimension = self._asked or 0
        self.batch = endpoint.batch or BATCH
        self.longest = endpoint.longest or LONGEST[endpoint.family]
        self.space = _space(endpoint, model, self._asked, self.longest)

    def query(self, text: str) -> Embedding:
        """Embed a question, shape `(dimension,)`; zeros for a blank one."""
        found = self.passages([text])
        return Embedding(found.vectors[0], found.tokens, found.split)

    def passages(self, texts: Sequence[str], *, background: bool = False) -> Embedding:
        """Embed texts as they are, shape `(n, dimension)`; a blank one is not sent and gets zeros."""
        readable = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        places = [at for at, text in enumerate(readable) if not blank(text)]
        told = [readable[at] for at in places]
        found = self._embedded(told, LONG_PATIENCE if background else PATIENCE) if told else None
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        if found is None:
            return Embedding(vectors)
        vectors[places] = found.vectors
        return Embedding(vectors, found.tokens, found.split)

    def _embedded(self, texts: Sequence[str], patience: float) -> Embedding:
        """Embed in pieces of the longest size, once more in halves of it where the server still finds them too long."""
        try:
            try:
                return self._in_pieces(texts, self.longest, patience)
            except ModelError as refused:
                half = self.longest // 2
                # not every server says that it is the length that it refuses
                may_help = isinstance(refused, TooLongError) or refused.say.code == "model.refused"
                if not may_help or not 0 < half < max(map(len, texts)):
                    raise
                return self._in_pieces(texts, half, patience)
        except ModelError as failed:
            reason = failed.say.as_value()
            place, model = self._endpoint.name, self._model
            raise EmbeddingError("embeddings.failed", endpoint=place, model=model, reason=reason) from failed

    def _in_pieces(self, texts: Sequence[str], longest: int, patience: float) -> Embedding:
        """Embed texts in pieces of at most `longest` characters, each text the mean of its own, weighted by length."""
        cut = [_pieces(text, longest) for text in texts]
        pieces = [piece for own in cut for piece in own]
        answers = [self._ask(pieces[at : at + self.batch], patience) for at in range(0, len(pieces), self.batch)]
        weights = np.array([len(piece) for piece in pieces], dtype=np.float64)
        weighted = np.concatenate([rows for rows, _ in answers]) * weights[:, None]
        counts = np.array([len(own) for own in cut])
        pooled = _unit(np.add.reduceat(weighted, np.cumsum(counts) - counts))
        told = [tokens for _, tokens in answers if tokens is not None]
        total = sum(told) if len(told) == len(answers) else None
        return Embedding(pooled.astype(np.float32), total, int((counts > 1).sum()))

    def _ask(self, pieces: Sequence[str], patience: float) -> tuple[Rows, int | None]:
        """One request: unit rows in the order of `pieces`, and the tokens that the provider counted."""
        body: dict[str, Any] = {"model": self._model, "input": list(pieces)}
        if self._asked:
            body["dimensions"] = self._asked
        guess = sum(map(len, pieces))
        bill = self._purse.bill(self.id, guess, 0) if self._purse else None
        usage, spent = None, 0
        try:
            answer = self._connection.embed(body, self._stopped, patience)
            if answer.get("error"):
                raise from_event(answer["error"]).error(self._endpoint)
            usage, spent = _usage(answer), guess
        except StoppedError:
            spent = guess
            raise
        except ModelError as failed:
            usage = failed.usage
            raise
        finally:
            if bill:
                bill.pay(usage, spent)
        return self._checked(_in_order(answer, len(pieces))), usage.embedding if usage else None

    def _checked(self, found: Sequence[Any]) -> Rows:
        """Rows of one length, all numbers finite, made of length 1; the first answer tells the length where none is."""
        lengths = {len(values) if isinstance(values, Sequence) else 0 for values in found}
        with self._lock:
            expected = self.dimension or max(lengths)
            if lengths != {expected} or not expected:
                raise EmbeddingError("embeddings.length", found=sorted(lengths), expected=expected)
            try:
                rows = np.array(found, dtype=np.float64)
            except (TypeError, ValueError) as odd:
                raise EmbeddingError("embeddings.numbers") from odd
            if rows.shape != (len(found), expected) or not np.isfinite(rows).all():
                raise EmbeddingError("embeddings.numbers")
            self.dimension = expected
        return _unit(rows)


def blank(text: str) -> bool:
    """Whether nothing of `text` shows: only spaces, control and format characters, fillers."""
    return not any(
        not character.isspace() and unicodedata.category(character) not in ("Cc", "Cf") and character not in _INVISIBLE
        for character in text
    )


def _pieces(text: str, longest: int) -> list[str]:
    """`text` cut where lines, sentences or clauses end, without pieces in which nothing shows."""
    return [text[a:b] for a, b in cuts(text, longest) if not blank(text[a:b])]


def _dimension_to_ask(model: str, wanted: int | None) -> int | None:
    """The length to ask for, `None` where the model's own is taken: other servers refuse the parameter."""
    name = model.lower()
    known = DIMENSIONS.get(name)
    if known and wanted is not None and wanted not in known:
        raise EmbeddingError("embeddings.dimension", model=model, dimension=wanted, known=list(known))
    return wanted or DEFAULT_DIMENSION.get(name)


def _space(endpoint: Endpoint, model: str, dimension: int | None, longest: int) -> str:
    """Where and how vectors are made, without a user or key that an address might hold."""
    address = urlsplit(endpoint.url)
    place = f"{address.netloc.rpartition('@')[2].lower()}{address.path.rstrip('/')}"
    return f"{endpoint.family}/{place}/{model}/{dimension or 'own'}/mean-{longest}"


def _usage(answer: Mapping[str, Any]) -> Usage | None:
    """The tokens that an answer tells."""
    told = answer.get("usage")
    counts = [told.get(name) for name in ("prompt_tokens", "total_tokens")] if isinstance(told, Mapping) else []
    known = next((count for count in counts if isinstance(count, int) and 0 < count <= MOST), None)
    return None if known is None else Usage(embedding=known)


def _in_order(answer: Mapping[str, Any], count: int) -> list[Any]:
    """The vectors of an answer by their `index`; by position only where a server gives no index at all."""
    data = answer.get("data")
    items = [item for item in data if isinstance(item, Mapping)] if isinstance(data, Sequence) else []
    if len(items) != count:
        raise EmbeddingError("embeddings.count", found=len(items), expected=count)
    indexes = [item.get("index") for item in items]
    vectors = [item.get("embedding") for item in items]
    if all(index is None for index in indexes):
        return vectors
    whole = all(isinstance(index, int) for index in indexes)
    if not whole or set(indexes) != set(range(count)):
        raise EmbeddingError("embeddings.index", found=[str(index)[:20] for index in indexes], expected=count)
    return [vectors[indexes.index(at)] for at in range(count)]


def _unit(rows: Rows) -> Rows:
    """Rows of length 1; those of zeros stay so."""
    peaks = np.abs(rows).max(axis=1, keepdims=True)  # taken out first, so that no square overflows
    scaled = rows / np.where(peaks > 0, peaks, 1.0)
    norms = np.linalg.norm(scaled, axis=1, keepdims=True)
    return np.asarray(scaled / np.where(norms > 0, norms, 1.0))
