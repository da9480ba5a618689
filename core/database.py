"""Opening an SQLite file the way the data folder needs: WAL where it can be written, read-only where it cannot."""

from __future__ import annotations

import sqlite3
from pathlib import Path

PATIENCE = 10.0
"""Seconds to wait for another process's write."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection in autocommit mode; raises `sqlite3.Error`."""
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """As `connect`; where the folder cannot be written the file is opened as it lies, so that it stays readable.

    Raises `sqlite3.Error`.
    """
    try:
        return connect(path)
    except sqlite3.OperationalError:
        if not path.is_file():
            raise
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
