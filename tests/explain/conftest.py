"""What the tests of core.explain share."""

import pytest


@pytest.fixture(scope="module")
def filled(bench):
    """The bundled base with all its vectors."""
    for _ in bench.fill():
        pass
    return bench
