"""The models that the settings name, at their endpoints: what a session of the app, or one command, works with.

Connections are opened once and reused; what a model is asked in one run is bound to that run: it hears its stop and is
paid from its purse.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from core.endpoints import Endpoint
from core.errors import UsageError
from core.llm.chat import ProviderChat
from core.llm.embedding_api import ProviderEmbedder
from core.llm.wire import Connection
from core.ports import Chat, Embedder, Purse, never
from core.settings import ROLES, Settings


class Models:
    """The models of one settings; safe to share between threads.

    Raises `UsageError` where a role names no endpoint that there is, or no model.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._connections: dict[str, Connection] = {}
        for role in ("writer", *ROLES):  # the writer first: an unset planner follows it
            if not settings.roles[role].offline:
                self.named(role)

    def named(self, role: str) -> tuple[Endpoint, str]:
        """The endpoint and the model that a role names; raises `UsageError`."""
        endpoint, model = self._settings.named(role)
        if endpoint is None:
            name = self._settings.roles[role].model.partition(":")[0]
            raise UsageError("endpoint.unknown", name=name, known=list(self._settings.endpoints))
        if not model:
            raise UsageError("endpoint.no_model", name=endpoint.name)
        return endpoint, model

    def _connection(self, endpoint: Endpoint) -> Connection:
        with self._lock:
            if endpoint.name not in self._connections:
                self._connections[endpoint.name] = Connection(endpoint, self._settings.idle)
            return self._connections[endpoint.name]

    def chat(self, role: str, stopped: Callable[[], bool] = never, purse: Purse | None = None) -> Chat:
        """The chat model of a role that is not offline."""
        endpoint, model = self.named(role)
        return ProviderChat(self._connection(endpoint), model, self._settings.roles[role], stopped, purse)

    def embedder(self, stopped: Callable[[], bool] = never, purse: Purse | None = None) -> Embedder:
        """The embedding model of a role that is not offline; raises `EmbeddingError` for a length it does not have."""
        endpoint, model = self.named("embeddings")
        return ProviderEmbedder(self._connection(endpoint), endpoint, model, stopped=stopped, purse=purse)

    def warm(self) -> None:
        """Load what the first call would else wait for; what fails here fails, and is told, in that call."""
        for role in self._settings.roles:
            if not self._settings.roles[role].offline:
                self._connection(self.named(role)[0]).warm()
