"""Bases made of passages, for tests of rankings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from core.bench import Bench, prepare
from core.domain import Passage
from core.knowledge.base import Facts, assemble
from core.settings import Settings

MadeBase = Callable[..., Bench]


@pytest.fixture(scope="session")
def made(shared_home: Path, tmp_path_factory: pytest.TempPathFactory) -> MadeBase:
    """Opens a base of passages given as (document, section, title, text) with or without metadata."""

    def opened(rows: Iterable[tuple], **settings: object) -> Bench:
        passages = []
        for order, (document, section, title, text, *more) in enumerate(rows):
            id = f"{document}#{title or order}"
            passages.append(Passage(id, document, section, title, text, order, metadata=more[0] if more else {}))
        base = assemble("made", tmp_path_factory.mktemp("made"), Facts(), passages, {})
        return prepare(Settings(home=shared_home, **settings), base)

    return opened
