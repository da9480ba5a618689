"""The command line in this process, over the data folder that all tests share."""

import json
import os

import pytest

from core.cli import main


@pytest.fixture
def home(shared_home, monkeypatch):
    """No setting of the machine's own reaches a command."""
    for name in [name for name in os.environ if name.startswith("WORKBENCH_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("WORKBENCH_HOME", str(shared_home))
    return shared_home


@pytest.fixture
def command(home, capsys):
    """Runs a command: its exit code, standard output and standard error."""

    def run(*arguments):
        try:
            code = main(arguments)
        except SystemExit as ended:
            code = ended.code
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def document(command):
    """Runs a command with --json that must succeed; its one document."""

    def run(*arguments):
        code, out, err = command(*arguments, "--json")
        assert code == 0, err
        return json.loads(out)

    return run
