"""What the tests of authoring share: a small base in a data folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.authoring.folder import files
from core.settings import BUNDLED

FILES = {
    "kb.toml": 'title = "小库"  # 给人看的名字\nlanguage = "zh"\n',
    "dictionary.txt": "轿厢 100 n\n",
    "passages.jsonl": '{"id": "01-总则#第一条", "disabled": true}\n',
    "questions/常问.csv": "question,gold\n谁付钱？,01-总则#第一条\n",
    "sections/01-总则.md": "# 总则\n\n第一条 本规则适用于本小区。\n",
    "sections/附录/02-费用.md": "# 费用\n\n第二条 费用由责任人承担。\n",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder of the test's own."""
    return tmp_path / "home"


@pytest.fixture
def base(home: Path) -> Path:
    """The folder of a base called `小库`, never edited."""
    return laid_out(home / "kb" / "小库")


def laid_out(folder: Path) -> Path:
    """The folder, with the files of the small base."""
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def copied(home: Path, name: str) -> Path:
    """An own base that is a copy of a bundled one; its folder."""
    return Path(shutil.copytree(BUNDLED / name, home / "kb" / "own"))


def contents(folder: Path) -> dict[str, bytes]:
    """The base's own files and what they hold."""
    return {path: file.read_bytes() for path, file in files(folder).items()}


def everything(folder: Path) -> set[str]:
    """All that lies in a folder, but its history."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    return {path for path in found if not path.startswith("history.")}
