"""What comes as files: recorded streams by name, scripts of an agent's turns, lists of failures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .replies import Failed, Said

CASES = Path(__file__).resolve().parents[1] / "cases"


def case_names() -> list[str]:
    """The names of the recorded streams."""
    return sorted(path.stem.removeprefix("sse_") for path in CASES.glob("sse_*.sse"))


def case_path(name: str) -> Path:
    """The file of a recorded stream, by its name with or without what all have in common.

    Raises:
        ValueError: No stream has that name.
    """
    bare = name.removesuffix(".sse").removeprefix("sse_")
    if bare not in case_names():
        raise ValueError(f"no case named {name}; there are: {', '.join(case_names())}")
    return CASES / f"sse_{bare}.sse"


def read_script(path: Path | str) -> list[Said]:
    """The turns of a script: `{"turns": [{"tool_calls": [[name, arguments as text], …]} or {"content": "…"}]}`."""
    turns = json.loads(Path(path).read_text(encoding="utf-8"))["turns"]
    return [_turn(turn) for turn in turns]


def read_failures(path: Path | str) -> list[Failed]:
    """The failures of a list: `[{"status": 429, "headers": {…}, "body": {…}}, …]`."""
    items = json.loads(Path(path).read_text(encoding="utf-8"))
    return [Failed(item["status"], item["body"], item.get("headers", {})) for item in items]


def _turn(turn: dict[str, Any]) -> Said:
    calls = tuple((name, arguments) for name, arguments in turn.get("tool_calls", ()))
    return Said(turn.get("content", ""), turn.get("reasoning", ""), calls)
