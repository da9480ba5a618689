"""The command line: the same engine without a browser, and the only part of core that writes to standard output.

Exit codes: 0 done; 1 all runs failed; 2 wrong use, said in one sentence; 3 a threshold or check was not met.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from core import logs, saved
from core.cli.output import complain
from core.cli.parser import build
from core.errors import WorkbenchError
from core.words import Words


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # closed by the caller (`>&-`)
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]  # text streams both
    logs.begin()
    parsed = build().parse_args(arguments)
    words = Words(parsed.lang or "zh")
    try:
        given = saved.in_force({**os.environ, **({"WORKBENCH_LANG": parsed.lang} if parsed.lang else {})})
        words = Words(given.language)
        if given.home_moved:
            complain(words("settings.home_moved", path=str(given.home)))
        code = int(parsed.command(parsed, given, words))
        sys.stdout.flush()
        return code
    except WorkbenchError as failed:
        complain(words.say(failed.say))
        return 2
    except KeyboardInterrupt:
        complain(words("stop.stopped"))
        return 130
    except BrokenPipeError:  # the reader (`| head`) has left: what is still buffered goes nowhere, without a complaint
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as refused:  # a full disk behind `>`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        complain(words("cli.unwritten", reason=str(refused)))
        return 1
