"""One endpoint as the engine speaks to it: retries where they help, a limit of silence, and a stop that is heard."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import tenacity

from core.endpoints import Endpoint
from core.errors import ModelError
from core.llm.failures import Failure, from_exception
from core.llm.pump import Pump, Silent, pause, wait_for
from core.llm.sdk import Sdk, Stream, connect, plain
from core.ports import never

log = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE, LONG_PATIENCE = 20.0, 60.0
"""Seconds over which a failed call is tried again: where somebody waits, and where nobody does."""
ATTEMPTS, REFUSALS = 6, 3
"""Times that a call is made where somebody waits: at all, and of an address that nobody answers at."""
FIRST_WAIT, LONGEST_WAIT = 0.5, 8.0
"""Seconds before the first retry, doubled each time up to the longest, with jitter; `Retry-After` goes before both."""

MARGIN = 5.0
"""Seconds that an SDK waits longer than its reader here, who then ends the call."""


class Connection:
    """Calls of one endpoint; safe to share between threads. It is made once, so that its connections are reused.

    `idle` is how many seconds the endpoint may be silent. What is found out about it while it is used is noted in
    `learned`, by model and feature.
    """

    def __init__(self, endpoint: Endpoint, idle: float) -> None:
        self.endpoint = endpoint
        self.learned: dict[tuple[str, str], str] = {}
        self.idle = idle
        self._lock = threading.Lock()
        self._sdk: Sdk | None = None

    def open(self) -> Sdk:
        """The SDK, made at the first call; raises `ModelError` where it cannot be."""
        with self._lock:
            if self._sdk is None:
                self._sdk = connect(self.endpoint, self.idle + MARGIN)
            return self._sdk

    def warm(self) -> None:
        """Make the SDK ahead of the first call, which is told of a failure, not this one."""
        try:
            self.open()
        except ModelError as refused:
            log.info("endpoint %s cannot be used yet: %s", self.endpoint.name, refused)

    def chat(
        self, body: Mapping[str, Any], stopped: Callable[[], bool] = never, patience: float = PATIENCE
    ) -> Iterator[dict[str, Any]]:
        """Chat chunks as plain values, tried again while nothing has come.

        Raises `Failure`, `StoppedError`, or `ModelError` where the endpoint cannot be called at all.
        """
        sdk = self.open()

        def begin() -> tuple[Iterator[dict[str, Any]], dict[str, Any] | None]:
            chunks = self._chunks(sdk, body, stopped)
            return chunks, next(chunks, None)

        chunks, first = self._patiently(begin, stopped, patience)
        if first is not None:
            yield first
            yield from chunks

    def _chunks(self, sdk: Sdk, body: Mapping[str, Any], stopped: Callable[[], bool]) -> Iterator[dict[str, Any]]:
        stream = Stream(sdk, body)
        try:
            yield from Pump(stream.chunks, stopped, self.idle, stream.abort)
        except Silent as silent:
            raise Failure("silent", words=f"{self.idle:.3g}") from silent

    def embed(
        self, body: Mapping[str, Any], stopped: Callable[[], bool] = never, patience: float = PATIENCE
    ) -> dict[str, Any]:
        """The answer to an embedding request as plain values; raises `ModelError` or `StoppedError`."""
        sdk = self.open()

        def call() -> dict[str, Any]:
            try:
                return plain(sdk.embed(body))
            except Exception as raised:
                raise from_exception(raised) from raised

        def ask() -> dict[str, Any]:
            try:
                return wait_for(call, stopped, self.idle)
            except Silent as silent:
                raise Failure("silent", words=f"{self.idle:.3g}") from silent

        try:
            return self._patiently(ask, stopped, patience)
        except Failure as failed:
            raise failed.error(self.endpoint) from None  # what failed holds the key if the server echoed it

    def _patiently(self, call: Callable[[], T], stopped: Callable[[], bool], patience: float) -> T:
        """Call again while the failure may pass, waiting as long as the server asks, else ever longer."""
        backoff = tenacity.wait_exponential(FIRST_WAIT, LONGEST_WAIT) + tenacity.wait_random(0, FIRST_WAIT)

        def wait(state: tenacity.RetryCallState) -> float:
            failed = state.outcome.exception() if state.outcome else None
            asked = failed.wait if isinstance(failed, Failure) else None
            return backoff(state) if asked is None else asked

        too_late = tenacity.stop_before_delay(patience)

        def over(state: tenacity.RetryCallState) -> bool:
            failed = state.outcome.exception() if state.outcome else None
            nobody = isinstance(failed, Failure) and failed.kind == "unreachable"
            return patience <= PATIENCE and state.attempt_number >= (REFUSALS if nobody else ATTEMPTS)

        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda raised: isinstance(raised, Failure) and raised.passes),
            stop=lambda state: too_late(state) or over(state),
            wait=wait,
            sleep=lambda seconds: pause(seconds, stopped),
            reraise=True,
        )
        result: T = retrying(call)
        return result
