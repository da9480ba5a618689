"""What the command line says of importing is what it does."""

from __future__ import annotations

import pytest

from core.cli.parser import build


def test_no_base_is_named_as_the_usual_one_and_none_is_taken(capsys):
    with pytest.raises(SystemExit):
        build().parse_args(["import", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "must be given" in told and "elevator" not in told
    given = build().parse_args(["import", "政策.md"])
    assert given.kb is None and given.same is None
