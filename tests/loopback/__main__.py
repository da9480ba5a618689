"""The server by hand: `python -m tests.loopback --port 9100 --answer 七日内[1]。`, then the app is pointed at it."""

from __future__ import annotations

import argparse
import sys
import threading
from pathlib import Path

from .replies import Answer, Failed, Raw, Said, in_turn
from .server import Loopback
from .shipped import case_names, case_path, read_failures, read_script

HOW_TO = """Serving at {url} (OpenAI) and {zhipu_url} (Zhipu). Ctrl-C stops it.

In another window, as an OpenAI-compatible endpoint:
  export OPENAI_BASE_URL={url} OPENAI_API_KEY=sk-loopback
  export WORKBENCH_WRITER=openai:demo WORKBENCH_PLANNER=openai:demo WORKBENCH_EMBEDDINGS=openai:demo-embedding
or as Zhipu:
  export ZHIPUAI_BASE_URL={zhipu_url} ZHIPUAI_API_KEY=loop.back
  export WORKBENCH_WRITER=zhipu:glm-4.6 WORKBENCH_PLANNER=zhipu:glm-4.6 WORKBENCH_EMBEDDINGS=zhipu:embedding-3
then: python -m core ask "…" --json, or the app.
"""


def named_case(name: str) -> Path:
    """The file of a recorded stream."""
    try:
        return case_path(name)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def tell(line: str) -> None:
    """Says on standard error what came in."""
    sys.stderr.write(line + "\n")


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(prog="python -m tests.loopback", description=__doc__)
    made.add_argument("--port", type=int, default=0, help="a free one if left out")
    made.add_argument("--cases", action="store_true", help="list the recorded streams and end")
    made.add_argument("--answer", default="根据资料作答[1]。", help="the text to answer")
    made.add_argument("--reasoning", default="", help="the thinking to stream before it")
    made.add_argument("--first-delay", type=float, default=0.0, help="seconds before the first chunk")
    made.add_argument("--delay", type=float, default=0.0, help="seconds between chunks")
    made.add_argument("--script", type=Path, help="turns for requests with tools; the others get --answer")
    instead = made.add_mutually_exclusive_group()
    instead.add_argument("--sse", type=Path, help="replay this recorded stream instead")
    instead.add_argument("--case", type=named_case, metavar="NAME", help="replay a recorded stream of --cases instead")
    instead.add_argument("--status", metavar="CODE|FILE", help="fail so instead; a file's failures in turn")
    return made


def answer_of(options: argparse.Namespace) -> Answer:
    """What is answered to requests without a turn of the script."""
    recorded = options.sse or options.case
    if recorded:
        return Raw(recorded.read_bytes(), options.delay)
    if options.status and options.status.isdecimal():
        return Failed(int(options.status), {"error": {"message": "asked for by --status"}})
    if options.status:
        return in_turn(*read_failures(options.status))
    return Said(options.answer, options.reasoning, first_delay=options.first_delay, delay=options.delay)


def serve(options: argparse.Namespace) -> None:
    """Serves until Ctrl-C."""
    server = Loopback(options.port)
    server.on_line = tell
    server.always(answer_of(options))
    if options.script:
        server.always(in_turn(*read_script(options.script)), tools=True)
    with server:
        sys.stdout.write(HOW_TO.format(url=server.url, zhipu_url=server.zhipu_url))
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            sys.stdout.write("Stopped.\n")


def main(arguments: list[str] | None = None) -> None:
    """Does what the command line says; what cannot be read or served is said in one line."""
    options = parser().parse_args(arguments)
    if options.cases:
        sys.stdout.write("\n".join(case_names()) + "\n")
        return
    try:
        serve(options)
    except (OSError, ValueError, KeyError) as error:
        parser().error(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
