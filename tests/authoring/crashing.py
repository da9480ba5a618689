"""Run one operation on copies of a base, each time killed a step later: `crashing.py OPERATION TEMPLATE OUT`.

A step is a call that changes a file or the history; `OUT/<step>` is what each death left, the last what none did.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from core.authoring.history import History

CHANGES: dict[str, bytes | None] = {
    "kb.toml": b'title = "new"\n',
    "sections/01-总则.md": "# 总则\n\n第一条 新。\n".encode(),
    "sections/附录/02-费用.md": None,
    "sections/新/03.md": b"# 3\n",
}
OPERATIONS = {
    "save": lambda folder: History(folder).save(CHANGES, "甲", "改"),
    "recover": lambda folder: History(folder).notice_outside(),
}


STEPS = frozenset("replace unlink fsync mkdir rmdir".split())


def killed_at(step: int) -> None:
    """Have this process killed before its `step`-th step."""
    left = itertools.count(step, -1)

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        if event != "c_call" or not (argument.__name__ in STEPS or stated(frame, argument.__name__)):
            return
        if next(left) <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def stated(frame: FrameType, name: str) -> bool:
        """Whether a statement that writes is about to be run."""
        return name == "execute" and frame.f_code.co_name in ("transaction", "keep", "add", "settle")

    sys.setprofile(profile)


def main(operation: str, template: str, out: str) -> None:
    for step in itertools.count():
        folder = Path(out) / str(step)
        shutil.copytree(template, folder)
        child = os.fork()
        if child == 0:
            killed_at(step)
            OPERATIONS[operation](folder)
            os._exit(0)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
