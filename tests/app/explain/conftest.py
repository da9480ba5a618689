"""One data folder and one opening dispute a module, for all tests of Explain on the page."""

from functools import partial

import pytest

from tests.app.explaining import disputed, opened, settled


@pytest.fixture(scope="module")
def home(vectors, tmp_path_factory):
    yield from settled(vectors, tmp_path_factory.mktemp("explain"))


@pytest.fixture(scope="module")
def dispute(home):
    return disputed(home)


@pytest.fixture
def bench(dispute):
    return dispute[0]


@pytest.fixture
def opening(dispute):
    return dispute[1]


@pytest.fixture
def shown(home):
    return partial(opened, home)
