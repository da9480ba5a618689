"""The app as a process of its own, on a port of its own; where it does not start, its log says why."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT

PATIENCE = 60.0
"""Seconds an app is given to answer."""
LAST = 4_000
"""Characters of a log that stand in a failure's message."""
FAULT = "Traceback (most recent call last)"


class NotServing(RuntimeError):
    """The app did not answer; the message ends with its log."""


def free_port():
    """A port that is free now; someone else may still be quicker."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def serve(home, port, log=None, **variables):
    """Start the app over a data folder; returns the process once it answers, raises `NotServing` where it does not.

    It finds no secrets file, whatever lies in the checkout or the home of who runs the tests.
    """
    log = Path(log or Path(home) / f"serving-{port}.log")
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    command += ["--server.headless", "1", "--secrets.files", str(log.with_suffix(".toml"))]
    environment = {**os.environ, "WORKBENCH_HOME": str(home), **variables}
    with log.open("wb") as written:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=written, stderr=subprocess.STDOUT)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        if _answers(port):
            if process.poll() is None:
                return process
            break  # another's app answered at this port
        time.sleep(0.05)
    process.kill()
    process.wait(10)
    raise NotServing(f"the app does not answer at port {port}\n{told(log)}")


def _answers(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1):
            return True
    except (urllib.error.URLError, OSError):
        return False


def told(log):
    """The end of a log."""
    return f"{log} ends with:\n{Path(log).read_text(encoding='utf-8', errors='replace')[-LAST:]}"


@dataclass
class App:
    """A running app: where it answers, its data folder, its log."""

    address: str
    home: Path
    log: Path
    process: subprocess.Popen

    @classmethod
    def start(cls, home, **variables):
        """Start one on a free port, trying another where someone took it in between."""
        for attempt in range(3):
            port = free_port()
            log = Path(home) / f"serving-{port}.log"
            try:
                return cls(f"http://localhost:{port}", Path(home), log, serve(home, port, log, **variables))
            except NotServing as failed:
                if attempt == 2 or "already in use" not in str(failed):
                    raise
        raise AssertionError("unreachable")

    def stop(self):
        """End it, at once where it does not listen."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)

    def written(self):
        """How long its log is, in bytes."""
        return self.log.stat().st_size

    def faults(self, since):
        """What the log tells of exceptions after so many bytes; empty where there are none."""
        text = self.log.read_bytes()[since:].decode("utf-8", "replace")
        return text[text.index(FAULT) :][:LAST] if FAULT in text else ""
