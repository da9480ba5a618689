"""The arguments of every verb."""

from __future__ import annotations

import argparse
import re
from typing import Any, NoReturn, get_args

from core.authoring.importing import Same
from core.cli import ask, coverage, importing, search, why
from core.retrieval.filters import Filters


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without a page of usage."""

    def error(self, message: str) -> NoReturn:
        """Exit with code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def text(argument: str) -> str:
    """An argument as UTF-8, also where the locale (`LC_ALL=C`) took its bytes for no text."""

    def decoded(raw: re.Match[str]) -> str:
        return raw[0].encode("utf-8", "surrogateescape").decode("utf-8", "replace")

    return re.sub("[\udc80-\udcff]+", decoded, argument)


FILTER: dict[str, Any] = {
    "action": "append",
    "default": [],
    "type": text,
    "metavar": "NAME=VALUE",
    "help": f"retrieve only passages whose {', '.join(Filters.names())} fits; may be given several times",
}
"""The option of every verb that retrieves."""


def build() -> Parser:
    """The parser with all its verbs."""
    parser = Parser(prog="python -m core", description="RAG comparison workbench, without a browser")
    verbs = parser.add_subparsers(required=True, metavar="VERB", parser_class=Parser)
    common = Parser(add_help=False)
    common.add_argument("--kb", metavar="NAME|PATH", help="knowledge base (default: elevator)")
    common.add_argument("--lang", choices=("zh", "en"), help="language of messages (default: WORKBENCH_LANG, else zh)")
    common.add_argument("--json", action="store_true", help="print one JSON document")

    one = verbs.add_parser("ask", parents=[common], help="put a question to several modes")
    one.add_argument("question", type=text)
    one.add_argument("--modes", metavar="A,B", help="modes by id (default: the first three)")
    one.add_argument("--retrieval-only", action="store_true", help="stop before the writer")
    one.add_argument("--one-by-one", action="store_true", help="run the modes in turn, for fair times")
    one.add_argument("-k", type=int, help="passages given to the writer, for every mode")
    one.add_argument("--set", action="append", default=[], metavar="MODE.NAME=VALUE", help="a mode's parameter")
    one.add_argument("--filter", **FILTER)
    one.set_defaults(command=ask.command)

    two = verbs.add_parser("search", parents=[common], help="ranking only, with scores")
    two.add_argument("query", type=text)
    two.add_argument("--mode", default="rerank", help="bm25 or rerank (default: rerank)")
    two.add_argument("-k", type=int, default=20, help="hits (default: 20)")
    two.add_argument("--filter", **FILTER)
    two.set_defaults(command=search.command)

    three = verbs.add_parser("why", parents=[common], help="why each mode found or missed a passage")
    three.add_argument("question", type=text)
    three.add_argument("--passage", required=True, type=text, metavar="ID")
    three.add_argument("--modes", metavar="A,B", help="modes by id (default: the first three)")
    three.add_argument("-k", type=int, help="passages given to the writer, for every mode")
    three.add_argument("--set", action="append", default=[], metavar="MODE.NAME=VALUE", help="a mode's parameter")
    three.add_argument("--filter", **FILTER)
    three.set_defaults(command=why.command)
    four = verbs.add_parser("import", parents=[common], help="bring files into a knowledge base")
    four.add_argument("files", nargs="+", type=text, metavar="FILE", help="files, folders of files, or a BEIR folder")
    four.add_argument("--same", choices=get_args(Same), default="replace", help="a document that is there already")
    four.add_argument("--encoding", help="encoding of text files, where it is known")
    four.add_argument("--no-ocr", action="store_true", help="leave scanned pages unread")
    four.add_argument("--author", default="", type=text, help="who imports, for the history")
    four.set_defaults(command=importing.command)
    five = verbs.add_parser("coverage", parents=[common], help="what no question reaches, and the faults of a base")
    five.add_argument("--questions", metavar="FILE", type=text, help="a question set (default: those beside the base)")
    five.add_argument("--modes", metavar="A,B", help="modes by id (default: the first three)")
    five.add_argument("--needles", default=str(coverage.USUAL), metavar="N|all|none", help="needle tests, at most")
    five.add_argument("--with-models", action="store_true", help="call the chat models chosen, which costs money")
    five.set_defaults(command=coverage.command)
    return parser
