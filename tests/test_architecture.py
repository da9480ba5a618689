"""The house: imports run one way, only the command line prints, and core knows no base by heart."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from core.knowledge.sentences import content

ROOT = Path(__file__).resolve().parents[1]
CORE = sorted((ROOT / "core").rglob("*.py"))
GENERIC = frozenset(
    "总则 附则 案例 申请 规则 部分 文件 记录 原因 情况 内容 方式 数量 时间 "
    "单位 编号 说明 检索 证据 证明 引用 依据 原文 要求".split()
)
"""Words of a base that any engine for questions may need too."""


def module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module(path): ast.parse(path.read_text(encoding="utf-8")) for path in CORE}


def imported(tree: ast.AST) -> set[str]:
    """Full names of what a module imports; of `from a import b` both `a` and, where it is a module, `a.b`."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            full = {f"{node.module}.{alias.name}" for alias in node.names} & set(MODULES)
            found |= full or {str(node.module)}
    return found


def layers() -> list[list[str]]:
    """The layers of `pyproject.toml`, from the bottom up."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    contract = next(contract for contract in table["contracts"] if contract["type"] == "layers")
    return [[name.strip() for name in layer.split("|")] for layer in reversed(contract["layers"])]


def layer_of(name: str) -> int | None:
    heights = {package: height for height, packages in enumerate(layers()) for package in packages}
    parts = name.split(".")
    return next((heights[head] for n in range(len(parts), 0, -1) if (head := ".".join(parts[:n])) in heights), None)


def package(name: str) -> str:
    return ".".join(name.split(".")[:2])


@pytest.mark.parametrize("name", MODULES)
def test_core_never_imports_what_draws(name):
    heads = {target.split(".")[0] for target in imported(MODULES[name])}
    assert not heads & {"streamlit", "pages", "app", "plotly", "pandas"}


@pytest.mark.parametrize("name", MODULES)
def test_imports_run_one_way(name):
    own = layer_of(name)
    for target in imported(MODULES[name]):
        other = layer_of(target)
        if own is not None and other is not None and package(target) != package(name):
            assert other < own, f"{name} imports {target}"


def test_every_layer_that_is_named_exists():
    assert not {name for layer in layers() for name in layer} - set(MODULES)


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("core.modes.")])
def test_modes_never_import_each_other(name):
    assert not {target for target in imported(MODULES[name]) if target.startswith("core.modes.")}


def test_models_and_retrieval_never_meet():
    for here, there in (("core.llm", "core.retrieval"), ("core.retrieval", "core.llm")):
        for name, tree in MODULES.items():
            assert not name.startswith(here) or not {t for t in imported(tree) if t.startswith(there)}, name


def test_only_the_command_line_prints():
    prints = {
        name
        for name, tree in MODULES.items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.Name) and node.id == "print")
        or (isinstance(node, ast.Attribute) and node.attr == "stdout")
    }
    assert {package(name) for name in prints} == {"core.cli"}


def test_no_mode_is_known_by_its_name_outside_its_file():
    for name, tree in MODULES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare) and not name.startswith("core.modes."):
                known = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)} & {"rerank", "agentic"}
                assert not known, f"{name}:{node.lineno}"


def test_core_knows_no_word_of_the_bundled_base(bench):
    tokeniser = bench.retriever.tokeniser
    frequency = Counter(term for p in bench.base.passages for term in content(tokeniser, p.indexed))
    nouns = {term for term, n in frequency.items() if n >= 5 and re.fullmatch("[\u4e00-\u9fff]{2,}", term)} - GENERIC
    assert {"电梯", "物业", "业主", "装修", "监控"} <= nouns
    found = {
        (module(path), term)
        for path in CORE
        for term in nouns & set(tokeniser.tokens(path.read_text(encoding="utf-8")))
    }
    assert found == set()
