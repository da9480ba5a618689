"""What all tests share: one data folder, vectors that are computed once, and the engine over real bases."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from core.bench import Bench, open_bench, prepare
from core.environment import load
from core.knowledge.shelf import load_folder
from core.settings import Settings
from tests.loopback import Loopback

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "tests" / "cases"

OpenBase = Callable[..., Bench]


@pytest.fixture(scope="session", autouse=True)
def bare_environment() -> Iterator[None]:
    """No setting or key of whoever runs the tests is ever used by them."""
    with pytest.MonkeyPatch.context() as environment:
        for name in [name for name in os.environ if name.startswith(("WORKBENCH_", "OPENAI_", "ZHIPUAI_"))]:
            environment.delenv(name)
        yield


@pytest.fixture(scope="session")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the whole session; no test may break what lies in it."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache of a data folder with the vectors of the bundled base and its words, made once for all processes."""
    temporary = tmp_path_factory.getbasetemp()
    home = (temporary.parent if "PYTEST_XDIST_WORKER" in os.environ else temporary) / "vectors"
    with FileLock(f"{home}.lock"):
        bench = open_bench(Settings(home=home), "elevator")
        for fill in (bench.fill, bench.fill_words):
            for _ in fill():
                pass
    return home / "cache"


@pytest.fixture(scope="session")
def bench(shared_home: Path) -> Bench:
    """The bench on the bundled base."""
    return open_bench(Settings(home=shared_home), "elevator")


@pytest.fixture(scope="session")
def open_base(shared_home: Path, tmp_path_factory: pytest.TempPathFactory) -> OpenBase:
    """Opens a base of the texts given, by file name."""

    def opened(settings: Settings | None = None, /, **documents: str) -> Bench:
        folder = tmp_path_factory.mktemp("base")
        (folder / "sections").mkdir()
        (folder / "kb.toml").write_text('title = "小库"\nlanguage = "zh"\n', encoding="utf-8")
        for name, text in documents.items():
            (folder / "sections" / f"{name}.md").write_text(text, encoding="utf-8")
        return prepare(settings or Settings(home=shared_home), load_folder(folder))

    return opened


@pytest.fixture
def undisturbed() -> Iterator[None]:
    """Nothing that other tests left is finalised meanwhile: it could not be where recursion is at its limit."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def server() -> Iterator[Loopback]:
    """A model server on this machine."""
    with Loopback() as running:
        yield running


@pytest.fixture
def at_server(server: Loopback, tmp_path: Path) -> Callable[..., Settings]:
    """Settings with planning and writing done by models at the server, over a data folder of the test's own."""

    def given(**variables: object) -> Settings:
        environment = {
            "WORKBENCH_HOME": str(tmp_path),
            "OPENAI_BASE_URL": server.url,
            "OPENAI_API_KEY": "sk-loopback-1234",
            "ZHIPUAI_BASE_URL": server.zhipu_url,
            "ZHIPUAI_API_KEY": "id.loopback-1234",
            "WORKBENCH_WRITER": "openai:writer",
            "WORKBENCH_PLANNER": "openai:planner",
            "WORKBENCH_IDLE_TIMEOUT": "5",
        }
        return load(environment | {name: str(value) for name, value in variables.items()})

    return given


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What a test wrote reaches the other process also where it holds what no encoding can say."""
    report = yield
    report.sections = [(name, text.encode("utf-8", "backslashreplace").decode()) for name, text in report.sections]
    return report
